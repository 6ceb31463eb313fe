// SPDX-License-Identifier: Apache-2.0
// The size of a shape: the sides of the box around it, and the one size that warnings print.
#include "shape/shape_size.h"

#include <math.h>

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

bool scree_shape_measure_sides(scree_plugin_shape *s, GError **error)
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

/** The measured part of a shape; NULL: no plugin was asked, and the bounding ball counts. */
static const scree_plugin_shape *find_measured(const scree_shape *shape)
{
    const scree_plugin_shape *s = shape->ctx;
    return s && s->thin > 0.0 ? s : NULL;
}

void scree_shape_sides(const scree_shape *shape, double half[3])
{
    const scree_plugin_shape *s = find_measured(shape);
    const double reach = scree_shape_is_wall(shape) ? 0.0 : shape->radius;
    for (int k = 0; k < 3; k++)
        half[k] = s ? s->half[k] : reach;
}

double scree_shape_size(const scree_shape *shape)
{
    const scree_plugin_shape *s = find_measured(shape);
    return scree_shape_is_wall(shape) ? 0.0 : s ? s->thin : shape->radius;
}
