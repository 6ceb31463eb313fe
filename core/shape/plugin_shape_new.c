// SPDX-License-Identifier: Apache-2.0
// Makes a shape of a plugin: instance, measure, frame, exact views.
#include "shape/plugin_shape_new.h"

#include <math.h>
#include <string.h>

#include "plugin/call.h"
#include "plugin/instance.h"
#include "shape/plugin_shape_check.h"
#include "shape/principal.h"

/** Takes an exact view; its faults are errors. */
static bool take_view(scree_plugin_shape *s, const char *name, const void **view, GError **error)
{
    if (!scree_plugin_shape_ask(s, name, 0.0, view, error))
        return false;
    scree_plugin_shape_keep(s, name, 0.0, *view);
    return true;
}

/* ---- measure and frame ---- */

static bool measure(scree_plugin_shape *s, GError **error)
{
    const scree_shape_ops *ops = s->instance->ops;
    s->measure =
        (scree_measure){.size = sizeof s->measure, .dimension = s->instance->host.dimension};
    scree_call call = scree_call_begin(s->instance, SCREE_CALL_CONFIG, "measure");
    int32_t code = ops->measure(s->instance->self, &s->measure);
    code = scree_call_end(&call, code, SCREE_OK, error);
    s->measure.dimension = s->instance->host.dimension;
    return code >= 0 && scree_measure_check(s->instance, &s->measure, error);
}

/** Moves the shape to its centroid and principal axes. */
static bool place(scree_plugin_shape *s, GError **error)
{
    const scree_shape_ops *ops = s->instance->ops;
    double moments[3];
    memcpy(s->frame.shift, s->measure.centroid, sizeof s->frame.shift);
    if (s->measure.dimension == 3)
        scree_principal(s->measure.inertia, moments, s->frame.q);
    scree_call call = scree_call_begin(s->instance, SCREE_CALL_CONFIG, "place");
    int32_t code = ops->place(s->instance->self, &s->frame);
    code = scree_call_end(&call, code, SCREE_OK, error);
    return code >= 0 && measure(s, error);
}

/** The unit normal of an infinite shape: the gradient of its implicit function at the origin. */
static bool take_normal(scree_plugin_shape *s, GError **error)
{
    const double zero[3] = {0.0, 0.0, 0.0}, *const x[3] = {zero, zero + 1, zero + 2};
    double value = 0.0, normal[3] = {0.0, 0.0, 0.0};
    double *const gradient[3] = {normal, normal + 1, normal + 2};
    const scree_implicit *implicit = scree_shape_find_view(&s->shape, SCREE_VIEW_IMPLICIT, 0.0);
    if (!implicit)
        return scree_call_blame(s->instance, "view", SCREE_EXIT_PLUGIN, error,
                                "an infinite shape needs the view " SCREE_VIEW_IMPLICIT);
    scree_call call = scree_call_begin(s->instance, SCREE_CALL_CONFIG, "value");
    implicit->value(implicit->ctx, 1, x, &value, gradient);
    if (scree_call_end(&call, SCREE_OK, SCREE_OK, error) < 0)
        return false;
    double square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    bool flat = s->instance->host.dimension == 2;
    if (!(fabs(square - 1.0) < 1e-9) || value != 0.0 || (flat && normal[2] != 0.0))
        return scree_call_blame(s->instance, "value", SCREE_EXIT_PLUGIN, error,
                                "at the origin it is %g with the gradient (%g, %g, %g); expected 0 "
                                "with one of length 1%s",
                                value, normal[0], normal[1], normal[2], flat ? " and z = 0" : "");
    memcpy(s->shape.normal, normal, sizeof normal);
    return true;
}

/** Takes the exact views that the host itself uses. */
static bool take_views(scree_plugin_shape *s, GError **error)
{
    static const char *const others[] = {SCREE_VIEW_OUTLINE, SCREE_VIEW_SUPPORT,
                                         SCREE_VIEW_IMPLICIT};
    const void *mesh = NULL, *balls = NULL, *other;
    const uint32_t flags = s->shape.flags;
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
        if (!take_view(s, others[i], &other, error))
            return false;
    if (!take_view(s, SCREE_VIEW_MESH, &mesh, error))
        return false;
    s->shape.mesh = mesh;
    if (flags & SCREE_CAP_WALL && (!mesh || s->shape.mesh->n_facets != s->shape.n_parts))
        return scree_call_blame(s->instance, "view", SCREE_EXIT_PLUGIN, error,
                                SCREE_VIEW_MESH ": expected the %u facets that measure() counts as "
                                                "parts, got %u",
                                s->shape.n_parts, mesh ? s->shape.mesh->n_facets : 0);
    if (flags & SCREE_CAP_INFINITE && !take_normal(s, error))
        return false;
    if (!(flags & SCREE_CAP_BALLS))
        return true;
    if (!take_view(s, SCREE_VIEW_BALLS, &balls, error))
        return false;
    s->shape.balls = balls;
    if (!balls || s->shape.balls->n != s->shape.n_parts)
        return scree_call_blame(s->instance, "view", SCREE_EXIT_PLUGIN, error,
                                SCREE_VIEW_BALLS ": expected the %u balls that measure() counts as "
                                                 "parts, got %u",
                                s->shape.n_parts, balls ? s->shape.balls->n : 0);
    return true;
}

/* ---- sides of the box around the shape, and its size ---- */

enum { BATCH = 64 };

/** The sides and the smallest ball of a clump. */
static void find_clump(const scree_balls *balls, uint32_t dimension, double half[3], double *size)
{
    *size = HUGE_VAL;
    for (uint32_t i = 0; i < balls->n; i++) {
        *size = fmin(*size, balls->radius[i]);
        for (uint32_t k = 0; k < dimension; k++)
            half[k] = fmax(half[k], fabs(balls->centre[k][i]) + balls->radius[i]);
    }
}

/** Widens `half` by the boxes of a batch of parts, starting at `first`, in the shape's own axes. */
static bool add_boxes(const scree_plugin_shape *s, uint32_t first, double half[3], GError **error)
{
    double x[3][BATCH] = {{0.0}}, q[4][BATCH] = {{0.0}}, scale[BATCH], radius[BATCH];
    double lo[3][BATCH], hi[3][BATCH], centre[3][BATCH];
    uint32_t part[BATCH];
    const uint32_t dimension = s->measure.dimension;
    const scree_shape_boxes batch = {.size = sizeof batch,
                                     .n = MIN(s->shape.n_parts - first, (uint32_t)BATCH),
                                     .dimension = dimension,
                                     .x = {x[0], x[1], x[2]},
                                     .q = {q[0], q[1], q[2], q[3]},
                                     .scale = scale,
                                     .part = part,
                                     .lo = {lo[0], lo[1], lo[2]},
                                     .hi = {hi[0], hi[1], hi[2]},
                                     .centre = {centre[0], centre[1], centre[2]},
                                     .radius = radius};
    for (uint32_t i = 0; i < batch.n; i++) {
        q[0][i] = scale[i] = 1.0;
        part[i] = first + i;
    }
    if (!scree_shape_find_boxes(&s->shape, &batch, SCREE_CALL_CONFIG, error))
        return false;
    for (uint32_t i = 0; i < batch.n; i++)
        for (uint32_t k = 0; k < dimension; k++)
            half[k] = fmax(half[k], fmax(-lo[k][i], hi[k][i]));
    return true;
}

/** Finds sides and size. */
static bool measure_sides(scree_plugin_shape *s, GError **error)
{
    const uint32_t flags = s->shape.flags, dimension = s->measure.dimension;
    double least = HUGE_VAL;
    if (scree_shape_is_wall(&s->shape))
        return true;
    if (flags & SCREE_CAP_ROUND) {
        for (uint32_t k = 0; k < dimension; k++)
            s->half[k] = s->shape.radius;
        s->thin = s->shape.radius;
        return true;
    }
    if (flags & SCREE_CAP_BALLS) {
        find_clump(s->shape.balls, dimension, s->half, &s->thin);
        return true;
    }
    for (uint32_t first = 0; first < s->shape.n_parts; first += BATCH)
        if (!add_boxes(s, first, s->half, error))
            return false;
    for (uint32_t k = 0; k < dimension; k++)
        least = fmin(least, s->half[k]);
    s->thin = fmin(least, scree_shape_equal_radius(&s->shape));
    return true;
}

/* ---- the whole shape ---- */

/** Fills the public struct. */
static void publish(scree_plugin_shape *s)
{
    const scree_measure *m = &s->measure;
    s->shape.size = sizeof s->shape;
    s->shape.flags = s->instance->plugin->flags &
                     (SCREE_CAP_ROUND | SCREE_CAP_BALLS | SCREE_CAP_WALL | SCREE_CAP_INFINITE);
    s->shape.n_parts = m->n_parts;
    s->shape.flat = m->flat;
    s->shape.plugin = s->instance->plugin;
    s->shape.radius = m->radius;
    s->shape.volume = scree_shape_is_wall(&s->shape) ? 0.0 : m->content;
    for (int k = 0; k < 3; k++) {
        // In 2D only zz is read; three equal moments keep a body isotropic for integrators.
        const bool round = s->shape.flags & SCREE_CAP_ROUND; // equal but for rounding
        double moment = m->dimension == 2 ? m->inertia[2] : m->inertia[round ? 0 : k];
        s->shape.inertia[k] = scree_shape_is_wall(&s->shape) ? 0.0 : moment;
    }
    s->shape.view = scree_shape_find_view;
    s->shape.ctx = s;
}

/** Creates and measures the shape. A round shape keeps its frame: only its measure counts. */
static bool set_up(scree_plugin_shape *s, GError **error)
{
    const uint32_t flags = s->instance->plugin->flags;
    if (!measure(s, error))
        return false;
    if (scree_plugin_shape_is_placed(flags) && !place(s, error))
        return false;
    publish(s);
    return take_views(s, error) && measure_sides(s, error);
}

scree_shape *scree_plugin_shape_new(scree_runtime *runtime, scree_choice_of *choice,
                                    const char *slot, GError **error)
{
    scree_plugin_shape *s = g_new0(scree_plugin_shape, 1);
    pthread_mutex_init(&s->mutex, NULL);
    s->views = g_ptr_array_new_with_free_func(scree_plugin_shape_free_view);
    s->choice = choice;
    s->frame = (scree_frame){.size = sizeof s->frame, .q = {1.0, 0.0, 0.0, 0.0}};
    s->shape.ctx = s;
    s->instance = scree_instance_new(runtime, choice, slot, error);
    if (s->instance && set_up(s, error))
        return &s->shape;
    scree_any_shape_free(&s->shape);
    return NULL;
}
