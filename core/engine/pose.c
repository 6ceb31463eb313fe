/* SPDX-License-Identifier: Apache-2.0 */
/* Kinematic bodies at a time: own motion, then that by modifiers; moving surfaces. Free bodies:
 * pending moves of the integrator. */
#include "engine/pose.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/aligned.h"
#include "base/rotation.h"
#include "engine/motion.h"
#include "engine/notify.h"
#include "engine/state.h"
#include "plugin/call.h"
#include "scree/draft/joined.h"

/* ---- own motion ---- */

/** Sets q to the rotation by the vector w t, times q0. */
static void turn(const double q0[4], const double axis[3], double t, double q[4])
{
    double rx = axis[0] * t, ry = axis[1] * t, rz = axis[2] * t;
    double angle = sqrt(rx * rx + ry * ry + rz * rz);
    double c = angle > 0.0 ? cos(0.5 * angle) : 1.0;
    double s = angle > 0.0 ? sin(0.5 * angle) / angle : 0.0;
    const double by[4] = {c, rx * s, ry * s, rz * s};
    scree_rotation_product(by, q0, q);
}

void scree_world_pose_one(const scree_world *w, uint32_t i, double time)
{
    double t = time - w->anchor_time[i], q0[4], q[4], spin[3];
    for (int k = 0; k < 3; k++) {
        w->v[k][i] = w->anchor[7 + k][i];
        w->w[k][i] = spin[k] = w->anchor[10 + k][i];
        w->x[k][i] = w->anchor[k][i] + w->v[k][i] * t;
    }
    for (int k = 0; k < 4; k++)
        q0[k] = q[k] = w->anchor[3 + k][i];
    if (spin[0] != 0.0 || spin[1] != 0.0 || spin[2] != 0.0)
        turn(q0, spin, t, q);
    for (int k = 0; k < 4; k++)
        w->q[k][i] = q[k];
}

/** Returns whether a kinematic body has a motion of its own. */
static bool drifts(const scree_world *w)
{
    bool any = false;
    for (int k = 7; k < 13; k++)
        for (uint32_t i = w->n_free; i < w->first_fixed; i++)
            any |= w->anchor[k][i] != 0.0;
    return any;
}

/** Poses all kinematic bodies, except planes, at their anchors, a few at a time. */
static void pose_at_anchors(const scree_world *w)
{
    enum { FEW = 64 };
    double *const to[] = {w->x[0], w->x[1], w->x[2], w->q[0], w->q[1], w->q[2], w->q[3],
                          w->v[0], w->v[1], w->v[2], w->w[0], w->w[1], w->w[2]};
    for (uint32_t i = w->n_free; i < w->first_fixed; i += FEW)
        for (size_t k = 0; k < G_N_ELEMENTS(to); k++)
            memcpy(to[k] + i, w->anchor[k] + i, MIN(FEW, w->first_fixed - i) * sizeof(double));
}

void scree_world_pose(scree_world *w, double time)
{
    if (!w->n_kinematic)
        return;
    if (isnan(w->posed))
        w->drifts = drifts(w);
    if (!w->drifts)
        pose_at_anchors(w);
    for (uint32_t i = w->drifts ? w->n_free : w->first_fixed; i < w->first_fixed; i++)
        scree_world_pose_one(w, i, time);
    for (uint32_t i = scree_world_first_plane(w); i < w->n; i++)
        if (w->motion[i] == SCREE_MOTION_KINEMATIC)
            scree_world_pose_one(w, i, time);
}

/* ---- poses by modifiers ---- */

static bool poses(const scree_instance *instance)
{
    const scree_modifier_ops *ops = instance->ops;
    return SCREE_HAS(ops, pose);
}

/** Zeroes all surfaces. */
static void clear_surfaces(scree_surfaces *surfaces, const scree_world *w)
{
    uint64_t capacity = surfaces->capacity;
    for (int k = 0; k < 3; k++) {
        capacity = surfaces->capacity;
        scree_aligned_grow(&surfaces->velocity[k], &capacity, w->n, 0, sizeof(double));
        memset(surfaces->velocity[k], 0, w->n * sizeof(double));
    }
    surfaces->capacity = capacity;
}

/** Returns whether a pose is valid: finite, a unit quaternion, in 2D in the plane. */
static bool is_sound_pose(const scree_sim *sim, uint32_t i)
{
    const scree_world *w = sim->world;
    double sum = 0.0, unit = 0.0;
    for (int k = 0; k < 3; k++)
        sum += fabs(w->x[k][i]) + fabs(w->v[k][i]) + fabs(w->w[k][i]) +
               fabs(sim->surfaces.velocity[k][i]);
    for (int k = 0; k < 4; k++)
        unit += w->q[k][i] * w->q[k][i];
    bool flat = w->dimension == 3 ||
                (w->x[2][i] == 0.0 && w->v[2][i] == 0.0 && sim->surfaces.velocity[2][i] == 0.0 &&
                 w->w[0][i] == 0.0 && w->w[1][i] == 0.0 && w->q[1][i] == 0.0 && w->q[2][i] == 0.0);
    return flat && isfinite(sum) && fabs(unit - 1.0) < 1e-6;
}

/** Returns whether some number of bodies [first, last) is not 0: one differs from the first. */
static bool any_set(const double *v, uint32_t first, uint32_t last)
{
    return first < last &&
           (v[first] != 0.0 || memcmp(v + first, v + first + 1, (last - first - 1) * sizeof *v));
}

static bool check(scree_sim *sim, const scree_instance *instance, double time, GError **error)
{
    const scree_world *w = sim->world;
    const uint32_t first = w->n_free, walls = w->first_fixed, planes = scree_world_first_plane(w);
    sim->surfaces.any = false;
    for (int k = 0; k < 3; k++)
        sim->surfaces.any |= any_set(sim->surfaces.velocity[k], first, walls) ||
                             any_set(sim->surfaces.velocity[k], planes, w->n);
    const bool sure =
        w->dimension == 3 && !sim->surfaces.any && scree_motion_sound(sim, false, first, walls);
    for (uint32_t i = sure ? planes : first; i < w->n; i++) {
        if (w->motion[i] != SCREE_MOTION_KINEMATIC || is_sound_pose(sim, i))
            continue;
        return scree_call_blame(
            instance, "pose", SCREE_EXIT_PLUGIN, error,
            "at %g s body %" PRIu64
            " is at (%g, %g, %g) m with velocity (%g, %g, %g) m/s: not finite, not turned "
            "by a unit quaternion, or out of the plane",
            time, w->id[i], w->x[0][i], w->x[1][i], w->x[2][i], w->v[0][i], w->v[1][i], w->v[2][i]);
    }
    return true;
}

/** Blames a modifier that moved a body that is not kinematic, of a sample of the free bodies and
 * one of the others. */
static bool check_kept(const scree_sim *sim, const scree_instance *instance, GError **error)
{
    uint32_t i = scree_motion_changed(sim, &sim->checks.copy_free, 0);
    if (i == SCREE_NONE)
        i = scree_motion_changed_fixed(sim, &sim->checks.copy_fixed);
    return scree_motion_check_writes(sim, instance, "pose", i, error);
}

static bool ask_poses(scree_sim *sim, scree_instance *instance, const scree_poses *arrays,
                      GError **error)
{
    const scree_modifier_ops *ops = instance->ops;
    scree_motion_keep_some(sim, &sim->checks.copy_free);
    scree_motion_keep_walls(sim, &sim->checks.copy_fixed);
    scree_modifier_lend_fields(sim, instance);
    scree_call call = scree_call_begin(instance, SCREE_CALL_STEP, "pose");
    int32_t code = ops->pose(instance->self, arrays);
    code = scree_call_end(&call, code, SCREE_OK, error);
    scree_modifier_take_fields(&sim->view);
    return code >= 0 && check_kept(sim, instance, error) &&
           check(sim, instance, arrays->time, error);
}

bool scree_pose(scree_sim *sim, double time, GError **error)
{
    scree_world *w = sim->world;
    scree_poses arrays = {.size = sizeof arrays, .bodies = &sim->view, .time = time, .dt = sim->dt};
    bool asked = false;
    const bool spent = isnan(w->posed) || sim->surfaces.any;
    if (w->posed == time)
        return true;
    scree_world_pose(w, time);
    w->posed = (double)NAN;
    sim->surfaces.any = false;
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        if (!poses(sim->plugins.body.modifiers->pdata[m]))
            continue;
        if (!asked && spent)
            clear_surfaces(&sim->surfaces, w);
        asked = true;
        memcpy(arrays.x, w->x, sizeof arrays.x);
        memcpy(arrays.v, w->v, sizeof arrays.v);
        memcpy(arrays.w, w->w, sizeof arrays.w);
        memcpy(arrays.q, w->q, sizeof arrays.q);
        memcpy(arrays.surface, sim->surfaces.velocity, sizeof arrays.surface);
        if (!ask_poses(sim, sim->plugins.body.modifiers->pdata[m], &arrays, error))
            return false;
    }
    w->posed = time;
    return true;
}

/* ---- motion of kinematic bodies since the committed state ---- */

void scree_pose_keep(scree_sim *sim)
{
    if (sim->displacements.current)
        scree_motion_keep(sim, &sim->displacements.walls, sim->world->n_free, sim->world->n);
}

bool scree_pose_keep_at(scree_sim *sim, double offset, GError **error)
{
    double now = scree_sim_time(sim);
    bool moved = offset != 0.0; // bodies are at their poses of the start of the step
    if (moved && !scree_pose(sim, now + offset, error))
        return false;
    scree_pose_keep(sim);
    return !moved || scree_pose(sim, now, error);
}

/* ---- exchange of modifiers ---- */

enum { PLACE = 7, ANCHOR = 13, KEPT = PLACE + ANCHOR + 1 }; // x, q; own motion's start and time

double *scree_poses_copy(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    double *copy = g_new(double, (size_t)(w->n - w->n_free) * KEPT + 1), *to = copy;
    for (uint32_t i = w->n_free; i < w->n; i++, to += KEPT) {
        for (int k = 0; k < PLACE; k++)
            to[k] = k < 3 ? w->x[k][i] : w->q[k - 3][i];
        for (int k = 0; k < ANCHOR; k++)
            to[PLACE + k] = w->anchor[k][i];
        to[PLACE + ANCHOR] = w->anchor_time[i];
    }
    return copy;
}

void scree_poses_restore(const scree_sim *sim, const double *copy)
{
    scree_world *w = sim->world;
    scree_world_changed(w);
    for (uint32_t i = w->n_free; i < w->n; i++, copy += KEPT) {
        for (int k = 0; k < ANCHOR; k++)
            w->anchor[k][i] = copy[PLACE + k];
        w->anchor_time[i] = copy[PLACE + ANCHOR];
    }
}

/** Continues a body's own motion. Modifiers move its pose rigidly: P' = M A. It continues from A
 * P'^-1 P, which they move to P. */
static void continue_one(scree_world *w, uint32_t i, const double *was, double time)
{
    const double now[PLACE] = {w->x[0][i], w->x[1][i], w->x[2][i], w->q[0][i],
                               w->q[1][i], w->q[2][i], w->q[3][i]};
    double between[4], from[3], by[3], own[4], q[4], norm = 0.0;
    if (!memcmp(now, was, sizeof now))
        return;
    for (int k = 0; k < 3; k++)
        from[k] = was[k] - now[k];
    const double back[4] = {now[3], -now[4], -now[5], -now[6]};
    scree_rotation_product(back, was + 3, between);
    scree_rotate_back(now + 3, from, by);
    scree_world_pose_one(w, i, time);
    for (int k = 0; k < 4; k++)
        own[k] = w->q[k][i];
    scree_rotate(own, by, from);
    scree_rotation_product(own, between, q);
    for (int k = 0; k < 4; k++)
        norm += q[k] * q[k];
    for (int k = 0; k < 4; k++)
        w->q[k][i] = q[k] / sqrt(norm);
    for (int k = 0; k < 3; k++)
        w->x[k][i] += from[k];
    scree_world_anchor(w, i, time);
}

bool scree_poses_continue(scree_sim *sim, const double *copy, GError **error)
{
    scree_world *w = sim->world;
    const double time = scree_sim_time(sim);
    scree_world_changed(w); // by other modifiers
    if (!scree_pose(sim, time, error))
        return false;
    for (uint32_t i = w->n_free; i < w->n; i++)
        if (w->motion[i] == SCREE_MOTION_KINEMATIC)
            continue_one(w, i, copy + (size_t)(i - w->n_free) * KEPT, time);
    return scree_pose(sim, time, error);
}

void scree_pose_moved(const scree_sim *sim, uint32_t i, double moved[3], double turned[3])
{
    const scree_world *w = sim->world;
    const scree_body_copy *was = &sim->displacements.walls;
    const size_t n = was->last - was->first;
    double q[4], p[4], d[4];
    for (int k = 0; k < 4; k++) {
        q[k] = w->q[k][i];
        p[k] = was->values[(size_t)k * n + i - was->first];
    }
    for (size_t k = 0; k < 3; k++)
        moved[k] = w->x[k][i] - was->values[(SCREE_KEPT_PLACE + k) * n + i - was->first];
    d[0] = q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3]; // q times p conjugate
    d[1] = q[1] * p[0] - q[0] * p[1] - q[2] * p[3] + q[3] * p[2];
    d[2] = q[2] * p[0] - q[0] * p[2] - q[3] * p[1] + q[1] * p[3];
    d[3] = q[3] * p[0] - q[0] * p[3] - q[1] * p[2] + q[2] * p[1];
    double sine = sqrt(d[1] * d[1] + d[2] * d[2] + d[3] * d[3]);
    double by = sine > 0.0 ? 2.0 * atan2(sine, fabs(d[0])) / sine : 0.0;
    for (int k = 0; k < 3; k++)
        turned[k] = copysign(by, d[0]) * d[1 + k];
}

void scree_surface_at(const scree_sim *sim, uint32_t body, const double normal[3], double u[3])
{
    double along = 0.0;
    u[0] = u[1] = u[2] = 0.0;
    if (body < sim->world->n_free)
        return;
    for (int k = 0; k < 3; k++)
        along += (u[k] = sim->surfaces.velocity[k][body]) * normal[k];
    for (int k = 0; k < 3; k++)
        u[k] -= along * normal[k];
}

int32_t scree_move_bodies(const scree_sim *sim, uint32_t lane, uint32_t begin, uint32_t end)
{
    scree_instance *integrator = sim->plugins.body.integrator;
    const scree_integrator_ops *ops = sim->plugins.body.integrator_ops;
    scree_move_range range = {
        .size = sizeof range, .lane = lane, .begin = begin, .end = MIN(end, sim->world->n_free)};
    const bool both = sim->moves.n == 2 && sim->plugins.body.joined;
    int32_t code = SCREE_OK;
    if (begin < range.end)
        for (uint32_t k = both ? 1 : 0; k < sim->moves.n && code >= 0; k++) {
            scree_move_range first = range;
            range.motion = &sim->moves.pending[k].motion;
            range.stage = sim->moves.pending[k].stage;
            first.motion = &sim->moves.pending[0].motion;
            first.stage = sim->moves.pending[0].stage;
            scree_call call = scree_call_begin(integrator, SCREE_CALL_LANE, "move");
            code = both ? sim->plugins.body.joined->move_both(integrator->self, &first, &range)
                        : ops->move(integrator->self, &range);
            code = scree_call_end(&call, code, SCREE_OK, NULL);
        }
    return code;
}
