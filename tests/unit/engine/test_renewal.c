/* SPDX-License-Identifier: Apache-2.0 */
/* Which extents are renewed, from made-up times of steps. */
#include "../../test.h"
#include "engine/renewal.h"

enum { N = 1000, PLAIN = 100000 /* [ticks] of a step without a refresh */ };

/** Time of a refresh, and steps between two: of all extents, of those that were left. */
typedef struct machine {
    uint64_t every[2], ticks[2];
    double used; /* share of its extent that a body has used when all are renewed */
} machine;

static double x[3][N], ref[4 * N];
static scree_world world;
static scree_box_set boxes;

/** Steps of a run; returns its time over that of renewals of all extents, and of those that were left. */
static double run(const machine *m, uint64_t steps, double *of_moved)
{
    scree_renewal renewal;
    double took = 0.0, alone[2] = {0.0};
    uint64_t since = 0;
    bool moved = false;
    scree_renewal_init(&renewal);
    for (uint32_t i = 0; i < N; i++) {
        x[0][i] = m->used;
        ref[4 * i + 3] = 1.0;
    }
    world = (scree_world){.n = N, .n_free = N, .x = {x[0], x[1], x[2]}};
    boxes = (scree_box_set){.ref = ref};
    for (uint64_t n = 0; n < steps; n++) {
        uint64_t ticks = PLAIN;
        if (++since >= m->every[moved]) {
            ticks += m->ticks[moved];
            since = 0;
            if (!moved)
                scree_renewal_look(&renewal, &world, &boxes);
        }
        took += (double)ticks;
        moved = scree_renewal_note(&renewal, ticks);
        for (int k = 0; k < 2; k++)
            alone[k] += PLAIN + (double)m->ticks[k] / (double)m->every[k];
    }
    *of_moved = took / alone[1];
    return took / alone[0];
}

TEST("/renewal/is-at-most-5-percent-behind-the-better-one")
{
    static const machine machines[] = {
        {{20, 3}, {400000, 5000}, 0.002},      // one body of a bed moves
        {{200, 20}, {400000, 20000}, 0.01},    // some do
        {{20, 1}, {400000, 150000}, 0.02},     // the sample says that it may pay, but it does not
        {{20, 1}, {400000, 30000}, 0.02},      // as the one before, and a little does not
        {{20, 2}, {400000, 400000}, 0.5},      // all fly
        {{1000, 100}, {400000, 100000}, 0.01}, // refreshes are rare
    };
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        double of_moved, of_all = run(&machines[i], 40000, &of_moved);
        g_test_message("%zu: %.3f of the time with all, %.3f with moved", i, of_all, of_moved);
        g_assert_cmpfloat(MAX(of_all, of_moved), <, 1.05);
    }
}

TEST("/renewal/single-extents-are-not-tried-where-all-bodies-move-alike")
{
    const machine dear = {{20, 1}, {400000, 100 * PLAIN}, 0.5};
    double of_moved;
    g_assert_cmpfloat(run(&dear, 10000, &of_moved), ==, 1.0);
}
