/* SPDX-License-Identifier: Apache-2.0 */
/* The observers' view of a state: bodies, energies, contacts in canonical order. */
#include "engine/observer_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/contact_list.h"
#include "engine/energy.h"
#include "engine/lane.h"

/** Force and torque of a contact on a body that is not free. */
typedef struct recorded_pull {
    uint64_t id, order;
    double six[6];
} recorded_pull;

struct scree_evaluation_record {
    bool has_figures, has_contacts, has_walls;
    scree_contact_sums sums;
    scree_contact_copy *contacts;
    GArray *pulls; /* elements: recorded_pull, by id, then in canonical order */
};

/** The array for loads, and the wall that they act on. */
typedef struct pull_taker {
    GArray *pulls;
    const uint64_t *id;
} pull_taker;

static void take_view_pull(void *user, uint32_t row, uint32_t wall, const scree_contact_load *line)
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

static void take_sums(const scree_sim *sim, scree_contact_sums *sums)
{
    *sums = (scree_contact_sums){.n = 0};
    for (uint32_t k = 0; k < scree_pool_lanes(sim->runtime.pool); k++)
        scree_contact_sums_merge(sums, &sim->plugins.contact.lanes[k].sums);
}

void scree_record_take(scree_sim *sim)
{
    const scree_records *asked = &sim->records;
    if (!asked->figures && !asked->contacts && !asked->walls && !asked->last)
        return;
    if (!sim->records.last) {
        sim->records.last = g_new0(scree_evaluation_record, 1);
        sim->records.last->pulls = g_array_new(FALSE, FALSE, sizeof(recorded_pull));
    }
    scree_evaluation_record *to = sim->records.last;
    to->has_figures = sim->records.figures;
    to->has_contacts = sim->records.contacts;
    to->has_walls = sim->records.walls;
    if (sim->records.figures)
        take_sums(sim, &to->sums);
    if (sim->records.contacts)
        scree_contact_copy_make(sim, &to->contacts);
    if (!sim->records.walls)
        return;
    g_array_set_size(to->pulls, 0);
    pull_taker taker = {to->pulls, sim->world->id};
    scree_each_wall_load(sim, take_view_pull, &taker);
    g_array_sort(to->pulls, compare_pulls);
}

bool scree_record_list(scree_sim *sim, scree_contact_list *list)
{
    if (!sim->records.last || !sim->records.last->has_contacts)
        return false;
    scree_contact_copy_list(sim, sim->records.last->contacts, list);
    return true;
}

const scree_contact_sums *scree_record_sums(const scree_sim *sim)
{
    const scree_evaluation_record *last = sim->records.last;
    return last && last->has_figures ? &last->sums : NULL;
}

void scree_record_clear(scree_records *records)
{
    if (records->last) {
        scree_contact_copy_free(records->last->contacts);
        g_array_unref(records->last->pulls);
    }
    g_clear_pointer(&records->last, g_free);
    g_clear_pointer(&records->list_arrays, g_ptr_array_unref);
}

/** Finds the recorded force and torque on a body that is not free. False: no record. */
static bool recorded_reaction(const scree_sim *sim, uint64_t id, double force[3], double torque[3])
{
    if (!sim->records.last || !sim->records.last->has_walls)
        return false;
    const recorded_pull *pull = (const recorded_pull *)(const void *)sim->records.last->pulls->data;
    uint64_t first = 0, n = sim->records.last->pulls->len, count = 0;
    for (uint64_t left = n; left > 0;) { // binary search for the first pull of this id
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

/** Contacts of a body that is not free. */
typedef struct wall_loads {
    uint32_t wall;
    GArray *six; // elements: double[6]
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
    g_assert(!contacts || (sim->records.last && sim->records.last->has_contacts));
    if (contacts)
        scree_contact_copy_list(sim, sim->records.last->contacts, contacts);
    view->energy = energy;
    view->contacts = contacts;
    view->reaction = reaction;
    view->ctx = sim;
    scree_momentum(sim, view->momentum, view->angular_momentum);
}

void scree_view_lend(const scree_sim *sim, const scree_instance *observer,
                     scree_contact_list *contacts)
{
    if (scree_contact_list_is_used(observer))
        scree_contact_copy_show(sim, sim->records.last->contacts, observer, contacts);
}
