/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the whole state: energies, momentum, forces on walls. */
#include "engine/energy.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "engine/body_index.h"
#include "engine/lane.h"
#include "engine/rank_rows.h"
#include "engine/state.h"

static double kinetic(const scree_world *w, uint32_t i)
{
    double v[3] = {w->v[0][i], w->v[1][i], w->v[2][i]}, s[3] = {w->w[0][i], w->w[1][i], w->w[2][i]};
    double body[3] = {s[0], s[1], s[2]};
    if (!w->isotropic[i])
        scree_world_turn_back(w, i, s, body);
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

void scree_energy_begin(scree_account *account, double time)
{
    account->wall_work = (scree_exact_sum){.odd = 0.0};
    account->lost_before = scree_exact_sum_value(&account->lost);
    account->begun = time;
}

void scree_energy_book(scree_account *account, double work, double stored)
{
    scree_exact_sum_add(&account->work, work);
    scree_exact_sum_add(&account->stored, stored);
}

static void add_energies(const void *user, uint64_t begin, uint64_t end, double *sum)
{
    for (uint64_t i = begin; i < end; i++) {
        sum[0] += kinetic(user, (uint32_t)i);
        sum[1] += potential(user, (uint32_t)i);
    }
}

void scree_energy_now(const scree_sim *sim, scree_energy *energy)
{
    const scree_account *account = &sim->account;
    double sum[2];
    scree_leaf_sums(sim->world->number, sim->world->n_free, 2, add_energies, sim->world, sum);
    *energy = (scree_energy){
        .size = sizeof *energy,
        .kinetic = sum[0],
        .gravity = sum[1],
        .stored = scree_exact_sum_value(&account->stored),
        .lost = scree_exact_sum_value(&account->lost),
        .work = scree_exact_sum_value(&account->work),
        .start = account->start,
    };
    energy->residual = energy->kinetic + energy->gravity + energy->stored + energy->lost -
                       energy->work - energy->start;
}

/** Adds momenta, sum[0 .. 2], and angular momenta, sum[3 .. 5]. */
static void add_momenta(const void *user, uint64_t begin, uint64_t end, double *sum)
{
    const scree_world *w = user;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        double p[3], x[3], spin[3] = {w->w[0][i], w->w[1][i], w->w[2][i]}, own[3], inertia[3];
        scree_world_inertia(w, i, inertia);
        scree_world_unwrapped(w, i, x);
        if (!w->isotropic[i])
            scree_world_turn_back(w, i, spin, spin);
        for (int k = 0; k < 3; k++) {
            p[k] = w->mass[i] * w->v[k][i];
            own[k] = inertia[k] * spin[k];
        }
        if (!w->isotropic[i])
            scree_world_turn(w, i, own, own);
        for (int k = 0; k < 3; k++) {
            sum[k] += p[k];
            sum[3 + k] +=
                x[(k + 1) % 3] * p[(k + 2) % 3] - x[(k + 2) % 3] * p[(k + 1) % 3] + own[k];
        }
    }
}

void scree_momentum(const scree_sim *sim, double linear[3], double angular[3])
{
    double sum[6];
    scree_leaf_sums(sim->world->number, sim->world->n_free, 6, add_momenta, sim->world, sum);
    memcpy(linear, sum, 3 * sizeof *sum);
    memcpy(angular, sum + 3, 3 * sizeof *sum);
}

void scree_each_wall_load(const scree_sim *sim,
                          void (*take)(void *user, uint32_t row, uint32_t wall,
                                       const scree_contact_load *line),
                          void *user)
{
    const uint32_t n_blocks = sim->contacts.n_blocks;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t b = 0; b < n_blocks; b++) {
            if (scree_ranks_apart(sim) && !scree_ranks_has(sim, b))
                continue;
            const scree_segment *s =
                scree_list_segment(&sim->plugins.contact.lists[l], n_blocks, b, n_blocks);
            const uint32_t *pair = s->table[sim->account.loads_in].pair;
            for (uint64_t c = 0; c < s->n_loads; c++)
                take(user, scree_pair_row(s, pair[c]), scree_pair_column(s, pair[c]), &s->loads[c]);
        }
}

/** Power [W] of kinematic bodies on a leaf of bodies. */
typedef struct wall_power {
    scree_sim *sim;
    uint64_t leaf; /* of bodies */
    double sum, since;
} wall_power;

static void book_wall_power(const wall_power *of)
{
    scree_account *account = &of->sim->account;
    scree_exact_sum_add(&account->wall_power, of->sum);
    scree_exact_sum_add(&account->wall_work, of->sum * of->since);
    scree_exact_sum_add(&account->work, of->sum * of->since);
}

static void add_wall_power(void *user, uint32_t row, uint32_t wall, const scree_contact_load *line)
{
    wall_power *to = user;
    const scree_world *w = to->sim->world;
    double power = 0.0;
    for (int k = 0; k < 3; k++)
        power += line->f[k] * w->v[k][wall] - line->torque_col[k] * w->w[k][wall];
    power += to->sim->surfaces.any ? line->surface : 0.0;
    if (w->number[row] >> 32 != to->leaf) {
        book_wall_power(to);
        to->leaf = w->number[row] >> 32;
        to->sum = 0.0;
    }
    to->sum += power;
}

/** Books the power of kinematic bodies on other bodies, over `since` [s]. */
static void collect_wall_power(scree_sim *sim, double since)
{
    wall_power of = {.sim = sim, .since = since};
    if (!sim->world->n_kinematic)
        return;
    scree_each_wall_load(sim, add_wall_power, &of);
    book_wall_power(&of);
}

/** Returns whether contact c of a table has a marked body; `marked` NULL: true. */
static bool is_marked(const scree_segment *s, const scree_table *t, uint64_t c,
                      const uint8_t *marked)
{
    const uint32_t p = t->pair[c];
    return !marked || marked[s->a[p]] || marked[s->b[p]];
}

/** Adds the energy lost by contacts that opened (contact_ends.c). */
static void collect_ended(const scree_sim *sim, const uint8_t *marked, scree_exact_sum *to)
{
    for (uint32_t k = 0; k < scree_segment_count(sim); k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        const scree_table *t = &s->table[sim->contacts.committed];
        for (uint64_t e = 0; e < s->n_ended && scree_ranks_books(sim, k); e++)
            if (s->parted[e] != 0.0 && is_marked(s, t, s->ended[e], marked))
                scree_exact_sum_add(to, s->parted[e]);
    }
}

/** Adds the energy lost at once in contacts of the newest table. */
static void collect_heat(const scree_sim *sim, const uint8_t *marked, scree_exact_sum *to)
{
    for (uint32_t k = 0; sim->plugins.contact.any_heat && k < scree_segment_count(sim); k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        const scree_table *t = &s->table[1 - sim->contacts.committed];
        for (uint64_t h = 0; h < s->n_heats && scree_ranks_books(sim, k); h++)
            if (is_marked(s, t, s->heats[h].contact, marked))
                scree_exact_sum_add(to, s->heats[h].energy);
    }
}

void scree_energy_add_stored(const scree_sim *sim, const uint8_t *marked, uint32_t which, double by,
                             scree_exact_sum *to)
{
    for (uint32_t k = 0; sim->plugins.contact.any_stored && k < scree_segment_count(sim); k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        const scree_table *t = &s->table[which];
        for (uint64_t c = 0; c < t->n; c++)
            if (is_marked(s, t, c, marked))
                scree_exact_sum_add(to, by * t->stored[c]);
    }
}

/** Adds the work of placing bodies in contact with others: energy that their contacts store now and
 * did not before, and energy booked as lost when they left other contacts. */
static void collect_edit_work(const scree_sim *sim, scree_exact_sum *to)
{
    const scree_world *w = sim->world;
    if (!sim->edits.edited->len || !sim->plugins.contact.any_stored)
        return;
    g_autofree uint32_t *by_id = scree_body_index_new(w);
    g_autofree uint8_t *edited = g_new0(uint8_t, w->n + 1);
    for (guint i = 0; i < sim->edits.edited->len; i++) {
        uint32_t body =
            scree_body_index_find(w, by_id, g_array_index(sim->edits.edited, uint64_t, i));
        if (body != SCREE_NONE)
            edited[body] = 1;
    }
    scree_energy_add_stored(sim, edited, 1 - sim->contacts.committed, 1.0, to);
    scree_energy_add_stored(sim, edited, sim->contacts.committed, -1.0, to);
    collect_ended(sim, edited, to);
    collect_heat(sim, edited, to);
}

/** Adds what the wrenches of the newest evaluation hold, of leaves that begin in [begin, end):
 * stored energy [J], and heat [W] times `since` [s]; `lost` may be NULL. Returns whether all sums
 * of wrenches are finite. */
static bool add_wrenches(const scree_sim *sim, uint64_t begin, uint64_t end, double since,
                         scree_exact_sum *stored, scree_exact_sum *lost)
{
    const scree_world *w = sim->world;
    double line[SCREE_WRENCH], all = 0.0;
    while (begin && begin < end && w->number[begin] >> 32 == w->number[begin - 1] >> 32)
        begin++;
    for (uint64_t stop = end; begin < stop; begin = end) {
        end = scree_leaf_end(w->number, w->n_free, begin);
        sim->kernels->sum_lines(end - begin, w->wrench + begin * SCREE_WRENCH, line);
        scree_exact_sum_add(stored, line[3]);
        if (lost)
            scree_exact_sum_add(lost, line[7] * since);
        for (int k = 0; k < SCREE_WRENCH; k++)
            all += line[k];
    }
    return isfinite(all);
}

/* ---- leaves that ranks share ---- */

/*
 * Blocks end where pages do, which is within a leaf where bodies have gone. The bodies of a leaf
 * are summed as doubles in their order, so no rank can add up its part. While ranks are apart each
 * notes, of each evaluation, its time and one line for each own body in such a leaf. The leaves are
 * summed when all ranks have the notes of all (ranks.c).
 */

enum { NOTE_STORED, NOTE_LOST, NOTE_POWER, NOTED }; /* numbers of a line */

/** Returns the rows of leaves that are whole in `rows`. */
static scree_rows whole_leaves(const scree_world *w, scree_rows rows)
{
    while (rows.first && rows.first < rows.end &&
           w->number[rows.first] >> 32 == w->number[rows.first - 1] >> 32)
        rows.first++;
    while (rows.first < rows.end && rows.end < w->n_free &&
           w->number[rows.end - 1] >> 32 == w->number[rows.end] >> 32)
        rows.end--;
    return rows;
}

/** Returns body i, or the first one after whole leaves that begin there. */
static uint32_t pass(uint32_t i, scree_rows whole)
{
    return i == whole.first ? whole.end : i;
}

uint32_t scree_energy_noted(const scree_sim *sim, uint32_t rank)
{
    const scree_rows rows = scree_ranks_rows_of(sim, rank), whole = whole_leaves(sim->world, rows);
    return 1 + NOTED * (rows.end - rows.first - (whole.end - whole.first));
}

/** While ranks are apart: notes what the newest evaluation holds of own bodies in shared leaves.
 * Returns whether it is finite. */
static bool note_shared(const scree_sim *sim, double since)
{
    const scree_world *w = sim->world;
    const scree_account *account = &sim->account;
    double all = 0.0;
    if (!scree_ranks_apart(sim))
        return true;
    GArray *notes = sim->ranks->shared[sim->ranks->rank];
    const scree_rows rows = scree_ranks_rows(sim), whole = whole_leaves(w, rows);
    g_array_append_val(notes, since);
    for (uint32_t i = pass(rows.first, whole); i < rows.end; i = pass(i + 1, whole)) {
        const double *wrench = w->wrench + (size_t)i * SCREE_WRENCH;
        const double line[NOTED] = {wrench[3], wrench[7],
                                    account->any_power ? account->power[i] : 0.0};
        g_array_append_vals(notes, line, NOTED);
        for (int k = 0; k < SCREE_WRENCH; k++)
            all += wrench[k];
    }
    return isfinite(all);
}

/** Adds a leaf; only the last evaluation says what is stored. */
static void add_leaf(scree_account *account, const double sum[NOTED], double since, bool last)
{
    if (last)
        scree_exact_sum_add(&account->stored, sum[NOTE_STORED]);
    scree_exact_sum_add(&account->lost, sum[NOTE_LOST] * since);
    scree_exact_sum_add(&account->work, sum[NOTE_POWER] * since);
}

/** Adds the shared leaves of evaluation `number`. */
static void add_evaluation(const scree_sim *sim, uint32_t number, bool last, scree_account *account)
{
    const scree_world *w = sim->world;
    uint64_t leaf = UINT64_MAX;
    double sum[NOTED] = {0.0}, since = 0.0;
    for (uint32_t rank = 0; rank < sim->ranks->n; rank++) {
        const scree_rows rows = scree_ranks_rows_of(sim, rank), whole = whole_leaves(w, rows);
        const double *note = (const double *)(const void *)sim->ranks->shared[rank]->data;
        note += (size_t)number * scree_energy_noted(sim, rank);
        since = *note++;
        for (uint32_t i = pass(rows.first, whole); i < rows.end; i = pass(i + 1, whole)) {
            if (w->number[i] >> 32 != leaf) {
                add_leaf(account, sum, since, last);
                memset(sum, 0, sizeof sum);
                leaf = w->number[i] >> 32;
            }
            for (int k = 0; k < NOTED; k++)
                sum[k] += *note++;
        }
    }
    add_leaf(account, sum, since, last);
}

void scree_energy_add_shared(scree_sim *sim)
{
    const uint32_t n = sim->ranks->shared[0]->len / scree_energy_noted(sim, 0);
    for (uint32_t number = 0; number < n; number++)
        add_evaluation(sim, number, number + 1 == n, &sim->account);
}

/* ---- the account ---- */

/** Sums of wrenches by all lanes. */
typedef struct wrench_sums {
    scree_sim *sim;
    double since;
} wrench_sums;

/** The caller's lane adds to the account, others to sums of their own. */
static int32_t sum_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane_number)
{
    const wrench_sums *of = user;
    scree_account *account = &of->sim->account;
    scree_lane *lane = &of->sim->plugins.contact.lanes[lane_number];
    lane->summed = lane_number > 0;
    return add_wrenches(of->sim, begin, end, of->since,
                        lane->summed ? &lane->stored : &account->stored,
                        lane->summed ? &lane->lost : &account->lost)
               ? SCREE_OK
               : -1;
}

/** Adds to the account what all wrenches hold. Returns whether their sums are finite. */
static bool sum_wrenches(scree_sim *sim, double since)
{
    enum { GRAIN = 64 * SCREE_SUM_LEAF };
    wrench_sums of = {sim, since};
    const scree_rows rows = whole_leaves(sim->world, scree_ranks_rows(sim));
    const bool finite =
        scree_pool_for(sim->runtime.pool, rows.first, rows.end, GRAIN, sum_chunk, &of) >= 0 &&
        note_shared(sim, since);
    for (uint32_t k = 1; k < scree_pool_lanes(sim->runtime.pool); k++) {
        scree_lane *lane = &sim->plugins.contact.lanes[k];
        if (!lane->summed)
            continue;
        scree_exact_sum_merge(&sim->account.stored, &lane->stored);
        scree_exact_sum_merge(&sim->account.lost, &lane->lost);
        lane->stored = lane->lost = (scree_exact_sum){.odd = 0.0};
        lane->summed = false;
    }
    return finite;
}

double scree_energy_stored(const scree_sim *sim)
{
    scree_exact_sum stored = {.odd = 0.0};
    const scree_rows rows = scree_ranks_rows(sim);
    add_wrenches(sim, rows.first, rows.end, 0.0, &stored, NULL);
    return scree_exact_sum_value(&stored);
}

double scree_energy_bound(const scree_sim *sim, double since)
{
    scree_exact_sum bound = {.odd = 0.0};
    const scree_rows rows = scree_ranks_rows(sim);
    add_wrenches(sim, rows.first, rows.end, since, &bound, &bound);
    collect_ended(sim, NULL, &bound);
    collect_heat(sim, NULL, &bound);
    return scree_exact_sum_value(&bound);
}

/** Adds the work [J] of the modifiers' power in `since` [s]. */
static void collect_power(scree_sim *sim, double since)
{
    scree_account *account = &sim->account;
    const scree_world *w = sim->world;
    const scree_rows rows = whole_leaves(w, scree_ranks_rows(sim));
    const double *power = account->power;
    for (uint64_t begin = rows.first, end; begin < rows.end; begin = end) {
        end = scree_leaf_end(w->number, w->n_free, begin);
        double sum = 0.0;
        for (uint64_t i = begin; i < end; i++)
            sum += power[i];
        scree_exact_sum_add(&account->work, sum * since);
    }
}

bool scree_energy_account(scree_sim *sim, double since, GError **error)
{
    scree_account *account = &sim->account;
    account->loads_in = 1 - sim->contacts.committed; // loads belong to the next committed table
    const scree_exact_sum stored = account->stored, lost = account->lost;
    account->stored = account->lost_ended = account->wall_power = (scree_exact_sum){.odd = 0.0};
    if (!sum_wrenches(sim, since)) {
        account->stored = stored;
        account->lost = lost;
        return scree_fail(error, SCREE_EXIT_RUN,
                          "the sum of all forces is not finite at step %" G_GUINT64_FORMAT
                          " (a modifier, or positions that overflow)%s",
                          sim->step, scree_not_finite_hint(sim));
    }
    collect_ended(sim, NULL, &account->lost_ended);
    scree_exact_sum_merge(&account->lost, &account->lost_ended);
    collect_heat(sim, NULL, &account->lost);
    collect_wall_power(sim, since);
    if (account->any_power)
        collect_power(sim, since);
    collect_edit_work(sim, &account->work);
    g_array_set_size(sim->edits.edited, 0);
    return true;
}
