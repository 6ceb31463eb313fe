/* SPDX-License-Identifier: Apache-2.0 */
/* Random pairs of convex solids, given to the resolver `gjk`. */
#ifndef TEST_GJK_PAIRS_H
#define TEST_GJK_PAIRS_H

#include "../resolver_call.h"
#include "gjk_scene.h"

/* Two bodies and all that a call wants. */
typedef struct test_pair {
    solid solids[2];
    placed at[2];
    double q[4][2], scale[2], radius[2], d[3];
    uint32_t index[2];
    scree_shape_type type[N_TYPES];
    const scree_shape_type *types[N_TYPES];
    const scree_shape *shapes[2];
    scree_bodies bodies;
} test_pair;

static test_pair pair;
static test_touches touches;

static void make_random(fake_host *f, solid *s, int type)
{
    double axes[3];
    for (int k = 0; k < 3; k++)
        axes[k] = fake_uniform(f, 0.3, 1.0);
    if (type == TYPE_BALL)
        make_ball(s);
    else if (type == TYPE_CAPSULE)
        make_capsule(s, fake_uniform(f, 0.1, 2.0), fake_uniform(f, 0.2, 1.0));
    else if (type == TYPE_HULL && fake_uniform(f, 0.0, 1.0) < 0.25)
        make_box(s, axes[0], axes[1], axes[2]);
    else if (type == TYPE_HULL)
        make_hull(f, s, 4 + (uint32_t)fake_uniform(f, 0.0, 13.0));
    else if (fake_uniform(f, 0.0, 1.0) < 0.3)
        make_super(s, axes[0], axes[1], axes[2], 2.0, 2.0);
    else
        make_super(s, axes[0], axes[1], axes[2], fake_uniform(f, 1.5, 8.0),
                   fake_uniform(f, 1.5, 8.0));
}

static void random_turn(fake_host *f, double q[4])
{
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        q[k] = fake_uniform(f, -1.0, 1.0);
        sum += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(sum);
}

static void set_pair(subject *s)
{
    static const uint64_t ids[2] = {1, 2};
    test_pair *p = &pair;
    for (int t = 0; t < N_TYPES; t++) {
        p->type[t] = (scree_shape_type){.size = sizeof p->type[t],
                                        .code = (uint32_t)t,
                                        .flags = t == TYPE_BALL ? SCREE_CAP_ROUND : 0,
                                        .name = "a solid"};
        p->types[t] = &p->type[t];
    }
    for (uint32_t k = 0; k < 2; k++) {
        const spot at = k ? spot_at(p->d[0], p->d[1], p->d[2]) : spot_of(0, 0, 0);
        const double q[4] = {p->q[0][k], p->q[1][k], p->q[2][k], p->q[3][k]};
        place_solid(&p->at[k], &p->solids[k], q, p->scale[k], at);
        p->radius[k] = p->scale[k] * p->solids[k].radius;
        p->index[k] = k;
        p->shapes[k] = &p->solids[k].shape;
        prepare_shape(s, k, p->shapes[k]);
    }
    p->bodies = (scree_bodies){.size = sizeof p->bodies,
                               .dimension = 3,
                               .n = 2,
                               .n_shapes = 2,
                               .id = ids,
                               .shape = p->index,
                               .scale = p->scale,
                               .radius = p->radius,
                               .shapes = p->shapes,
                               .types = p->types,
                               .n_types = N_TYPES};
    for (int k = 0; k < 4; k++)
        p->bodies.q[k] = p->q[k];
}

/* Solids of these types, apart, touching or deep in each other by the number of the pair. */
static inline void random_pair(subject *s, int type_a, int type_b, uint32_t number)
{
    fake_host *f = &s->fake;
    const int types[2] = {type_a, type_b};
    double n[4];
    for (int k = 0; k < 2; k++) {
        double q[4];
        make_random(f, &pair.solids[k], types[k]);
        pair.scale[k] = fake_uniform(f, 0.5, 1.5);
        random_turn(f, q);
        for (int i = 0; i < 4; i++)
            pair.q[i][k] = q[i];
    }
    random_turn(f, n);
    memset(pair.d, 0, sizeof pair.d);
    set_pair(s);
    const spot u = unit(spot_at(n[0], n[1], n[2]));
    const real all = depth_along(&pair.at[0], &pair.at[1], u);
    const double part = number % 3 == 0 ? fake_uniform(f, -0.3, 0.0)
                        : number % 3 == 1
                            ? fake_uniform(f, -1.0, 1.0) * pow(10.0, fake_uniform(f, -9.0, -2.0))
                            : fake_uniform(f, 0.0, 0.95);
    const spot d = plus(spot_of(0, 0, 0), all * (1 - (real)part), u);
    pair.d[0] = (double)d.x;
    pair.d[1] = (double)d.y;
    pair.d[2] = (double)d.z;
    set_pair(s);
}

static inline uint32_t touch(subject *s, const uint32_t order[2], const double d[3], double range,
                             void *hint, test_touches *t)
{
    double none[HINT_WORDS] = {0}, radius[2] = {pair.radius[order[0]], pair.radius[order[1]]};
    const scree_candidates in = {.size = sizeof in,
                                 .n = 1,
                                 .type_a = (uint32_t)pair.solids[order[0]].type,
                                 .type_b = (uint32_t)pair.solids[order[1]].type,
                                 .hint_bytes = s->ops->hint_bytes,
                                 .a = &order[0],
                                 .b = &order[1],
                                 .d = {&d[0], &d[1], &d[2]},
                                 .radius_a = &radius[0],
                                 .radius_b = &radius[1],
                                 .range = range,
                                 .bodies = &pair.bodies,
                                 .hints = hint ? hint : none};
    clear_touches(t);
    return resolve_pairs(s, &in, t);
}

#endif
