/* SPDX-License-Identifier: Apache-2.0 */
/* Two bodies that touch: at random, as they move, and how far a law reaches between them. */
#include "tools/check/check_touch.h"

#include "tools/check/check_report.h"
#include "tools/check/check_vectors.h"
#include "tools/check/guard_pages.h"

#include <math.h>

static bool is_wall(const scree_check_touch *t)
{
    return t->radius[1] == 0.0;
}

void scree_check_velocity(const scree_check_contacts *c, uint32_t i, double v[3], double arm[2][3])
{
    const scree_check_touch *t = &c->touch[i];
    const double less = c->needs & SCREE_IN_LEVER_RADIUS ? 0.0 : 0.5 * t->depth;
    double swept[2][3];
    for (int k = 0; k < 3; k++) {
        arm[0][k] = (t->radius[0] - less) * t->normal[k];
        arm[1][k] = is_wall(t) ? 0.0 : -(t->radius[1] - less) * t->normal[k];
    }
    scree_check_cross(t->w[0], arm[0], swept[0]);
    scree_check_cross(t->w[1], arm[1], swept[1]);
    for (int k = 0; k < 3; k++)
        v[k] = t->v[0][k] - t->v[1][k] + (swept[0][k] - swept[1][k]);
}

void scree_check_touch_move(scree_check_touch *t, double since)
{
    double d[3], length2 = 0.0, apart = t->radius[0] + t->radius[1] - t->depth;
    if (is_wall(t)) {
        double near = 0.0;
        for (int k = 0; k < 3; k++)
            near += since * (t->v[0][k] - t->v[1][k]) * t->normal[k];
        for (int k = 0; k < 3; k++)
            t->aside[k] += near * t->normal[k] - since * (t->v[0][k] - t->v[1][k]);
        t->depth += near;
        return;
    }
    for (int k = 0; k < 3; k++) {
        d[k] = apart * t->normal[k] + since * (t->v[1][k] - t->v[0][k]);
        length2 += d[k] * d[k];
    }
    for (int k = 0; k < 3; k++)
        t->normal[k] = d[k] / sqrt(length2);
    t->depth = t->radius[0] + t->radius[1] - sqrt(length2);
}

double scree_check_range(scree_check_contacts *c, const scree_check_touch *t)
{
    const scree_force_ops *ops = c->instance->ops;
    double range = 0.0;
    scree_range_query query = {.size = sizeof query,
                               .material_a = t->material[0],
                               .material_b = t->material[1],
                               .radius_a = t->radius[0],
                               .radius_b = t->radius[1]};
    if (SCREE_HAS(ops, range) &&
        !SCREE_CHECK_CALL(c->check, c->instance, "range", ops->range(c->instance->self, &query)))
        return 0.0;
    range = query.gap;
    if (!(range >= 0.0) || !isfinite(range))
        scree_check_fail(c->check, "range() of materials %u and %u, radii %g and %g m, is %g m",
                         t->material[0], t->material[1], t->radius[0], t->radius[1], range);
    return range;
}

void scree_check_touch_random(scree_check_contacts *c, uint64_t *state)
{
    uint32_t dimension = c->instance->host.dimension, n_materials = c->instance->host.n_materials;
    for (uint32_t i = 0; i < c->n; i++) {
        scree_check_touch *t = &c->touch[i];
        double length2 = 0.0, fast = i % 2 ? 1.0 : 1e-3, range;
        *t = (scree_check_touch){.depth = scree_check_uniform(state, 0.0, 2e-5)};
        for (int side = 0; side < 2; side++) {
            bool wall = side == 1 && i % 7 == 6;
            double r = scree_check_uniform(state, 5e-4, 2e-3);
            t->radius[side] = wall ? 0.0 : r;
            t->used[side] = 300.0 + (double)((i * (7 + 4 * (uint32_t)side)) % 40);
            t->mass[side] = wall ? HUGE_VAL : 2500.0 * 4.0 / 3.0 * G_PI * r * r * r;
            t->material[side] = (uint32_t)(scree_check_bits(state) >> 32) % n_materials;
            if (!wall)
                for (uint32_t k = 0; k < 3; k++) {
                    bool lies = dimension == 3, in_plane = lies || k < 2;
                    t->v[side][k] = in_plane ? fast * scree_check_uniform(state, -1.0, 1.0) : 0.0;
                    t->w[side][k] =
                        lies || k == 2 ? fast * scree_check_uniform(state, -0.5, 0.5) / r : 0.0;
                }
        }
        for (uint32_t k = 0; k < dimension; k++) {
            t->normal[k] = scree_check_uniform(state, -1.0, 1.0);
            length2 += t->normal[k] * t->normal[k];
        }
        for (uint32_t k = 0; k < dimension; k++)
            t->normal[k] /= sqrt(length2);
        range = scree_check_range(c, t);
        if (i % 17 == 3)
            t->depth = -scree_check_uniform(state, 0.0, 2.0) * fmax(range, 1e-5);
        else if (i % 19 == 5)
            t->depth = 0.0;
        else if (i % 5 == 2)
            t->depth = -scree_check_uniform(state, 0.0, 1.0) * range;
    }
}

void scree_check_touch_turn(scree_check_touch *t, double since)
{
    for (int side = 0; side < 2; side++) {
        double *q = t->q[side];
        if (q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0)
            q[0] = 1.0;
        scree_check_turn_on(q, t->w[side], since);
    }
}
