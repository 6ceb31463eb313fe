/* SPDX-License-Identifier: Apache-2.0 */
/* The loops over balls of clumps: each CPU level gives the bits of a plain scalar loop. */
#include "kernel_data.h"

#include "base/rotation.h"

enum { PARTS = 5, EACH = 3, BEGIN = 2, TRIES = EACH * ROOM };

/** Candidates of the pairs of a segment from BEGIN on, between bodies of five balls each. */
typedef struct ball_tries {
    uint32_t a[BEGIN + ROOM], b[BEGIN + ROOM], first[BEGIN + ROOM], ball[2][BEGIN * EACH + TRIES];
    uint32_t found[4][TRIES], n;
    double out[11][TRIES];
} ball_tries;

static ball_tries *new_tries(data *d)
{
    ball_tries *t = g_new0(ball_tries, 1);
    for (uint32_t i = 0; i < BODIES; i++)
        d->ball[4 * i + 3] = 0.3 * fabs(d->ball[4 * i + 3]);
    for (uint32_t p = BEGIN; p < BEGIN + d->n; p++) {
        t->a[p] = d->a[p - BEGIN] / PARTS;
        t->b[p] = d->b[p - BEGIN] / PARTS;
        t->first[p] = EACH * p;
        t->first[p + 1] = EACH * (p + 1);
    }
    for (uint32_t k = BEGIN * EACH; k < (BEGIN + d->n) * EACH; k++) {
        t->ball[0][k] = PARTS * t->a[k / EACH] + (7 * k + k / EACH) % PARTS;
        t->ball[1][k] = PARTS * t->b[k / EACH] + 3 * k % PARTS;
    }
    return t;
}

/** Checks that candidate k of pair p is the next that was found, with all its values, if its balls
 * are in range. */
static void check_try(const data *d, const ball_tries *t, uint32_t p, uint32_t k, double range,
                      uint32_t *next)
{
    const uint32_t i = t->ball[0][k], j = t->ball[1][k], c = *next;
    const double *from = d->ball + 4 * i, *to = d->ball + 4 * j, reach = range + from[3] + to[3];
    double apart[3], square = 0.0;
    for (uint32_t x = 0; x < 3; x++) {
        apart[x] = d->v[x][p] + to[x] - from[x];
        square += apart[x] * apart[x];
    }
    if (sqrt(square) > reach)
        return;
    const uint32_t expected[4] = {p, k, i, j};
    const double values[11] = {apart[0], apart[1], apart[2], from[0], from[1], from[2],
                               to[0],    to[1],    to[2],    from[3], to[3]};
    g_assert_cmpuint(c, <, t->n);
    for (int x = 0; x < 4; x++)
        g_assert_cmpuint(t->found[x][c], ==, expected[x]);
    for (int x = 0; x < 11; x++)
        g_assert_cmpmem(&t->out[x][c], sizeof(double), &values[x], sizeof(double));
    ++*next;
}

static void near_balls_of(const scree_kernels *kernel, data *d, double range)
{
    g_autofree ball_tries *t = new_tries(d);
    const scree_segment s = {
        .a = t->a, .b = t->b, .first = t->first, .ball = {t->ball[0], t->ball[1]}};
    const scree_posed posed = {.ball = d->ball};
    const double *const apart[3] = {d->v[0], d->v[1], d->v[2]};
    double *const out[4][3] = {{t->out[0], t->out[1], t->out[2]},
                               {t->out[3], t->out[4], t->out[5]},
                               {t->out[6], t->out[7], t->out[8]},
                               {t->out[9], t->out[10]}};
    uint32_t next = 0;
    t->n = kernel->near_balls(&s, &posed, BEGIN, BEGIN, BEGIN + d->n, apart, range, t->found[0],
                              t->found[1], t->found[2], t->found[3]);
    kernel->balls(t->n, t->found[0], t->found[2], t->found[3], apart, d->ball, out[0], out[1],
                  out[2], out[3]);
    for (uint32_t p = 0; p < d->n; p++)
        for (uint32_t k = EACH * (BEGIN + p); k < EACH * (BEGIN + p + 1); k++)
            check_try(d, t, p, k, range, &next);
    g_assert_cmpuint(t->n, ==, next);
    if (isinf(range))
        g_assert_cmpuint(t->n, ==, EACH * d->n);
}

static void test_balls(const scree_kernels *kernel, data *d)
{
    near_balls_of(kernel, d, 0.4);
    near_balls_of(kernel, d, (double)INFINITY);
}

enum { FULL = 41 }; // balls of a clump with the most of them here

/** A clump of n balls, and what is written for it; the last lines stay. */
typedef struct placed {
    double radius[FULL];
    _Alignas(64) double ball[4 * (FULL + 1)];
    _Alignas(64) double place[4 * (FULL + 1)];
} placed;

static void place(const scree_kernels *kernel, const data *d, uint32_t n, const double q[4],
                  const double x[3], placed *p)
{
    const double *const centre[3] = {d->v[0], d->v[1], d->v[2]};
    memset(p->ball, 0, sizeof p->ball);
    memset(p->place, 0, sizeof p->place);
    kernel->place_balls(n, centre, p->radius, q, 0.75, x, p->ball, p->place);
}

/* The lines of the balls have the bits of a scalar loop, and lines after them stay. */
static void test_places(const scree_kernels *kernel, data *d)
{
    const double q[4] = {0.5, -0.5, 0.1, sqrt(0.49)}, x[3] = {-3.0, 0.25, 1e3};
    const uint32_t n = MIN(d->n, FULL);
    placed p;
    for (uint32_t i = 0; i < FULL; i++)
        p.radius[i] = fabs(d->v[3][i]) + 0.1;
    place(kernel, d, n, q, x, &p);
    for (uint32_t i = 0; i < n; i++) {
        const double at[3] = {0.75 * d->v[0][i], 0.75 * d->v[1][i], 0.75 * d->v[2][i]};
        double line[4] = {0.0, 0.0, 0.0, 0.75 * p.radius[i]}, sum = 0.0;
        scree_rotate(q, at, line);
        g_assert_cmpmem(p.ball + 4 * i, sizeof line, line, sizeof line);
        for (int k = 0; k < 3; k++) {
            line[k] += x[k];
            sum += fabs(line[k]);
        }
        line[3] += 0x1p-51 * sum;
        g_assert_cmpmem(p.place + 4 * i, sizeof line, line, sizeof line);
    }
    for (uint32_t i = 4 * n; i < 4 * (FULL + 1); i++)
        g_assert_true(p.ball[i] == 0.0 && p.place[i] == 0.0);
}

/* Far from the origin places are rounded by much more than distances of balls; those that touch are
 * near nevertheless. */
static void test_near_places(const scree_kernels *kernel, data *d)
{
    const double q[4] = {0.5, -0.5, 0.1, sqrt(0.49)}, x[3] = {1e9, -3e8, 5e8};
    const double to[3] = {x[0] + 1.5, x[1] - 0.25, x[2] + 0.75};
    const uint32_t n = MIN(d->n, FULL);
    placed a, b;
    for (uint32_t i = 0; i < FULL; i++)
        a.radius[i] = 0.01;
    place(kernel, d, n, q, x, &a);
    for (uint32_t i = 0; i < n; i++) {
        const double apart[3] = {to[0] - x[0] + (0.75 * d->v[0][i] - a.ball[4 * i]),
                                 to[1] - x[1] + (0.75 * d->v[1][i] - a.ball[4 * i + 1]),
                                 to[2] - x[2] + (0.75 * d->v[2][i] - a.ball[4 * i + 2])};
        b.radius[i] = (sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]) -
                       0.75 * a.radius[i]) /
                      0.75;
    }
    place(kernel, d, n, (const double[]){1.0, 0.0, 0.0, 0.0}, to, &b);
    _Alignas(64) double lines[8 * FULL];
    uint32_t near[FULL + 4], of[2][FULL];
    memcpy(lines, a.place, 4 * FULL * sizeof *lines);
    memcpy(lines + 4 * FULL, b.place, 4 * FULL * sizeof *lines);
    for (uint32_t i = 0; i < n; i++) {
        of[0][i] = i;
        of[1][i] = FULL + i;
    }
    g_assert_cmpuint(kernel->near_pairs(n, 0, of[0], of[1], lines, false, 0.0, near), ==, n);
}

CLAIM("balls-are-those-in-range-of-the-scalar-loop", balls)
CLAIM("balls-are-placed-as-by-the-scalar-loop", places)
CLAIM("balls-that-touch-far-from-the-origin-are-near", near_places)
