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

enum { FULL = 41, CLUMPS = 7 }; // most balls of a clump, and most clumps

/** Clumps of one shape, and what is written for them. */
typedef struct placed {
    double radius[FULL], x[3][CLUMPS], q[4][CLUMPS], scale[CLUMPS], reach[CLUMPS];
    _Alignas(64) double ball[4 * (CLUMPS * FULL + 1)];
    _Alignas(64) double place[4 * (CLUMPS * FULL + 1)];
} placed;

static placed *new_placed(void)
{
    return memset(scree_aligned_new(sizeof(placed)), 0, sizeof(placed));
}

/** Sets the pose of clump i. */
static void pose(placed *p, uint32_t i, const double q[4], const double x[3])
{
    for (int k = 0; k < 4; k++)
        p->q[k][i] = q[k];
    for (int k = 0; k < 3; k++)
        p->x[k][i] = x[k];
    p->scale[i] = 0.75;
    p->reach[i] = 3.0;
}

/** Places the n balls of each of the clumps [begin, end). */
static void place(const scree_kernels *kernel, const data *d, uint32_t begin, uint32_t end,
                  uint32_t n, placed *p)
{
    const double *const centre[3] = {d->v[0], d->v[1], d->v[2]};
    const double *const x[3] = {p->x[0], p->x[1], p->x[2]};
    const double *const q[4] = {p->q[0], p->q[1], p->q[2], p->q[3]};
    memset(p->ball, 0, sizeof p->ball);
    memset(p->place, 0, sizeof p->place);
    kernel->place_balls(begin, end, n, centre, p->radius, x, q, p->scale, p->reach, p->ball,
                        p->place);
}

/** Checks the lines of clump i, of which `ball` and `place` are the first. */
static void check_placed(const data *d, uint32_t n, const placed *p, uint32_t i, const double *ball,
                         const double *place)
{
    const double s = p->scale[i], q[4] = {p->q[0][i], p->q[1][i], p->q[2][i], p->q[3][i]};
    const double x[3] = {p->x[0][i], p->x[1][i], p->x[2][i]};
    const double room = 0x1p-51 * (fabs(x[0]) + fabs(x[1]) + fabs(x[2]) + 2.0 * p->reach[i]);
    for (uint32_t b = 0; b < n; b++) {
        const double at[3] = {s * d->v[0][b], s * d->v[1][b], s * d->v[2][b]};
        double line[4] = {0.0, 0.0, 0.0, s * p->radius[b]};
        scree_rotate(q, at, line);
        g_assert_cmpmem(ball + 4 * b, sizeof line, line, sizeof line);
        for (int k = 0; k < 3; k++)
            line[k] += x[k];
        line[3] += room;
        g_assert_cmpmem(place + 4 * b, sizeof line, line, sizeof line);
    }
}

/* The lines of the balls have the bits of a scalar loop, and lines after them stay. */
static void test_places(const scree_kernels *kernel, data *d)
{
    const uint32_t n = MIN(d->n, FULL);
    g_autofree placed *p = new_placed();
    for (uint32_t i = 0; i < FULL; i++)
        p->radius[i] = fabs(d->v[3][i]) + 0.1;
    for (uint32_t i = 0; i < CLUMPS; i++) {
        pose(p, i, (const double[]){0.5, -0.5, 0.1 * i, sqrt(0.5 - 0.01 * i * i)},
             (const double[]){-3.0 * i, 0.25, 1e3});
        p->scale[i] += 0.125 * i;
        p->reach[i] += i;
    }
    for (uint32_t begin = 0; begin < 2; begin++)
        for (uint32_t end = begin; end <= CLUMPS; end++) {
            place(kernel, d, begin, end, n, p);
            for (uint32_t i = begin; i < end; i++) {
                const size_t at = 4 * (size_t)n * (i - begin);
                check_placed(d, n, p, i, p->ball + at, p->place + at);
            }
            for (uint32_t i = 4 * n * (end - begin); i < G_N_ELEMENTS(p->ball); i++)
                g_assert_true(p->ball[i] == 0.0 && p->place[i] == 0.0);
        }
}

/* Far from the origin places are rounded by much more than distances of balls; those that touch are
 * near nevertheless. */
static void test_near_places(const scree_kernels *kernel, data *d)
{
    const double q[4] = {0.5, -0.5, 0.1, sqrt(0.49)}, x[3] = {1e9, -3e8, 5e8};
    const double to[3] = {x[0] + 1.5, x[1] - 0.25, x[2] + 0.75};
    const uint32_t n = MIN(d->n, FULL);
    g_autofree placed *a = new_placed(), *b = new_placed();
    for (uint32_t i = 0; i < FULL; i++)
        a->radius[i] = 0.01;
    pose(a, 0, q, x);
    place(kernel, d, 0, 1, n, a);
    for (uint32_t i = 0; i < n; i++) {
        const double apart[3] = {to[0] - x[0] + (0.75 * d->v[0][i] - a->ball[4 * i]),
                                 to[1] - x[1] + (0.75 * d->v[1][i] - a->ball[4 * i + 1]),
                                 to[2] - x[2] + (0.75 * d->v[2][i] - a->ball[4 * i + 2])};
        b->radius[i] = (sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]) -
                        0.75 * a->radius[i]) /
                       0.75;
    }
    pose(b, 0, (const double[]){1.0, 0.0, 0.0, 0.0}, to);
    place(kernel, d, 0, 1, n, b);
    _Alignas(64) double lines[8 * FULL];
    uint32_t near[FULL + 4], of[2][FULL];
    memcpy(lines, a->place, 4 * FULL * sizeof *lines);
    memcpy(lines + 4 * FULL, b->place, 4 * FULL * sizeof *lines);
    for (uint32_t i = 0; i < n; i++) {
        of[0][i] = i;
        of[1][i] = FULL + i;
    }
    g_assert_cmpuint(kernel->near_pairs(n, 0, of[0], of[1], lines, false, 0.0, near), ==, n);
}

CLAIM("balls-are-those-in-range-of-the-scalar-loop", balls)
CLAIM("balls-are-placed-as-by-the-scalar-loop", places)
CLAIM("balls-that-touch-far-from-the-origin-are-near", near_places)
