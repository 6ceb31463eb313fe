// SPDX-License-Identifier: Apache-2.0
/*
 * Area and moments of a union of discs, exactly.
 *
 * Idea     The border of the union is made of the arcs of each circle that are in no other disc. By
 *          Green's theorem integrals over the area become integrals along the border, and along an
 *          arc about (a, b) these are sums of powers of sine and cosine:
 *              area  1/2 int x dy - y dx     x   1/2 int x^2 dy    xx  1/3 int x^3 dy
 *              xy    1/2 int x^2 y dy        y  -1/2 int y^2 dx    yy -1/3 int y^3 dx
 * Cost     n^2, or the pairs of `near`, and sorting the covered arcs of each circle.
 */
#include "clump.h"

clump_arc *clump_arcs_new(uint32_t n)
{
    return malloc((2 * (size_t)n + 2) * sizeof(clump_arc));
}

static int compare(const void *pa, const void *pb)
{
    const clump_arc *a = pa, *b = pb;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/** Adds a covered arc, within one turn. */
static void put_arc(clump_arc *arcs, uint32_t *n, double begin, double end)
{
    const double turn = 2.0 * CLUMP_PI;
    const double shift = begin < 0.0 ? turn : begin >= turn ? -turn : 0.0;
    begin += shift;
    end += shift;
    if (end > turn) {
        arcs[(*n)++] = (clump_arc){0.0, end - turn};
        end = turn;
    }
    arcs[(*n)++] = (clump_arc){begin, end};
}

/** Finds the *n arcs of circle i that other discs cover; 0: they cover the whole circle. The first
 * of two equal discs counts. */
static int find_arcs(uint32_t i, uint32_t n_discs, const double *x, const double *y,
                     const double *r, const clump_near *near, clump_arc *arcs, uint32_t *n)
{
    const uint32_t first = near ? near->first[i] : 0, end = near ? near->first[i + 1] : n_discs;
    *n = 0;
    for (uint32_t k = first; k < end; k++) {
        const uint32_t j = near ? near->near[k] : k;
        const double dx = x[j] - x[i], dy = y[j] - y[i], square = dx * dx + dy * dy;
        const double sum = r[i] + r[j], less = r[j] - r[i];
        if (j == i || square >= sum * sum || !(r[j] > 0.0))
            continue;
        if (square <= less * less) {
            if (less > 0.0 || (less == 0.0 && j < i))
                return 0;
            continue;
        }
        const double d = sqrt(square);
        const double cosine = (square + (r[i] + r[j]) * (r[i] - r[j])) / (2.0 * d * r[i]);
        const double half = acos(scree_max(-1.0, scree_min(1.0, cosine))), at = atan2(dy, dx);
        put_arc(arcs, n, at - half, at + half);
    }
    qsort(arcs, *n, sizeof *arcs, compare);
    return 1;
}

/** Integrals of powers of cosine and sine from 0 to an angle. */
typedef struct powers {
    double one, c, s, cc, ss, cs, ccc, sss, ccs, cccc, ssss, cccs;
} powers;

static powers integrate(double angle)
{
    const double c = cos(angle), s = sin(angle), sc = s * c, two = sc * (c * c - s * s);
    return (powers){.one = angle,
                    .c = s,
                    .s = -c,
                    .cc = 0.5 * (angle + sc),
                    .ss = 0.5 * (angle - sc),
                    .cs = 0.5 * s * s,
                    .ccc = s - s * s * s / 3.0,
                    .sss = -c + c * c * c / 3.0,
                    .ccs = -c * c * c / 3.0,
                    .cccc = 0.375 * angle + 0.5 * sc + 0.125 * two,
                    .ssss = 0.375 * angle - 0.5 * sc + 0.125 * two,
                    .cccs = -0.25 * c * c * c * c};
}

/** Adds the arc from `begin` to `end` of the circle of radius r about (a, b). */
static void add_arc(double a, double b, double r, double begin, double end, double m[N_MOMENTS])
{
    const powers p = integrate(begin), q = integrate(end);
    const double one = q.one - p.one, c = q.c - p.c, s = q.s - p.s, cc = q.cc - p.cc;
    const double ss = q.ss - p.ss, cs = q.cs - p.cs, ccc = q.ccc - p.ccc, sss = q.sss - p.sss;
    const double ccs = q.ccs - p.ccs, cccc = q.cccc - p.cccc, ssss = q.ssss - p.ssss;
    const double cccs = q.cccs - p.cccs, r2 = r * r, r3 = r2 * r;
    m[M_1] += 0.5 * r * (r * one + a * c + b * s);
    m[M_X] += 0.5 * r * (a * a * c + 2.0 * a * r * cc + r2 * ccc);
    m[M_Y] += 0.5 * r * (b * b * s + 2.0 * b * r * ss + r2 * sss);
    m[M_XX] += r / 3.0 * (a * a * a * c + 3.0 * a * a * r * cc + 3.0 * a * r2 * ccc + r3 * cccc);
    m[M_YY] += r / 3.0 * (b * b * b * s + 3.0 * b * b * r * ss + 3.0 * b * r2 * sss + r3 * ssss);
    m[M_XY] += 0.5 * r *
               (b * (a * a * c + 2.0 * a * r * cc + r2 * ccc) +
                r * (a * a * cs + 2.0 * a * r * ccs + r2 * cccs));
}

void clump_add_discs(uint32_t n, const double *x, const double *y, const double *r,
                     const clump_near *near, clump_arc *arcs, double m[N_MOMENTS])
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t n_arcs;
        double at = 0.0;
        if (!(r[i] > 0.0) || !find_arcs(i, n, x, y, r, near, arcs, &n_arcs))
            continue;
        for (uint32_t k = 0; k < n_arcs; k++) {
            if (arcs[k].begin > at)
                add_arc(x[i], y[i], r[i], at, arcs[k].begin, m);
            at = scree_max(at, arcs[k].end);
        }
        if (at < 2.0 * CLUMP_PI)
            add_arc(x[i], y[i], r[i], at, 2.0 * CLUMP_PI, m);
    }
}
