/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies with outlines, and what they have in common in long double. */
#ifndef TEST_POLYGON_SCENE_H
#define TEST_POLYGON_SCENE_H

/* The reference is computed in long double, of what the resolver got in double. */
#pragma GCC diagnostic ignored "-Wdouble-promotion"

#include "../scene.h"

#define MOST_VERTICES 1024u

/** In long double: what results are compared with. */
typedef struct spot {
    long double x, y;
} spot;

typedef struct test_polygon {
    scree_shape shape;
    scree_outline view;
    double x[MOST_VERTICES], y[MOST_VERTICES];
} test_polygon;

/** The layout of hints of `closest_feature`. */
typedef struct test_hint {
    uint32_t state, number[2], moves;
} test_hint;

static inline const void *view_polygon(const scree_shape *shape, const char *name, double tolerance)
{
    return strcmp(name, SCREE_VIEW_OUTLINE) == 0 ? &((const test_polygon *)shape->ctx)->view : NULL;
}

static inline void finish_polygon(test_polygon *p, uint32_t n)
{
    double square = 0.0;
    for (uint32_t k = 0; k < n; k++)
        square = fmax(square, p->x[k] * p->x[k] + p->y[k] * p->y[k]);
    p->view = (scree_outline){.size = sizeof p->view, .n = n, .vertex = {p->x, p->y}};
    p->shape = (scree_shape){.size = sizeof p->shape,
                             .type = TYPE_SOLID,
                             .n_parts = 1,
                             .flat = 1,
                             .radius = sqrt(square),
                             .view = view_polygon,
                             .ctx = p};
}

static inline void given_polygon(test_polygon *p, uint32_t n, const double (*v)[2])
{
    for (uint32_t k = 0; k < n; k++) {
        p->x[k] = v[k][0];
        p->y[k] = v[k][1];
    }
    finish_polygon(p, n);
}

static inline int order_doubles(const void *l, const void *r)
{
    const double x = *(const double *)l, y = *(const double *)r;
    return (x > y) - (x < y);
}

/** n points of an ellipse, half as high as `flat` says. */
static inline void random_convex(fake_host *fake, test_polygon *p, uint32_t n, double flat)
{
    double angle[MOST_VERTICES];
    for (uint32_t k = 0; k < n; k++)
        angle[k] = (k + fake_uniform(fake, 0.1, 0.9)) * (2.0 * M_PI / n);
    qsort(angle, n, sizeof *angle, order_doubles);
    for (uint32_t k = 0; k < n; k++) {
        p->x[k] = 0.5 * cos(angle[k]);
        p->y[k] = 0.5 * flat * sin(angle[k]);
    }
    finish_polygon(p, n);
}

/** A star around the origin: n points at any distance. */
static inline void random_star(fake_host *fake, test_polygon *p, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        const double angle = (k + fake_uniform(fake, 0.1, 0.9)) * (2.0 * M_PI / n);
        const double r = fake_uniform(fake, 0.15, 0.5);
        p->x[k] = r * cos(angle);
        p->y[k] = r * sin(angle);
    }
    finish_polygon(p, n);
}

/** n: whole numbers from 3 to `most`, small ones as often as large. */
static inline uint32_t random_count(fake_host *fake, double most)
{
    return (uint32_t)(3.0 * pow(most / 3.0, fake_uniform(fake, 0.0, 1.0)) + 0.5);
}

/** The vertices of a body, b relative to the centre of a. */
static inline uint32_t spots_of(const test_pair *p, int body, spot *out)
{
    const test_polygon *of = p->shapes[body]->ctx;
    const long double w = p->q[0][body], z = p->q[3][body], s = p->scale[body];
    const long double c = s * (1.0L - 2.0L * z * z), r = s * 2.0L * w * z;
    for (uint32_t k = 0; k < of->view.n; k++) {
        const long double x = of->x[k], y = of->y[k];
        out[k].x = (body ? (long double)p->d[0] : 0.0L) + c * x - r * y;
        out[k].y = (body ? (long double)p->d[1] : 0.0L) + r * x + c * y;
    }
    return of->view.n;
}

/* ---- the plugin ---- */

/** Makes an instance with contact = "overlap" or "distance". */
static inline void start_polygons(subject *s, const char *path, const char *contact)
{
    const double is_distance = strcmp(contact, "distance") == 0;
    start_resolver(s, path, 2, (const setting[]){{"contact", is_distance}, {0}});
}

/* ---- independent results ---- */

static inline long double left_of(spot p, spot q, spot r)
{
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
}

/** Keeps what is to the left of the line from p to q [Sutherland, Hodgman 1974]. */
static inline uint32_t clip_left(const spot *in, uint32_t n, spot p, spot q, spot *out)
{
    uint32_t m = 0;
    for (uint32_t k = 0; k < n; k++) {
        const spot u = in[k], v = in[(k + 1) % n];
        const long double a = left_of(p, q, u), b = left_of(p, q, v);
        if (a >= 0.0L)
            out[m++] = u;
        if ((a >= 0.0L) != (b >= 0.0L)) {
            const long double t = a / (a - b);
            out[m++] = (spot){u.x + t * (v.x - u.x), u.y + t * (v.y - u.y)};
        }
    }
    return m;
}

static inline long double area_of(const spot *v, uint32_t n)
{
    long double sum = 0.0L;
    for (uint32_t k = 1; k + 1 < n; k++)
        sum += 0.5L * left_of(v[0], v[k], v[k + 1]);
    return sum;
}

/** Area common to a and a convex b. */
static inline long double common_area(const spot *a, uint32_t n, const spot *b, uint32_t m)
{
    static spot one[4 * MOST_VERTICES], other[4 * MOST_VERTICES];
    memcpy(one, a, n * sizeof *a);
    for (uint32_t k = 0; k < m && n > 0; k++) {
        n = clip_left(one, n, b[k], b[(k + 1) % m], other);
        memcpy(one, other, n * sizeof *one);
    }
    return n > 2 ? area_of(one, n) : 0.0L;
}

/** The least distance of the vertices of a from the edges of b. */
static inline long double vertex_distance(const spot *a, uint32_t n, const spot *b, uint32_t m)
{
    long double least = HUGE_VALL;
    for (uint32_t e = 0; e < m; e++) {
        const spot p = b[e], q = b[(e + 1) % m];
        const long double ux = q.x - p.x, uy = q.y - p.y, square = ux * ux + uy * uy;
        for (uint32_t k = 0; k < n; k++) {
            long double t = ((a[k].x - p.x) * ux + (a[k].y - p.y) * uy) / square;
            t = t < 0.0L ? 0.0L : t > 1.0L ? 1.0L : t;
            const long double x = a[k].x - p.x - t * ux, y = a[k].y - p.y - t * uy;
            least = x * x + y * y < least ? x * x + y * y : least;
        }
    }
    return sqrtl(least);
}

/** Over the edges of b: how deep the deepest vertex of a is, at least. */
static inline long double edge_depth(const spot *a, uint32_t n, const spot *b, uint32_t m)
{
    long double least = HUGE_VALL;
    for (uint32_t e = 0; e < m; e++) {
        const spot p = b[e], q = b[(e + 1) % m];
        const long double length = sqrtl((q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y));
        long double deepest = -HUGE_VALL;
        for (uint32_t k = 0; k < n; k++)
            deepest = fmaxl(deepest, left_of(p, q, a[k]) / length);
        least = fminl(least, deepest);
    }
    return least;
}

#endif
