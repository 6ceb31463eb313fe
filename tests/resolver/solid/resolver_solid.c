// SPDX-License-Identifier: Apache-2.0
// Claims about the resolvers of solids `sdf` and `cyrus_beck`: points against winding numbers, depths and gaps
// of convex pairs against all axes, errors over the cell. usage: resolver_solid SDF.so CYRUS_BECK.so
// [their x86-64-v3 builds]
#include "solid_scene.h"

static test_solid solids[4], convex[64];

enum { POINTS = 20000, PAIRS = 10000 };

/* ---- points ---- */

/* Three holes through the border, three cavities. */
static const double holes[6][4] = {{0.5, 0.1, 0.0, 0.2},     {-0.5, -0.2, 0.1, 0.18},
                                   {0.1, 0.2, 0.5, 0.25},    {-0.2, 0.25, -0.2, 0.15},
                                   {0.2, -0.25, -0.2, 0.17}, {-0.15, -0.05, 0.25, 0.12}};

/* The function of a block with round holes, < 0 inside: the larger of a cube's and the holes'. */
static void cheese(const void *ctx, uint32_t n, const double *const x[3], double *value,
                   double *const gradient[3])
{
    for (uint32_t i = 0; i < n; i++) {
        double v = fmax(fmax(fabs(x[0][i]), fabs(x[1][i])), fabs(x[2][i])) - 0.5;
        for (int k = 0; k < 6; k++) {
            double square = 0.0;
            for (int c = 0; c < 3; c++)
                square += (x[c][i] - holes[k][c]) * (x[c][i] - holes[k][c]);
            v = fmax(v, holes[k][3] - sqrt(square));
        }
        value[i] = v;
    }
}

static void make_cheese(test_solid *s)
{
    solid_start(s);
    s->implicit = (scree_implicit){.size = sizeof s->implicit, .value = cheese};
    solid_finish(s);
    s->shape.radius = sqrt(0.75);
}

/* The distance of x by the resolver: of a ball of no size, at any gap. */
static double distance_at(subject *s, test_pair *p, const double *x)
{
    static test_touches t;
    for (int k = 0; k < 3; k++)
        p->d[k] = -x[k];
    p->keep = 1;
    return touch_pair(s, p, 1e-9, NULL, &t) ? p->radius[0] - t.depth[0] : (double)NAN;
}

typedef struct verdict {
    uint32_t wrong;     // of points
    double worst, mean; // [m] error of the distance within two cells of the surface
} verdict;

static verdict classify(const char *path, const test_solid *of, double cell, uint32_t n_points)
{
    const setting settings[] = {{"cell", cell}, {"spacing", 64.0}, {0}};
    verdict v = {0, 0.0, 0.0};
    uint32_t n_near = 0;
    subject s;
    test_pair p;
    start_resolver(&s, path, 3, settings);
    init_pair(&p, 3);
    set_ball(&p, 1e-12);
    set_shape(&p, 1, &of->shape);
    prepare_shape(&s, 1, &of->shape);
    for (uint32_t i = 0; i < n_points; i++) {
        double x[3], winding;
        for (int k = 0; k < 3; k++)
            x[k] = fake_uniform(&s.fake, -1.0, 1.0) * of->shape.radius;
        const double exact = brute_distance(of, x, &winding);
        const double got = distance_at(&s, &p, x), expected = winding > 0.5 ? -exact : exact;
        const int wrong = (got < 0.0) != (expected < 0.0) && exact > 1e-12;
        v.wrong += wrong;
        if (exact < 2.0 * cell) {
            v.worst = fmax(v.worst, fabs(got - expected));
            v.mean += fabs(got - expected);
            n_near++;
        }
    }
    v.mean /= n_near;
    stop_resolver(&s);
    return v;
}

static void test_points(const char *path)
{
    static const char *const names[] = {"torus", "ball", "box", "hull"};
    fake_host fake;
    fake_init(&fake, 3);
    make_torus(&solids[0], 0.7, 0.3, 24, 12);
    make_ball(&solids[1], 14);
    make_box(&solids[2], 0.5, 0.8, 0.3);
    make_hull(&solids[3], &fake, 16);
    for (uint32_t k = 0; k < 4; k++) {
        char claim[160];
        const verdict v =
            classify(path, &solids[k], solids[k].shape.radius / 16, k ? POINTS : 5 * POINTS);
        printf("# %s: %u wrong; near it off by %.2g at most, %.2g on average\n", names[k], v.wrong,
               v.worst, v.mean);
        snprintf(claim, sizeof claim, "%s: no point is on the wrong side", names[k]);
        tap_ok(v.wrong == 0 && v.worst < 1e-12, claim);
    }
}

/* The implicit function's own sign: the cheese has no exact mesh. */
static void test_cheese(const char *path)
{
    double worst[3];
    uint32_t far = 0;
    make_cheese(&solids[0]);
    for (int level = 0; level < 3; level++) {
        const double cell = 0.08 / (1 << level);
        const setting settings[] = {{"cell", cell}, {"spacing", 64.0}, {0}};
        subject s;
        test_pair p;
        start_resolver(&s, path, 3, settings);
        init_pair(&p, 3);
        set_ball(&p, 1e-12);
        set_shape(&p, 1, &solids[0].shape);
        prepare_shape(&s, 1, &solids[0].shape);
        worst[level] = 0.0;
        for (uint32_t i = 0; i < POINTS * 5; i++) {
            double x[3], value;
            for (int k = 0; k < 3; k++)
                x[k] = fake_uniform(&s.fake, -0.6, 0.6);
            cheese(NULL, 1, (const double *const[3]){&x[0], &x[1], &x[2]}, &value, NULL);
            const double got = distance_at(&s, &p, x);
            const int wrong = (got < 0.0) != (value < 0.0);
            far += wrong && fabs(got) > cell; // |value| is at most the distance
            worst[level] = fmax(worst[level], wrong ? fmax(fabs(value), fabs(got)) : 0.0);
        }
        stop_resolver(&s);
    }
    printf(
        "# cheese: wrong points are at most %.2g, %.2g, %.2g m from the surface at cells of 0.08, "
        "0.04, 0.02 m\n",
        worst[0], worst[1], worst[2]);
    tap_ok(far == 0, "Swiss cheese: no point farther than a cell is on the wrong side");
    tap_ok(worst[2] < 0.6 * worst[0], "its error falls with the cell");
}

static void unit_ball(const void *ctx, uint32_t n, const double *const x[3], double *value,
                      double *const gradient[3])
{
    for (uint32_t i = 0; i < n; i++)
        value[i] = x[0][i] * x[0][i] + x[1][i] * x[1][i] + x[2][i] * x[2][i] - 1.0;
}

/* Distances from the surface of an implicit ball. */
static void test_orders(const char *path)
{
    double w[3];
    solid_start(&solids[0]);
    solids[0].implicit = (scree_implicit){.size = sizeof solids[0].implicit, .value = unit_ball};
    solid_finish(&solids[0]);
    solids[0].shape.radius = 1.0;
    for (int level = 0; level < 3; level++) {
        const double cell = 0.2 / (1 << level);
        const setting settings[] = {{"cell", cell}, {"spacing", 64.0}, {0}};
        subject s;
        test_pair p;
        start_resolver(&s, path, 3, settings);
        init_pair(&p, 3);
        set_ball(&p, 1e-12);
        set_shape(&p, 1, &solids[0].shape);
        prepare_shape(&s, 1, &solids[0].shape);
        w[level] = 0.0;
        for (uint32_t i = 0; i < POINTS; i++) {
            double x[3];
            for (int k = 0; k < 3; k++)
                x[k] = fake_uniform(&s.fake, -1.0, 1.0);
            const double r = sqrt(dot3(x, x));
            if (r > 0.8 && r < 1.15)
                w[level] = fmax(w[level], fabs(distance_at(&s, &p, x) - (r - 1.0)));
        }
        stop_resolver(&s);
    }
    const double bound = 0.05 * 0.05 * 0.375;
    printf(
        "# ball by its function: off by %.3g, %.3g, %.3g m at cells of 0.2, 0.1, 0.05 m; bound at "
        "the last %.3g\n",
        w[0], w[1], w[2], bound);
    tap_ok(
        w[2] <= 1.05 * bound && w[1] < 0.32 * w[0] && w[2] < 0.32 * w[1],
        "a ball by its function: the error falls with the square of the cell, within 3 h^2 k / 8");
}

/* ---- convex pairs ---- */

typedef struct placed {
    uint32_t n, n_faces, n_edges;
    point3 v[32], normal[64], along[96];
} placed;

static void cross3(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static placed place(const test_pair *p, int body)
{
    const test_solid *s = p->shapes[body]->ctx;
    placed out = {.n = s->mesh.n_vertices};
    for (uint32_t v = 0; v < out.n; v++)
        out.v[v] = in_world(p, body, vertex3(s, v));
    for (uint32_t f = 0; f < s->mesh.n_facets; f++) {
        const uint32_t *c = s->facet + 4 * f, n = c[3] == SCREE_NONE ? 3 : 4;
        double u[3], w[3];
        for (int k = 0; k < 3; k++) {
            u[k] = out.v[c[1]].x[k] - out.v[c[0]].x[k];
            w[k] = out.v[c[2]].x[k] - out.v[c[0]].x[k];
        }
        cross3(u, w, out.normal[out.n_faces++].x);
        for (uint32_t e = 0; e < n; e++)
            if (c[e] < c[(e + 1) % n]) {
                for (int k = 0; k < 3; k++)
                    out.along[out.n_edges].x[k] = out.v[c[(e + 1) % n]].x[k] - out.v[c[e]].x[k];
                out.n_edges++;
            }
    }
    return out;
}

/* How far b must move along u until the two part; < 0: they are so far apart. */
static double overlap_along(const placed *a, const placed *b, const double *u)
{
    const double length = sqrt(dot3(u, u));
    double high = -HUGE_VAL, low = HUGE_VAL;
    if (!(length > 1e-9))
        return HUGE_VAL;
    for (uint32_t v = 0; v < a->n; v++)
        high = fmax(high, dot3(a->v[v].x, u));
    for (uint32_t v = 0; v < b->n; v++)
        low = fmin(low, dot3(b->v[v].x, u));
    return (high - low) / length;
}

/* Over all normals of faces and products of edges, each both ways. */
static double least_overlap(const placed *a, const placed *b)
{
    double best = HUGE_VAL;
    for (int k = 0; k < 2; k++) {
        const placed *of = k ? b : a;
        for (uint32_t f = 0; f < of->n_faces; f++) {
            double u[3];
            for (int c = 0; c < 3; c++)
                u[c] = (k ? -1.0 : 1.0) * of->normal[f].x[c];
            best = fmin(best, overlap_along(a, b, u));
        }
    }
    for (uint32_t e = 0; e < a->n_edges; e++)
        for (uint32_t f = 0; f < b->n_edges; f++)
            for (int sign = 0; sign < 2; sign++) {
                double u[3];
                cross3(a->along[e].x, b->along[f].x, u);
                for (int k = 0; k < 3; k++)
                    u[k] = sign ? -u[k] : u[k];
                best = fmin(best, overlap_along(a, b, u));
            }
    return best;
}

static void pose_pair(subject *s, test_pair *p, double from, double to)
{
    double u[3], square;
    for (int k = 0; k < 2; k++) {
        const uint32_t i = (uint32_t)fake_uniform(&s->fake, 0.0, 63.999);
        p->shape[k] = i;
        p->bodies.shapes = (const scree_shape *const *)p->shapes;
        p->scale[k] = fake_uniform(&s->fake, 0.5, 1.5);
        p->shapes[k] = &convex[i].shape;
        p->radius[k] = p->scale[k] * convex[i].shape.radius;
        turn_randomly(&s->fake, p, k);
    }
    do {
        square = 0.0;
        for (int k = 0; k < 3; k++) {
            u[k] = fake_uniform(&s->fake, -1.0, 1.0);
            square += u[k] * u[k];
        }
    } while (square > 1.0 || square < 0.01);
    const double reach = fake_uniform(&s->fake, from, to) * (p->radius[0] + p->radius[1]);
    for (int k = 0; k < 3; k++)
        p->d[k] = reach * u[k] / sqrt(square);
}

/* Whether the touch proves its own gap: both ends are in the bodies, and they part along its normal by it. */
static double proof_of_gap(const test_pair *p, const placed *a, const placed *b,
                           const test_touches *t)
{
    const double n[3] = {t->normal[0][0], t->normal[1][0], t->normal[2][0]};
    double worst = fabs(-overlap_along(a, b, n) + t->depth[0]);
    for (int body = 0; body < 2; body++) {
        const test_solid *s = p->shapes[body]->ctx;
        const double q[4] = {p->q[0][body], p->q[1][body], p->q[2][body], p->q[3][body]};
        double x[3], winding;
        for (int k = 0; k < 3; k++)
            x[k] =
                (t->arm[k][0] + (body ? -0.5 : 0.5) * t->depth[0] * n[k] - (body ? p->d[k] : 0.0)) /
                p->scale[body];
        scree_rotate_back(q, x, x);
        worst = fmax(worst, p->scale[body] * brute_distance(s, x, &winding));
    }
    return worst;
}

static void test_convex(const char *cyrus, const char *sdf)
{
    subject s, other;
    test_pair p;
    static test_touches t, u;
    const setting fine[] = {{"cells", 24.0}, {0}};
    double worst = 0.0, worst_gap = 0.0, off = 0.0, off_gap = 0.0, sum = 0.0, size = 0.0;
    uint32_t n_overlap = 0, n_gap = 0, missed = 0, n_compared = 0, unsure = 0;
    start_resolver(&s, cyrus, 3, NULL);
    start_resolver(&other, sdf, 3, fine);
    init_pair(&p, 3);
    for (uint32_t i = 0; i < 64; i++) {
        if (i % 4 == 3)
            make_box(&convex[i], fake_uniform(&s.fake, 0.3, 1.0), fake_uniform(&s.fake, 0.3, 1.0),
                     fake_uniform(&s.fake, 0.3, 1.0));
        else
            make_hull(&convex[i], &s.fake, 4 + i % 12);
        prepare_shape(&s, i, &convex[i].shape);
        prepare_shape(&other, i, &convex[i].shape);
    }
    for (uint32_t i = 0; i < PAIRS; i++) {
        pose_pair(&s, &p, 0.2, 1.0);
        const scree_shape *list[64];
        for (uint32_t k = 0; k < 64; k++)
            list[k] = &convex[k].shape;
        p.bodies.shapes = list;
        const placed a = place(&p, 0), b = place(&p, 1);
        const double expected = least_overlap(&a, &b);
        const uint32_t n = touch_pair(&s, &p, 0.3, NULL, &t);
        const uint32_t m = i % 2 ? 0 : touch_pair(&other, &p, 0.3, NULL, &u);
        size = fmax(p.scale[0], p.scale[1]) / 12.0; // of sdf's spacing: 24 cells across at most 2
        if (expected >= 0.0) {
            const uint32_t c = deepest_touch(&t);
            missed += n == 0 || t.depth[c] < 0.0;
            worst = n ? fmax(worst, fabs(t.depth[c] - expected)) : worst;
            n_overlap++;
            if (m > 0 && expected < 0.05) {
                off = fmax(off, fabs(u.depth[deepest_touch(&u)] - expected) / size);
                sum += fabs(u.depth[deepest_touch(&u)] - expected) / size;
                n_compared++;
            }
            missed += i % 2 == 0 && m == 0 && expected > 0.5 * size;
        } else if (n > 0) {
            unsure += t.depth[0] >= 0.0;
            worst_gap = fmax(worst_gap, proof_of_gap(&p, &a, &b, &t));
            if (m > 0)
                off_gap = fmax(off_gap, fabs(u.depth[0] - t.depth[0]) / size);
            n_gap++;
        }
    }
    printf("# cyrus_beck: %u overlaps off by %.2g m at most, %u gaps by %.2g m\n", n_overlap, worst,
           n_gap, worst_gap);
    printf("# sdf: %u shallow overlaps off by %.2g of a spacing, %.2g on average; gaps by %.2g\n",
           n_compared, off, sum / n_compared, off_gap);
    tap_ok(n_overlap > 3000 && n_gap > 500 && missed == 0 && unsure == 0,
           "of 10 000 convex pairs none is missed");
    tap_ok(worst < 1e-12, "cyrus_beck: depths are those of all axes");
    tap_ok(worst_gap < 1e-12, "cyrus_beck: gaps are proved by their own points");
    tap_ok(n_compared > 150 && off < 0.75 && off_gap < 0.5,
           "sdf: depths and gaps of convex pairs are off by less than 3/4 of a spacing");
    stop_resolver(&s);
    stop_resolver(&other);
}

/* Points in a polyhedron: a tetrahedron of no size touches it. */
static void test_inside(const char *cyrus)
{
    subject s;
    test_pair p;
    static test_touches t;
    uint32_t wrong = 0, n_in = 0;
    start_resolver(&s, cyrus, 3, NULL);
    init_pair(&p, 3);
    make_hull(&solids[0], &s.fake, 14);
    solid_start(&solids[1]);
    for (uint32_t v = 0; v < 4; v++)
        solid_vertex(&solids[1], v == 1, v == 2, v == 3);
    solid_facet(&solids[1], 0, 2, 1, SCREE_NONE);
    solid_facet(&solids[1], 0, 1, 3, SCREE_NONE);
    solid_facet(&solids[1], 1, 2, 3, SCREE_NONE);
    solid_facet(&solids[1], 0, 3, 2, SCREE_NONE);
    solid_finish(&solids[1]);
    p.scale[1] = 1e-9;
    for (int k = 0; k < 2; k++) {
        set_shape(&p, k, &solids[k].shape);
        prepare_shape(&s, (uint32_t)k, &solids[k].shape);
    }
    for (uint32_t i = 0; i < 5 * POINTS; i++) {
        double winding;
        for (int k = 0; k < 3; k++)
            p.d[k] = fake_uniform(&s.fake, -1.0, 1.0);
        const double exact = brute_distance(&solids[0], p.d, &winding);
        const uint32_t n = touch_pair(&s, &p, 0.0, NULL, &t);
        n_in += n > 0;
        wrong += exact > 1e-8 && (n > 0) != (winding > 0.5);
    }
    printf("# cyrus_beck: %u of %u points inside, %u wrong\n", n_in, 5 * POINTS, wrong);
    tap_ok(wrong == 0 && n_in > 5000,
           "cyrus_beck: 100 000 points are inside where the winding number says so");
    stop_resolver(&s);
}

/* ---- refusals and counts ---- */

static void make_ell(test_solid *s)
{
    static const double xy[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    solid_start(s);
    for (uint32_t v = 0; v < 12; v++)
        solid_vertex(s, xy[v % 6][0] - 0.8, xy[v % 6][1] - 0.8, v < 6 ? -0.5 : 0.5);
    static const uint32_t f[10][4] = {{0, 3, 2, 1},   {0, 5, 4, 3}, {6, 7, 8, 9}, {6, 9, 10, 11},
                                      {0, 1, 7, 6},   {1, 2, 8, 7}, {2, 3, 9, 8}, {3, 4, 10, 9},
                                      {4, 5, 11, 10}, {5, 0, 6, 11}};
    for (uint32_t k = 0; k < 10; k++)
        solid_facet(s, f[k][0], f[k][1], f[k][2], f[k][3]);
    solid_finish(s);
}

static void keep_log(void *ctx, int32_t level, const char *text)
{
    fake_fail(ctx, level, text);
}

static void test_refusals(const char *cyrus, const char *sdf)
{
    subject s;
    make_ell(&solids[0]);
    test_pair p;
    const scree_shape *ell[1] = {&solids[0].shape};
    start_resolver(&s, cyrus, 3, NULL);
    s.fake.host.log = keep_log;
    int32_t status = s.ops->prepare(s.self, 0, &solids[0].shape);
    printf("# %s\n", s.fake.text);
    init_pair(&p, 3);
    p.type[TYPE_SOLID].n_shapes = 1;
    p.type[TYPE_SOLID].shapes = ell;
    scree_pair_support pair = {.size = sizeof pair,
                               .a = &p.type[TYPE_SOLID],
                               .b = &p.type[TYPE_SOLID],
                               .provides = s.plugin->provides};
    tap_ok(status == SCREE_OK && s.ops->supports(s.self, &pair) == SCREE_OK &&
               pair.contacts == SCREE_SUPPORTS_NOT && strstr(s.fake.text, "not convex: vertex"),
           "cyrus_beck leaves an L to others, and the log has the vertex that sticks out");
    stop_resolver(&s);
    start_resolver(&s, sdf, 3, NULL);
    solids[0].mesh.closed = 0;
    status = s.ops->prepare(s.self, 0, &solids[0].shape);
    printf("# %s\n", s.fake.text);
    tap_ok(status == SCREE_E_CONFIG && strstr(s.fake.text, "closed"),
           "sdf refuses a surface that is not closed");
    solids[0].mesh.closed = 1;
    for (uint32_t f = 0; f < 10; f++) {
        const uint32_t keep = solids[0].facet[4 * f];
        solids[0].facet[4 * f] = solids[0].facet[4 * f + 2];
        solids[0].facet[4 * f + 2] = keep;
    }
    status = s.ops->prepare(s.self, 0, &solids[0].shape);
    tap_ok(status == SCREE_E_CONFIG && strstr(s.fake.text, "normals outward"),
           "sdf refuses normals that point inward");
    stop_resolver(&s);
}

/* Plates of 0.02 m between samples 0.1 and 0.02 m apart; wedges of 20 and 30 degrees. */
static void test_thin(const char *sdf)
{
    subject s;
    for (int fine = 0; fine < 2; fine++) {
        const setting settings[] = {{"cells", fine ? 50.0 : 10.0}, {0}};
        make_box(&solids[0], 0.5, 0.5, 0.01);
        start_resolver(&s, sdf, 3, settings);
        const int32_t status = s.ops->prepare(s.self, 0, &solids[0].shape);
        printf("# %s\n", s.fake.text);
        if (fine)
            tap_ok(status == SCREE_OK, "sdf takes a plate as thick as its samples are apart");
        else
            tap_ok(status == SCREE_E_CONFIG && strstr(s.fake.text, "0.02 m thick") &&
                       strstr(s.fake.text, "0.1 m apart") && strstr(s.fake.text, "`cells` >= 50"),
                   "sdf refuses a thinner plate, and says what would do");
        stop_resolver(&s);
    }
    for (int degrees = 20; degrees < 31; degrees += 10) {
        const double half = 0.5 * tan(degrees * M_PI / 180.0);
        static const uint32_t f[8][3] = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3},
                                         {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}};
        solid_start(&solids[0]);
        for (int end = -1; end < 2; end += 2) { // an edge at x = 0, a face at x = 1
            solid_vertex(&solids[0], -0.5, -half, 0.5 * end);
            solid_vertex(&solids[0], 0.5, -half, 0.5 * end);
            solid_vertex(&solids[0], 0.5, half, 0.5 * end);
        }
        for (int k = 0; k < 8; k++)
            solid_facet(&solids[0], f[k][0], f[k][1], f[k][2], SCREE_NONE);
        solid_finish(&solids[0]);
        start_resolver(&s, sdf, 3, NULL);
        s.fake.host.log = keep_log;
        const int32_t status = s.ops->prepare(s.self, 0, &solids[0].shape);
        printf("# %d degrees: %s\n", degrees, s.fake.text);
        tap_ok(status == SCREE_OK && strstr(s.fake.text, degrees < 25 ? "an edge of 20 degrees"
                                                                      : "an edge of 30 degrees"),
               degrees < 25 ? "sdf warns of an edge of 20 degrees" : "and of one of 30 degrees");
        stop_resolver(&s);
    }
}

static void test_count(const char *cyrus)
{
    subject s;
    test_pair p;
    static test_touches t;
    start_resolver(&s, cyrus, 3, NULL);
    init_pair(&p, 3);
    make_box(&solids[0], 0.5, 0.5, 0.5);
    for (int k = 0; k < 2; k++) {
        set_shape(&p, k, &solids[0].shape);
        prepare_shape(&s, (uint32_t)k, &solids[0].shape);
    }
    p.d[2] = 0.99;
    p.d[0] = 0.25;
    const uint32_t n = touch_pair(&s, &p, 0.0, NULL, &t);
    int good = n == 4;
    for (uint32_t c = 0; c < n; c++)
        good = good && fabs(t.depth[c] - 0.01) < 1e-15 && fabs(t.normal[2][c] - 1.0) < 1e-15 &&
               fabs(t.arm[2][c] - 0.495) < 1e-15 && fabs(fabs(t.arm[1][c]) - 0.5) < 1e-15 &&
               (fabs(t.arm[0][c] - 0.5) < 1e-15 || fabs(t.arm[0][c] + 0.25) < 1e-15);
    tap_ok(good, "cyrus_beck: a cube on a cube has the corners of their common face");
    s.fake.host.log = keep_log;
    s.fake.text[0] = '\0';
    stop_resolver(&s);
    printf("# two cubes: %s\n", s.fake.text);
    // 8 vertices against 6 faces twice, and the polygon of four corners against four sides.
    tap_ok(strcmp(s.fake.text, "112 face tests") == 0, "cyrus_beck counts its tests");
}

/* ---- one state ---- */

static uint64_t bits_of(subject *s)
{
    test_pair p;
    static test_touches t;
    uint64_t sum = 1469598103934665603ull;
    init_pair(&p, 3);
    for (uint32_t i = 0; i < 64; i++) {
        make_hull(&convex[i], &s->fake, 8 + i % 8); // no plate
        prepare_shape(s, i, &convex[i].shape);
    }
    const scree_shape *list[64];
    for (uint32_t k = 0; k < 64; k++)
        list[k] = &convex[k].shape;
    for (uint32_t i = 0; i < 500; i++) {
        pose_pair(s, &p, 0.2, 1.0);
        p.bodies.shapes = list;
        const uint32_t n = touch_pair(s, &p, 0.1, NULL, &t);
        for (uint32_t c = 0; c < n; c++) {
            const double all[7] = {t.depth[c],  t.normal[0][c], t.normal[1][c], t.normal[2][c],
                                   t.arm[0][c], t.arm[1][c],    t.arm[2][c]};
            for (int k = 0; k < 7; k++) {
                uint64_t bits;
                memcpy(&bits, &all[k], sizeof bits);
                sum = (sum ^ bits) * 1099511628211ull;
            }
            sum = (sum ^ t.feature[c]) * 1099511628211ull;
        }
    }
    return sum;
}

static uint64_t bits_at(const char *path)
{
    const setting rough[] = {{"cells", 8.0}, {0}};
    subject s;
    start_resolver(&s, path, 3, strstr(path, "sdf") ? rough : NULL);
    const uint64_t bits = bits_of(&s);
    stop_resolver(&s);
    return bits;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        printf("Bail out! usage: resolver_solid SDF.so CYRUS_BECK.so [their x86-64-v3 builds]\n");
        return 1;
    }
    test_points(argv[1]);
    test_cheese(argv[1]);
    test_orders(argv[1]);
    test_inside(argv[2]);
    test_convex(argv[2], argv[1]);
    test_refusals(argv[2], argv[1]);
    test_thin(argv[1]);
    test_count(argv[2]);
    const int both = argc > 4 ? 3 : 1;
    for (int k = 1; k < both; k++)
        tap_ok(bits_at(argv[k]) == bits_at(argv[k + 2]), "both CPU levels give the same bits");
    return tap_end();
}
