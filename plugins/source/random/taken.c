// SPDX-License-Identifier: Apache-2.0
/*
 * The balls that are placed, in cells.
 *
 * Idea: when the map of taken places (cover.h) leaves a place open, the balls around it decide. A
 * ball is in a list of the cell that holds its centre. Each halving of the radius has its own
 * cells, as wide as the largest ball there, so that a question reads few cells, and few balls in
 * them, for any mix of sizes. Cells at the rim also hold the balls beyond it.
 *
 * Exactness: two balls overlap when their depth exceeds 1e-12 of their distance, as in the host
 * (abi/scree/query.h). So the host is asked only about the other bodies of the scene.
 *
 * A cell stores place and radius of its newest ball to one part in 256. This suffices for most
 * answers, and saves an access to the ball itself.
 *
 * Cost: 27 cells for each size from that of the ball up. 40 bytes a ball, and at most 16 for its cells.
 */
#include "taken.h"

#include <math.h>
#include <stdlib.h>

#include "wide.h"

#define TOUCH (1.0 - 1e-12)

int taken_init(taken *t, const taken_space *space, double largest, uint64_t n)
{
    const scree_cell *cell = &t->space.cell;
    double far = 0.0;
    if (n >= TAKEN_MORE)
        return 0;
    *t = (taken){.space = *space, .room = (uint32_t)n, .largest = largest};
    for (uint32_t k = 0; k < 3; k++) {
        const double step =
            fabs(cell->vector[0][k]) + fabs(cell->vector[1][k]) + fabs(cell->vector[2][k]);
        far = fmax(far, fmax(fabs(space->min[k]), fabs(space->max[k])) + step);
        t->lo[k] = HUGE_VAL;
        t->hi[k] = -HUGE_VAL;
    }
    t->slack = 1e-14 * far;
    t->images = scree_images_of(cell, t->lo, t->hi, t->lo, t->hi);
    t->balls = malloc((n + 1) * sizeof *t->balls);
    ask_for_large_pages(t->balls, (n + 1) * sizeof *t->balls);
    return t->balls != NULL;
}

void taken_clear(taken *t)
{
    for (uint32_t l = 0; l < t->n_levels; l++)
        free(t->level[l].cell);
    free(t->balls);
    *t = (taken){0};
}

void taken_wrap(const taken *t, double x[3])
{
    int32_t cells[3];
    double by[3];
    scree_wrap(&t->space.cell, x, INT32_MAX / 2, cells, by);
    for (int k = 0; k < 3; k++)
        x[k] += by[k];
}

/* Makes the cells of a level: as wide as its largest ball, and at most two cells for each ball. */
static int make_cells(const taken *t, taken_level *level)
{
    const taken_space *s = &t->space;
    double size = 1.0;
    uint64_t cells = 1;
    for (uint32_t k = 0; k < s->dimension; k++)
        size *= s->max[k] - s->min[k];
    const double edge =
        fmax(2.0 * level->most, pow(size / (2.0 * t->room + 1.0), 1.0 / s->dimension));
    double square = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        const double length = k < s->dimension ? s->max[k] - s->min[k] : 0.0;
        const double n = fmin(fmax(floor(length / edge), 1.0), 1e6);
        level->n[k] = (uint32_t)n;
        level->edge[k] = length / n;
        square += level->edge[k] * level->edge[k];
        cells *= level->n[k];
    }
    level->error = (1.0 + 1e-6) * sqrt(square) / 512.0 + t->slack;
    level->cell = calloc(cells, sizeof *level->cell);
    ask_for_large_pages(level->cell, cells * sizeof *level->cell);
    return level->cell != NULL;
}

/* Place along an axis, in cells. */
static double place_in_cells(const taken *t, const taken_level *level, int k, double x)
{
    return level->edge[k] > 0.0 ? (x - t->space.min[k]) / level->edge[k] : 0.0;
}

/* The cell of a place; beyond the rim, that at the rim. */
static uint32_t clamp_cell(const taken_level *level, int k, double at)
{
    const double top = (double)(level->n[k] - 1);
    return (uint32_t)(at < 0.0 ? 0.0 : at < top ? at : top);
}

/* The level of a radius; NULL: no memory. */
static taken_level *find_level(taken *t, double r)
{
    int halvings;
    frexp(t->largest / r, &halvings);
    const uint32_t l = halvings <= 1                 ? 0
                       : halvings - 1 < TAKEN_LEVELS ? (uint32_t)halvings - 1
                                                     : TAKEN_LEVELS - 1;
    taken_level *level = &t->level[l];
    if (level->cell)
        return level;
    level->most = ldexp(t->largest, -(int)l);
    t->n_levels = l < t->n_levels ? t->n_levels : l + 1;
    return make_cells(t, level) ? level : NULL;
}

int taken_add(taken *t, const double x[3], double r)
{
    taken_level *level = find_level(t, r);
    taken_cell newest = {.ball = t->n + 1, .radius = 1};
    uint64_t number = 0;
    if (!level)
        return 0;
    for (int k = 3; k-- > 0;) {
        const double at = place_in_cells(t, level, k, x[k]);
        const uint32_t c = clamp_cell(level, k, at);
        const double part = floor(256.0 * (at - c));
        number = number * level->n[k] + c;
        newest.place[k] = (uint8_t)fmin(fmax(part, 0.0), 255.0);
        newest.radius = part >= 0.0 && part <= 255.0 ? newest.radius : 0;
        t->lo[k] = fmin(t->lo[k], x[k] - r);
        t->hi[k] = fmax(t->hi[k], x[k] + r);
    }
    if (newest.radius)
        newest.radius = (uint8_t)fmin(fmax(ceil(255.0 * r / level->most), 1.0), 255.0);
    newest.ball |= level->cell[number].ball ? TAKEN_MORE : 0;
    t->balls[t->n++] = (taken_ball){{x[0], x[1], x[2]}, r, level->cell[number]};
    level->cell[number] = newest;
    return 1;
}

/* A ball that looks for a place, at a level. */
typedef struct question {
    const taken *t;
    const taken_level *level;
    const double *x, *shift; // shift: periodic shift of the placed balls
    double r;
} question;

/* Does it overlap a ball, exactly? */
static int meets(const question *q, const taken_ball *b)
{
    const double dx = b->x[0] + q->shift[0] - q->x[0], dy = b->x[1] + q->shift[1] - q->x[1],
                 dz = b->x[2] + q->shift[2] - q->x[2], sum = b->r + q->r;
    return dx * dx + dy * dy + dz * dz < sum * sum * TOUCH;
}

/* Does it overlap a ball of a cell? `corner`: start of the cell, relative to it. */
static int meets_cell(const question *q, const taken_cell *c, const double corner[3])
{
    const taken_level *level = q->level;
    for (;;) {
        double d2 = 0.0;
        for (int k = 0; k < 3; k++) {
            const double d = corner[k] + (c->place[k] + 0.5) / 256.0 * level->edge[k];
            d2 += d * d;
        }
        const double most = c->radius * level->most / 255.0 + q->r + level->error,
                     least = most - level->most / 255.0 - 2.0 * level->error;
        const taken_ball *ball = &q->t->balls[(c->ball & ~TAKEN_MORE) - 1];
        if (c->radius && least > 0.0 && d2 < least * least)
            return 1;
        if ((!c->radius || d2 <= most * most) && meets(q, ball))
            return 1;
        if (!(c->ball & TAKEN_MORE))
            return 0;
        c = &ball->older;
    }
}

/* Does it overlap a ball of the level? */
static int meets_level(const question *q)
{
    const taken_level *level = q->level;
    const double reach = q->r + level->most + q->t->slack;
    double corner[3], at[3];
    uint32_t first[3], last[3];
    for (int k = 0; k < 3; k++) {
        const double x = q->x[k] - q->shift[k];
        at[k] = place_in_cells(q->t, level, k, x);
        first[k] = clamp_cell(level, k, place_in_cells(q->t, level, k, x - reach));
        last[k] = clamp_cell(level, k, place_in_cells(q->t, level, k, x + reach));
    }
    for (uint32_t i = first[2]; i <= last[2]; i++) // all lines at once, not one by one
        for (uint32_t j = first[1]; j <= last[1]; j++)
            __builtin_prefetch(level->cell + ((uint64_t)i * level->n[1] + j) * level->n[0] +
                               first[0]);
    for (uint32_t i = first[2]; i <= last[2]; i++) {
        corner[2] = (i - at[2]) * level->edge[2];
        for (uint32_t j = first[1]; j <= last[1]; j++) {
            const taken_cell *row = level->cell + ((uint64_t)i * level->n[1] + j) * level->n[0];
            corner[1] = (j - at[1]) * level->edge[1];
            for (uint32_t c = first[0]; c <= last[0]; c++) {
                corner[0] = (c - at[0]) * level->edge[0];
                if (row[c].ball && meets_cell(q, &row[c], corner))
                    return 1;
            }
        }
    }
    return 0;
}

/* Does it overlap a ball that is shifted? */
static int meets_shifted(const taken *t, const double x[3], double r, const double shift[3])
{
    for (uint32_t l = 0; l < t->n_levels; l++) {
        const question q = {.t = t, .level = &t->level[l], .x = x, .shift = shift, .r = r};
        if (q.level->cell && meets_level(&q))
            return 1;
    }
    return 0;
}

int taken_hit(const taken *t, const double x[3], double r)
{
    const double reach = r + t->slack;
    scree_images m = t->images;
    int32_t s[3] = {0, 0, 0}, last[3];
    double shift[3];
    if (t->n == 0)
        return 0;
    for (int k = 0; k < 3; k++) {
        m.least[k] = x[k] - reach - t->hi[k];
        m.most[k] = x[k] + reach - t->lo[k];
    }
    for (scree_images_range(&m, 2, s, last); s[2] <= last[2]; s[2]++)
        for (scree_images_range(&m, 1, s, last); s[1] <= last[1]; s[1]++)
            for (scree_images_range(&m, 0, s, last); s[0] <= last[0]; s[0]++) {
                scree_shift(m.cell, s, shift);
                if (meets_shifted(t, x, r, shift))
                    return 1;
            }
    return 0;
}
