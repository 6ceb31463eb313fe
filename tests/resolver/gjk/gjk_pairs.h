/* SPDX-License-Identifier: Apache-2.0 */
/* Random pairs of convex solids, given to the resolver `gjk`. */
#ifndef TEST_GJK_PAIRS_H
#define TEST_GJK_PAIRS_H

#include "gjk_scene.h"

static test_pair pair;
static solid solids[2];
static placed placed_at[2];
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

/* Takes turns, scales and places of the pair, and the solids as they are. */
static void set_pair(subject *s)
{
    const test_pair given = pair;
    init_pair(&pair, 3);
    memcpy(pair.q, given.q, sizeof pair.q);
    memcpy(pair.scale, given.scale, sizeof pair.scale);
    memcpy(pair.d, given.d, sizeof pair.d);
    for (uint32_t t = 0; t < N_TYPES; t++)
        pair.type[t].flags = t == TYPE_BALL ? SCREE_CAP_ROUND : 0;
    for (int k = 0; k < 2; k++) {
        const spot at = k ? spot_at(pair.d[0], pair.d[1], pair.d[2]) : spot_of(0, 0, 0);
        const double q[4] = {pair.q[0][k], pair.q[1][k], pair.q[2][k], pair.q[3][k]};
        place_solid(&placed_at[k], &solids[k], q, pair.scale[k], at);
        set_shape(&pair, k, &solids[k].shape);
    }
    prepare_pair(s, &pair);
}

/* Solids of these types, apart, touching or deep in each other by the number of the pair. */
static inline void random_pair(subject *s, int type_a, int type_b, uint32_t number)
{
    fake_host *f = &s->fake;
    const int types[2] = {type_a, type_b};
    double n[4];
    for (int k = 0; k < 2; k++) {
        double q[4];
        make_random(f, &solids[k], types[k]);
        pair.scale[k] = fake_uniform(f, 0.5, 1.5);
        random_turn(f, 3, q);
        for (int i = 0; i < 4; i++)
            pair.q[i][k] = q[i];
    }
    random_turn(f, 3, n);
    memset(pair.d, 0, sizeof pair.d);
    set_pair(s);
    const spot u = unit(spot_at(n[0], n[1], n[2]));
    const real all = depth_along(&placed_at[0], &placed_at[1], u);
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

#endif
