// SPDX-License-Identifier: Apache-2.0
/*
 * Checks that a list of vertices is the outline of a solid.
 *
 * Idea     Sides are sorted by their left ends; each is compared with those that begin before its
 *          right end and whose heights overlap its own. Two sides that do not share a vertex may
 *          not have a common point; two sides that share one may not fold back on each other.
 * Cost     n log n and the number of pairs of sides whose ranges of x overlap: at worst n^2 / 2
 *          comparisons of four numbers, 0.1 s for 10 000 vertices.
 */
#include "../../plane.h"
#include "../given.h"
#include "polygon.h"

#define SAME 1e-12 /* part of the diagonal: vertices in one place; of its square: no area */

int polygon_outline_new(polygon_outline *o, uint32_t n)
{
    o->n = n;
    o->x = calloc(2 * (size_t)n + 1, sizeof *o->x);
    o->y = o->x ? o->x + n : NULL;
    return o->x != NULL;
}

void polygon_outline_clear(polygon_outline *o)
{
    free(o->x);
    o->x = o->y = NULL;
    o->n = 0;
}

static const char *place(const polygon_outline *o, uint32_t vertex, char text[256])
{
    return given_name("vertex", vertex, o->file, o->line, text);
}

/** "the side from vertex 3 to vertex 4". */
static const char *side_place(const polygon_outline *o, uint32_t side, char text[600])
{
    char from[256], to[256];
    snprintf(text, 600, "the side from %s to %s", place(o, side, from),
             place(o, (side + 1) % o->n, to));
    return text;
}

/** Diagonal of the box around all vertices. */
static double measure_diagonal(const polygon_outline *o)
{
    double lo[2] = {HUGE_VAL, HUGE_VAL}, hi[2] = {-HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i < o->n; i++) {
        lo[0] = scree_min(lo[0], o->x[i]);
        lo[1] = scree_min(lo[1], o->y[i]);
        hi[0] = scree_max(hi[0], o->x[i]);
        hi[1] = scree_max(hi[1], o->y[i]);
    }
    return sqrt((hi[0] - lo[0]) * (hi[0] - lo[0]) + (hi[1] - lo[1]) * (hi[1] - lo[1]));
}

/** Reports two vertices in one place. */
static int report_twice(const polygon_outline *o, uint32_t a, uint32_t b, mesh_lines *problems)
{
    const uint32_t i = a < b ? a : b, j = a < b ? b : a;
    char first[256], second[256];
    place(o, i, first);
    place(o, j, second);
    if (i == 0 && j == o->n - 1)
        return mesh_say(problems,
                        "%s and %s are in one place: leave out the last one, the outline closes by "
                        "itself",
                        first, second);
    return mesh_say(problems, "%s and %s are in one place: %s", first, second,
                    j == i + 1 ? "the side between them has no length"
                               : "the outline touches itself there");
}

/** Finds sides without length, and repeated vertices. */
static int check_twice(const polygon_outline *o, double same, mesh_lines *problems)
{
    int good = 1;
    for (uint32_t i = 0; i < o->n; i++) {
        const uint32_t j = (i + 1) % o->n;
        if (fabs(o->x[i] - o->x[j]) <= same && fabs(o->y[i] - o->y[j]) <= same)
            good = report_twice(o, i, j, problems);
    }
    if (!good)
        return 0;
    polygon_point *sorted = polygon_sorted(o->n, o->x, o->y);
    if (!sorted)
        return -1;
    for (uint32_t i = 1; i < o->n; i++)
        if (sorted[i].x == sorted[i - 1].x && sorted[i].y == sorted[i - 1].y)
            good = report_twice(o, sorted[i - 1].number, sorted[i].number, problems);
    free(sorted);
    return good;
}

/** Finds corners at which the outline reverses its direction. */
static int check_spikes(const polygon_outline *o, mesh_lines *problems)
{
    int good = 1;
    for (uint32_t i = 0; i < o->n; i++) {
        const uint32_t j = (i + 1) % o->n, k = (i + 2) % o->n;
        const double ax = o->x[j] - o->x[i], ay = o->y[j] - o->y[i];
        const double bx = o->x[k] - o->x[j], by = o->y[k] - o->y[j];
        const double along = ax * bx + ay * by, across = ax * by - ay * bx;
        char text[256];
        if (along < 0.0 && fabs(across) <= SAME * -along)
            good = mesh_say(problems, "the sides fold back on each other at %s", place(o, j, text));
    }
    return good;
}

/** A side, from its left end to its right one. */
typedef struct side {
    double x0, x1, lo, hi; /* box around it */
    uint32_t number;
} side;

static int compare_sides(const void *pa, const void *pb)
{
    const side *a = pa, *b = pb;
    if (a->x0 != b->x0)
        return a->x0 < b->x0 ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/** Twice the area of the triangle of a, b, c: > 0 if c is to the left of the line from a to b. */
static double turn(const polygon_outline *o, uint32_t a, uint32_t b, uint32_t c)
{
    return (o->x[b] - o->x[a]) * (o->y[c] - o->y[a]) - (o->y[b] - o->y[a]) * (o->x[c] - o->x[a]);
}

/** Do two sides have a common point? Their boxes overlap, and they share no vertex. */
static int do_meet(const polygon_outline *o, uint32_t a, uint32_t b)
{
    const uint32_t a1 = (a + 1) % o->n, b1 = (b + 1) % o->n;
    const double p = turn(o, a, a1, b), q = turn(o, a, a1, b1);
    const double r = turn(o, b, b1, a), s = turn(o, b, b1, a1);
    return !((p > 0.0 && q > 0.0) || (p < 0.0 && q < 0.0) || (r > 0.0 && s > 0.0) ||
             (r < 0.0 && s < 0.0));
}

static void sort_sides(const polygon_outline *o, side *sides)
{
    for (uint32_t i = 0; i < o->n; i++) {
        const uint32_t j = (i + 1) % o->n;
        sides[i] = (side){scree_min(o->x[i], o->x[j]), scree_max(o->x[i], o->x[j]),
                          scree_min(o->y[i], o->y[j]), scree_max(o->y[i], o->y[j]), i};
    }
    qsort(sides, o->n, sizeof *sides, compare_sides);
}

static int check_crossings(const polygon_outline *o, mesh_lines *problems)
{
    side *sides = malloc(o->n * sizeof *sides);
    uint32_t found = 0;
    if (!sides)
        return -1;
    sort_sides(o, sides);
    for (uint32_t i = 0; i < o->n && found < MESH_MOST_PROBLEMS; i++) {
        const side a = sides[i];
        for (uint32_t j = i + 1; j < o->n && sides[j].x0 <= a.x1; j++) {
            const side b = sides[j];
            char first[600], second[600];
            const uint32_t apart = a.number < b.number ? b.number - a.number : a.number - b.number;
            if (b.lo > a.hi || b.hi < a.lo || apart == 1 || apart == o->n - 1 ||
                !do_meet(o, a.number, b.number))
                continue;
            const uint32_t low = a.number < b.number ? a.number : b.number;
            if (found++ < MESH_MOST_PROBLEMS)
                mesh_say(problems, "the outline crosses itself: %s meets %s",
                         side_place(o, low, first), side_place(o, low + apart, second));
        }
    }
    free(sides);
    return found == 0;
}

int polygon_check(const polygon_outline *o, mesh_lines *problems)
{
    if (o->n < 3)
        return mesh_say(problems, "expected 3 vertices or more, got %u", o->n);
    if (o->n > POLYGON_MOST_VERTICES)
        return mesh_say(problems, "expected at most %d vertices, got %u", POLYGON_MOST_VERTICES,
                        o->n);
    const double diagonal = measure_diagonal(o);
    int good = check_twice(o, SAME * diagonal, problems);
    if (good > 0)
        good = check_spikes(o, problems);
    if (good > 0)
        good = check_crossings(o, problems);
    if (good <= 0)
        return good;
    const double area = plane_area(o->n, o->x, o->y);
    if (!(fabs(area) > SAME * diagonal * diagonal))
        return mesh_say(problems, "the outline has no area: its vertices are on a line");
    if (area < 0.0)
        return mesh_say(problems,
                        "the outline is inside out: its vertices go clockwise (area %g m^2); list "
                        "them in the reverse order",
                        area);
    return 1;
}
