/* SPDX-License-Identifier: Apache-2.0 */
/* Two bodies in space and one call of a resolver of solids. */
#ifndef TEST_SOLID_SCENE_H
#define TEST_SOLID_SCENE_H

#include "../resolver_call.h"
#include "solid_meshes.h"

enum { SOLID_BALL, SOLID_SOLID, SOLID_WALL, SOLID_PLANE, SOLID_TYPES };

/** Body 0 is a, body 1 is b. */
typedef struct solid_pair {
    scree_bodies bodies;
    scree_shape_type type[SOLID_TYPES];
    const scree_shape_type *types[SOLID_TYPES];
    const scree_shape *shapes[2], *of_type[2];
    scree_shape ball, plane;
    double q[4][2], x[3][2], scale[2], d[3], radius[2];
    uint32_t shape[2], type_a, type_b;
    uint8_t keep;
    void *hints; /* from call to call; NULL: none */
} solid_pair;

static inline void init_pair(solid_pair *p)
{
    static const uint32_t flags[SOLID_TYPES] = {SCREE_CAP_ROUND, 0, SCREE_CAP_WALL,
                                                SCREE_CAP_INFINITE};
    memset(p, 0, sizeof *p);
    p->bodies = (scree_bodies){.size = sizeof p->bodies,
                               .dimension = 3,
                               .n = 2,
                               .n_shapes = 2,
                               .n_types = SOLID_TYPES,
                               .shape = p->shape,
                               .scale = p->scale,
                               .radius = p->radius,
                               .shapes = p->shapes,
                               .types = p->types};
    for (int k = 0; k < 4; k++)
        p->bodies.q[k] = p->q[k];
    for (int k = 0; k < 3; k++)
        p->bodies.x[k] = p->x[k];
    for (uint32_t k = 0; k < SOLID_TYPES; k++) {
        p->type[k] = (scree_shape_type){
            .size = sizeof p->type[k], .code = k, .flags = flags[k], .name = "?"};
        p->types[k] = &p->type[k];
    }
    p->ball = (scree_shape){.size = sizeof p->ball,
                            .flags = SCREE_CAP_ROUND,
                            .n_parts = 1,
                            .radius = 1.0,
                            .view = view_solid};
    p->plane = (scree_shape){.size = sizeof p->plane,
                             .type = SOLID_PLANE,
                             .flags = SCREE_CAP_INFINITE,
                             .normal = {0.0, 0.0, 1.0},
                             .view = view_solid};
    for (int k = 0; k < 2; k++)
        p->q[0][k] = p->scale[k] = 1.0;
    p->shape[1] = 1;
    p->type_a = p->type_b = SOLID_SOLID;
}

static inline void set_solid(solid_pair *p, int body, const test_solid *of)
{
    p->shapes[body] = &of->shape;
    p->radius[body] = p->scale[body] * of->shape.radius;
}

static inline void set_ball(solid_pair *p, double radius)
{
    p->type_a = SOLID_BALL;
    p->shapes[0] = &p->ball;
    p->scale[0] = p->radius[0] = radius;
}

static inline void turn_randomly(fake_host *fake, solid_pair *p, int body)
{
    double q[4], square;
    do {
        square = 0.0;
        for (int k = 0; k < 4; k++) {
            q[k] = fake_uniform(fake, -1.0, 1.0);
            square += q[k] * q[k];
        }
    } while (square > 1.0 || square < 0.01);
    for (int k = 0; k < 4; k++)
        p->q[k][body] = q[k] / sqrt(square);
}

/** Resolves the pair; a failure ends the program. */
static inline uint32_t touch_solids(subject *s, solid_pair *p, double range, test_touches *t)
{
    static const uint32_t a = 0, b = 1;
    double none[HINT_WORDS] = {0};
    const scree_candidates in = {.size = sizeof in,
                                 .n = 1,
                                 .hint_bytes = s->ops->hint_bytes,
                                 .hints = p->hints ? p->hints : none,
                                 .type_a = p->type_a,
                                 .type_b = p->type_b,
                                 .a = &a,
                                 .b = &b,
                                 .d = {&p->d[0], &p->d[1], &p->d[2]},
                                 .radius_a = &p->radius[0],
                                 .radius_b = &p->radius[1],
                                 .keep = &p->keep,
                                 .range = range,
                                 .bodies = &p->bodies};
    clear_touches(t);
    return resolve_pairs(s, &in, t);
}

static inline uint32_t deepest_touch(const test_touches *t)
{
    uint32_t best = 0;
    for (uint32_t c = 1; c < t->out.n; c++)
        best = t->depth[c] > t->depth[best] ? c : best;
    return best;
}

/** A point of a body in the world, from x_a. */
static inline point3 in_world(const solid_pair *p, int body, point3 v)
{
    const double q[4] = {p->q[0][body], p->q[1][body], p->q[2][body], p->q[3][body]};
    point3 out;
    scree_rotate(q, v.x, out.x);
    for (int k = 0; k < 3; k++)
        out.x[k] = p->scale[body] * out.x[k] + (body ? p->d[k] : 0.0);
    return out;
}

#endif
