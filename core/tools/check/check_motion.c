/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies for an integrator without an engine: steps as in core/engine/step.c, forces by
 * formulas. */
#include "tools/check/check_motion.h"

#include <math.h>
#include <string.h>

#include "tools/check/check_globals.h"
#include "tools/check/check_report.h"
#include "tools/check/guard_pages.h"

enum { MOST_STAGES = 64 };

static void *guarded(scree_check_motion *m, uint64_t n, uint64_t bytes, bool blank)
{
    uint64_t size = (n * bytes + 63) / 64 * 64;
    void *array = scree_check_guarded(MAX(size, 64));
    if (blank)
        memset(array, 0, MAX(size, 64));
    g_ptr_array_add(m->arrays, array);
    return array;
}

static double *reals(scree_check_motion *m)
{
    return guarded(m, m->motion.n, sizeof(double), true);
}

static void make_fields(scree_check_motion *m)
{
    const scree_plugin *plugin = m->instance->plugin;
    uint32_t at = 0;
    m->n_global = scree_check_globals_count(plugin);
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        m->n_fields +=
            plugin->fields[f]->scope == SCREE_SCOPE_BODY ? plugin->fields[f]->components : 0;
    m->fields = g_new0(double *, m->n_fields + 1);
    m->global_fields = g_new0(double, m->n_global + 1);
    scree_check_globals_start(plugin, m->global_fields);
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        for (uint32_t k = 0; k < plugin->fields[f]->components; k++) {
            if (plugin->fields[f]->scope == SCREE_SCOPE_GLOBAL)
                continue;
            m->fields[at] = reals(m);
            for (uint32_t i = 0; i < m->motion.n; i++)
                m->fields[at][i] = plugin->fields[f]->initial;
            at++;
        }
}

scree_check_motion *scree_check_motion_new(scree_check *check, scree_instance *instance, uint32_t n,
                                           uint32_t n_free, double dt, scree_check_force_fn force)
{
    scree_check_motion *m = g_new0(scree_check_motion, 1);
    scree_motion *t = &m->motion;
    bool displaced = instance->demands.flags & SCREE_CAP_DISPLACEMENT;
    *m = (scree_check_motion){.check = check, .instance = instance, .force = force};
    m->arrays = g_ptr_array_new_with_free_func(scree_check_guarded_free);
    *t = (scree_motion){.size = sizeof *t,
                        .dimension = instance->host.dimension,
                        .n = n,
                        .n_free = n_free,
                        .dt = dt};
    for (int k = 0; k < 3; k++) {
        t->x[k] = reals(m);
        t->v[k] = reals(m);
        t->w[k] = reals(m);
        t->inv_inertia[k] = m->inv_inertia[k] = reals(m);
        m->strain[k] = reals(m);
        m->old_strain[k] = reals(m);
        if (displaced) {
            t->displacement[k] = guarded(m, n, sizeof(double), false);
            t->rotation[k] = guarded(m, n, sizeof(double), false);
        }
    }
    for (int k = 0; k < 4; k++)
        t->q[k] = reals(m);
    t->inv_mass = m->inv_mass = reals(m);
    t->wrench = m->wrench = guarded(m, 8ull * n, sizeof(double), true);
    t->isotropic = m->isotropic = guarded(m, n, 1, true);
    t->fresh = m->fresh = guarded(m, n, 1, true);
    t->id = m->id = guarded(m, n, sizeof(uint64_t), true);
    t->radius = m->radius = reals(m);
    m->relaxation = reals(m);
    make_fields(m);
    t->fields = m->fields;
    t->global_fields = m->n_global ? m->global_fields : NULL;
    t->global_fresh = m->n_global > 0;
    for (uint32_t i = 0; i < n; i++) {
        t->q[0][i] = 1.0;
        m->isotropic[i] = m->fresh[i] = 1;
        m->id[i] = i;
        m->radius[i] = 1.0;
        if (i < n_free)
            for (int k = 0; k < 3; k++)
                m->inv_mass[i] = m->inv_inertia[k][i] = 1.0;
    }
    return m;
}

void scree_check_motion_free(scree_check_motion *m)
{
    if (!m)
        return;
    g_ptr_array_unref(m->arrays);
    g_free(m->fields);
    g_free(m->global_fields);
    g_free(m);
}

/** Slip since the committed state, as the host computes it. */
static double slip_of(const scree_check_motion *m, int k, uint32_t i, double since)
{
    const double *moved = m->motion.displacement[k];
    return moved ? moved[i] : m->motion.v[k][i] * since;
}

static void evaluate(scree_check_motion *m, double time, bool accepted)
{
    double since = time - m->committed, tag = scree_check_tag();
    m->time = time;
    m->n_evaluations++;
    m->n_accepted += accepted;
    for (uint32_t i = 0; i < m->motion.n_free; i++) {
        // Maxwell's element with a fading spring; slip enters at the midpoint, of second order
        double rate = m->relaxation[i];
        for (int k = 0; k < 3; k++) {
            double slip = slip_of(m, k, i, since);
            m->strain[k][i] =
                m->old_strain[k][i] * exp(-rate * since) + slip * exp(-0.5 * rate * since);
            if (rate == 0.0)
                m->off = fmax(m->off, fabs(m->strain[k][i] - m->motion.x[k][i]));
        }
        for (int k = 0; k < 8; k++) // components four and eight are not the integrator's
            m->wrench[8 * (uint64_t)i + (uint64_t)k] = k % 4 == 3 ? tag : 0.0;
        m->force(m, i, m->wrench + 8 * (uint64_t)i);
    }
    if (!accepted)
        return;
    m->committed = time;
    for (int k = 0; k < 3; k++)
        memcpy(m->old_strain[k], m->strain[k], m->motion.n * sizeof(double));
}

void scree_check_motion_start(scree_check_motion *m)
{
    for (int k = 0; k < 3; k++) { // strains are measured from the origin
        memcpy(m->old_strain[k], m->motion.x[k], m->motion.n * sizeof(double));
        memset(m->motion.displacement[k] ? m->motion.displacement[k] : m->strain[k], 0,
               m->motion.n * sizeof(double));
    }
    evaluate(m, m->motion.time, true);
}

/** Calls move() for some bodies. */
typedef struct moves {
    scree_check_motion *m;
    uint32_t stage;
} moves;

static int32_t move_some(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const moves *job = user;
    scree_check_motion *m = job->m;
    const scree_integrator_ops *ops = m->instance->ops;
    const scree_move_range range = {.size = sizeof range,
                                    .lane = lane,
                                    .motion = &m->motion,
                                    .stage = job->stage,
                                    .begin = (uint32_t)begin,
                                    .end = (uint32_t)end};
    return SCREE_CHECK_CALL(m->check, m->instance, "move", ops->move(m->instance->self, &range))
               ? SCREE_OK
               : SCREE_E_INTERNAL;
}

static bool move(scree_check_motion *m, uint32_t k)
{
    moves job = {m, k};
    uint64_t n = m->motion.n_free, each = m->pieces ? m->pieces : n;
    if (!SCREE_HAS((const scree_integrator_ops *)m->instance->ops, move) || !n)
        return true;
    if (m->pieces && !(m->instance->demands.flags & SCREE_CAP_SERIAL))
        return scree_pool_for(m->instance->runtime->pool, 0, n, each, move_some, &job) >= 0;
    for (uint64_t first = 0; first < n; first += each)
        if (move_some(&job, first, MIN(n, first + each), 0) < 0)
            return false;
    return true;
}

/** Makes one stage, with its part of the moves. */
static bool call_stage(scree_check_motion *m, uint32_t k, scree_stage *stage)
{
    const scree_integrator_ops *ops = m->instance->ops;
    bool good = true;
    *stage = (scree_stage){.size = sizeof *stage};
    if (k == 0)
        good = SCREE_CHECK_CALL(m->check, m->instance, "begin",
                                ops->begin(m->instance->self, &m->motion)) &&
               (!m->begun || m->begun(m));
    good = good && SCREE_CHECK_CALL(m->check, m->instance, "stage",
                                    ops->stage(m->instance->self, &m->motion, k, stage));
    good = good && move(m, k);
    return good;
}

/** Whether an evaluation is allowed there (core/engine/step.c). */
static bool check_stage(scree_check_motion *m, uint32_t k, const scree_stage *stage, double history)
{
    double dt = m->motion.dt, rounding = 1e-9 * dt;
    bool near = fabs(stage->offset) <= 8.0 * dt;
    bool inside = stage->offset >= fmax(0.0, history - rounding) && stage->offset <= dt;
    if (stage->action == SCREE_STAGE_EVALUATE && near && (!stage->accepted || inside))
        return true;
    scree_check_fail(m->check,
                     "stage(%u): action %u, %s evaluation at offset %g s of a step of %g s; "
                     "expected within 8 steps, accepted ones within the step and not before the "
                     "last",
                     k, stage->action, stage->accepted ? "accepted" : "trial", stage->offset, dt);
    return false;
}

static bool run_step(scree_check_motion *m)
{
    double begin = m->motion.time;
    for (uint32_t k = 0; k < MOST_STAGES; k++) {
        scree_stage stage;
        if (!call_stage(m, k, &stage))
            return false;
        if (stage.action == SCREE_STAGE_DONE)
            return true;
        if (!check_stage(m, k, &stage, m->committed - begin))
            return false;
        evaluate(m, begin + stage.offset, stage.accepted != 0);
    }
    scree_check_fail(m->check, "a step has more than %d stages", MOST_STAGES);
    return false;
}

bool scree_check_motion_run(scree_check_motion *m, uint32_t n_steps)
{
    for (uint32_t n = 0; n < n_steps; n++) {
        if (!run_step(m))
            return false;
        m->motion.fresh = NULL;
        m->motion.global_fresh = 0;
        m->motion.step++;
        m->motion.time = (double)m->motion.step * m->motion.dt;
    }
    return true;
}
