/* SPDX-License-Identifier: Apache-2.0 */
/* Forces at the current positions: batches through resolver and laws, sums in canonical order. */
#include "engine/evaluate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "base/shortage.h"
#include "engine/balls.h"
#include "engine/batch.h"
#include "engine/diagnostics.h"
#include "engine/energy.h"
#include "engine/extent.h"
#include "engine/ghosts.h"
#include "engine/lane.h"
#include "engine/laws.h"
#include "engine/motion.h"
#include "engine/near.h"
#include "engine/notify.h"
#include "engine/observer_view.h"
#include "engine/order.h"
#include "engine/pose.h"
#include "engine/ranks.h"
#include "engine/rates.h"
#include "engine/reach.h"
#include "engine/shared_fields.h"
#include "plugin/call.h"
#include "plugin/events.h"

/*
 * Order of an evaluation (docs/explanation/architecture.md; blocks and segments: lists.h)
 *   pose kinematic bodies; pending moves, mirrors, gravity; extents left? -> refresh, mirrors and
 *   gravity again
 *   phase 1  segments (b, B > b), any order: contacts, laws, a load per contact
 *   phase 2  per block and list: loads of lower partners, own segment added directly, loads of
 *            higher partners
 *   modifiers' forces; commit
 */

/** Runs phase 1 for segment `unit` of all lists' segments b < B. */
static int32_t phase_one(void *user, uint64_t begin, uint64_t end, uint32_t lane_number)
{
    const scree_evaluation *e = user;
    scree_sim *sim = e->sim;
    uint32_t per_list = sim->contacts.n_blocks * (sim->contacts.n_blocks + 1);
    for (uint64_t unit = begin; unit < end; unit++) {
        scree_list *list = &sim->plugins.contact.lists[unit / per_list];
        uint32_t k = (uint32_t)(unit % per_list), b = k / (sim->contacts.n_blocks + 1);
        const uint32_t B = k % (sim->contacts.n_blocks + 1);
        if (B <= b || !(scree_ranks_has(sim, b) || scree_ranks_has(sim, B)))
            continue;
        scree_lane *lane = &sim->plugins.contact.lanes[lane_number];
        lane->foreign = scree_events_foreign = !scree_ranks_has(sim, b);
        if (!scree_segment_process(e, list, &list->segments[k], false, lane))
            return SCREE_E_INTERNAL;
    }
    scree_events_foreign = false;
    return SCREE_OK;
}

static void add_loads(const scree_evaluation *e, const scree_segment *s, bool to_rows)
{
    scree_sim *sim = e->sim;
    const scree_table *t = &s->table[1 - sim->contacts.committed];
    for (uint64_t c = 0; c < s->n_loads; c++) {
        const scree_contact_load *line = &s->loads[c];
        uint32_t p = t->pair[c];
        uint32_t body = to_rows ? scree_pair_row(s, p) : scree_pair_column(s, p);
        double *to = sim->world->wrench + (size_t)body * SCREE_WRENCH;
        const double *torque = to_rows ? line->torque_row : line->torque_col;
        for (int k = 0; k < 3; k++) {
            to[k] += to_rows ? line->f[k] : -line->f[k];
            to[4 + k] += torque[k];
        }
        if (to_rows) {
            to[3] += line->stored;
            to[7] += line->lost;
        }
    }
    if (sim->plugins.contact.n_rates && e->accepted)
        scree_rates_add_loads(sim, s, to_rows);
}

/** Runs phase 2 for one block. */
static int32_t phase_two(void *user, uint64_t begin, uint64_t end, uint32_t lane_number)
{
    const scree_evaluation *e = user;
    scree_sim *sim = e->sim;
    scree_lane *lane = &sim->plugins.contact.lanes[lane_number];
    for (uint32_t b = (uint32_t)begin; b < end; b++) {
        if (!scree_ranks_has(sim, b))
            continue;
        lane->foreign = false;
        for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
            scree_list *list = &sim->plugins.contact.lists[l];
            lane->booked = scree_ticks();
            for (uint32_t lower = 0; lower < b; lower++)
                add_loads(e, scree_list_segment(list, sim->contacts.n_blocks, lower, b), false);
            scree_segment *own = scree_list_segment(list, sim->contacts.n_blocks, b, b);
            for (int to_rows = 0; own->walk.ahead && to_rows < 2; to_rows++)
                add_loads(e, own, to_rows); // a body is the column of lower partners
            scree_lane_book(lane, &lane->sum_ticks);
            if (!scree_segment_process(e, list, own, true, lane))
                return SCREE_E_INTERNAL;
            for (uint32_t higher = b + 1; higher <= sim->contacts.n_blocks; higher++)
                add_loads(e, scree_list_segment(list, sim->contacts.n_blocks, b, higher), true);
            scree_lane_book(lane, &lane->sum_ticks);
        }
    }
    return SCREE_OK;
}

/** Returns whether a solid among bodies that turn may have left its extent. */
static bool any_turned_out(const scree_sim *sim, uint32_t begin, uint32_t end)
{
    const scree_world *w = sim->world;
    const uint32_t first = MAX(begin, sim->boxes.first_turning);
    return first < end && sim->kernels->solids_left(
                              first, end, (const double *const *)w->x, (const double *const *)w->q,
                              w->radius, sim->boxes.ref + 4 * (size_t)first,
                              sim->boxes.turn + 4 * (size_t)(first - sim->boxes.first_turning));
}

/** Makes pending moves, writes mirrors, sets wrenches to the weight, and notes which bodies have
 * left their extents. It takes a few bodies at a time, which stay in the cache. */
static int32_t begin_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    enum { FEW = SCREE_SLACK_BODIES };
    scree_sim *sim = user;
    const scree_kernels *kernel = sim->kernels;
    const scree_world *w = sim->world;
    for (uint32_t i = (uint32_t)begin; i < end; i += FEW) {
        uint32_t last = MIN(i + FEW, (uint32_t)end), free_last = MIN(last, w->n_free);
        int32_t code = sim->moves.n ? scree_move_bodies(sim, lane, i, last) : SCREE_OK;
        if (code < 0)
            return code;
        const double moved = kernel->mirror(
            i, last, (const double *const *)w->x, w->radius, (const double *const *)w->v,
            (const double *const *)w->w, w->inv_mass, w->ball, w->twist);
        if (i < w->first_fixed && w->mirrored &&
            !scree_near_serves(&sim->contacts.near, i / FEW, moved))
            sim->plugins.contact.lanes[lane].used_up = true;
        if (i < free_last)
            kernel->start(i, free_last, w->mass, w->gravity[0], w->gravity[1], w->gravity[2],
                          w->wrench);
        last = MIN(last, w->first_fixed);
        if (!sim->boxes.valid || i >= last)
            continue;
        double *slack = &sim->boxes.slack[i / FEW];
        *slack -= moved * (1.0 + 1e-9);
        if (!w->mirrored || !(*slack > 0.0)) // otherwise no ball can have left its extent
            *slack = kernel->slack(i, last, w->ball, sim->boxes.ref);
        if (*slack < 0.0 || any_turned_out(sim, i, last))
            sim->plugins.contact.lanes[lane].left |= scree_extent_note_left(sim, i, last);
    }
    return SCREE_OK;
}

/** While ranks are apart: runs begin_chunk on those of the first n bodies that are not free. The
 * first ones share a slack with free bodies, of this rank or of another; so it stays unknown. */
static int32_t begin_walls(scree_sim *sim, uint32_t n)
{
    const uint32_t n_free = sim->world->n_free, shared = n_free / SCREE_SLACK_BODIES;
    const uint32_t end = MIN((shared + 1) * SCREE_SLACK_BODIES, n);
    int32_t code;
    sim->moves.n = 0;
    if (sim->boxes.valid)
        sim->boxes.slack[shared] = 0.0;
    code = begin_chunk(sim, n_free, end, 0);
    if (sim->boxes.valid)
        sim->boxes.slack[shared] = 0.0;
    return code < 0 ? code : begin_chunk(sim, end, n, 0);
}

/** Runs begin_chunk on all bodies, but not on fixed ones whose mirrors are valid, nor on those that
 * other ranks move; *left: a body that moves, except planes, has left its extent. */
static bool begin_bodies(scree_sim *sim, bool *left, GError **error)
{
    scree_world *w = sim->world;
    const uint32_t n = w->mirrored ? w->first_fixed : w->n;
    const scree_rows own = scree_ranks_rows(sim);
    const uint32_t end = scree_ranks_apart(sim) ? own.end : n;
    bool alone = sim->moves.n && (sim->plugins.body.integrator->demands.flags & SCREE_CAP_SERIAL);
    int32_t code = alone
                       ? begin_chunk(sim, own.first, end, 0)
                       : scree_pool_for(sim->runtime.pool, own.first, end, 4096, begin_chunk, sim);
    scree_near_rule *near = &sim->contacts.near;
    bool moved = sim->moves.n > 0;
    near->ended = near->ended || !w->mirrored;
    if (code >= 0 && end < n)
        code = begin_walls(sim, n);
    if (code >= 0 && w->mirrored)
        code = begin_chunk(sim, scree_world_first_plane(w), w->n, 0);
    w->mirrored = code >= 0;
    sim->moves.n = 0;
    *left = false;
    for (uint32_t k = 0; k < scree_pool_lanes(sim->runtime.pool); k++) {
        *left = *left || sim->plugins.contact.lanes[k].left;
        sim->plugins.contact.lanes[k].left = 0;
        near->used_up = near->used_up || sim->plugins.contact.lanes[k].used_up;
        sim->plugins.contact.lanes[k].used_up = false;
    }
    if (code < 0)
        scree_call_failed(sim->plugins.body.integrator, "move", code, error);
    return code >= 0 && (!moved || scree_motion_check_kept(sim, true, "move", error));
}

/** Mirrors the displacements since the committed state, in the layout of twists. */
static void mirror_displacement(const scree_sim *sim, scree_displacements *d)
{
    const scree_world *w = sim->world;
    scree_aligned_grow(&d->mirror, &d->mirror_capacity, (uint64_t)w->n * SCREE_TWIST, 0,
                       sizeof(double));
    for (uint32_t i = 0; i < w->n; i++) {
        double *to = d->mirror + (size_t)i * SCREE_TWIST;
        if (i >= w->n_free)
            scree_pose_moved(sim, i, to, to + 4);
        if (i < w->n_free)
            for (int k = 0; k < 3; k++) {
                to[k] = d->moved[k][i];
                to[4 + k] = d->turned[k][i];
            }
    }
}

/** After a failure: blames the integrator if the inputs of the law, resolver or modifier are not
 * finite. */
static bool blame_motion(scree_sim *sim, GError **error)
{
    g_autoptr(GError) cause = NULL;
    if (!scree_motion_check(sim, true, &cause) ||
        (sim->displacements.current && !scree_motion_check_moved(sim, true, &cause))) {
        g_clear_error(error);
        g_propagate_error(error, g_steal_pointer(&cause));
    }
    return false;
}

static bool run_phase(const scree_sim *sim, uint64_t n, scree_range_fn phase,
                      const scree_evaluation *e, GError **error)
{
    int32_t code;
    if (sim->ranks && sim->ranks->ahead_failed)
        code = SCREE_E_INTERNAL;
    else if (sim->plugins.contact.serial)
        code = phase((void *)e, 0, n, 0);
    else
        code = scree_pool_for(sim->runtime.pool, 0, n, 1, phase, (void *)e);
    if (code >= 0)
        return true;
    for (uint32_t k = 0; k < scree_pool_lanes(sim->runtime.pool); k++) {
        GError *found = g_steal_pointer(&sim->plugins.contact.lanes[k].error);
        if (found && (!error || !*error))
            g_propagate_error(error, found);
        else
            g_clear_error(&found);
    }
    if (error && !*error)
        return scree_fail(error, SCREE_EXIT_RUN, "evaluation failed (%d)", code);
    return false;
}

static bool adds_forces(const scree_instance *instance)
{
    const scree_modifier_ops *ops = instance->ops;
    return SCREE_HAS(ops, forces);
}

/** Zeroes the power of each body. */
static void clear_power(scree_account *account, uint64_t n)
{
    scree_aligned_grow(&account->power, &account->power_capacity, n, 0, sizeof(double));
    memset(account->power, 0, n * sizeof(double));
}

static bool call_forces(const scree_evaluation *e, scree_instance *instance, GError **error)
{
    scree_sim *sim = e->sim;
    const scree_modifier_ops *ops = instance->ops;
    const scree_forces forces = {.size = sizeof forces,
                                 .accepted = e->accepted,
                                 .bodies = &sim->view,
                                 .step = sim->step + (e->time > scree_sim_time(sim)),
                                 .time = e->time,
                                 .dt = sim->dt,
                                 .wrench = sim->world->wrench,
                                 .power = sim->account.power};
    scree_modifier_lend_fields(sim, instance);
    scree_shared_fields_show_rates(sim, instance, e->accepted);
    scree_call call = scree_call_begin(instance, SCREE_CALL_STEP, "forces");
    int32_t code = ops->forces(instance->self, &forces);
    code = scree_call_end(&call, code, SCREE_OK, error);
    scree_modifier_take_fields(&sim->view);
    return code >= 0 &&
           (!instance->n_uses || !e->accepted || scree_rates_check(sim, instance, error));
}

static int32_t check_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const scree_sim *sim = user;
    return sim->kernels->not_finite((uint32_t)(end - begin), sim->world->wrench + begin) ? -1 : 0;
}

/** Returns whether all forces and torques on the free bodies are finite. */
static bool is_finite(scree_sim *sim)
{
    uint64_t n = (uint64_t)sim->world->n_free * SCREE_WRENCH;
    return scree_pool_for(sim->runtime.pool, 0, n, 1u << 15, check_chunk, sim) >= 0;
}

/** Blames a modifier for a sum that is not finite; the wrenches hold only its own forces. */
static bool check_added(const scree_sim *sim, const scree_instance *instance, GError **error)
{
    const scree_world *w = sim->world;
    const double *line = w->wrench;
    for (uint32_t i = 0; i < w->n_free; i++, line += SCREE_WRENCH) {
        if (sim->kernels->not_finite(SCREE_WRENCH, line))
            return scree_call_blame(
                instance, "forces", scree_not_finite_status(sim), error,
                "it added force (%g, %g, %g) N, torque (%g, %g, %g) N m to body %" PRIu64 "%s",
                line[0], line[1], line[2], line[4], line[5], line[6], w->id[i],
                scree_not_finite_hint(sim));
        if (!isfinite(sim->account.power[i]))
            return scree_call_blame(instance, "forces", SCREE_EXIT_PLUGIN, error,
                                    "its power on body %" PRIu64 " is %g W", w->id[i],
                                    sim->account.power[i]);
    }
    return true;
}

/** After a sum that is not finite: calls the modifiers again, one by one. */
static bool blame_modifier(const scree_evaluation *e, GError **error)
{
    scree_sim *sim = e->sim;
    scree_evaluation again = *e;
    again.accepted = false;
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        scree_instance *instance = sim->plugins.body.modifiers->pdata[m];
        if (!adds_forces(instance))
            continue;
        memset(sim->world->wrench, 0,
               (size_t)sim->world->n * SCREE_WRENCH * sizeof *sim->world->wrench);
        clear_power(&sim->account, sim->world->n);
        if (!call_forces(&again, instance, error) || !check_added(sim, instance, error))
            return false;
    }
    return scree_fail(error, SCREE_EXIT_RUN,
                      "the sum of all forces is not finite at step %" PRIu64 "%s", sim->step,
                      scree_not_finite_hint(sim));
}

/** Calls the modifiers that act last, or all others, in config order; *any: there was one. */
static bool run_some(const scree_evaluation *e, bool last, bool *any, GError **error)
{
    scree_sim *sim = e->sim;
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        scree_instance *instance = sim->plugins.body.modifiers->pdata[m];
        if (!adds_forces(instance) || !(instance->demands.flags & SCREE_CAP_ACTS_LAST) == last)
            continue;
        if (!*any)
            clear_power(&sim->account, sim->world->n);
        *any = true;
        if (!call_forces(e, instance, error))
            return false;
    }
    return true;
}

static bool run_modifiers(const scree_evaluation *e, GError **error)
{
    scree_sim *sim = e->sim;
    bool any = false;
    sim->account.any_power = false;
    if (!run_some(e, false, &any, error) || !run_some(e, true, &any, error) || !any)
        return !any;
    sim->account.any_power = true;
    return (!sim->kernels->not_finite(sim->world->n_free, sim->account.power) && is_finite(sim)) ||
           blame_modifier(e, error);
}

bool scree_modifiers_store(scree_sim *sim, const uint8_t *marked, double *stored, GError **error)
{
    const scree_world *w = sim->world;
    const size_t bytes = (size_t)w->n * SCREE_WRENCH * sizeof(double);
    const scree_evaluation now = {.sim = sim, .time = scree_sim_time(sim)};
    g_autofree double *kept = NULL;
    bool done = true;
    *stored = 0.0;
    for (guint m = 0; m < sim->plugins.body.modifiers->len && done; m++) {
        scree_instance *instance = sim->plugins.body.modifiers->pdata[m];
        if (!adds_forces(instance))
            continue;
        if (!kept) {
            kept = g_memdup2(w->wrench, bytes);
            memset(w->wrench, 0, bytes);
            clear_power(&sim->account, sim->world->n);
        }
        done = call_forces(&now, instance, error);
    }
    if (!kept)
        return done;
    if (marked)
        for (uint32_t i = 0; i < w->n_free; i++)
            w->wrench[(size_t)i * SCREE_WRENCH + 3] *= marked[i] ? 1.0 : 0.0;
    *stored = scree_energy_stored(sim);
    memcpy(w->wrench, kept, bytes);
    return done;
}

bool scree_modifier_forces(scree_sim *sim, scree_instance *modifier, double *wrench, double *power,
                           GError **error)
{
    const scree_world *w = sim->world;
    const size_t bytes = (size_t)w->n * SCREE_WRENCH * sizeof(double);
    const scree_evaluation now = {.sim = sim, .time = scree_sim_time(sim)};
    g_autofree double *kept = g_memdup2(w->wrench, bytes);
    memset(w->wrench, 0, bytes);
    clear_power(&sim->account, w->n);
    const bool done = !adds_forces(modifier) || call_forces(&now, modifier, error);
    memcpy(wrench, w->wrench, bytes);
    memcpy(power, sim->account.power, w->n * sizeof(double));
    memcpy(w->wrench, kept, bytes);
    return done;
}

/** Distributes the time booked by lanes, which is in SCREE_PHASE_OTHER so far. */
static void collect_times(const scree_sim *sim, scree_ledger *ledger)
{
    for (uint32_t k = 0; k < scree_pool_lanes(sim->runtime.pool); k++) {
        scree_lane *lane = &sim->plugins.contact.lanes[k];
        scree_ledger_move(ledger, SCREE_PHASE_RESOLVE, lane->resolve_ticks);
        scree_ledger_move(ledger, SCREE_PHASE_GATHER, lane->gather_ticks);
        scree_ledger_move(ledger, SCREE_PHASE_FORCE, lane->force_ticks);
        scree_ledger_move(ledger, SCREE_PHASE_SUM, lane->sum_ticks);
        lane->resolve_ticks = lane->gather_ticks = lane->force_ticks = lane->sum_ticks = 0;
    }
}

static void count_contacts(const scree_sim *sim, scree_counters *counters)
{
    counters->contacts = counters->contacts_free = 0;
    for (uint32_t k = 0; k < scree_segment_count(sim); k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        const bool with_wall = k % (sim->contacts.n_blocks + 1) == sim->contacts.n_blocks;
        if (!scree_ranks_books(sim, k))
            continue;
        counters->contacts += s->n_touching;
        counters->contacts_free += with_wall ? 0 : s->n_touching;
        counters->sum_candidates += s->n_pairs;
    }
    counters->evaluations++;
    counters->sum_contacts += counters->contacts;
}

/** Marks pairs of kept contacts. A newly kept pair with parts needs all its parts as candidates
 * (order.c), so that its contacts depend on no extent. */
static void commit_keep(scree_contacts_state *contacts, const scree_list *list, scree_segment *s)
{
    const scree_table *t = &s->table[contacts->committed];
    if (!s->n_pairs)
        return;
    if (list->has_parts)
        for (uint64_t c = 0; c < t->n; c++)
            contacts->stale |= t->keep[c] && !s->keep[t->pair[c]];
    memset(s->keep, 0, s->n_pairs);
    for (uint64_t c = 0; c < t->n; c++)
        s->keep[t->pair[c]] |= t->keep[c] != 0;
}

/** Commits the new contact tables. */
static void commit(scree_sim *sim)
{
    sim->contacts.committed = 1 - sim->contacts.committed;
    for (uint32_t l = 0; sim->plugins.contact.any_unset && l < sim->plugins.contact.n_laws; l++)
        sim->plugins.contact.laws[l].newcomer = sim->plugins.contact.laws[l].unset = false;
    sim->plugins.contact.any_unset = false;
    for (uint32_t k = 0; sim->plugins.contact.any_keep && k < scree_segment_count(sim); k++)
        commit_keep(&sim->contacts, &sim->plugins.contact.lists[scree_segment_list(sim, k)],
                    scree_segment_at(sim, k));
}

/** Checks the locale, which is too expensive in each batch. False, with blame: a plugin changed
 * it. */
static bool check_locale(const scree_sim *sim, GError **error)
{
    if (scree_locale_is_host())
        return true;
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint r = 0; r < sim->plugins.contact.resolvers->len; r++) {
        const scree_instance *one = sim->plugins.contact.resolvers->pdata[r];
        g_string_append_printf(names, "%s or ", one->shown);
    }
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        g_string_append_printf(names, "%s or ", sim->plugins.contact.laws[l].instance->shown);
    g_string_truncate(names, names->len - MIN(names->len, strlen(" or ")));
    return scree_fail(error, SCREE_EXIT_PLUGIN,
                      "%s misbehaved in resolve or compute at step %" PRIu64 ": it changed %s",
                      names->str, sim->step, scree_process_restore(NULL));
}

/** Moves and prepares bodies, and refreshes lists if a body has left its extent. */
static bool ready_bodies(const scree_evaluation *e, GError **error)
{
    scree_sim *sim = e->sim;
    bool whole;
    if (!sim->plugins.contact.reach_known && !scree_reach_find(sim, error))
        return false;
    if (sim->ranks && !scree_ghosts_part(e, error))
        return false;
    // No state says when contact detection is due: a call of it is always repeated.
    const bool again = scree_break_on && scree_break_named.kind == SCREE_KIND_GCD;
    bool left = false, renew = sim->contacts.stale || again;
    if ((!renew || sim->moves.n || sim->extents.renew_moved) && !begin_bodies(sim, &left, error))
        return false;
    left = left || scree_extent_violated(sim);
    if (sim->ranks && (!scree_ghosts_meet(e, &left, &whole, error) ||
                       (whole && !begin_bodies(sim, &left, error))))
        return false;
    left = left || scree_extent_violated(sim); // begin_bodies asks no plane
    const bool refreshes = renew || left;
    if (refreshes) {
        bool edited;
        sim->contacts.near.ended = true;
        if (!scree_order_refresh(sim, &edited, error) ||
            (!edited && !begin_bodies(sim, &left, error)))
            return false;
    } else if (!scree_motion_check_some(sim, error)) {
        return false;
    }
    return !sim->ranks || scree_ghosts_ready(sim, refreshes, error);
}

static bool evaluate(const scree_evaluation *e, GError **error)
{
    scree_sim *sim = e->sim;
    if (!scree_pose(sim, e->time, error))
        return false;
    scree_sim_enter(sim, SCREE_PHASE_INTEGRATE);
    if (!ready_bodies(e, error))
        return false;
    if (!(e->displaced ? scree_motion_check_moved(sim, false, error)
                       : scree_motion_check_sample(sim, e->since, e->accepted, error)))
        return false;
    if (e->displaced)
        mirror_displacement(sim, &sim->displacements);
    sim->contacts.stale = false;
    scree_balls_pose(sim);
    scree_working_on("the contacts");
    scree_sim_enter(sim, SCREE_PHASE_OTHER); // lanes book their own time
    scree_laws_prepare(e);
    if (sim->ranks)
        scree_ranks_prepare(e);
    scree_near_prepare(sim);
    if (sim->plugins.body.n_rates && e->accepted)
        scree_rates_clear(sim);
    uint64_t per_list = (uint64_t)sim->contacts.n_blocks * (sim->contacts.n_blocks + 1);
    if (!run_phase(sim, per_list * sim->plugins.contact.n_lists, phase_one, e, error) ||
        !run_phase(sim, sim->contacts.n_blocks, phase_two, e, error) || !check_locale(sim, error))
        return blame_motion(sim, error);
    if (sim->ranks && sim->ranks->working && !scree_ranks_share(e, error))
        return false;
    scree_sim_enter(sim, SCREE_PHASE_MODIFY);
    if (!run_modifiers(e, error))
        return blame_motion(sim, error);
    if (sim->plugins.body.n_rates && e->accepted && !scree_rates_check(sim, NULL, error))
        return false;
    scree_sim_enter(sim, SCREE_PHASE_ENERGY);
    count_contacts(sim, &sim->counters);
    if (!e->accepted)
        return true;
    if (!scree_energy_account(sim, e->since, error))
        return false;
    commit(sim);
    if (!scree_diagnostics_evaluated(sim, error))
        return false;
    scree_sim_enter(sim, SCREE_PHASE_OBSERVE);
    scree_record_take(sim);
    return true;
}

bool scree_evaluate(scree_sim *sim, double offset, double since, bool accepted, GError **error)
{
    const double time =
        offset == sim->dt ? scree_sim_time_at(sim, sim->step + 1) : scree_sim_time(sim) + offset;
    scree_evaluation e = {
        sim, time, since, accepted, sim->displacements.current, sim->account.momentary};
    scree_phase former = scree_sim_enter(sim, SCREE_PHASE_POSE);
    scree_event_log *events = sim->runtime.events;
    scree_event_log_open(events);
    bool done = evaluate(&e, error);
    if (done && accepted)
        done = scree_event_log_take(events, sim->step + (offset > 0.0), e.time,
                                    sim->runtime.output_dir, error);
    else
        scree_event_log_drop(events);
    scree_sim_enter(sim, former);
    collect_times(sim, &sim->counters.ledger);
    return done;
}
