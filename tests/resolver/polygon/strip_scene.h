/* SPDX-License-Identifier: Apache-2.0 */
/* Polygons, their poses and batches for the test of resolvers of outlines, made by hand; exact clipping
 * [Sutherland, Hodgman 1974, CACM 17, 32] to hold them against. */
#ifndef TEST_STRIP_SCENE_H
#define TEST_STRIP_SCENE_H

#include "../scene.h"
#include "polygon/strip.h"

#define PI 3.14159265358979323846
enum { MOST = 1100, PAIRS = MOST_PAIRS, SHAPES = 64 };

/* A polygon as the shape `polygon` offers it; strip.n 0: not resampled. */
typedef struct poly {
    scree_shape shape;
    scree_outline outline;
    polygon_strip strip;
    double x[MOST], y[MOST], upper[MOST], lower[MOST], radius;
} poly;

static poly polys[SHAPES];
static const scree_shape *shape_list[SHAPES];
static scree_shape_type poly_type = {
    .size = sizeof poly_type, .n_shapes = 1, .name = "polygon", .shapes = shape_list};
static const scree_shape_type *const type_list[1] = {&poly_type};
static test_world world;
static test_batch batch;
static test_touches found;

static inline const void *poly_view(const scree_shape *shape, const char *name, double tolerance)
{
    const poly *p = shape->ctx;
    if (strcmp(name, SCREE_VIEW_OUTLINE) == 0)
        return &p->outline;
    return strcmp(name, POLYGON_VIEW_STRIP) == 0 && p->strip.n ? &p->strip : NULL;
}

/* After x, y and outline.n have been written. */
static inline void poly_finish(poly *p)
{
    p->outline = (scree_outline){sizeof p->outline, p->outline.n, {p->x, p->y}};
    p->radius = 0.0;
    for (uint32_t i = 0; i < p->outline.n; i++)
        p->radius = fmax(p->radius, hypot(p->x[i], p->y[i]));
    p->shape = (scree_shape){.size = sizeof p->shape,
                             .n_parts = 1,
                             .flat = 1,
                             .radius = p->radius,
                             .view = poly_view,
                             .ctx = p};
}

static inline double poly_area(uint32_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (uint32_t i = 1; i + 1 < n; i++)
        sum += (x[i] - x[0]) * (y[i + 1] - y[0]) - (x[i + 1] - x[0]) * (y[i] - y[0]);
    return 0.5 * sum;
}

/* After strip.n, x0, dx, turn and both halves have been written. */
static inline void poly_from_strip(poly *p)
{
    polygon_strip *s = &p->strip;
    s->size = sizeof *s;
    s->upper = p->upper;
    s->lower = p->lower;
    p->outline.n = 2 * s->n;
    for (uint32_t i = 0; i < 2 * s->n; i++) {
        const uint32_t k = i <= s->n ? s->n - i : i - s->n;
        const double at = s->x0 + k * s->dx, y = i <= s->n ? p->upper[k] : p->lower[k];
        p->x[i] = s->shift[0] + s->turn[0] * at - s->turn[1] * y;
        p->y[i] = s->shift[1] + s->turn[1] * at + s->turn[0] * y;
    }
    poly_finish(p);
}

/* The function of x that a chain of vertices with falling x is. */
static inline double chain_at(uint32_t n, const double *x, const double *y, double at)
{
    for (uint32_t i = 0; i + 1 < n; i++)
        if (at <= x[i] && at >= x[i + 1])
            return x[i] > x[i + 1] ? y[i] + (x[i] - at) / (x[i] - x[i + 1]) * (y[i + 1] - y[i])
                                   : y[i];
    return y[n - 1];
}

/* A random convex polygon of `corners` points of an ellipse, as a strip of n panels. The ends are the
 * first and the middle corner, at angles 0 and 180 degrees. */
static inline void poly_random_strip(subject *s, poly *p, uint32_t corners, double aspect,
                                     uint32_t n)
{
    double angle[64], x[2][64], y[2][64];
    uint32_t half = corners / 2;
    memset(p, 0, sizeof *p);
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i <= half; i++)
            angle[i] = i == 0 ? 0.0 : i == half ? PI : fake_uniform(&s->fake, 0.02, PI - 0.02);
        for (uint32_t i = 1; i < half; i++)
            for (uint32_t k = i; k > 1 && angle[k] < angle[k - 1]; k--) {
                const double keep = angle[k];
                angle[k] = angle[k - 1];
                angle[k - 1] = keep;
            }
        for (uint32_t i = 0; i <= half; i++) {
            x[side][i] = cos(angle[i]);
            y[side][i] = (side ? -aspect : aspect) * (i == 0 || i == half ? 0.0 : sin(angle[i]));
        }
    }
    p->strip = (polygon_strip){.n = n, .x0 = -1.0, .dx = 2.0 / n, .turn = {1.0, 0.0}};
    const double by = fake_uniform(&s->fake, -PI, PI);
    p->strip.turn[0] = cos(by);
    p->strip.turn[1] = sin(by);
    for (uint32_t k = 1; k < n; k++) {
        p->upper[k] = chain_at(half + 1, x[0], y[0], -1.0 + k * (2.0 / n));
        p->lower[k] = chain_at(half + 1, x[1], y[1], -1.0 + k * (2.0 / n));
    }
    p->upper[0] = p->lower[0] = p->upper[n] = p->lower[n] = 0.0;
    poly_from_strip(p);
}

/* A star-like strip: both halves any positive functions. */
static inline void poly_random_concave(subject *s, poly *p, double height, uint32_t n)
{
    memset(p, 0, sizeof *p);
    p->strip = (polygon_strip){.n = n, .x0 = -1.0, .dx = 2.0 / n, .turn = {0.6, 0.8}};
    for (uint32_t k = 1; k < n; k++) {
        p->upper[k] = height * fake_uniform(&s->fake, 0.1, 1.0);
        p->lower[k] = -height * fake_uniform(&s->fake, 0.1, 1.0);
    }
    p->upper[0] = p->lower[0] = p->upper[n] = p->lower[n] = 0.0;
    poly_from_strip(p);
}

/* Vertices given, counterclockwise; not resampled. */
static inline void poly_given(poly *p, uint32_t n, const double *at)
{
    memset(p, 0, sizeof *p);
    p->outline.n = n;
    for (uint32_t i = 0; i < n; i++) {
        p->x[i] = at[2 * i];
        p->y[i] = at[2 * i + 1];
    }
    poly_finish(p);
}

/* A regular polygon of 2 n corners about the unit circle: each half has n panels of unequal width, so it
 * is sampled at the borders of equal ones; of its own accord with resampled = 0. */
static inline void poly_circle(poly *p, uint32_t n, int resampled)
{
    memset(p, 0, sizeof *p);
    if (resampled) {
        p->strip = (polygon_strip){.n = n, .x0 = -1.0, .dx = 2.0 / n, .turn = {1.0, 0.0}};
        for (uint32_t k = 1; k < n; k++) {
            const double x = -1.0 + k * (2.0 / n);
            p->upper[k] = sqrt(1.0 - x * x);
            p->lower[k] = -p->upper[k];
        }
        p->upper[0] = p->lower[0] = p->upper[n] = p->lower[n] = 0.0;
        poly_from_strip(p);
        return;
    }
    p->outline.n = 2 * n;
    for (uint32_t i = 0; i < 2 * n; i++) {
        p->x[i] = cos(PI * i / n);
        p->y[i] = sin(PI * i / n);
    }
    poly_finish(p);
}

static inline void scene_start(subject *s, const char *path)
{
    for (uint32_t i = 0; i < SHAPES; i++)
        shape_list[i] = &polys[i].shape;
    start_resolver(s, path, 2, NULL);
}

/* Hands polys[0 .. n) to the resolver, and asks how many contacts their pairs have. */
static inline uint32_t scene_prepare(subject *s, uint32_t n)
{
    poly_type.n_shapes = n;
    scree_pair_support pair = {
        .size = sizeof pair, .a = &poly_type, .b = &poly_type, .provides = s->plugin->provides};
    for (uint32_t i = 0; i < n; i++)
        prepare_shape(s, i, &polys[i].shape);
    s->ops->supports(s->self, &pair);
    init_world(&world, 2, 2 * PAIRS, shape_list, SHAPES, type_list, 1);
    init_batch(&batch, &world, 0, 0, 0);
    return pair.contacts;
}

/* One more pair: shape a at the origin turned by angle_a, shape b at (x, y). */
static inline void add_pair(uint32_t a, double angle_a, double scale_a, uint32_t b, double angle_b,
                            double scale_b, double x, double y)
{
    const uint32_t p = batch.in.n++, body[2] = {2 * p, 2 * p + 1};
    const double angle[2] = {angle_a, angle_b}, scale[2] = {scale_a, scale_b};
    const uint32_t shape[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        world.shape[body[k]] = shape[k];
        world.scale[body[k]] = scale[k];
        world.radius[body[k]] = scale[k] * polys[shape[k]].radius;
        world.q[0][body[k]] = cos(0.5 * angle[k]);
        world.q[3][body[k]] = sin(0.5 * angle[k]);
    }
    batch.a[p] = body[0];
    batch.b[p] = body[1];
    batch.radius_a[p] = world.radius[body[0]];
    batch.radius_b[p] = world.radius[body[1]];
    batch.d[0][p] = x;
    batch.d[1][p] = y;
}

/* Resolves the batch into the contacts of `out`; many: with features. */
static inline int run_over(subject *s, int many)
{
    uint32_t done = 0;
    clear_areas(&found);
    if (!many)
        found.out.feature = found.out.continues = NULL;
    return s->ops->resolve(s->self, &batch.in, &found.out, &done) == SCREE_OK && done == batch.in.n;
}

static inline int run_batch(subject *s, int many)
{
    memset(&found, 0, sizeof found);
    return run_over(s, many);
}

/* Vertices of body k (0: a, 1: b) of pair p, relative to x_a. */
static inline uint32_t outline_of(uint32_t p, int k, double *x, double *y)
{
    const uint32_t i = 2 * p + k;
    const poly *of = &polys[world.shape[i]];
    const double angle = 2.0 * atan2(world.q[3][i], world.q[0][i]), c = cos(angle), s = sin(angle);
    for (uint32_t v = 0; v < of->outline.n; v++) {
        x[v] = world.scale[i] * (c * of->x[v] - s * of->y[v]) + (k ? batch.d[0][p] : 0.0);
        y[v] = world.scale[i] * (s * of->x[v] + c * of->y[v]) + (k ? batch.d[1][p] : 0.0);
    }
    return of->outline.n;
}

/* Area of what two convex polygons have in common. */
static inline double clip_area(uint32_t n, const double *ax, const double *ay, uint32_t m,
                               const double *bx, const double *by)
{
    static double x[2][4 * MOST], y[2][4 * MOST];
    uint32_t size = m, now = 0;
    memcpy(x[0], bx, m * sizeof *bx);
    memcpy(y[0], by, m * sizeof *by);
    for (uint32_t e = 0; e < n && size > 0; e++) {
        const double px = ax[e], py = ay[e], ex = ax[(e + 1) % n] - px, ey = ay[(e + 1) % n] - py;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < size; i++) {
            const uint32_t j = (i + 1) % size;
            const double *vx = x[now], *vy = y[now];
            const double g = ex * (vy[i] - py) - ey * (vx[i] - px);
            const double h = ex * (vy[j] - py) - ey * (vx[j] - px);
            if (g >= 0.0) {
                x[!now][kept] = vx[i];
                y[!now][kept++] = vy[i];
            }
            if ((g >= 0.0) != (h >= 0.0)) {
                x[!now][kept] = vx[i] + g / (g - h) * (vx[j] - vx[i]);
                y[!now][kept++] = vy[i] + g / (g - h) * (vy[j] - vy[i]);
            }
        }
        size = kept;
        now = !now;
    }
    return size > 2 ? poly_area(size, x[now], y[now]) : 0.0;
}

static inline double clip_pair(uint32_t p)
{
    static double x[2][MOST], y[2][MOST];
    const uint32_t n = outline_of(p, 0, x[0], y[0]), m = outline_of(p, 1, x[1], y[1]);
    return clip_area(n, x[0], y[0], m, x[1], y[1]);
}

#endif
