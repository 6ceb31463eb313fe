// SPDX-License-Identifier: Apache-2.0
/*
 * Volume and moments of a union of balls by slices across z.
 *
 * Sources  [1] P. J. Davis, P. Rabinowitz, Methods of Numerical Integration, 2nd ed. 1984, 2.7 and 2.12.
 * Idea     A slice is a union of discs, whose area and moments are exact (discs.c). As functions of
 *          z these are smooth, except where discs or crossings of two circles begin or end; there
 *          they change with the square root of the distance. So z is cut there; in each interval z
 *          = m + h sin(pi t / 2) turns roots into smooth functions of t, which Gauss's formula
 *          integrates.
 * Steps    1. Cuts: both ends of each ball and of the circle of each pair that crosses.
 *          2. Each interval is integrated with 12 and with 24 nodes; if the results differ too much
 *             it is halved.
 * Error    the sum of these differences, which is a generous bound of the error with 24 nodes.
 * Cost     slices times the pairs of discs in one: some ms for 5 balls, seconds for 1000.
 * Limits   more than MOST_CUTS cuts are thinned out, and halving ends at DEPTH, or earlier for many
 *          balls: the error is then larger, 1e-7 to 1e-6 for 1000 balls, and reported.
 */
#include "clump.h"

enum { FEW = 12, MANY = 24, MOST_CUTS = 600, DEPTH = 12 };

/** Nodes in (0, 1) and weights of Gauss's formulas, in t. */
typedef struct rule {
    int n;
    double at[MANY], weight[MANY];
} rule;

typedef struct cutter {
    const clump_balls *balls;
    double origin[3]; // [m] about which moments are taken
    double scale[N_MOMENTS];
    double span; // [m] range of all z
    rule rules[2];
    double *x, *y, *r; // [n] discs of a slice; r 0: the slice does not cut that ball
    clump_near near;
    clump_arc *arcs;
    clump_moments *out;
} cutter;

/** Finds the roots of the Legendre polynomial of degree n by Newton's method. */
static void make_rule(rule *to, int n)
{
    to->n = n;
    for (int i = 0; i < n; i++) {
        double t = cos(CLUMP_PI * (i + 0.75) / (n + 0.5)), slope = 1.0;
        for (int step = 0; step < 20; step++) {
            double p = 1.0, before = 0.0;
            for (int k = 1; k <= n; k++) {
                const double next = ((2.0 * k - 1.0) * t * p - (k - 1.0) * before) / k;
                before = p;
                p = next;
            }
            slope = n * (t * p - before) / (t * t - 1.0);
            t -= p / slope;
        }
        to->at[i] = t;
        to->weight[i] = 2.0 / ((1.0 - t * t) * slope * slope);
    }
}

/** Adds weight times the slice at z. */
static void add_slice(const cutter *c, double z, double weight, double m[N_MOMENTS])
{
    const clump_balls *b = c->balls;
    double s[N_MOMENTS] = {0.0};
    for (uint32_t i = 0; i < b->n; i++) {
        const double off = z - (b->x[2][i] - c->origin[2]),
                     square = (b->r[i] - off) * (b->r[i] + off);
        c->r[i] = square > 0.0 ? sqrt(square) : 0.0;
    }
    clump_add_discs(b->n, c->x, c->y, c->r, &c->near, c->arcs, s);
    s[M_Z] = z * s[M_1];
    s[M_ZZ] = z * z * s[M_1];
    s[M_XZ] = z * s[M_X];
    s[M_YZ] = z * s[M_Y];
    for (int k = 0; k < N_MOMENTS; k++)
        m[k] += weight * s[k];
}

static void apply_rule(const cutter *c, const rule *by, double a, double b, double m[N_MOMENTS])
{
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    memset(m, 0, N_MOMENTS * sizeof *m);
    for (int i = 0; i < by->n; i++) {
        const double angle = 0.5 * CLUMP_PI * by->at[i];
        add_slice(c, middle + half * sin(angle), by->weight[i] * half * 0.5 * CLUMP_PI * cos(angle),
                  m);
    }
}

/** Integrates over [a, b], in halves as often as necessary. */
static void add_interval(const cutter *c, double a, double b, int depth)
{
    double few[N_MOMENTS], many[N_MOMENTS], error = 0.0;
    const double middle = 0.5 * (a + b), share = scree_max((b - a) / c->span, 1e-4);
    apply_rule(c, &c->rules[0], a, b, few);
    apply_rule(c, &c->rules[1], a, b, many);
    for (int k = 0; k < N_MOMENTS; k++)
        error = scree_max(error, fabs(many[k] - few[k]) / c->scale[k]);
    if (error > 0.1 * CLUMP_ERROR * share && depth > 0) {
        add_interval(c, a, middle, depth - 1);
        add_interval(c, middle, b, depth - 1);
        return;
    }
    for (int k = 0; k < N_MOMENTS; k++)
        c->out->m[k] += many[k];
    c->out->error += error;
}

static int compare(const void *pa, const void *pb)
{
    const double a = *(const double *)pa, b = *(const double *)pb;
    return a < b ? -1 : a > b;
}

/** Lists the balls that cross each ball, or are inside it or around it. 0: no memory. */
static int find_near(cutter *c)
{
    const clump_balls *b = c->balls;
    clump_near *to = &c->near;
    uint64_t n = 0, room = 0;
    to->first = malloc(((size_t)b->n + 1) * sizeof *to->first);
    for (uint32_t i = 0; to->first && i < b->n; i++) {
        to->first[i] = (uint32_t)n;
        if (!scree_grow(&to->near, &room, n + b->n, sizeof *to->near))
            return 0;
        for (uint32_t j = 0; j < b->n; j++) {
            double square = 0.0, sum = b->r[i] + b->r[j];
            for (int k = 0; k < 3; k++)
                square += (b->x[k][j] - b->x[k][i]) * (b->x[k][j] - b->x[k][i]);
            if (j != i && square < sum * sum)
                to->near[n++] = j;
        }
    }
    if (to->first)
        to->first[b->n] = (uint32_t)n;
    return to->first != NULL;
}

/** Finds where the circle in which balls i and j cross begins and ends along z. 0: there is no
 * circle. */
static int cut_circle(const cutter *c, uint32_t i, uint32_t j, double cut[2])
{
    const clump_balls *b = c->balls;
    double d[3], square = 0.0;
    for (int k = 0; k < 3; k++) {
        d[k] = b->x[k][j] - b->x[k][i];
        square += d[k] * d[k];
    }
    const double sum = b->r[i] + b->r[j], less = b->r[i] - b->r[j];
    if (square <= less * less)
        return 0;
    const double t = 0.5 * (1.0 + sum * less / square), z = b->x[2][i] - c->origin[2] + t * d[2];
    const double radius2 = b->r[i] * b->r[i] - t * t * square;
    const double tilt2 = (square - d[2] * d[2]) / square;
    const double half = sqrt(scree_max(radius2, 0.0) * scree_max(tilt2, 0.0));
    cut[0] = z - half;
    cut[1] = z + half;
    return 1;
}

/** Sorts the cuts. If there are many, drops those closer to another than 1 / MOST_CUTS of the span.
 * Returns the number left. */
static uint64_t thin_out(double *cuts, uint64_t n)
{
    qsort(cuts, n, sizeof *cuts, compare);
    const double last = cuts[n - 1];
    const double least = (last - cuts[0]) * (n > MOST_CUTS ? 1.0 / MOST_CUTS : 1e-12);
    uint64_t kept = 1;
    for (uint64_t i = 1; i < n; i++)
        if (cuts[i] - cuts[kept - 1] > least)
            cuts[kept++] = cuts[i];
    if (kept > 1)
        cuts[kept - 1] = last;
    return kept;
}

/** Finds the cuts of z, sorted. NULL: no memory. */
static double *find_cuts(const cutter *c, uint64_t *n_cuts)
{
    const clump_balls *b = c->balls;
    double *cuts = malloc((2 * (size_t)b->n + c->near.first[b->n]) * sizeof *cuts);
    uint64_t n = 0;
    if (!cuts)
        return NULL;
    for (uint32_t i = 0; i < b->n; i++) {
        cuts[n++] = b->x[2][i] - c->origin[2] - b->r[i];
        cuts[n++] = b->x[2][i] - c->origin[2] + b->r[i];
        for (uint32_t k = c->near.first[i]; k < c->near.first[i + 1]; k++)
            if (c->near.near[k] > i && cut_circle(c, i, c->near.near[k], cuts + n))
                n += 2;
    }
    *n_cuts = thin_out(cuts, n);
    return cuts;
}

/** Sets origin and scales: those of the largest ball, and the reach from the origin. */
static void set_scales(cutter *c)
{
    const clump_balls *b = c->balls;
    double most = 0.0, reach = 0.0, lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        lo[k] = HUGE_VAL;
        hi[k] = -HUGE_VAL;
        for (uint32_t i = 0; i < b->n; i++) {
            lo[k] = scree_min(lo[k], b->x[k][i] - b->r[i]);
            hi[k] = scree_max(hi[k], b->x[k][i] + b->r[i]);
            most = scree_max(most, b->r[i]);
        }
        c->origin[k] = 0.5 * (lo[k] + hi[k]);
        reach = scree_max(reach, 0.5 * (hi[k] - lo[k]));
    }
    c->span = hi[2] - lo[2];
    for (int k = 0; k < N_MOMENTS; k++)
        c->scale[k] = 4.0 / 3.0 * CLUMP_PI * most * most * most *
                      (k == M_1   ? 1.0
                       : k <= M_Z ? reach
                                  : reach * reach);
}

/** Moves moments from the origin of the slices to that of the balls. */
static void move_moments(const double o[3], double m[N_MOMENTS])
{
    static const int row[N_MOMENTS] = {[M_YY] = 1, [M_ZZ] = 2, [M_YZ] = 1};
    static const int column[N_MOMENTS] = {
        [M_YY] = 1, [M_ZZ] = 2, [M_XY] = 1, [M_XZ] = 2, [M_YZ] = 2};
    for (int k = M_XX; k <= M_YZ; k++) {
        const int p = row[k], q = column[k];
        m[k] += o[p] * m[M_X + q] + o[q] * m[M_X + p] + o[p] * o[q] * m[M_1];
    }
    for (int k = 0; k < 3; k++)
        m[M_X + k] += o[k] * m[M_1];
}

int clump_integrate(const clump_balls *b, clump_moments *out)
{
    cutter c = {.balls = b, .out = out};
    uint64_t n_cuts = 0;
    *out = (clump_moments){0};
    set_scales(&c);
    make_rule(&c.rules[0], FEW);
    make_rule(&c.rules[1], MANY);
    double *discs = malloc(3 * (size_t)b->n * sizeof *discs);
    double *cuts = find_near(&c) ? find_cuts(&c, &n_cuts) : NULL;
    c.arcs = clump_arcs_new(b->n);
    const int ok = discs && cuts && c.arcs;
    if (ok) {
        c.x = discs;
        c.y = discs + b->n;
        c.r = c.y + b->n;
        for (uint32_t i = 0; i < b->n; i++) {
            c.x[i] = b->x[0][i] - c.origin[0];
            c.y[i] = b->x[1][i] - c.origin[1];
        }
        const int depth = b->n <= 100 ? DEPTH : b->n <= 300 ? DEPTH / 3 : 1;
        for (uint64_t i = 1; i < n_cuts; i++)
            add_interval(&c, cuts[i - 1], cuts[i], depth);
        out->error *= c.scale[M_1] / out->m[M_1]; // relative to the union
        move_moments(c.origin, out->m);
    }
    free(discs);
    free(cuts);
    free(c.arcs);
    free(c.near.first);
    free(c.near.near);
    return ok;
}
