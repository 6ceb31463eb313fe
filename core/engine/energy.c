/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the whole state, by a fixed tree: energies, momentum, reactions of walls. */
#include "engine/energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rotation.h"
#include "engine/body_index.h"
#include "engine/contact_key.h"
#include "engine/state.h"

enum { LEAF = 1024 }; /* as in scree_tree_sum */

/** Turns vectors from world axes to body axes, and back. */
static void to_body(const scree_world *w, uint32_t i, const double v[3], double out[3])
{
    const double q[4] = {w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]};
    scree_rotate_back(q, v, out);
}

static void to_world(const scree_world *w, uint32_t i, const double v[3], double out[3])
{
    const double q[4] = {w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]};
    scree_rotate(q, v, out);
}

static double kinetic(const scree_world *w, uint32_t i)
{
    double v[3] = {w->v[0][i], w->v[1][i], w->v[2][i]}, s[3] = {w->w[0][i], w->w[1][i], w->w[2][i]};
    double body[3] = {s[0], s[1], s[2]};
    if (!w->isotropic[i])
        to_body(w, i, s, body);
    double inertia[3];
    scree_world_inertia(w, i, inertia);
    double turning = inertia[0] * body[0] * body[0] + inertia[1] * body[1] * body[1] +
                     inertia[2] * body[2] * body[2];
    return 0.5 * w->mass[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 0.5 * turning;
}

/** Returns -m g · x, where x counts the periodic cells that the body has crossed. */
static double potential(const scree_world *w, uint32_t i)
{
    double at[3];
    scree_world_unwrapped(w, i, at);
    return -w->mass[i] * (w->gravity[0] * at[0] + w->gravity[1] * at[1] + w->gravity[2] * at[2]);
}

double scree_energy_body(const scree_sim *sim, uint32_t i)
{
    return kinetic(sim->world, i) + potential(sim->world, i);
}

/** Sums a function of the free bodies by the fixed tree. */
static double over_bodies(const scree_world *w, double (*of)(const scree_world *, uint32_t),
                          uint64_t begin, uint64_t end)
{
    uint64_t n = end - begin;
    if (n <= LEAF) {
        double sum = 0.0;
        for (uint64_t i = begin; i < end; i++)
            sum += of(w, (uint32_t)i);
        return sum;
    }
    uint64_t left = ((n + LEAF - 1) / LEAF / 2) * LEAF;
    return over_bodies(w, of, begin, begin + left) + over_bodies(w, of, begin + left, end);
}

void scree_energy_now(const scree_sim *sim, scree_energy *energy)
{
    const scree_world *w = sim->world;
    *energy = (scree_energy){
        .size = sizeof *energy,
        .kinetic = over_bodies(w, kinetic, 0, w->n_free),
        .gravity = over_bodies(w, potential, 0, w->n_free),
        .stored = sim->account.stored,
        .lost = sim->account.lost,
        .work = sim->account.work,
        .start = sim->account.start,
    };
    energy->residual = energy->kinetic + energy->gravity + energy->stored + energy->lost -
                       energy->work - energy->start;
}

void scree_momentum(const scree_sim *sim, double linear[3], double angular[3])
{
    const scree_world *w = sim->world;
    for (int k = 0; k < 3; k++)
        linear[k] = angular[k] = 0.0;
    for (uint32_t i = 0; i < w->n_free; i++) {
        double p[3], x[3], spin[3] = {w->w[0][i], w->w[1][i], w->w[2][i]}, own[3], inertia[3];
        scree_world_inertia(w, i, inertia);
        scree_world_unwrapped(w, i, x);
        if (!w->isotropic[i])
            to_body(w, i, spin, spin);
        for (int k = 0; k < 3; k++) {
            p[k] = w->mass[i] * w->v[k][i];
            own[k] = inertia[k] * spin[k];
        }
        if (!w->isotropic[i])
            to_world(w, i, own, own);
        for (int k = 0; k < 3; k++) {
            linear[k] += p[k];
            angular[k] +=
                x[(k + 1) % 3] * p[(k + 2) % 3] - x[(k + 2) % 3] * p[(k + 1) % 3] + own[k];
        }
    }
}

/** Walks the loads of contacts whose column is not free, by list in canonical order. */
typedef struct wall_walk {
    uint32_t list, block;
    uint64_t contact;
} wall_walk;

static const scree_contact_load *next_wall_load(const scree_sim *sim, wall_walk *walk,
                                                uint32_t *row, uint32_t *wall)
{
    for (; walk->list < sim->plugins.contact.n_lists; walk->list++, walk->block = 0)
        for (; walk->block < sim->contacts.n_blocks; walk->block++, walk->contact = 0) {
            const scree_segment *s =
                scree_list_segment(&sim->plugins.contact.lists[walk->list], sim->contacts.n_blocks,
                                   walk->block, sim->contacts.n_blocks);
            if (walk->contact >= s->n_loads)
                continue;
            const scree_table *t = &s->table[sim->account.loads_in];
            *row = scree_pair_row(s, t->pair[walk->contact]);
            *wall = scree_pair_column(s, t->pair[walk->contact]);
            return &s->loads[walk->contact++];
        }
    return NULL;
}

void scree_each_wall_load(const scree_sim *sim,
                          void (*take)(void *user, uint32_t row, uint32_t wall,
                                       const scree_contact_load *line),
                          void *user)
{
    wall_walk walk = {0, 0, 0};
    uint32_t row, wall;
    for (const scree_contact_load *line; (line = next_wall_load(sim, &walk, &row, &wall));)
        take(user, row, wall, line);
}

/** Returns the power [W] of kinematic bodies on other bodies. */
static double wall_power(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    if (!w->n_kinematic)
        return 0.0;
    g_array_set_size(sim->account.values, 0);
    wall_walk walk = {0, 0, 0};
    uint32_t row, wall;
    for (const scree_contact_load *line; (line = next_wall_load(sim, &walk, &row, &wall));) {
        double power = 0.0;
        for (int k = 0; k < 3; k++)
            power += line->f[k] * w->v[k][wall] - line->torque_col[k] * w->w[k][wall];
        power += sim->surfaces.any ? line->surface : 0.0;
        g_array_append_val(sim->account.values, power);
    }
    return scree_tree_sum((const double *)(const void *)sim->account.values->data,
                          sim->account.values->len, 1);
}

/** A contact that has opened, or that stores energy. */
typedef struct ended_contact {
    scree_contact_place place;
    double energy;
} ended_contact;

static int compare_ended(const ended_contact *a, const ended_contact *b)
{
    return scree_contact_place_compare(&a->place, &b->place);
}

static void sift_down(ended_contact *c, guint at, guint n)
{
    const ended_contact top = c[at];
    for (guint child = 2 * at + 1; child < n; child = 2 * at + 1) {
        child += child + 1 < n && compare_ended(&c[child], &c[child + 1]) < 0;
        if (compare_ended(&c[child], &top) <= 0)
            break;
        c[at] = c[child];
        at = child;
    }
    c[at] = top;
}

/** Sorts by key, in place (g_array_sort allocates); all keys differ. */
static void sort_ended(GArray *all)
{
    ended_contact *c = (ended_contact *)(void *)all->data;
    bool sorted = true;
    for (guint i = 1; i < all->len && sorted; i++)
        sorted = compare_ended(&c[i - 1], &c[i]) < 0;
    if (sorted)
        return;
    for (guint i = all->len / 2; i-- > 0;)
        sift_down(c, i, all->len);
    for (guint n = all->len; n-- > 1;) {
        const ended_contact last = c[n];
        c[n] = c[0];
        c[0] = last;
        sift_down(c, 0, n);
    }
}

/** Returns the sum of the collected energies, in the order of keys. */
static double sum_collected(GArray *all)
{
    if (!all->len)
        return 0.0;
    sort_ended(all);
    const ended_contact *first = &g_array_index(all, ended_contact, 0);
    return scree_tree_sum(&first->energy, all->len, sizeof *first / sizeof(double));
}

/** Collects the energy of contact c of segment k; `marked` (NULL: all): if it has a marked body. */
static void collect(const scree_sim *sim, uint32_t k, const scree_table *t, uint64_t c,
                    const uint8_t *marked, double energy)
{
    const scree_segment *s = scree_segment_at(sim, k);
    const uint32_t p = t->pair[c];
    if (marked && !marked[s->a[p]] && !marked[s->b[p]])
        return;
    ended_contact one = {scree_contact_place_of(scree_segment_list(sim, k), s, t, c), energy};
    g_array_append_val(sim->account.ended, one);
}

/** Returns the energy lost by contacts that opened (contact_ends.c); `marked`: see collect(). */
static double ended_energy(const scree_sim *sim, const uint8_t *marked)
{
    g_array_set_size(sim->account.ended, 0);
    for (uint32_t k = 0; k < scree_segment_count(sim); k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        for (uint64_t e = 0; e < s->n_ended; e++)
            if (s->parted[e] != 0.0)
                collect(sim, k, &s->table[sim->contacts.committed], s->ended[e], marked,
                        s->parted[e]);
    }
    return sum_collected(sim->account.ended);
}

/** Returns the energy lost at once in contacts of the newest table; `marked` as in collect(). */
static double heat_energy(const scree_sim *sim, const uint8_t *marked)
{
    g_array_set_size(sim->account.ended, 0);
    for (uint32_t k = 0; sim->plugins.contact.any_heat && k < scree_segment_count(sim); k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        for (uint64_t h = 0; h < s->n_heats; h++)
            collect(sim, k, &s->table[1 - sim->contacts.committed], s->heats[h].contact, marked,
                    s->heats[h].energy);
    }
    return sum_collected(sim->account.ended);
}

double scree_energy_stored_with(const scree_sim *sim, const uint8_t *marked, uint32_t which)
{
    g_array_set_size(sim->account.ended, 0);
    for (uint32_t k = 0; sim->plugins.contact.any_stored && k < scree_segment_count(sim); k++) {
        const scree_table *t = &scree_segment_at(sim, k)->table[which];
        for (uint64_t c = 0; c < t->n; c++)
            collect(sim, k, t, c, marked, t->stored[c]);
    }
    return sum_collected(sim->account.ended);
}

/** Returns the work of placing bodies in contact with others: energy that their contacts store now
 * and did not before, and energy booked as lost when they left other contacts. */
static double edit_work(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    if (!sim->edits.edited->len || !sim->plugins.contact.any_stored)
        return 0.0;
    g_autofree uint32_t *by_id = scree_body_index_new(w);
    g_autofree uint8_t *edited = g_new0(uint8_t, w->n + 1);
    for (guint i = 0; i < sim->edits.edited->len; i++) {
        uint32_t body =
            scree_body_index_find(w, by_id, g_array_index(sim->edits.edited, uint64_t, i));
        if (body != SCREE_NONE)
            edited[body] = 1;
    }
    return scree_energy_stored_with(sim, edited, 1 - sim->contacts.committed) -
           scree_energy_stored_with(sim, edited, sim->contacts.committed) +
           ended_energy(sim, edited) + heat_energy(sim, edited);
}

/** Sums the wrenches of bodies [begin, end) by the fixed tree. */
static void sum_wrenches(const scree_sim *sim, uint64_t begin, uint64_t end,
                         double sums[SCREE_WRENCH])
{
    uint64_t n = end - begin;
    if (n <= LEAF) {
        sim->kernels->sum_lines(n, sim->world->wrench + begin * SCREE_WRENCH, sums);
        return;
    }
    double right[SCREE_WRENCH];
    uint64_t left = ((n + LEAF - 1) / LEAF / 2) * LEAF;
    sum_wrenches(sim, begin, begin + left, sums);
    sum_wrenches(sim, begin + left, end, right);
    for (int k = 0; k < SCREE_WRENCH; k++)
        sums[k] += right[k];
}

double scree_energy_stored(const scree_sim *sim)
{
    double line[SCREE_WRENCH];
    sum_wrenches(sim, 0, sim->world->n_free, line);
    return line[3];
}

double scree_energy_bound(const scree_sim *sim, double since)
{
    double line[SCREE_WRENCH];
    sum_wrenches(sim, 0, sim->world->n_free, line);
    return line[3] + line[7] * since + ended_energy(sim, NULL) + heat_energy(sim, NULL);
}

bool scree_energy_account(scree_sim *sim, double since, GError **error)
{
    const scree_world *w = sim->world;
    sim->account.loads_in = 1 - sim->contacts.committed; // loads belong to the next committed table
    double line[SCREE_WRENCH], force = 0.0;
    sum_wrenches(sim, 0, w->n_free, line);
    for (int k = 0; k < SCREE_WRENCH; k++)
        force += line[k];
    if (!isfinite(force))
        return scree_fail(error, SCREE_EXIT_RUN,
                          "the sum of all forces is not finite at step %" G_GUINT64_FORMAT
                          " (a modifier, or positions that overflow)%s",
                          sim->step, scree_not_finite_hint(sim));
    sim->account.stored = line[3];
    sim->account.lost_ended = ended_energy(sim, NULL);
    sim->account.lost += line[7] * since + sim->account.lost_ended + heat_energy(sim, NULL);
    sim->account.wall_power = wall_power(sim);
    sim->account.wall_work += sim->account.wall_power * since;
    sim->account.work +=
        (sim->account.wall_power + sim->account.work_rate) * since + edit_work(sim);
    g_array_set_size(sim->edits.edited, 0);
    return true;
}
