/* SPDX-License-Identifier: Apache-2.0 */
/* The view of a state that observers get: bodies, energies, contacts in canonical order. */
#include "engine/observer_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/contacts.h"
#include "engine/energy.h"
#include "engine/sim.h"

/** One contact and its place in the canonical order: list, row, column, shift, feature. */
typedef struct entry {
    scree_contact_place place;
    const scree_segment *segment;
    uint64_t at;
} entry;

typedef struct recorded_contact {
    scree_contact_key key;
    scree_record record;
} recorded_contact;

/** Force and torque of one contact on a body that is not free. */
typedef struct recorded_pull {
    uint64_t id, order;
    double six[6];
} recorded_pull;

struct scree_recorded {
    bool has_contacts, has_walls;
    GArray *contacts; /* of recorded_contact, in canonical order */
    GArray *pulls;    /* of recorded_pull, by id, then in canonical order */
};

static int compare_entries(const void *a, const void *b)
{
    return scree_contact_place_compare(&((const entry *)a)->place, &((const entry *)b)->place);
}

static GArray *collect(const scree_sim *sim)
{
    uint64_t n = 0, n_pairs;
    scree_contacts_count(sim, &n, &n_pairs);
    GArray *all = g_array_sized_new(FALSE, FALSE, sizeof(entry), (guint)n);
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t k = 0; k < sim->contacts.n_blocks * (sim->contacts.n_blocks + 1); k++) {
            const scree_segment *s = &sim->plugins.contact.lists[l].segments[k];
            const scree_table *t = &s->table[sim->contacts.committed];
            for (uint64_t c = 0; c < t->n; c++) {
                entry one = {scree_contact_place_of(l, s, t, c), s, c};
                g_array_append_val(all, one);
            }
        }
    g_array_sort(all, compare_entries);
    return all;
}

static void record_contacts(const scree_sim *sim, GArray *out)
{
    g_autoptr(GArray) all = collect(sim);
    g_array_set_size(out, 0);
    for (guint i = 0; i < all->len; i++) {
        const entry *one = &g_array_index(all, entry, i);
        const scree_segment *s = one->segment;
        uint32_t p = s->table[sim->contacts.committed].pair[one->at];
        recorded_contact contact = {scree_contact_key_of(sim->world, s, p, one->place.feature),
                                    s->records[one->at]};
        g_array_append_val(out, contact);
    }
}

/** The array that receives loads, and the wall they act on. */
typedef struct pull_taker {
    GArray *pulls;
    const uint64_t *id;
} pull_taker;

static void take_pull(void *user, uint32_t row, uint32_t wall, const scree_contact_load *line)
{
    const pull_taker *to = user;
    (void)row;
    recorded_pull pull = {to->id[wall],
                          to->pulls->len,
                          {-line->f[0], -line->f[1], -line->f[2], line->torque_col[0],
                           line->torque_col[1], line->torque_col[2]}};
    g_array_append_val(to->pulls, pull);
}

static int compare_pulls(const void *pa, const void *pb)
{
    const recorded_pull *a = pa, *b = pb;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

void scree_record_take(scree_sim *sim)
{
    if (!sim->records.contacts && !sim->records.walls && !sim->records.taken)
        return;
    if (!sim->records.taken) {
        sim->records.taken = g_new0(scree_recorded, 1);
        sim->records.taken->contacts = g_array_new(FALSE, FALSE, sizeof(recorded_contact));
        sim->records.taken->pulls = g_array_new(FALSE, FALSE, sizeof(recorded_pull));
    }
    scree_recorded *to = sim->records.taken;
    to->has_contacts = sim->records.contacts;
    to->has_walls = sim->records.walls;
    if (sim->records.contacts)
        record_contacts(sim, to->contacts);
    if (!sim->records.walls)
        return;
    g_array_set_size(to->pulls, 0);
    pull_taker taker = {to->pulls, sim->world->id};
    scree_each_wall_load(sim, take_pull, &taker);
    g_array_sort(to->pulls, compare_pulls);
}

void scree_record_clear(scree_sim *sim)
{
    if (sim->records.taken) {
        g_array_unref(sim->records.taken->contacts);
        g_array_unref(sim->records.taken->pulls);
    }
    g_clear_pointer(&sim->records.taken, g_free);
    g_clear_pointer(&sim->records.list_arrays, g_ptr_array_unref);
}

uint64_t scree_record_bytes(void)
{
    uint64_t list = 2 * sizeof(uint32_t) + 3 * sizeof(int32_t) + sizeof(uint64_t) +
                    (1 + 4 * 3) * sizeof(double); // see make_arrays
    return sizeof(scree_record) + sizeof(recorded_contact) + list;
}

/** Force and torque on a body that is not free as recorded; false when nothing is. */
static bool recorded_reaction(const scree_sim *sim, uint64_t id, double force[3], double torque[3])
{
    if (!sim->records.taken || !sim->records.taken->has_walls)
        return false;
    const recorded_pull *pull =
        (const recorded_pull *)(const void *)sim->records.taken->pulls->data;
    uint64_t first = 0, n = sim->records.taken->pulls->len, count = 0;
    for (uint64_t left = n; left > 0;) { // the first pull of this id
        uint64_t half = left / 2;
        if (pull[first + half].id < id) {
            first += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    while (first + count < n && pull[first + count].id == id)
        count++;
    for (int k = 0; k < 3; k++) {
        const uint64_t stride = sizeof *pull / sizeof(double);
        force[k] = count ? scree_tree_sum(&pull[first].six[k], count, stride) : 0.0;
        torque[k] = count ? scree_tree_sum(&pull[first].six[3 + k], count, stride) : 0.0;
    }
    return true;
}

/** Contacts of one body that is not free. */
typedef struct wall_loads {
    uint32_t wall;
    GArray *six; // of double[6]
} wall_loads;

static void take_wall_load(void *user, uint32_t row, uint32_t wall, const scree_contact_load *line)
{
    wall_loads *lines = user;
    const double six[6] = {-line->f[0],         -line->f[1],         -line->f[2],
                           line->torque_col[0], line->torque_col[1], line->torque_col[2]};
    if (wall == lines->wall)
        g_array_append_vals(lines->six, six, 1);
}

void scree_reaction(const scree_sim *sim, uint32_t body, double force[3], double torque[3])
{
    const scree_world *w = sim->world;
    for (int k = 0; k < 3; k++)
        force[k] = torque[k] = 0.0;
    if (body < w->n_free) {
        const double *line = w->wrench + (size_t)body * SCREE_WRENCH;
        for (int k = 0; k < 3; k++) {
            force[k] = line[k] - w->mass[body] * w->gravity[k];
            torque[k] = line[4 + k];
        }
        return;
    }
    if (recorded_reaction(sim, w->id[body], force, torque))
        return;
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, 6 * sizeof(double));
    wall_loads lines = {body, values};
    scree_each_wall_load(sim, take_wall_load, &lines);
    const double *v = (const double *)(const void *)values->data;
    for (int k = 0; values->len && k < 3; k++) {
        force[k] = scree_tree_sum(v + k, values->len, 6);
        torque[k] = scree_tree_sum(v + 3 + k, values->len, 6);
    }
}

static void *keep(scree_sim *sim, size_t bytes)
{
    void *memory = scree_aligned_new(bytes);
    g_ptr_array_add(sim->records.list_arrays, memory);
    return memory;
}

/** Writable arrays of a contact list. */
typedef struct list_arrays {
    uint32_t *a, *b;
    int32_t *image[3];
    uint64_t *feature;
    double *normal[3], *depth, *arm[3], *f[3], *couple[3];
} list_arrays;

static void make_arrays(scree_sim *sim, uint64_t n, list_arrays *to, scree_contact_list *list)
{
    if (!sim->records.list_arrays)
        sim->records.list_arrays = g_ptr_array_new_with_free_func(free);
    g_ptr_array_set_size(sim->records.list_arrays, 0);
    *list = (scree_contact_list){.size = sizeof *list};
    list->a = to->a = keep(sim, n * sizeof(uint32_t));
    list->b = to->b = keep(sim, n * sizeof(uint32_t));
    list->feature = to->feature = keep(sim, n * sizeof(uint64_t));
    list->depth = to->depth = keep(sim, n * sizeof(double));
    for (int k = 0; k < 3; k++) {
        list->image[k] = to->image[k] = keep(sim, n * sizeof(int32_t));
        list->normal[k] = to->normal[k] = keep(sim, n * sizeof(double));
        list->arm[k] = to->arm[k] = keep(sim, n * sizeof(double));
        list->f[k] = to->f[k] = keep(sim, n * sizeof(double));
        list->couple[k] = to->couple[k] = keep(sim, n * sizeof(double));
    }
}

static void fill_contact(const scree_world *w, const recorded_contact *from, uint64_t i,
                         const list_arrays *to)
{
    int32_t cells[3];
    uint32_t a = to->a[i], b = to->b[i];
    scree_shift_unpack(from->key.shift, cells);
    to->feature[i] = from->key.feature;
    to->depth[i] = from->record.depth;
    for (int k = 0; k < 3; k++) {
        to->image[k][i] = cells[k] + w->image[k][b] - w->image[k][a];
        to->normal[k][i] = from->record.normal[k];
        to->arm[k][i] = from->record.arm[k];
        to->f[k][i] = from->record.f[k];
        to->couple[k][i] = from->record.couple[k];
    }
}

/** The recorded contacts whose bodies still exist. */
static void fill_list(scree_sim *sim, scree_contact_list *list)
{
    const scree_world *w = sim->world;
    const GArray *contacts = sim->records.taken->contacts;
    g_autofree uint32_t *by_id = scree_world_index(w);
    list_arrays to;
    make_arrays(sim, contacts->len, &to, list);
    for (guint i = 0; i < contacts->len; i++) {
        const recorded_contact *one = &g_array_index(contacts, recorded_contact, i);
        to.a[list->n] = scree_world_find(w, by_id, one->key.id_a);
        to.b[list->n] = scree_world_find(w, by_id, one->key.id_b);
        if (to.a[list->n] != SCREE_NONE && to.b[list->n] != SCREE_NONE)
            fill_contact(w, one, list->n++, &to);
    }
}

static void reaction(const scree_view *view, uint32_t i, double force[3], double torque[3])
{
    scree_reaction(view->ctx, i, force, torque);
}

void scree_view_state(scree_sim *sim, scree_view *view)
{
    const scree_world *w = sim->world;
    scree_aligned_grow(&sim->records.names, &sim->records.names_capacity, w->n, 0,
                       sizeof *sim->records.names);
    for (uint32_t i = 0; i < w->n; i++)
        sim->records.names[i] = sim->scene->group_names->pdata[w->group[i]];
    *view = (scree_view){.size = sizeof *view,
                         .step = sim->step,
                         .time = scree_sim_time(sim),
                         .dt = sim->dt,
                         .bodies = &sim->view,
                         .n_contacts = sim->counters.contacts,
                         .names = sim->records.names};
}

void scree_view_fill(scree_sim *sim, scree_view *view, scree_energy *energy,
                     scree_contact_list *contacts)
{
    scree_view_state(sim, view);
    scree_energy_now(sim, energy);
    g_assert(!contacts || (sim->records.taken && sim->records.taken->has_contacts));
    if (contacts)
        fill_list(sim, contacts);
    view->energy = energy;
    view->contacts = contacts;
    view->reaction = reaction;
    view->ctx = sim;
    scree_momentum(sim, view->momentum, view->angular_momentum);
}
