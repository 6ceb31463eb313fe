// SPDX-License-Identifier: Apache-2.0
/*
 * strip: a polygon as an upper and a lower function over equal panels.
 *
 * Sources  R. O'Connor 1996, 3.2.1.
 * Idea     each vertical line of the strip's frame meets the outline of a polygon with single-valued halves
 *          in one interval; its ends at the borders of the panels are the points. Two chains run from the
 *          right end to the left end of the outline, and each must go left all the way.
 * Cost     n + number of vertices, for each direction that is tried.
 */
#include "dfr.h"

enum { DIRECTIONS = 32 };

int dfr_strip_new(dfr_strip *s, uint32_t n, double left, double right)
{
    const uint64_t n_points = 2 * ((uint64_t)n + 1);
    memset(s, 0, sizeof *s);
    s->memory = calloc(2 * n_points + 3 * (n + 1ull), sizeof *s->memory);
    if (!s->memory)
        return 0;
    s->n = n;
    s->n_points = (uint32_t)n_points;
    s->left = left;
    s->x = s->memory;
    s->y = s->x + n_points;
    s->lower = s->y + n_points;
    s->rise_u = s->lower + n + 1;
    s->rise_l = s->rise_u + n + 1;
    s->frame.turn[0] = 1.0;
    s->panels = (dfr_panels){.right = right, .per_metre = n / (right - left), .n = n};
    for (uint32_t k = 0; k <= n; k++)
        s->x[k] = s->x[n_points - 1 - k] = k < n ? right - k * ((right - left) / n) : left;
    return 1;
}

void dfr_strip_finish(dfr_strip *s)
{
    const uint32_t n = s->n, last = s->n_points - 1;
    s->bottom = s->top = s->y[0];
    for (uint32_t k = 0; k <= n; k++) {
        s->lower[k] = s->y[last - k];
        s->rise_u[k] = k < n ? s->y[k + 1] - s->y[k] : 0.0;
        s->rise_l[k] = k < n ? s->y[last - k - 1] - s->y[last - k] : 0.0;
        s->top = scree_max(s->top, s->y[k]);
        s->bottom = scree_min(s->bottom, s->lower[k]);
    }
    s->panels.upper = s->y;
    s->panels.lower = s->lower;
    s->panels.rise_u = s->rise_u;
    s->panels.rise_l = s->rise_l;
    s->area = plane_area(s->n_points, s->x, s->y);
    s->is_convex = plane_turns_in(s->n_points, s->x, s->y) == SCREE_NONE;
}

void dfr_strip_clear(dfr_strip *s)
{
    free(s->memory);
    memset(s, 0, sizeof *s);
}

/* X and Y of vertex i in the frame turned by (c, s). */
static void turned(const scree_outline *o, uint32_t i, const double turn[2], double at[2])
{
    const double x = o->vertex[0][i], y = o->vertex[1][i];
    at[0] = turn[0] * x + turn[1] * y;
    at[1] = turn[0] * y - turn[1] * x;
}

/* Does the chain of vertices from `from` to `to` go left all the way? `step`: 1, or n - 1 for
 * backwards. */
static int goes_left(const scree_outline *o, const double turn[2], uint32_t from, uint32_t to,
                     uint32_t step)
{
    double here[2], next[2];
    for (uint32_t i = from; i != to;) {
        const uint32_t j = (uint32_t)(((uint64_t)i + step) % o->n);
        turned(o, i, turn, here);
        turned(o, j, turn, next);
        if (next[0] > here[0])
            return 0;
        i = j;
    }
    return 1;
}

/* Writes Y of a chain at the borders of the panels, y[k * stride]. A vertical side at an end of the outline
 * is not part of either half. */
static void sample(const scree_outline *o, const double turn[2], uint32_t from, uint32_t to,
                   uint32_t step, const dfr_strip *s, double *y, int64_t stride)
{
    double here[2], next[2], end = 0.0;
    uint32_t i = from, k = 0, has_end = 0;
    turned(o, i, turn, here);
    while (i != to) {
        const uint32_t j = (uint32_t)(((uint64_t)i + step) % o->n);
        turned(o, j, turn, next);
        for (; k < s->n && s->x[k] > next[0]; k++) {
            const double share = (here[0] - s->x[k]) / (here[0] - next[0]);
            y[k * stride] = here[1] + scree_max(share, 0.0) * (next[1] - here[1]);
        }
        if (!has_end && next[0] <= s->left) {
            end = next[1];
            has_end = 1;
        }
        here[0] = next[0];
        here[1] = next[1];
        i = j;
    }
    for (; k <= s->n; k++)
        y[k * stride] = end;
}

/* Vertices at the ends of the outline in a direction. */
static void find_ends(const scree_outline *o, const double turn[2], uint32_t *right, uint32_t *left)
{
    double most[2], least[2], at[2];
    *right = *left = 0;
    turned(o, 0, turn, most);
    turned(o, 0, turn, least);
    for (uint32_t i = 1; i < o->n; i++) {
        turned(o, i, turn, at);
        if (at[0] > most[0]) {
            *right = i;
            most[0] = at[0];
        }
        if (at[0] < least[0]) {
            *left = i;
            least[0] = at[0];
        }
    }
}

/* 1: made, 0: not single-valued, -1: no memory. */
static int try_direction(dfr_strip *s, const scree_outline *o, uint32_t n, const double turn[2])
{
    uint32_t right, left;
    double at_left[2], at_right[2];
    find_ends(o, turn, &right, &left);
    if (!goes_left(o, turn, right, left, 1) || !goes_left(o, turn, right, left, o->n - 1))
        return 0;
    turned(o, left, turn, at_left);
    turned(o, right, turn, at_right);
    if (!dfr_strip_new(s, n, at_left[0], at_right[0]))
        return -1;
    s->frame.turn[0] = turn[0];
    s->frame.turn[1] = turn[1];
    sample(o, turn, right, left, 1, s, s->y, 1);
    sample(o, turn, right, left, o->n - 1, s, s->y + s->n_points - 1, -1);
    dfr_strip_finish(s);
    return 1;
}

int32_t dfr_strip_resample(dfr_strip *s, const scree_outline *o, uint32_t n)
{
    double longest = 0.0, turn[2] = {1.0, 0.0};
    for (uint32_t i = 0; i < o->n; i++)
        for (uint32_t j = i + 1; j < o->n; j++) {
            const double x = o->vertex[0][j] - o->vertex[0][i];
            const double y = o->vertex[1][j] - o->vertex[1][i], l = sqrt(x * x + y * y);
            if (l > longest) {
                longest = l;
                turn[0] = x / l;
                turn[1] = y / l;
            }
        }
    for (int k = 0; k < DIRECTIONS; k++) {
        const double half =
            (k % 2 ? 1.0 : -1.0) * ((k + 1) / 2) * (2.0 / DIRECTIONS); // tangent of half the angle
        const double c = (1.0 - half * half) / (1.0 + half * half);
        const double sine = 2.0 * half / (1.0 + half * half);
        const double way[2] = {turn[0] * c - turn[1] * sine, turn[1] * c + turn[0] * sine};
        const int made = try_direction(s, o, n, way);
        if (made)
            return made > 0 ? SCREE_OK : SCREE_E_MEMORY;
    }
    return SCREE_E_CONFIG;
}
