/* SPDX-License-Identifier: Apache-2.0 */
/* One time step. Read this first: it is the whole host in the order in which data flows. */
#include "engine/step.h"

#include <math.h>
#include <string.h>

#include "base/aligned.h"
#include "base/arrays.h"
#include "base/clock.h"
#include "base/shortage.h"
#include "engine/boundary.h"
#include "engine/columns.h"
#include "engine/diagnostics.h"
#include "engine/edits.h"
#include "engine/evaluate.h"
#include "engine/law_steps.h"
#include "engine/motion.h"
#include "engine/mover.h"
#include "engine/notify.h"
#include "engine/outside.h"
#include "engine/pose.h"
#include "engine/rank_rows.h"
#include "engine/rates.h"
#include "engine/state.h"
#include "plugin/call.h"

enum { MOST_STAGES = 64, REACH = 8 }; // REACH: distance of an evaluation from its step, in steps

/** Returns zeros: laws read orientations, so integrators must turn round bodies as well. */
static const uint8_t *none_isotropic(scree_moves *moves, uint32_t n)
{
    const uint64_t before = moves->turning_capacity;
    scree_aligned_grow(&moves->turning, &moves->turning_capacity, (uint64_t)n + 1, before, 1);
    memset(moves->turning + before, 0, moves->turning_capacity - before);
    return moves->turning;
}

static const scree_array displacement_rows[] = {
    SCREE_ARRAY_EACH(scree_displacements, moved, 0),
    SCREE_ARRAY_EACH(scree_displacements, turned, 0),
};
static const scree_arrays displacement_arrays = {displacement_rows,
                                                 G_N_ELEMENTS(displacement_rows)};

static void fill_motion(scree_sim *sim, scree_motion *m)
{
    scree_world *w = sim->world;
    *m = (scree_motion){
        .numbering = w->numbering,
        .size = sizeof *m,
        .dimension = w->dimension,
        .n = w->n,
        .n_free = w->n_free,
        .step = sim->step,
        .time = scree_sim_time(sim),
        .dt = sim->dt,
        .inv_mass = w->inv_mass,
        .isotropic = sim->plugins.contact.needs & SCREE_IN_ORIENTATION
                         ? none_isotropic(&sim->moves, sim->world->n)
                         : w->isotropic,
        .wrench = w->wrench,
        .fields = w->field,
        .id = w->id,
        .radius = w->radius,
        .global_fields = scree_global_fields(sim, sim->plugins.body.integrator),
        .global_fresh = scree_fresh_global(sim, sim->plugins.body.integrator),
    };
    sim->displacements.current =
        (sim->plugins.body.integrator->demands.flags & SCREE_CAP_DISPLACEMENT) != 0;
    if (sim->displacements.current)
        scree_arrays_grow(&sim->displacements, displacement_arrays, 0, &sim->displacements.capacity,
                          w->n, 0);
    memcpy(m->x, w->x, sizeof m->x);
    memcpy(m->v, w->v, sizeof m->v);
    memcpy(m->w, w->w, sizeof m->w);
    memcpy(m->q, w->q, sizeof m->q);
    memcpy(m->inv_inertia, w->inv_inertia, sizeof m->inv_inertia);
    if (!sim->displacements.current)
        return;
    memcpy(m->displacement, sim->displacements.moved, sizeof m->displacement);
    memcpy(m->rotation, sim->displacements.turned, sizeof m->rotation);
}

/** Returns whether the last move of this step may wait for the next one: not if edits come between
 * steps. Poses and forces of modifiers do not: poses depend on the time only, forces come after the
 * move. */
static bool may_wait(const scree_sim *sim)
{
    bool open = !sim->world->crowded;
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        const scree_instance *one = sim->plugins.body.modifiers->pdata[m];
        const scree_modifier_ops *ops = one->ops;
        open = open && !SCREE_HAS(ops, after_step);
    }
    return open && scree_boundary_open(sim) && !sim->watched && !sim->records.pieces &&
           !sim->plugins.contact.any_after_step && !sim->warnings.samples &&
           (!sim->renumber.every || (sim->step + 1) % sim->renumber.every);
}

/** Checks that the integrator asks for a possible evaluation. */
static bool check_stage(const scree_sim *sim, const scree_stage *stage, double committed,
                        uint32_t k, GError **error)
{
    double reach = REACH * sim->dt, dt = sim->dt;
    bool near = stage->offset >= -reach && stage->offset <= reach, inside = !stage->accepted;
    inside = inside || (stage->offset >= fmax(0.0, committed) && stage->offset <= dt);
    if (stage->action == SCREE_STAGE_EVALUATE && near && inside)
        return true;
    return scree_call_blame(
        sim->plugins.body.integrator, "stage", SCREE_EXIT_PLUGIN, error,
        "stage %u: action %u, %s evaluation at offset %g s of a step of %g s, history of %g s; "
        "expected within %d steps, accepted ones within the step and not before history",
        k, stage->action, stage->accepted ? "accepted" : "trial", stage->offset, dt, committed,
        REACH);
}

/** Runs the integrator's stages, with an evaluation after each that asks for one. */
static bool integrate(scree_sim *sim, GError **error)
{
    const scree_integrator_ops *ops = sim->plugins.body.integrator_ops;
    void *self = sim->plugins.body.integrator->self;
    // History was committed `lag` before the start of this step (scree/integrator.h).
    double committed = -sim->lag;
    scree_motion motion;
    fill_motion(sim, &motion);
    motion.fresh = scree_fresh_motion(sim);
    if (sim->displacements.current && !scree_pose_keep_at(sim, committed, error))
        return false;
    scree_motion_keep_walls(sim, &sim->checks.copy);
    if (scree_motion_samples(sim) && !scree_sim_settle(sim, error))
        return false;
    scree_motion_sample(sim);
    scree_call call = scree_call_begin(sim->plugins.body.integrator, SCREE_CALL_STEP, "begin");
    int32_t code = ops->begin(self, &motion);
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (code < 0 || !scree_motion_check_kept(sim, false, "begin", error))
        return false;
    if (sim->plugins.body.n_rates && !scree_rates_advance(sim, &motion, error))
        return false;
    for (uint32_t k = 0; k < MOST_STAGES; k++) {
        scree_stage stage = {.size = sizeof stage};
        call = scree_call_begin(sim->plugins.body.integrator, SCREE_CALL_STEP, "stage");
        code = ops->stage(self, &motion, k, &stage);
        code = scree_call_end(&call, code, SCREE_OK, error);
        if (code < 0 || !scree_motion_check_kept(sim, false, "stage", error))
            return false;
        if (SCREE_HAS(ops, move))
            sim->moves.pending[sim->moves.n++] = (scree_move){motion, k};
        if (stage.action == SCREE_STAGE_DONE) {
            sim->lag = sim->dt - committed;
            scree_fresh_seen(sim, sim->plugins.body.integrator);
            scree_fresh_seen_laws(sim);
            if (!scree_global_fields_check(sim, sim->plugins.body.integrator, "stage", error))
                return false;
            return may_wait(sim) || (scree_sim_settle(sim, error) &&
                                     scree_motion_check_kept(sim, true, "move", error) &&
                                     (scree_ranks_apart(sim) || // all check in the next evaluation
                                      scree_motion_check_some(sim, error)));
        }
        if (!check_stage(sim, &stage, committed, k, error) ||
            !scree_evaluate(sim, stage.offset, stage.offset - committed, stage.accepted != 0,
                            error))
            return false;
        if (stage.accepted) {
            committed = stage.offset;
            scree_pose_keep(sim);
        }
        scree_motion_keep_walls(sim, &sim->checks.copy);
    }
    return scree_call_blame(sim->plugins.body.integrator, "stage", SCREE_EXIT_PLUGIN, error,
                            "more than %d stages in a step", MOST_STAGES);
}

static bool do_phases(scree_sim *sim, GError **error)
{
    if ((sim->edits.newcomers && !scree_modifiers_enter(sim, error)) || !integrate(sim, error))
        return false;
    sim->step++;
    scree_working_on("the bodies that come and go");
    // All below depends on the accepted state, never on the time at which lists were made (S2).
    scree_sim_enter(sim, SCREE_PHASE_POSE);
    if (!scree_pose(sim, scree_sim_time(sim), error))
        return false;
    scree_sim_enter(sim, SCREE_PHASE_EDIT);
    if (!scree_laws_after_step(sim, error) || !scree_edits_apply(sim, error) ||
        !scree_boundary_apply(sim, error) ||
        (sim->edits.newcomers && !scree_modifiers_enter(sim, error)))
        return false;
    if (!sim->world->crowded && (!sim->renumber.every || sim->step % sim->renumber.every))
        return true;
    scree_sim_enter(sim, SCREE_PHASE_ORDER);
    scree_renumber(sim);
    return true;
}

static bool do_step(scree_sim *sim, GError **error)
{
    scree_phase former = scree_sim_enter(sim, SCREE_PHASE_INTEGRATE);
    scree_diagnostics_begin_step(sim);
    bool done = do_phases(sim, error);
    scree_sim_enter(sim, SCREE_PHASE_ENERGY);
    done = done && scree_diagnostics_end_step(sim, error);
    if (!done && sim->checks.flung != SCREE_NONE && error && *error)
        scree_mover_add(sim, *error);
    scree_sim_enter(sim, former);
    return done;
}

bool scree_sim_step(scree_sim *sim, GError **error)
{
    scree_pool *pool = sim->runtime.pool;
    if (sim->lane_tuner.on)
        scree_pool_use(pool, scree_lane_tuner_lanes(&sim->lane_tuner));
    uint64_t begin = scree_ticks(), calls = sim->counters.gcd_calls;
    bool done = do_step(sim, error);
    uint64_t ticks = scree_ticks() - begin;
    if (sim->lane_tuner.on)
        scree_lane_tuner_note(&sim->lane_tuner, ticks, sim->counters.gcd_calls != calls,
                              sim->contacts.n_blocks);
    if (sim->renewal.on)
        sim->extents.renew_moved = scree_renewal_note(&sim->renewal, ticks);
    return done;
}
