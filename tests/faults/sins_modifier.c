/* SPDX-License-Identifier: Apache-2.0 */
/* modifier/sins: sets bodies and adds forces, and something wrong; parameter `sin` says what. */
#include <math.h>
#include <xmmintrin.h>

#include "sins.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, none)                                                                                \
    SIN(NOWHERE, nowhere)                                                                          \
    SIN(NO_QUATERNION, no_quaternion)                                                              \
    SIN(MOVES_FIXED, moves_fixed)                                                                  \
    SIN(NO_SIZE, no_size)                                                                          \
    SIN(LEAVES_THE_PLANE, leaves_the_plane)                                                        \
    SIN(NOT_A_POWER, not_a_power)                                                                  \
    SIN(NOT_A_FORCE, not_a_force)                                                                  \
    SIN(ROUNDS, rounds)                                                                            \
    SIN(NO_POSE, no_pose)                                                                          \
    SIN(POSES_FREE, poses_free)                                                                    \
    SIN(POSES_FIXED, poses_fixed)                                                                  \
    SIN(LATE_EDITS, late_edits)                                                                    \
    SIN(ENTERS_BODIES, enters_bodies)                                                              \
    SIN(ENTERS_NAN, enters_nan)                                                                    \
    SIN(NO_EVENT, no_event)                                                                        \
    SIN(SMALL_EVENT, small_event)                                                                  \
    SIN(FAR_EVENT, far_event)                                                                      \
    SIN(LOADS_NOBODY, loads_nobody)                                                                \
    SIN(LOADS_FREE, loads_free)                                                                    \
    SIN(SCALES_TO_NOTHING, scales_to_nothing)                                                      \
    SIN(NO_DENSITY, no_density)                                                                    \
    SIN(NO_MATERIAL, no_material)                                                                  \
    SIN(NO_SHAPE, no_shape)                                                                        \
    SIN(ENORMOUS_FORCE, enormous_force)                                                            \
    SIN(STRONG_FORCE, strong_force)                                                                \
    SIN(FLINGS, flings)
enum { SINS(SIN_ENUMERATOR) };

typedef struct config {
    int32_t sin, reserved;
    const scree_edits *kept; // of the last call of after_step, which has returned
    const scree_events *events;
} config;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    config *self = malloc(sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    memcpy(&self->sin, given, sizeof self->sin);
    self->kept = NULL;
    self->events = host->get_service(host->ctx, SCREE_SERVICE_EVENTS);
    *instance = self;
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    const config *self = instance;
    const scree_bodies *bodies = args->bodies;
    const double still[3] = {0.0};
    const scree_body_change change = {
        .size = sizeof change, .id = bodies->id[0], .v = still, .w = still};
    if (self->sin == LATE_EDITS && self->kept)
        self->kept->set(self->kept->ctx, &change);
    if (self->sin == NOT_A_FORCE)
        args->wrench[8 * (bodies->n_free - 1) + 1] = (double)NAN;
    if (self->sin == ENORMOUS_FORCE || self->sin == STRONG_FORCE)
        args->wrench[8 * (bodies->n_free - 1)] = self->sin == STRONG_FORCE ? 1e20 : 1e300;
    if (self->sin == NOT_A_POWER)
        args->power[bodies->n_free - 1] = (double)NAN;
    return SCREE_OK;
}

/** The body with id 0, or a fixed one. */
static uint64_t pick(const scree_bodies *bodies, int fixed)
{
    for (uint32_t i = 0; i < bodies->n; i++)
        if (fixed && bodies->motion[i] == SCREE_MOTION_FIXED)
            return bodies->id[i];
    return bodies->id[0];
}

static int32_t report(const config *self)
{
    scree_event event = {.size = self->sin == SMALL_EVENT ? 8 : sizeof event,
                         .name = "sin",
                         .id_a = SCREE_NO_BODY,
                         .id_b = SCREE_NO_BODY,
                         .value = self->sin == FAR_EVENT ? HUGE_VAL : (double)NAN};
    return self->events->report(self->events->ctx, self->sin == NO_EVENT ? NULL : &event);
}

static int32_t after_step(void *instance, const scree_step *args)
{
    config *self = instance;
    const scree_bodies *bodies = args->bodies;
    const scree_edits *edits = args->edits;
    const double nowhere[3] = {0.0, (double)NAN, 0.0}, nothing[4] = {0.0}, up[3] = {0.0, 0.0, 1.0};
    const double still[3] = {0.0}, flung[3] = {1e200, 0.0, 0.0};
    const uint32_t many = 99;
    scree_load load = {.size = sizeof load};
    scree_body_change change = {.size = sizeof change,
                                .id = pick(bodies, self->sin == MOVES_FIXED)};
    self->kept = edits;
    switch (self->sin) {
    case NONE:
        change.v = change.w = still;
        return edits->set(edits->ctx, &change);
    case NOWHERE:
        change.x = nowhere;
        return edits->set(edits->ctx, &change);
    case NO_QUATERNION:
        change.q = nothing;
        return edits->set(edits->ctx, &change);
    case MOVES_FIXED:
    case LEAVES_THE_PLANE:
        change.v = up;
        return edits->set(edits->ctx, &change);
    case FLINGS:
        change.v = flung;
        return edits->set(edits->ctx, &change);
    case NO_SIZE:
        change.size = 8;
        return edits->set(edits->ctx, &change);
    case SCALES_TO_NOTHING:
        change.scale = still;
        return edits->set(edits->ctx, &change);
    case NO_DENSITY:
        change.density = &nowhere[1];
        return edits->set(edits->ctx, &change);
    case NO_MATERIAL:
        change.material = &many;
        return edits->set(edits->ctx, &change);
    case NO_SHAPE:
        change.shape = &many;
        return edits->set(edits->ctx, &change);
    case NO_EVENT:
    case SMALL_EVENT:
    case FAR_EVENT:
        return report(self);
    case LOADS_NOBODY:
        return edits->load(edits->ctx, 777, &load);
    case LOADS_FREE:
        return edits->load(edits->ctx, bodies->id[0], &load);
    case ROUNDS:
        _mm_setcsr(_mm_getcsr() | 0x8040);
        break;
    default:
        break;
    }
    return SCREE_OK;
}

static int32_t pose(void *instance, const scree_poses *args)
{
    const config *self = instance;
    const scree_bodies *bodies = args->bodies;
    for (uint32_t i = bodies->n_free; i < bodies->n; i++)
        if (self->sin == NO_POSE && bodies->motion[i] == SCREE_MOTION_KINEMATIC)
            args->q[0][i] = 2.0;
    if (self->sin == POSES_FREE)
        args->v[2][0] += 1e-9;
    if (self->sin == POSES_FIXED)
        args->x[2][bodies->n - 1] += 1e-9;
    return SCREE_OK;
}

/** Writes to bodies through a pointer that is not const, and to its own field. */
static int32_t enter(void *instance, const scree_entry *args)
{
    const config *self = instance;
    if (self->sin == ENTERS_BODIES)
        ((double *)(uintptr_t)args->bodies->x[0])[0] += 1e-9;
    args->body_fields[1][0] = self->sin == ENTERS_NAN ? (double)NAN : 1.0;
    return SCREE_OK;
}

SIN_PARAM;
SCREE_FIELD(mark, BODY, 2, 1, "-", 0.0, "of what it has seen");
static const scree_field *const fields[] = {&field_mark};
static const scree_param *const params[] = {&param_sin};
static const scree_modifier_ops ops = {OPS(modifier, create, free), .forces = forces,
                                       .after_step = after_step, .pose = pose, .enter = enter};
static const scree_plugin sins = {PLUGIN(MODIFIER, "sins", "sets bodies, and does wrong"),
                                  PLUGIN_CONFIG, PLUGIN_FIELDS(fields), .ops = &ops};
SCREE_DEFINE_MANIFEST(&sins);
