// SPDX-License-Identifier: Apache-2.0
/*
 * The outline as two functions, sampled at even distances.
 *
 * Sources  [1] R. M. O'Connor, A distributed discrete element modeling environment, 1996, 3.2: the 2D
 *              discrete function representation.
 * Idea     Along a direction X in which the outline goes forth and back once, its halves are
 *          functions Y(X): n panels of equal width, with a point of each half at every border.
 * Steps    1. X is the longest diagonal, the first of equal ones.
 *          2. If a half has two values somewhere, other directions are tried. As X turns, one side
 *             after the other reverses, and between two such angles all directions are equivalent.
 *             The middle of each interval is a candidate; the one in which the outline is longest
 *             is taken. Without a candidate the outline is refused.
 *          3. Both ends are vertices; at the other borders the sides are cut.
 * Cost     n^2 / 2 distances for n vertices; another direction n tests of n sides at worst.
 * Deviations  [1] describes how points are taken, but not the direction. A side across X would have
 *          no samples: the longest diagonal crosses no such side, and other directions differ from
 *          it by ANGLE.
 * Limits   corners between two borders are cut off: the area changes by the order dx^2, corners by
 *          dx.
 */
#include "polygon.h"

#define PI 3.14159265358979323846
#define TIE 1e-12   /* relative difference below which two diagonals are equally long */
#define ACROSS 1e-6 /* cosine between X and a side that counts as across it */
#define ANGLE 1e-5  /* [rad] width of the narrowest interval of directions */

void polygon_halves_clear(polygon_halves *h)
{
    free(h->upper);
    *h = (polygon_halves){0};
}

/** Unit vector along the longest diagonal. */
static void find_diagonal(const polygon_outline *o, double u[2])
{
    double most = 0.0;
    for (uint32_t i = 0; i < o->n; i++)
        for (uint32_t j = i + 1; j < o->n; j++) {
            const double dx = o->x[j] - o->x[i], dy = o->y[j] - o->y[i];
            const double square = dx * dx + dy * dy;
            if (!(square > most * (1.0 + TIE)))
                continue;
            most = square;
            u[0] = dx;
            u[1] = dy;
        }
    const double length = sqrt(most), sign = u[0] < 0.0 ? -1.0 : 1.0; // pointing right
    u[0] *= sign / length;
    u[1] *= sign / length;
}

/** Does the outline go forth and back once along u, without a side across u? */
static int is_single(const polygon_outline *o, const double u[2])
{
    uint32_t changes = 0;
    int last = 0, first = 0;
    for (uint32_t i = 0; i < o->n && changes <= 2; i++) {
        const uint32_t j = i + 1 < o->n ? i + 1 : 0;
        const double dx = o->x[j] - o->x[i], dy = o->y[j] - o->y[i];
        const double along = dx * u[0] + dy * u[1];
        const int sign = along > 0.0 ? 1 : -1;
        if (along * along <= ACROSS * ACROSS * (dx * dx + dy * dy))
            return 0;
        changes += last && sign != last;
        first = first ? first : sign;
        last = sign;
    }
    return changes + (last != first) == 2;
}

/** Length of the outline along u. */
static double measure_along(const polygon_outline *o, const double u[2])
{
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (uint32_t i = 0; i < o->n; i++) {
        const double x = o->x[i] * u[0] + o->y[i] * u[1];
        lo = scree_min(lo, x);
        hi = scree_max(hi, x);
    }
    return hi - lo;
}

static int compare_angles(const void *pa, const void *pb)
{
    const double a = *(const double *)pa, b = *(const double *)pb;
    return a < b ? -1 : a > b;
}

/** Finds the best direction between those across the sides. 0: no direction serves; -1: no memory. */
static int find_other(const polygon_outline *o, double u[2])
{
    double *across = malloc(((size_t)o->n + 1) * sizeof *across), longest = 0.0;
    if (!across)
        return -1;
    for (uint32_t i = 0; i < o->n; i++) {
        const uint32_t j = (i + 1) % o->n;
        const double angle =
            atan2(o->x[j] - o->x[i], o->y[i] - o->y[j]); // normal of the side: turned left
        across[i] = angle < 0.0 ? angle + PI : angle >= PI ? angle - PI : angle;
    }
    qsort(across, o->n, sizeof *across, compare_angles);
    across[o->n] = across[0] + PI;
    for (uint32_t i = 0; i < o->n; i++) {
        const double angle = 0.5 * (across[i] + across[i + 1]);
        const double try[2] = {cos(angle), sin(angle)};
        if (across[i + 1] - across[i] < ANGLE || !is_single(o, try))
            continue;
        const double length = measure_along(o, try);
        if (!(length > longest * (1.0 + TIE)))
            continue;
        longest = length;
        u[0] = try[0];
        u[1] = try[1];
    }
    free(across);
    return longest > 0.0;
}

/** Y at X of the half that starts at vertex *at in the direction `by` (1 or n - 1). *at moves to
 * the side that holds X. px, py: the vertices in the frame of the strip. */
static double sample(const polygon_outline *p, uint32_t by, double x, uint32_t *at)
{
    uint32_t next = (uint32_t)(((uint64_t)*at + by) % p->n);
    while (p->x[next] < x) {
        *at = next;
        next = (uint32_t)(((uint64_t)*at + by) % p->n);
    }
    const double width = p->x[next] - p->x[*at], share = (x - p->x[*at]) / width;
    return (1.0 - share) * p->y[*at] + share * p->y[next];
}

/** Samples both halves of the outline p, which is in the frame of the strip. */
static void take_samples(const polygon_outline *p, polygon_halves *h)
{
    uint32_t left = 0, right = 0, low, high;
    const uint32_t n = h->strip.n;
    for (uint32_t i = 1; i < p->n; i++) {
        left = p->x[i] < p->x[left] ? i : left;
        right = p->x[i] > p->x[right] ? i : right;
    }
    h->strip.x0 = p->x[left];
    h->strip.dx = (p->x[right] - p->x[left]) / n;
    h->lower[0] = h->upper[0] = p->y[left];
    h->lower[n] = h->upper[n] = p->y[right];
    low = high = left;
    for (uint32_t i = 1; i < n; i++) {
        const double x = h->strip.x0 + i * h->strip.dx;
        h->lower[i] = sample(p, 1, x, &low);
        h->upper[i] = sample(p, p->n - 1, x, &high);
    }
}

/** Moves the origin of the strip to the centroid of the enclosed area. 0: no memory. */
static int centre(polygon_halves *h)
{
    polygon_strip *s = &h->strip;
    polygon_outline o;
    if (!polygon_outline_new(&o, 2 * s->n))
        return 0;
    s->upper = h->upper;
    s->lower = h->lower;
    polygon_strip_outline(s, o.x, o.y);
    const polygon_solid solid = polygon_measure(o.n, o.x, o.y);
    polygon_outline_clear(&o);
    const double cx = s->turn[0] * solid.centroid[0] + s->turn[1] * solid.centroid[1];
    const double cy = s->turn[0] * solid.centroid[1] - s->turn[1] * solid.centroid[0];
    s->x0 -= cx;
    for (uint32_t i = 0; i <= s->n; i++) {
        h->upper[i] -= cy;
        h->lower[i] -= cy;
    }
    s->shift[0] = solid.centroid[0];
    s->shift[1] = solid.centroid[1];
    return 1;
}

int polygon_resample(const polygon_outline *o, uint32_t n, polygon_halves *out,
                     mesh_lines *problems)
{
    double u[2] = {1.0, 0.0};
    polygon_outline turned = {0};
    find_diagonal(o, u);
    const int found = is_single(o, u) ? 1 : find_other(o, u);
    if (found == 0)
        return mesh_say(problems,
                        "resample: the outline goes back and forth along every direction; a "
                        "resampled one has two halves with one height each");
    out->strip = (polygon_strip){.size = sizeof out->strip, .n = n, .turn = {u[0], u[1]}};
    out->upper = malloc(2 * ((size_t)n + 1) * sizeof *out->upper);
    if (found < 0 || !out->upper || !polygon_outline_new(&turned, o->n))
        return mesh_say(problems, "no memory for %u panels", n);
    out->lower = out->upper + n + 1;
    for (uint32_t i = 0; i < o->n; i++) {
        turned.x[i] = u[0] * o->x[i] + u[1] * o->y[i];
        turned.y[i] = u[0] * o->y[i] - u[1] * o->x[i];
    }
    take_samples(&turned, out);
    polygon_outline_clear(&turned);
    return centre(out) || mesh_say(problems, "no memory for %u panels", n);
}

void polygon_strip_outline(const polygon_strip *s, double *x, double *y)
{
    for (uint32_t i = 0; i < 2 * s->n; i++) {
        const uint32_t at = i <= s->n ? s->n - i : i - s->n;
        const double px = s->x0 + at * s->dx, py = i <= s->n ? s->upper[at] : s->lower[at];
        x[i] = s->shift[0] + s->turn[0] * px - s->turn[1] * py;
        y[i] = s->shift[1] + s->turn[1] * px + s->turn[0] * py;
    }
}
