/* SPDX-License-Identifier: Apache-2.0 */
/* The boxes of the GCD conformance cases: what a broad phase gets wrong, one function each. */
#ifndef SCREE_TEST_GCD_CASES_H
#define SCREE_TEST_GCD_CASES_H

#include "gcd_load.h"

#define MAX_BOXES 4000u

/* ---- random numbers ---- */

static uint64_t random_state;

static double uniform(double a, double b)
{
    return a + (b - a) * scree_uniform(mix_bits(random_state++));
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)(mix_bits(random_state++) % n);
}

/* ---- cases: each sets the boxes of step `step` ---- */

static void box_at(world *w, uint32_t i, double x, double y, double z, double h)
{
    set_box(w, i, (double[3]){x, y, z}, (double[3]){h, h, h});
}

static void gas_in(world *w, double side, double smallest, double ratio)
{
    for (uint32_t i = 0; i < w->n; i++) {
        double h = smallest * pow(ratio, uniform(0.0, 1.0));
        box_at(w, i, uniform(0, side), uniform(0, side), uniform(0, side), h);
    }
}

static void gas(world *w, uint32_t d, uint32_t step)
{
    resize_world(w, 400 + 50 * step, d);
    gas_in(w, 10.0, 0.3, 1.0 + step);
}

/* Balls that nearly touch: a jittered lattice. */
static void bed(world *w, uint32_t d, uint32_t step)
{
    uint32_t side = d == 2 ? 25 : 9;
    resize_world(w, d == 2 ? side * side : side * side * side, d);
    for (uint32_t i = 0; i < w->n; i++)
        box_at(w, i, i % side + uniform(0, 0.3), i / side % side + uniform(0, 0.3),
               d == 3 ? i / side / side + uniform(0, 0.3) : 0.0, 0.55 + 0.1 * step);
}

static void ratio_10(world *w, uint32_t d, uint32_t step)
{
    resize_world(w, 500, d);
    gas_in(w, 20.0 - step, 0.1, 10.0);
}

static void ratio_100(world *w, uint32_t d, uint32_t step)
{
    resize_world(w, 500, d);
    gas_in(w, 50.0 - step, 0.05, 100.0);
}

static void ratio_1000(world *w, uint32_t d, uint32_t step)
{
    resize_world(w, 700, d);
    gas_in(w, 10.0, 0.01, 30.0);
    for (uint32_t i = 0; i < 4 + step; i++)
        box_at(w, below(w->n), uniform(0, 10), uniform(0, 10), uniform(0, 10), uniform(3, 30));
}

static void one_spot(world *w, uint32_t d, uint32_t step)
{
    resize_world(w, 200 + step, d);
    for (uint32_t i = 0; i < w->n; i++)
        box_at(w, i, 3.25, -7.5, 1.125, step == 1 ? 0.0 : step == 2 && i % 2 ? 2.5 : 0.5);
}

/* Boxes on whole numbers: all ties are exact, touching ones meet in faces, edges and corners. */
static void lattice(world *w, uint32_t d, uint32_t step)
{
    uint32_t side = d == 2 ? 20 : 8;
    double shift = step == 1 ? -1048576.0 : step == 2 ? 0.1 : 0.0, h = step == 3 ? 1.0 : 0.5;
    resize_world(w, d == 2 ? side * side : side * side * side, d);
    for (uint32_t i = 0; i < w->n; i++)
        box_at(w, i, i % side + shift, i / side % side - shift,
               d == 3 ? i / side / side + shift : 0.0, h);
}

/* Neighbours share the very same end, whatever the rounding of the rest. */
static void touching(world *w, uint32_t d, uint32_t step)
{
    resize_world(w, 300, d);
    gas_in(w, 1000.0, 0.1, 3.0);
    for (uint32_t i = 0; i + 1 < w->n; i++) {
        uint32_t k = below(d);
        double size = uniform(0.1, 1.0) * (step + 1);
        for (uint32_t m = 0; m < d; m++) {
            w->lo[m][i + 1] = m == k ? w->hi[m][i] : w->lo[m][i];
            w->hi[m][i + 1] = w->lo[m][i + 1] + size;
            w->centre[m][i + 1] = w->lo[m][i + 1] + size / 2;
        }
        w->radius[i + 1] = size;
    }
}

static void one_around_all(world *w, uint32_t d, uint32_t step)
{
    gas(w, d, step);
    box_at(w, below(w->n), 5, 5, 5, 8.0);
    box_at(w, below(w->n), 5, 5, 5, 1e4);
}

static void collinear(world *w, uint32_t d, uint32_t step)
{
    uint32_t axis = step % d;
    resize_world(w, 400, d);
    for (uint32_t i = 0; i < w->n; i++) {
        double x[3] = {1, 2, 3}, h[3] = {0.5, 0.5, 0.5};
        x[axis] = uniform(-100, 100);
        set_box(w, i, x, h);
    }
}

static void shifted(world *w, uint32_t d, uint32_t step)
{
    const double by[] = {-1e3, 1e9, -1e9, 1e6};
    gas(w, d, 1);
    for (uint32_t i = 0; i < w->n; i++) {
        double h = (w->hi[0][i] - w->lo[0][i]) / 2;
        box_at(w, i, w->centre[0][i] + by[step % 4], w->centre[1][i] - by[step % 4],
               w->centre[2][i] + by[(step + 1) % 4], h);
    }
}

/* A dense clump, far escapees, a second clump far away: no grid of this range fits anywhere. */
static void scattered(world *w, uint32_t d, uint32_t step)
{
    const double far = step == 3 ? 1e300 : pow(10.0, 3.0 * step + 3.0);
    resize_world(w, 600, d);
    gas_in(w, 6.0, 0.3, 2.0);
    for (uint32_t i = 0; i < w->n; i++) {
        double x[3] = {w->centre[0][i], w->centre[1][i], w->centre[2][i]}, h = w->radius[i];
        if (i % 10 == 0)
            x[below(d)] += uniform(-far, far);
        else if (i % 2)
            x[0] += far / 1024;
        box_at(w, i, x[0], x[1], x[2], h);
    }
}

static void few(world *w, uint32_t d, uint32_t step)
{
    resize_world(w, step, d);
    for (uint32_t i = 0; i < w->n; i++)
        box_at(w, i, 1e9 + i, -5.0, 0.25 * i, 0.5);
}

/* The first step lies in a unit cell, the next ones far outside. */
static void leaving(world *w, uint32_t d, uint32_t step)
{
    resize_world(w, 300, d);
    gas_in(w, 1.0, 0.03, 2.0);
    for (uint32_t i = 0; i < w->n && step; i++)
        box_at(w, i, w->centre[0][i] * 50 * step + 1e4, w->centre[1][i] - 1e5 * step,
               w->centre[2][i] * 3, 0.03 + 0.3 * step);
}

static void counts(world *w, uint32_t d, uint32_t step)
{
    const uint32_t n[] = {10, 900, 0, 1, 350, 2, 1200, 5};
    resize_world(w, n[step % 8], d);
    gas_in(w, 8.0, 0.2, 3.0);
}

static void empty_slots(world *w, uint32_t d, uint32_t step)
{
    gas(w, d, step);
    for (uint32_t i = 0; i < w->n; i++)
        if (step == 3 || below(step + 2) == 0)
            empty_slot(w, i);
}

/* Some boxes jump anywhere, the others stay. */
static void teleports(world *w, uint32_t d, uint32_t step)
{
    if (step == 0)
        gas(w, d, 1);
    for (uint32_t i = 0; i < w->n && step; i++)
        if (below(4) == 0)
            box_at(w, i, uniform(-20, 20), uniform(0, 10), uniform(0, 10), w->radius[i]);
}

static void flat_and_needle(world *w, uint32_t d, uint32_t step)
{
    resize_world(w, 400, d);
    for (uint32_t i = 0; i < w->n; i++) {
        double x[3], h[3];
        for (uint32_t k = 0; k < 3; k++) {
            x[k] = uniform(0, 10);
            h[k] = below(3) ? 0.1 : below(8) ? 0.0 : uniform(0, 10.0 * (step + 1));
        }
        set_box(w, i, x, h);
    }
}

static void points(world *w, uint32_t d, uint32_t step)
{
    resize_world(w, 500, d);
    for (uint32_t i = 0; i < w->n; i++)
        box_at(w, i, below(6), below(6), below(6), step == 1 && i == 7 ? 1e-30 : 0.0);
}

static void tiny_numbers(world *w, uint32_t d, uint32_t step)
{
    const double unit = step == 0 ? 1e-300 : step == 1 ? 5e-324 : 1e-9;
    resize_world(w, 300, d);
    for (uint32_t i = 0; i < w->n; i++)
        box_at(w, i, unit * below(60), unit * below(60), unit * below(9), unit * (1 + below(3)));
}

/* Enough boxes for several pieces of parallel work. */
static void many(world *w, uint32_t d, uint32_t step)
{
    (void)step;
    resize_world(w, MAX_BOXES, d);
    gas_in(w, d == 2 ? 60.0 : 15.0, 0.3, 2.0);
}

static void motion(world *w, uint32_t d, uint32_t step)
{
    if (step == 0)
        gas(w, d, 1);
    for (uint32_t i = 0; i < w->n && step; i++) {
        uint64_t bits = mix_bits(i);
        double v[3];
        for (uint32_t k = 0; k < 3; k++)
            v[k] = w->centre[k][i] + 0.4 * ((double)(bits >> 20 * k & 0xfffff) / 0xfffff - 0.5);
        box_at(w, i, v[0], v[1], v[2], w->radius[i]);
    }
}

typedef struct test_case {
    const char *name;
    void (*fill)(world *w, uint32_t dimension, uint32_t step);
    uint32_t steps;
} test_case;

static const test_case cases[] = {
    {"gas", gas, 4},
    {"bed", bed, 4},
    {"sizes-1-to-10", ratio_10, 4},
    {"sizes-1-to-100", ratio_100, 4},
    {"sizes-1-to-1000", ratio_1000, 4},
    {"all-on-one-spot", one_spot, 3},
    {"lattice-with-exact-ties", lattice, 4},
    {"touching-chain", touching, 4},
    {"one-around-all", one_around_all, 4},
    {"collinear", collinear, 4},
    {"negative-and-huge-coordinates", shifted, 4},
    {"scattered-to-1e300", scattered, 4},
    {"none-one-two-three-boxes", few, 4},
    {"boxes-leave-the-first-domain", leaving, 4},
    {"count-grows-and-shrinks", counts, 16},
    {"empty-slots", empty_slots, 4},
    {"teleports", teleports, 6},
    {"flat-and-needle-boxes", flat_and_needle, 4},
    {"points", points, 2},
    {"tiny-numbers", tiny_numbers, 3},
    {"many-boxes", many, 1},
    {"200-steps-of-motion", motion, 200},
};

#endif
