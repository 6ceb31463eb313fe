// SPDX-License-Identifier: Apache-2.0
/*
 * Sums over an outline by Green's formula, and its convex hull.
 *
 * Idea     With c_i = x_i y_i+1 - x_i+1 y_i:
 *            area      sum c_i / 2
 *            centroid  sum c_i (x_i + x_i+1) / (6 area), y alike
 *            inertia   sum c_i (x_i^2 + x_i x_i+1 + x_i+1^2 + the same of y) / (12 area)
 *          The first two are about the first vertex and the third about the centroid, so that an
 *          outline far from the origin loses no digits.
 *          Hull: Andrew 1979, the lower and the upper chain of the points sorted by x.
 */
#include "polygon.h"

polygon_solid polygon_measure(uint32_t n, const double *x, const double *y)
{
    polygon_solid s = {0};
    double sx = 0.0, sy = 0.0, twice = 0.0, moment = 0.0, most = 0.0;
    for (uint32_t i = 1; i + 1 < n; i++) {
        const double ax = x[i] - x[0], ay = y[i] - y[0];
        const double bx = x[i + 1] - x[0], by = y[i + 1] - y[0];
        const double c = ax * by - bx * ay;
        twice += c;
        sx += c * (ax + bx);
        sy += c * (ay + by);
    }
    s.area = 0.5 * twice;
    s.centroid[0] = x[0] + sx / (3.0 * twice);
    s.centroid[1] = y[0] + sy / (3.0 * twice);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = i + 1 < n ? i + 1 : 0;
        const double ax = x[i] - s.centroid[0], ay = y[i] - s.centroid[1];
        const double bx = x[j] - s.centroid[0], by = y[j] - s.centroid[1];
        const double c = ax * by - bx * ay;
        moment += c * (ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by);
        most = scree_max(most, ax * ax + ay * ay);
    }
    s.inertia = moment / (6.0 * twice);
    s.radius = sqrt(most);
    return s;
}

static int compare(const void *pa, const void *pb)
{
    const polygon_point *a = pa, *b = pb;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

polygon_point *polygon_sorted(uint32_t n, const double *x, const double *y)
{
    polygon_point *sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = (polygon_point){x[i], y[i], i};
    qsort(sorted, n, sizeof *sorted, compare);
    return sorted;
}

/** Is b to the right of the line from a to c? Then the hull turns left there. */
static int turns_left(const polygon_point *a, const polygon_point *b, const polygon_point *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x) > 0.0;
}

uint32_t polygon_hull(uint32_t n, const double *x, const double *y, uint32_t *hull)
{
    polygon_point *sorted = polygon_sorted(n, x, y);
    uint32_t *chain = malloc((2 * (size_t)n + 2) * sizeof *chain), size = 0;
    if (sorted && chain) {
        for (uint32_t i = 0; i < n; i++) {
            while (size >= 2 &&
                   !turns_left(sorted + chain[size - 2], sorted + chain[size - 1], sorted + i))
                size--;
            chain[size++] = i;
        }
        const uint32_t lower = size;
        for (uint32_t i = n - 1; i-- > 0;) {
            while (size > lower &&
                   !turns_left(sorted + chain[size - 2], sorted + chain[size - 1], sorted + i))
                size--;
            chain[size++] = i;
        }
        size--; // drop the leftmost point, which came again
        for (uint32_t i = 0; i < size; i++)
            hull[i] = sorted[chain[i]].number;
    }
    free(sorted);
    free(chain);
    return size;
}
