// SPDX-License-Identifier: Apache-2.0
// Claims about the resolver `sphere` beyond what `scree check` asks of all: depth and normal
// against formulas of their own. usage: resolver PLUGIN.so [PLUGIN.x86-64-v3.so]; both must give
// the same bits.
#include "resolver_scene.h"

#define PI 3.14159265358979323846

/* ---- balls ---- */

static void fill_balls(subject *s, uint32_t n)
{
    start_batch(3, TEST_SPHERE, TEST_SPHERE);
    batch.in.n = n;
    for (uint32_t p = 0; p < n; p++) {
        batch.radius_a[p] = fake_uniform(&s->fake, 0.5, 1.5);
        batch.radius_b[p] = fake_uniform(&s->fake, 0.5, 1.5);
        for (int k = 0; k < 3; k++)
            batch.d[k][p] = fake_uniform(&s->fake, -2.0, 2.0);
    }
}

/* `near`: all of the first pairs touch. */
static void test_balls(subject *s, uint32_t near, const char *claim)
{
    uint32_t expected = 0, n = 1021;
    double worst = 0.0;
    fill_balls(s, n);
    for (uint32_t p = 0; p < near; p++)
        for (int k = 0; k < 3; k++)
            batch.d[k][p] *= 0.25;
    batch.in.range = 0.1;
    run(s, n, MAX_PARTS, &contacts);
    for (uint32_t p = 0; p < n; p++) {
        double distance = hypot(hypot(batch.d[0][p], batch.d[1][p]), batch.d[2][p]), normal[3];
        double depth = batch.radius_a[p] + batch.radius_b[p] - distance;
        if (depth < -0.1)
            continue;
        for (int k = 0; k < 3; k++) {
            normal[k] = batch.d[k][p] / distance;
            worst = fmax(worst, fabs(contacts.arm[k][expected] -
                                     normal[k] * (batch.radius_a[p] - depth / 2)));
        }
        worst = fmax(worst, max_difference(&contacts, expected, normal, depth));
        worst = contacts.pair[expected++] == p ? worst : 1.0;
    }
    printf("# %u of %u balls touch, worst %.2g\n", expected, n, worst);
    tap_ok(expected == contacts.out.n && expected > 100 && expected < n - (near ? 0 : 100) &&
               worst < 4e-15,
           claim);
}

static void test_ball_ties(subject *s)
{
    fill_balls(s, 3);
    for (int k = 0; k < 3; k++)
        batch.d[k][0] = batch.d[k][1] = batch.d[k][2] = 0.0;
    batch.d[1][1] = batch.radius_a[1] + batch.radius_b[1];
    batch.d[1][2] = nextafter(batch.radius_a[2] + batch.radius_b[2], 9.0) + 1e-15;
    run(s, 3, MAX_PARTS, &contacts);
    tap_ok(contacts.out.n == 2 && contacts.normal[0][0] == 1.0 && contacts.normal[1][0] == 0.0 &&
               contacts.depth[0] == batch.radius_a[0] + batch.radius_b[0],
           "concentric balls part along x");
    tap_ok(contacts.out.n == 2 && contacts.pair[1] == 1 && contacts.depth[1] == 0.0,
           "touching balls are in contact with depth 0, and apart by 1e-15 they are not");
}

static void test_planes(subject *s)
{
    double normal[3] = {0.48, 0.6, 0.64}, worst = 0.0;
    uint32_t expected = 0;
    clear_shape();
    shape.shape.type = TEST_PLANE;
    shape.shape.flags = SCREE_CAP_INFINITE;
    memcpy(shape.shape.normal, normal, sizeof normal);
    start_batch(3, TEST_SPHERE, TEST_PLANE);
    batch.in.n = 64;
    for (uint32_t p = 0; p < 64; p++) {
        double q[4];
        batch.b[p] = p;
        batch.radius_a[p] = 1.0;
        random_turn(&s->fake, 3, q);
        for (int k = 0; k < 4; k++)
            world.q[k][p] = q[k];
        for (int k = 0; k < 3; k++)
            batch.d[k][p] = fake_uniform(&s->fake, -2.0, 2.0);
    }
    run(s, 64, 64, &contacts);
    for (uint32_t p = 0; p < 64; p++) {
        double q[4] = {world.q[0][p], world.q[1][p], world.q[2][p], world.q[3][p]}, n[3], depth = 1;
        turn(q, normal, n);
        for (int k = 0; k < 3; k++)
            depth += batch.d[k][p] * n[k];
        if (depth < 0.0)
            continue;
        for (int k = 0; k < 3; k++)
            n[k] = -n[k];
        worst = fmax(worst, max_difference(&contacts, expected++, n, depth));
    }
    tap_ok(expected == contacts.out.n && expected > 10 && expected < 60 && worst < 3e-15,
           "planes are solid behind their turned normal, also with the centre inside");
}

/* ---- one facet against formulas of its own ---- */

/* Squared distance of the origin from triangle p, by minimising over the three edges and, if the
 * foot has no negative barycentric coordinate, the face (Ericson 5.1.5 in another shape). */
static double point_segment(const double p[3], const double q[3], double closest[3])
{
    double e[3], t = 0.0, l = 0.0, sum = 0.0;
    for (int k = 0; k < 3; k++) {
        e[k] = q[k] - p[k];
        t -= p[k] * e[k];
        l += e[k] * e[k];
    }
    t = fmin(fmax(t / l, 0.0), 1.0);
    for (int k = 0; k < 3; k++) {
        closest[k] = p[k] + t * e[k];
        sum += closest[k] * closest[k];
    }
    return sum;
}

static double point_triangle(double p[3][3], double closest[3])
{
    double u[3], v[3], uu = 0, uv = 0, vv = 0, up = 0, vp = 0, best = 1e300, det, s, t, sum = 0.0;
    for (int k = 0; k < 3; k++) {
        u[k] = p[1][k] - p[0][k];
        v[k] = p[2][k] - p[0][k];
        uu += u[k] * u[k];
        uv += u[k] * v[k];
        vv += v[k] * v[k];
        up -= u[k] * p[0][k];
        vp -= v[k] * p[0][k];
    }
    det = uu * vv - uv * uv;
    s = (vv * up - uv * vp) / det;
    t = (uu * vp - uv * up) / det;
    for (int e = 0; e < 3; e++) {
        double c[3], d2 = point_segment(p[e], p[(e + 1) % 3], c);
        if (d2 < best) {
            best = d2;
            memcpy(closest, c, sizeof c);
        }
    }
    if (s < 0 || t < 0 || s + t > 1)
        return best;
    for (int k = 0; k < 3; k++) {
        closest[k] = p[0][k] + s * u[k] + t * v[k];
        sum += closest[k] * closest[k];
    }
    return sum;
}

/* Distance of `centre` from the only facet of body b, closest point relative to the centre. */
static double facet_distance(int corners, uint32_t b, const double centre[3], double closest[3])
{
    double p[4][3], q[4], best = 1e300;
    memset(closest, 0, 3 * sizeof *closest);
    for (int k = 0; k < 4; k++)
        q[k] = world.q[k][b];
    for (int v = 0; v < corners; v++) {
        double x[3];
        vertex_of(&shape, shape.facet[v], x);
        turn(q, x, p[v]);
        for (int k = 0; k < 3; k++)
            p[v][k] = world.scale[b] * p[v][k] + world.x[k][b] - centre[k];
    }
    if (corners == 2)
        return sqrt(point_segment(p[0], p[1], closest));
    for (int half = 0; half + 2 < corners; half++) {
        double triangle[3][3], c[3], d2;
        memcpy(triangle[0], p[0], sizeof p[0]);
        memcpy(triangle[1], p[half + 1], 2 * sizeof p[0]);
        d2 = point_triangle(triangle, c);
        if (d2 < best) {
            best = d2;
            memcpy(closest, c, sizeof c);
        }
    }
    return sqrt(best);
}

static void pose_bodies(subject *s, int dimension)
{
    for (uint32_t b = 0; b < MAX_BODIES; b++) {
        double q[4];
        random_turn(&s->fake, dimension, q);
        for (int k = 0; k < 4; k++)
            world.q[k][b] = q[k];
        for (int k = 0; k < dimension; k++)
            world.x[k][b] = fake_uniform(&s->fake, -5.0, 5.0);
        world.scale[b] = fake_uniform(&s->fake, 0.3, 3.0);
    }
}

static void make_one_facet(subject *s, int corners)
{
    double height = corners == 2 ? 0.0 : 0.3;
    uint32_t v[4] = {SCREE_NONE, SCREE_NONE, SCREE_NONE, SCREE_NONE};
    clear_shape();
    v[0] = add_vertex(&shape, -0.4, -0.3, height);
    v[1] = add_vertex(&shape, 0.7, -0.1, height);
    if (corners > 2)
        v[2] = add_vertex(&shape, 0.5, 0.6, height - 0.2);
    if (corners > 3) /* v0 + v2 - v1: a parallelogram, so that it is flat */
        v[3] = add_vertex(&shape, -0.6, 0.4, height - 0.2);
    solid_facet(&shape, v[0], v[1], v[2], v[3]);
    prepare(s, corners == 2 ? 2 : 3);
    pose_bodies(s, corners == 2 ? 2 : 3);
}

static void test_one_facet(subject *s, int corners, const char *claim)
{
    double worst = 0.0, centre[1024][3];
    uint32_t expected = 0, faces = 0;
    make_one_facet(s, corners);
    for (uint32_t p = 0; p < 1024; p++) {
        for (int k = 0; k < 3; k++)
            centre[p][k] = k == 2 && corners == 2
                               ? 0.0
                               : world.x[k][p % MAX_BODIES] + fake_uniform(&s->fake, -2.0, 2.0);
        add_ball(&batch, &world, p % MAX_BODIES, centre[p], fake_uniform(&s->fake, 0.2, 1.5));
    }
    batch.in.range = 0.2;
    run(s, 1024, MAX_PARTS, &contacts);
    for (uint32_t p = 0; p < 1024; p++) {
        double to[3], distance = facet_distance(corners, p % MAX_BODIES, centre[p], to), n[3];
        if (batch.radius_a[p] - distance < -0.2)
            continue;
        for (int k = 0; k < 3; k++)
            n[k] = to[k] / distance;
        worst = fmax(
            worst, distance * max_difference(&contacts, expected, n, batch.radius_a[p] - distance));
        faces += contacts.feature[expected] < 1ull << 62;
        worst = contacts.pair[expected++] == p ? worst : 1.0;
    }
    printf("# %u touch, %u of them the face, worst %.2g\n", expected, faces, worst);
    tap_ok(expected == contacts.out.n && faces > 20 && expected - faces > 100 && expected < 1000 &&
               worst < 2e-14,
           claim);
}

/* ---- curvature, chord, area ---- */

static double lens_area(double a, double b, double d)
{
    double x = (d * d + a * a - b * b) / (2 * d), y = d - x;
    double h = sqrt(fmax(a * a - x * x, 0.0));
    return a * a * acos(x / a) - x * h + b * b * acos(y / b) - y * h;
}

static void test_extras(subject *s, uint32_t dimension, const char *claim)
{
    uint32_t done, n = 500;
    double worst = 0.0, worst_area = 0.0;
    fill_balls(s, n);
    world.bodies.dimension = dimension;
    if (dimension == 2)
        for (uint32_t p = 0; p < n; p++)
            batch.d[2][p] = 0.0;
    init_contacts(&contacts, MAX_PARTS, 0, 1);
    s->ops->resolve(s->self, &batch.in, &contacts.out, &done);
    for (uint32_t c = 0; c < contacts.out.n; c++) {
        double a = batch.radius_a[contacts.pair[c]], b = batch.radius_b[contacts.pair[c]];
        double d = a + b - contacts.depth[c], x = (d * d + a * a - b * b) / (2 * d);
        double half2 = fmax(a * a - x * x, 0.0), area = PI * half2;
        if (dimension == 2)
            area = d > fabs(a - b) ? lens_area(a, b, d) : PI * fmin(a * a, b * b);
        worst = fmax(worst, fabs(contacts.chord[c] * contacts.chord[c] / 4 - half2));
        worst = fmax(worst, fabs(contacts.curvature[0][c] * a - 1));
        worst = fmax(worst, fabs(contacts.curvature[1][c] * b - 1));
        worst_area = fmax(worst_area, fabs(contacts.area[c] - area));
    }
    printf("# %u contacts, worst %.2g, area %.2g\n", contacts.out.n, worst, worst_area);
    tap_ok(contacts.out.n > 50 && worst < 1e-13 && worst_area < 1e-11, claim);
}

static void test_extras_of_plane(subject *s)
{
    uint32_t done;
    clear_shape();
    shape.shape.type = TEST_PLANE;
    shape.shape.flags = SCREE_CAP_INFINITE;
    shape.shape.normal[1] = 1.0;
    start_batch(2, TEST_DISC, TEST_PLANE);
    batch.in.n = 3;
    for (uint32_t p = 0; p < 3; p++) {
        batch.radius_a[p] = 2.0;
        batch.d[1][p] = p == 0 ? -1.0 : p == 1 ? 0.0 : 3.0; /* overlap of 1, 2 and 5 */
    }
    init_contacts(&contacts, 64, 0, 1);
    s->ops->resolve(s->self, &batch.in, &contacts.out, &done);
    tap_ok(contacts.out.n == 3 && fabs(contacts.area[0] - (4 * PI / 3 - sqrt(3.0))) < 1e-11 &&
               fabs(contacts.area[1] - 2 * PI) < 1e-11 && contacts.area[2] == PI * 4 &&
               fabs(contacts.chord[0] - 2 * sqrt(3.0)) < 1e-14 && contacts.chord[2] == 0.0 &&
               contacts.curvature[0][0] == 0.5 && contacts.curvature[1][0] == 0.0,
           "a disc cut by a plane has the area of its segment");
}

/* 3D: the plane cuts a disc from a ball, of radius sqrt(depth (2 r - depth)); none from one that is
 * wholly behind it. */
static void test_area_at_plane(subject *s)
{
    uint32_t done;
    clear_shape();
    shape.shape.type = TEST_PLANE;
    shape.shape.flags = SCREE_CAP_INFINITE;
    shape.shape.normal[1] = 1.0;
    start_batch(3, TEST_SPHERE, TEST_PLANE);
    batch.in.n = 3;
    for (uint32_t p = 0; p < 3; p++) {
        batch.radius_a[p] = 2.0;
        batch.d[1][p] = p == 0 ? -1.0 : p == 1 ? 0.0 : 3.0; /* overlap of 1, 2 and 5 */
    }
    init_contacts(&contacts, 64, 0, 1);
    s->ops->resolve(s->self, &batch.in, &contacts.out, &done);
    tap_ok(contacts.out.n == 3 && fabs(contacts.area[0] - 3 * PI) < 1e-13 &&
               fabs(contacts.area[1] - 4 * PI) < 1e-13 && contacts.area[2] == 0.0 &&
               fabs(contacts.chord[0] - 2 * sqrt(3.0)) < 1e-14 &&
               fabs(contacts.chord[1] - 4.0) < 1e-14,
           "a ball cut by a plane has the area of the disc of the cut");
}

/* Balls and one facet, as the baseline and the x86-64-v3 build resolve them. */
static void test_levels(subject *base, subject *fast)
{
    fill_balls(base, 1000);
    run(base, 1000, MAX_PARTS, &contacts);
    run(fast, 1000, MAX_PARTS, &other);
    tap_ok(same_bits(&contacts, &other), "both CPU levels give the same bits for balls");
    make_one_facet(base, 4);
    prepare(fast, 3);
    pose_bodies(base, 3);
    for (uint32_t p = 0; p < 512; p++)
        add_ball(&batch, &world, p % MAX_BODIES,
                 (double[3]){world.x[0][p % MAX_BODIES] + fake_uniform(&base->fake, -2.0, 2.0),
                             world.x[1][p % MAX_BODIES], world.x[2][p % MAX_BODIES]},
                 1.0);
    run(base, 512, MAX_PARTS, &contacts);
    run(fast, 512, MAX_PARTS, &other);
    tap_ok(same_bits(&contacts, &other), "both CPU levels give the same bits for facets");
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int i = 1; i < argc; i++) {
        subject flat, solid;
        if (i == 2 && !__builtin_cpu_supports("avx2"))
            break;
        start_resolver(&solid, argv[i], 3, NULL);
        start_resolver(&flat, argv[i], 2, NULL);
        test_balls(&solid, 0, "balls agree with the formula, range included");
        test_balls(&solid, 1000, "so do balls of which only the last ones are apart");
        test_ball_ties(&solid);
        test_planes(&solid);
        test_one_facet(&solid, 3, "a triangle in any pose agrees with its own formula");
        test_one_facet(&solid, 4, "a quad in any pose agrees with two triangles");
        test_one_facet(&flat, 2, "a segment in any pose agrees with its own formula");
        test_extras(&solid, 3, "chord and area of two spheres are those of the circle they share");
        test_extras(&flat, 2, "area of two discs is that of their lens");
        test_extras_of_plane(&flat);
        test_area_at_plane(&solid);
        if (i == 2) {
            subject base;
            start_resolver(&base, argv[1], 3, NULL);
            test_levels(&base, &solid);
            stop_resolver(&base);
        }
        stop_resolver(&solid);
        stop_resolver(&flat);
    }
    return tap_end();
}
