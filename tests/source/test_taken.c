// SPDX-License-Identifier: Apache-2.0
// The placed balls of source/random in their cells, against brute force.
#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../test.h"
#include "taken.h"

enum { BALLS = 600, QUESTIONS = 20000, FEW = 2000 };

typedef struct ball {
    double x[3], r;
} ball;

/** The region, and a periodic cell that is a bit shorter: what lies beyond it comes in again. */
static const taken_space periodic = {.min = {-1.0, 0.0, 0.0},
                                     .max = {1.0, 1.0, 0.5},
                                     .cell = {.repeats = 5,
                                              .lo = {-0.9, 0.0, 0.0},
                                              .hi = {0.9, 1.0, 0.5},
                                              .vector = {{1.8}, {0.0}, {0.0, 0.0, 0.5}}}};
static const taken_space tilted = {.min = {-0.5, 0.0, 0.0},
                                   .max = {0.5, 0.8, 0.5},
                                   .cell = {.repeats = 7,
                                            .lo = {-0.5, 0.0, 0.0},
                                            .hi = {0.5, 0.8, 0.5},
                                            .vector = {{1.0}, {2.3, 0.8}, {-0.7, 0.3, 0.5}}}};
static const taken_space narrow = {.min = {5.0, 0.0, 0.0}, .max = {5.1, 1.0, 0.5}};
/** 10 000 times as far from 0 as the balls are wide. */
static const taken_space remote = {.min = {1e3, -1e3, 0.0}, .max = {1e3 + 0.5, -1e3 + 0.5, 0.5}};

static bool overlap(const taken_space *s, const ball *a, const ball *b)
{
    double d2 = 0.0, sum = a->r + b->r, d[3] = {0.0, 0.0, 0.0};
    int32_t cells[3];
    for (uint32_t k = 0; k < s->dimension; k++)
        d[k] = a->x[k] - b->x[k];
    if (s->cell.repeats)
        scree_nearest(&s->cell, d, cells);
    for (uint32_t k = 0; k < s->dimension; k++)
        d2 += d[k] * d[k];
    return d2 < sum * sum * (1.0 - 1e-12);
}

/** Radii of ratio 40, few of them large, in no order. */
static ball random_ball(const taken_space *s)
{
    ball b = {.r = 0.04 * pow(g_test_rand_double_range(0.1, 1.0), 4.0) + 1e-6};
    for (uint32_t k = 0; k < s->dimension; k++)
        b.x[k] = g_test_rand_double_range(s->min[k] - 0.02, s->max[k] + 0.02);
    return b;
}

static void check(const taken_space *of, uint32_t dimension)
{
    static ball balls[BALLS];
    taken_space space = *of;
    taken t;
    uint32_t hits = 0;
    const int questions = scree_is_tilted(&of->cell) ? FEW : QUESTIONS; // brute force takes long
    space.dimension = dimension;
    if (dimension == 2) {
        space.min[2] = space.max[2] = 0.0;
        space.cell.repeats &= 3u;
        memset(space.cell.vector[2], 0, sizeof space.cell.vector[2]);
    }
    g_assert_true(taken_init(&t, &space, 0.05, BALLS));
    for (int i = 0; i < BALLS; i++) {
        balls[i] = random_ball(&space);
        taken_wrap(&t, balls[i].x);
        g_assert_true(taken_add(&t, balls[i].x, balls[i].r));
    }
    for (int i = 0; i < questions; i++) {
        ball one = random_ball(&space);
        bool hit = false;
        taken_wrap(&t, one.x);
        for (int k = 0; k < BALLS && !hit; k++)
            hit = overlap(&space, &one, &balls[k]);
        g_assert_cmpint(taken_hit(&t, one.x, one.r), ==, hit);
        hits += hit;
    }
    g_test_message("%u of %d overlap, %u levels", hits, questions, t.n_levels);
    g_assert_cmpuint(hits, >, questions / 100);
    g_assert_cmpuint(hits, <, questions);
    g_assert_cmpuint(t.n_levels, >, 5);
    taken_clear(&t);
}

TEST("/taken/what-brute-force-finds-over-sizes-and-seams")
{
    const taken_space *const spaces[] = {&periodic, &tilted, &narrow, &remote};
    for (size_t k = 0; k < G_N_ELEMENTS(spaces); k++)
        for (uint32_t dimension = 2; dimension <= 3; dimension++)
            check(spaces[k], dimension);
}

/** Balls that touch do not overlap, over a periodic seam neither; nor what is wrapped onto itself. */
TEST("/taken/touching-is-free-at-a-seam-too")
{
    const taken_space space = {
        .dimension = 3,
        .max = {4.0, 4.0, 4.0},
        .cell = {.repeats = 1, .hi = {4.0, 4.0, 4.0}, .vector = {{4.0, 0.0, 0.0}}}};
    const double x[3] = {0.5, 2.0, 2.0}, touching[3] = {2.5, 2.0, 2.0}, seam[3] = {3.5, 2.0, 2.0};
    double beyond[3] = {7.5, 2.0, 2.0};
    taken t;
    g_assert_true(taken_init(&t, &space, 1.0, 1));
    g_assert_false(taken_hit(&t, x, 1.0)); // there is none
    g_assert_true(taken_add(&t, x, 1.0));
    g_assert_false(taken_hit(&t, touching, 1.0));
    g_assert_true(taken_hit(&t, touching, 1.0 + 1e-9));
    g_assert_true(taken_hit(&t, seam, 0.1));
    g_assert_false(taken_hit(&t, seam, 0.0));
    g_assert_true(taken_hit(&t, seam, 1e-9));
    taken_wrap(&t, beyond);
    g_assert_cmpfloat(beyond[0], ==, 3.5);
    taken_clear(&t);
}
