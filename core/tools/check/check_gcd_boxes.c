/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: boxes that a broad phase may get wrong, each a function and a row of a table. */
#include "tools/check/check_gcd_boxes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "tools/check/guard_pages.h"

#define MANY 2500u /* boxes: enough for several chunks of parallel work */

static double uniform(scree_check_boxes *w, double a, double b)
{
    return scree_check_uniform(&w->random, a, b);
}

void scree_check_boxes_protect(scree_check_boxes *w, bool read_only)
{
    scree_check_arena_protect(w->arena, read_only);
}

void scree_check_boxes_clear(scree_check_boxes *w)
{
    g_clear_pointer(&w->arena, g_ptr_array_unref);
}

void scree_check_boxes_resize(scree_check_boxes *w, uint32_t n, uint32_t dimension)
{
    if (!w->arena || n != w->n) {
        scree_check_boxes_clear(w);
        w->n = n;
        w->arena = scree_check_arena_new();
        for (int k = 0; k < 3; k++) {
            w->lo[k] = scree_check_arena_add(w->arena, n, sizeof(double));
            w->hi[k] = scree_check_arena_add(w->arena, n, sizeof(double));
            w->centre[k] = scree_check_arena_add(w->arena, n, sizeof(double));
        }
        w->radius = scree_check_arena_add(w->arena, n, sizeof(double));
    }
    w->dimension = dimension;
    w->view = (scree_boxes){.size = sizeof w->view, .dimension = dimension, .n = n};
    for (uint32_t k = 0; k < 3; k++) {
        w->view.lo[k] = w->lo[k];
        w->view.hi[k] = w->hi[k];
        w->view.centre[k] = w->centre[k];
    }
    w->view.radius = w->radius;
}

void scree_check_boxes_grow(scree_check_boxes *w, uint32_t n)
{
    scree_check_boxes old = *w;
    w->arena = NULL;
    scree_check_boxes_resize(w, n, old.dimension);
    for (uint32_t i = 0; i < n; i++) {
        scree_check_boxes_empty(w, i);
        if (i >= old.n)
            continue;
        for (uint32_t k = 0; k < 3; k++) {
            w->lo[k][i] = old.lo[k][i];
            w->hi[k][i] = old.hi[k][i];
            w->centre[k][i] = old.centre[k][i];
        }
        w->radius[i] = old.radius[i];
    }
    scree_check_boxes_clear(&old);
}

void scree_check_boxes_set(scree_check_boxes *w, uint32_t i, const double x[3], const double h[3])
{
    double r2 = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        bool on = k < w->dimension;
        w->centre[k][i] = on ? x[k] : 0.0;
        w->lo[k][i] = on ? x[k] - h[k] : 0.0;
        w->hi[k][i] = on ? x[k] + h[k] : 0.0;
        r2 += on ? h[k] * h[k] : 0.0;
    }
    bool ball = h[0] == h[1] && (w->dimension == 2 || h[0] == h[2]);
    w->radius[i] = ball ? h[0] : sqrt(r2) * (1.0 + 1e-12);
}

void scree_check_boxes_empty(scree_check_boxes *w, uint32_t i)
{
    for (uint32_t k = 0; k < 3; k++) {
        w->lo[k][i] = HUGE_VAL;
        w->hi[k][i] = -HUGE_VAL;
        w->centre[k][i] = 0.0;
    }
    w->radius[i] = 0.0;
}

/* ---- cases: each sets the boxes of step `step` ---- */

static void box_at(scree_check_boxes *w, uint32_t i, double x, double y, double z, double h)
{
    scree_check_boxes_set(w, i, (double[3]){x, y, z}, (double[3]){h, h, h});
}

static void gas_in(scree_check_boxes *w, double side, double smallest, double ratio)
{
    for (uint32_t i = 0; i < w->n; i++) {
        double h = smallest * pow(ratio, uniform(w, 0.0, 1.0));
        box_at(w, i, uniform(w, 0, side), uniform(w, 0, side), uniform(w, 0, side), h);
    }
}

void scree_check_boxes_gas(scree_check_boxes *w, uint32_t n, uint32_t dimension, double ratio)
{
    scree_check_boxes_resize(w, n, dimension);
    gas_in(w, 10.0, 0.3, ratio);
}

static void gas(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_gas(w, 400 + 50 * step, d, 1.0 + step);
}

/* Balls that nearly touch, on a jittered lattice. */
static void bed(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    uint32_t side = d == 2 ? 25 : 9;
    scree_check_boxes_resize(w, d == 2 ? side * side : side * side * side, d);
    for (uint32_t i = 0; i < w->n; i++)
        box_at(w, i, i % side + uniform(w, 0, 0.3), i / side % side + uniform(w, 0, 0.3),
               d == 3 ? i / side / side + uniform(w, 0, 0.3) : 0.0, 0.55 + 0.1 * step);
}

static void ratio_10(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_resize(w, 500, d);
    gas_in(w, 20.0 - step, 0.1, 10.0);
}

static void ratio_100(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_resize(w, 500, d);
    gas_in(w, 50.0 - step, 0.05, 100.0);
}

static void ratio_1000(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_resize(w, 700, d);
    gas_in(w, 10.0, 0.01, 30.0);
    for (uint32_t i = 0; i < 4 + step; i++)
        box_at(w, scree_check_below(&w->random, w->n), uniform(w, 0, 10), uniform(w, 0, 10),
               uniform(w, 0, 10), uniform(w, 3, 30));
}

static void one_spot(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_resize(w, 200 + step, d);
    for (uint32_t i = 0; i < w->n; i++)
        box_at(w, i, 3.25, -7.5, 1.125, step == 1 ? 0.0 : step == 2 && i % 2 ? 2.5 : 0.5);
}

/* Boxes on whole numbers: ties are exact, touching boxes meet in faces, edges and corners. */
static void lattice(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    uint32_t side = d == 2 ? 20 : 8;
    double shift = step == 1 ? -1048576.0 : step == 2 ? 0.1 : 0.0, h = step == 3 ? 1.0 : 0.5;
    scree_check_boxes_resize(w, d == 2 ? side * side : side * side * side, d);
    for (uint32_t i = 0; i < w->n; i++)
        box_at(w, i, i % side + shift, i / side % side - shift,
               d == 3 ? i / side / side + shift : 0.0, h);
}

/* Neighbours share exactly the same end, despite rounding. */
static void touching(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_resize(w, 300, d);
    gas_in(w, 1000.0, 0.1, 3.0);
    for (uint32_t i = 0; i + 1 < w->n; i++) {
        uint32_t k = scree_check_below(&w->random, d);
        double size = uniform(w, 0.1, 1.0) * (step + 1);
        for (uint32_t m = 0; m < d; m++) {
            w->lo[m][i + 1] = m == k ? w->hi[m][i] : w->lo[m][i];
            w->hi[m][i + 1] = w->lo[m][i + 1] + size;
            w->centre[m][i + 1] = w->lo[m][i + 1] + size / 2;
        }
        w->radius[i + 1] = size;
    }
}

static void one_around_all(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    gas(w, d, step);
    box_at(w, scree_check_below(&w->random, w->n), 5, 5, 5, 8.0);
    box_at(w, scree_check_below(&w->random, w->n), 5, 5, 5, 1e4);
}

static void collinear(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    uint32_t axis = step % d;
    scree_check_boxes_resize(w, 400, d);
    for (uint32_t i = 0; i < w->n; i++) {
        double x[3] = {1, 2, 3}, h[3] = {0.5, 0.5, 0.5};
        x[axis] = uniform(w, -100, 100);
        scree_check_boxes_set(w, i, x, h);
    }
}

static void shifted(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    const double by[] = {-1e3, 1e9, -1e9, 1e6};
    gas(w, d, 1);
    for (uint32_t i = 0; i < w->n; i++) {
        double h = (w->hi[0][i] - w->lo[0][i]) / 2;
        box_at(w, i, w->centre[0][i] + by[step % 4], w->centre[1][i] - by[step % 4],
               w->centre[2][i] + by[(step + 1) % 4], h);
    }
}

/* A dense clump, distant escapees, a second distant clump: no grid of this range fits
 * everywhere. */
static void scattered(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    const double far = step == 3 ? 1e300 : pow(10.0, 3.0 * step + 3.0);
    scree_check_boxes_resize(w, 600, d);
    gas_in(w, 6.0, 0.3, 2.0);
    for (uint32_t i = 0; i < w->n; i++) {
        double x[3] = {w->centre[0][i], w->centre[1][i], w->centre[2][i]}, h = w->radius[i];
        if (i % 10 == 0)
            x[scree_check_below(&w->random, d)] += uniform(w, -far, far);
        else if (i % 2)
            x[0] += far / 1024;
        box_at(w, i, x[0], x[1], x[2], h);
    }
}

static void few(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_resize(w, step, d);
    for (uint32_t i = 0; i < w->n; i++)
        box_at(w, i, 1e9 + i, -5.0, 0.25 * i, 0.5);
}

/* The first step is in a unit cell, later ones are far away. */
static void leaving(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_resize(w, 300, d);
    gas_in(w, 1.0, 0.03, 2.0);
    if (step)
        for (uint32_t i = 0; i < w->n; i++)
            box_at(w, i, w->centre[0][i] * 50 * step + 1e4, w->centre[1][i] - 1e5 * step,
                   w->centre[2][i] * 3, 0.03 + 0.3 * step);
}

static void counts(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    const uint32_t n[] = {10, 900, 0, 1, 350, 2, 1200, 5};
    scree_check_boxes_resize(w, n[step % 8], d);
    gas_in(w, 8.0, 0.2, 3.0);
}

static void empty_slots(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    gas(w, d, step);
    for (uint32_t i = 0; i < w->n; i++)
        if (step == 3 || scree_check_below(&w->random, step + 2) == 0)
            scree_check_boxes_empty(w, i);
}

/* Some boxes jump anywhere, others stay. */
static void teleports(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    if (step == 0)
        gas(w, d, 1);
    if (step)
        for (uint32_t i = 0; i < w->n; i++)
            if (scree_check_below(&w->random, 4) == 0)
                box_at(w, i, uniform(w, -20, 20), uniform(w, 0, 10), uniform(w, 0, 10),
                       w->radius[i]);
}

static void flat_and_needle(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_resize(w, 400, d);
    for (uint32_t i = 0; i < w->n; i++) {
        double x[3], h[3];
        for (uint32_t k = 0; k < 3; k++) {
            x[k] = uniform(w, 0, 10);
            h[k] = scree_check_below(&w->random, 3)   ? 0.1
                   : scree_check_below(&w->random, 8) ? 0.0
                                                      : uniform(w, 0, 10.0 * (step + 1));
        }
        scree_check_boxes_set(w, i, x, h);
    }
}

static void points(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_resize(w, 500, d);
    for (uint32_t i = 0; i < w->n; i++)
        box_at(w, i, scree_check_below(&w->random, 6), scree_check_below(&w->random, 6),
               scree_check_below(&w->random, 6), step == 1 && i == 7 ? 1e-30 : 0.0);
}

static void tiny_numbers(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    const double unit = step == 0 ? 1e-300 : step == 1 ? 5e-324 : 1e-9;
    scree_check_boxes_resize(w, 300, d);
    for (uint32_t i = 0; i < w->n; i++)
        box_at(w, i, unit * scree_check_below(&w->random, 60),
               unit * scree_check_below(&w->random, 60), unit * scree_check_below(&w->random, 9),
               unit * (1 + scree_check_below(&w->random, 3)));
}

/* A box between two corners; its sphere is at most as large as a number can be. */
static void box_between(scree_check_boxes *w, uint32_t i, const double a[3], const double b[3])
{
    double half[3];
    for (uint32_t k = 0; k < 3; k++) {
        bool on = k < w->dimension;
        w->lo[k][i] = on ? fmin(a[k], b[k]) : 0.0;
        w->hi[k][i] = on ? fmax(a[k], b[k]) : 0.0;
        w->centre[k][i] = on ? 0.5 * a[k] + 0.5 * b[k] : 0.0;
        half[k] = 0.5 * w->hi[k][i] - 0.5 * w->lo[k][i];
    }
    w->radius[i] = fmin(hypot(hypot(half[0], half[1]), half[2]) * (1.0 + 1e-12), DBL_MAX);
}

/* A number of any size that a double can have: 0, denormal, 1, or so large that squares
 * overflow. */
static double any_number(scree_check_boxes *w)
{
    static const double sizes[] = {0.0,  5e-324,  3e-310, 1e-200,  1e-30, 1.0,   3.0,
                                   1e16, 1.3e154, 1e155,  1.5e200, 1e300, 8e307, DBL_MAX};
    const double x = sizes[scree_check_below(&w->random, (uint32_t)G_N_ELEMENTS(sizes))];
    return scree_check_below(&w->random, 2) ? -x : x;
}

void scree_check_boxes_wild(scree_check_boxes *w, uint32_t i, bool small)
{
    double a[3], b[3];
    for (uint32_t k = 0; k < 3; k++) {
        a[k] = any_number(w);
        b[k] = small ? nextafter(a[k], 0.0) : any_number(w);
    }
    box_between(w, i, a, b);
}

/* Corners anywhere among finite numbers; more and more boxes are small in later steps. */
static void all_numbers(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_resize(w, 300, d);
    for (uint32_t i = 0; i < w->n; i++)
        scree_check_boxes_wild(w, i, scree_check_below(&w->random, 4) < step);
}

/* Ordinary boxes, of which a few have grown and flown away, as in a run that blows up. */
static void blown_up(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    static const double sizes[] = {1e18, 1e100, 1e155, 1e308};
    scree_check_boxes_gas(w, 400, d, 2.0);
    for (uint32_t i = 0; i < w->n; i += 1 + scree_check_below(&w->random, 40)) {
        double a[3], b[3], size = sizes[step % 4];
        for (uint32_t k = 0; k < 3; k++) {
            double at = uniform(w, -1.0, 1.0) * size, by = size * uniform(w, 0.0, 0.7);
            a[k] = at - by;
            b[k] = at + by;
        }
        box_between(w, i, a, b);
    }
}

static void many(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_resize(w, MANY, d);
    gas_in(w, d == 2 ? 48.0 : 13.0, 0.3, 2.0);
}

static void motion(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    if (step == 0)
        gas(w, d, 1);
    if (step)
        for (uint32_t i = 0; i < w->n; i++) {
            uint64_t seed = i, bits = scree_check_bits(&seed);
            double v[3];
            for (uint32_t k = 0; k < 3; k++)
                v[k] = w->centre[k][i] + 0.4 * ((double)(bits >> 20 * k & 0xfffff) / 0xfffff - 0.5);
            box_at(w, i, v[0], v[1], v[2], w->radius[i]);
        }
}

/* A row that is reversed and reversed back: the worst case for sorted lists that are updated
 * (Schinner 1999, figure 6). */
static void reversal(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    scree_check_boxes_resize(w, 200, d);
    for (uint32_t i = 0; i < w->n; i++) {
        double x[3], at = 0.9 * i * (step % 2 ? -1.0 : 1.0);
        for (uint32_t k = 0; k < 3; k++)
            x[k] = k == step / 2 % d ? at : at / 32 + uniform(w, 0, 0.2);
        box_at(w, i, x[0], x[1], x[2], 0.5);
    }
}

/** Goes to and fro between 0 and 6. */
static double bounce(double x)
{
    double at = fmod(fabs(x), 12.0);
    return at < 6.0 ? at : 12.0 - at;
}

/* Hardly any motion, then steps of up to two diameters, then little motion. */
static void long_motion(scree_check_boxes *w, uint32_t d, uint32_t step)
{
    const double fast = step < 400 ? 0.0 : MIN(step, 600) - 400.0, t = 0.002 * step + 1.3 * fast;
    scree_check_boxes_resize(w, d == 2 ? 40 : 60, d);
    for (uint32_t i = 0; i < w->n; i++) {
        uint64_t seed = 7 + i;
        double x[3];
        for (uint32_t k = 0; k < 3; k++) {
            double from = scree_check_uniform(&seed, 0.0, 12.0);
            x[k] = bounce(from + t * scree_check_uniform(&seed, -1.0, 1.0));
        }
        box_at(w, i, x[0], x[1], x[2], scree_check_uniform(&seed, 0.2, 0.8));
    }
}

const scree_check_scene scree_check_scenes[] = {
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
    {"count-grows-and-shrinks", counts, 8},
    {"empty-slots", empty_slots, 4},
    {"teleports", teleports, 6},
    {"flat-and-needle-boxes", flat_and_needle, 4},
    {"points", points, 2},
    {"tiny-numbers", tiny_numbers, 3},
    {"all-finite-numbers", all_numbers, 4},
    {"blown-up", blown_up, 4},
    {"many-boxes", many, 1},
    {"50-steps-of-motion", motion, 50},
    {"reversals", reversal, 8},
    {"1000-steps-slow-and-fast", long_motion, 1000},
    {0},
};
