/* SPDX-License-Identifier: Apache-2.0 */
/* Counts and sizes of the bodies of a scene. */
#include "tools/look/census.h"

#include <math.h>

#include "shape/plugin_shape.h"
#include "shape/shape.h"

static void widen(scree_census *c, const scree_body *b, double r)
{
    for (int k = 0; k < 3; k++) {
        c->lo[k] = fmin(c->lo[k], b->x[k] - r);
        c->hi[k] = fmax(c->hi[k], b->x[k] + r);
    }
}

/** Widens the range of sizes for its kind of body. */
static void count_size(scree_census *c, const scree_body *b, const scree_shape *shape)
{
    const double r = b->scale * shape->radius, size = b->scale * scree_shape_size(shape);
    if (scree_shape_is_round(shape)) {
        c->round++;
        c->r_min = fmin(c->r_min, r);
        c->r_max = fmax(c->r_max, r);
    } else if (shape->flags & SCREE_CAP_BALLS) {
        c->clumps++;
        c->ball_min = fmin(c->ball_min, size);
        for (uint32_t i = 0; i < shape->balls->n; i++)
            c->ball_max = fmax(c->ball_max, b->scale * shape->balls->radius[i]);
    } else if (!scree_shape_is_wall(shape)) {
        c->solids++;
        c->thin_min = fmin(c->thin_min, size);
        c->thin_max = fmax(c->thin_max, size);
        c->far = fmax(c->far, r);
    }
}

scree_census scree_census_take(const scree_scene *s)
{
    scree_census c = {
        .r_min = HUGE_VAL, .r_max = -HUGE_VAL, .ball_min = HUGE_VAL, .thin_min = HUGE_VAL};
    for (int k = 0; k < 3; k++) {
        c.lo[k] = HUGE_VAL;
        c.hi[k] = -HUGE_VAL;
    }
    for (uint32_t i = 0; i < s->bodies->len; i++) {
        const scree_body *b = &g_array_index(s->bodies, scree_body, i);
        const scree_shape *shape = s->shapes->pdata[b->shape];
        double r = b->scale * shape->radius;
        c.free += b->motion == SCREE_MOTION_FREE;
        c.kinematic += b->motion == SCREE_MOTION_KINEMATIC;
        c.fixed += b->motion == SCREE_MOTION_FIXED;
        c.facets += b->motion == SCREE_MOTION_FREE ? 0 : scree_shape_facets(shape);
        c.planes += (shape->flags & SCREE_CAP_INFINITE) != 0;
        count_size(&c, b, shape);
        if (b->motion == SCREE_MOTION_FREE) {
            const bool flat = s->dimension == 2;
            c.volume += flat && scree_shape_is_round(shape)
                            ? G_PI * r * r
                            : scree_shape_volume(shape, b->scale, 1.0);
            widen(&c, b, r);
        }
    }
    return c;
}

double scree_census_solid(const scree_scene *s, const scree_census *c)
{
    double whole = 1.0;
    for (uint32_t k = 0; k < s->dimension; k++)
        whole *= s->has_region ? s->region_max[k] - s->region_min[k] : c->hi[k] - c->lo[k];
    return c->volume > 0.0 && whole > 0.0 ? c->volume / whole : 0.0;
}
