// SPDX-License-Identifier: Apache-2.0
// Claims about the resolver `gjk`: polytopes of 4 to 500 facets by the Minkowski differences of qhull, and cylinders.
/*
 * usage: gjk_hulls PLUGIN.so
 *
 * Hulls of random points of ellipsoids, prisms, cubes with cut corners, and thin wedges, in random poses,
 * overlapping by 1e-9 of their size to all of it. The hull of all differences of two corners is the set of
 * translations that leave them overlapping; the least translation is the distance of its nearest face.
 * Cylinders from 1/30 to 2 radii of half length, many of them nearly parallel: their contact points are in both.
 */
#include <libqhull_r/qhull_ra.h>

#include "../solid/solid_scene.h"

enum { KINDS = 4, MOST_CORNERS = 260, PAIRS = 2000, MANY = 400, CYLINDERS = 6000 };

typedef struct cloud {
    uint32_t n;
    double x[MOST_CORNERS][3];
} cloud;

static test_solid solids[2];
static cloud clouds[2];
static test_pair pair;
static test_touches touches;

/* ---- qhull ---- */

typedef struct hull {
    qhT qh;
    coordT *points;
} hull;

static void hull_of(hull *h, double *points, uint32_t n, char *options)
{
    memset(h, 0, sizeof *h);
    QHULL_LIB_CHECK
    qh_zero(&h->qh, stderr);
    if (qh_new_qhull(&h->qh, 3, (int)n, points, 0, options, NULL, stderr) != 0)
        bail_out("qhull failed");
}

static void free_hull(hull *h)
{
    int left, all;
    qh_freeqhull(&h->qh, !qh_ALL);
    qh_memfreeshort(&h->qh, &left, &all);
}

/* ---- views ---- */

static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    const test_solid *s = ctx;
    for (uint32_t i = 0; i < n; i++) {
        double most = -HUGE_VAL;
        for (uint32_t v = 0; v < s->mesh.n_vertices; v++) {
            double at = 0.0;
            for (int k = 0; k < 3; k++)
                at += direction[k][i] * s->x[k][v];
            if (!(at > most))
                continue;
            most = at;
            for (int k = 0; k < 3; k++)
                point[k][i] = s->x[k][v];
        }
    }
}

static const void *view_hull(const scree_shape *shape, const char *name, double tolerance)
{
    static scree_support view[2];
    const int k = shape->ctx == &solids[1];
    view[k] = (scree_support){.size = sizeof view[k], .ctx = shape->ctx, .farthest = farthest};
    return strcmp(name, SCREE_VIEW_SUPPORT) == 0 ? (const void *)&view[k]
                                                 : view_solid(shape, name, tolerance);
}

/* The solid of a cloud: a fan of triangles for each face. */
static void make_solid(test_solid *s, cloud *c)
{
    static uint32_t number[MOST_CORNERS];
    hull h;
    facetT *facet;
    vertexT *vertex, **vertexp;
    solid_start(s);
    memset(s->edge, SCREE_EDGE_CONVEX, sizeof s->edge);
    hull_of(&h, &c->x[0][0], c->n, (char[]){"qhull"});
    qhT *qh = &h.qh;
    FORALLvertices
    {
        const double *x = vertex->point;
        number[qh_pointid(qh, vertex->point)] = solid_vertex(s, x[0], x[1], x[2]);
    }
    FORALLfacets
    {
        setT *ring = qh_facet3vertex(qh, facet);
        const uint32_t count = (uint32_t)qh_setsize(qh, ring);
        uint32_t v[MOST_CORNERS], n = 0;
        FOREACHvertex_(ring) // clockwise, as seen from outside
        {
            n++;
            v[count - n] = number[qh_pointid(qh, vertex->point)];
        }
        qh_settempfree(qh, &ring);
        for (uint32_t k = 1; k + 1 < n; k++) {
            const uint32_t f = s->mesh.n_facets;
            solid_facet(s, v[0], v[k], v[k + 1], SCREE_NONE);
            if (k > 1) {
                s->edge[4 * f] = SCREE_EDGE_FLAT;
                s->neighbour[4 * f] = f - 1;
            }
            if (k + 2 < n) {
                s->edge[4 * f + 2] = SCREE_EDGE_FLAT;
                s->neighbour[4 * f + 2] = f + 1;
            }
        }
    }
    free_hull(&h);
    solid_finish(s);
    s->shape.view = view_hull;
    c->n = s->mesh.n_vertices;
    for (uint32_t k = 0; k < c->n; k++)
        for (int i = 0; i < 3; i++)
            c->x[k][i] = s->x[i][k];
}

/* ---- solids ---- */

static void add_spot(cloud *c, double x, double y, double z)
{
    c->x[c->n][0] = x;
    c->x[c->n][1] = y;
    c->x[c->n++][2] = z;
}

static void random_way(fake_host *f, double n[3])
{
    double square;
    do {
        square = 0.0;
        for (int k = 0; k < 3; k++) {
            n[k] = fake_uniform(f, -1.0, 1.0);
            square += n[k] * n[k];
        }
    } while (square > 1.0 || square < 0.01);
    for (int k = 0; k < 3; k++)
        n[k] /= sqrt(square);
}

static void make_cloud(fake_host *f, cloud *c, int kind, double least, double most)
{
    double axis[3], n[3];
    const uint32_t count = (uint32_t)(least * pow(most / least, fake_uniform(f, 0.0, 1.0)));
    c->n = 0;
    for (int k = 0; k < 3; k++)
        axis[k] = fake_uniform(f, 0.3, 1.0);
    if (kind == 0) {
        for (uint32_t k = 0; k < count; k++) {
            random_way(f, n);
            add_spot(c, axis[0] * n[0], axis[1] * n[1], axis[2] * n[2]);
        }
    } else if (kind == 1) {
        const uint32_t sides = 3 + count / 2;
        for (uint32_t k = 0; k < 2 * sides; k++) {
            const double turn = 2.0 * M_PI * (k / 2) / sides;
            add_spot(c, axis[0] * cos(turn), axis[0] * sin(turn), k % 2 ? axis[2] : -axis[2]);
        }
    } else if (kind == 2) { // cubes with cut corners: where edges end
        for (uint32_t k = 0; k < 24; k++) {
            const double cut = fake_uniform(f, 0.05, 0.4);
            double x[3];
            for (uint32_t i = 0; i < 3; i++)
                x[i] = axis[i] * (k >> i & 1u ? 1.0 : -1.0) * (k / 8 == i ? 1.0 - cut : 1.0);
            add_spot(c, x[0], x[1], x[2]);
        }
    } else { // a thin wedge
        const double thin = pow(10.0, fake_uniform(f, -3.0, -0.5));
        for (uint32_t k = 0; k < 6; k++)
            add_spot(c, axis[0] * (k % 3 ? 1.0 : -1.0),
                     axis[1] * (k / 3 ? 1.0 : fake_uniform(f, -1.0, -0.5)),
                     k % 3 ? thin * axis[2] * (k % 3 == 1 ? 1.0 : -1.0) : 0.0);
    }
    double mean[3] = {0};
    for (uint32_t k = 0; k < c->n; k++)
        for (int i = 0; i < 3; i++)
            mean[i] += c->x[k][i] / c->n;
    for (uint32_t k = 0; k < c->n; k++)
        for (int i = 0; i < 3; i++)
            c->x[k][i] -= mean[i];
}

/* ---- depths ---- */

static long double height(int body, const double n[3])
{
    long double most = -HUGE_VALL;
    for (uint32_t k = 0; k < clouds[body].n; k++) {
        const point3 p =
            in_world(&pair, body,
                     (point3){{clouds[body].x[k][0], clouds[body].x[k][1], clouds[body].x[k][2]}});
        long double sum = 0;
        for (int i = 0; i < 3; i++)
            sum += (long double)n[i] * (long double)p.x[i];
        most = fmaxl(most, sum);
    }
    return most;
}

/* [m] How far b has to go along n until it only touches a. */
static double along(const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    long double square = 0;
    for (int i = 0; i < 3; i++)
        square += (long double)n[i] * (long double)n[i];
    return (double)((height(0, n) + height(1, back)) / sqrtl(square));
}

/* The least translation, -1 of bodies that do not overlap; *off: by how much qhull's own distance differs. */
static double qhull_depth(double n[3], double *off)
{
    static double all[MOST_CORNERS * MOST_CORNERS][3];
    static point3 b[MOST_CORNERS];
    hull h;
    facetT *facet;
    uint32_t count = 0;
    for (uint32_t k = 0; k < clouds[1].n; k++)
        b[k] =
            in_world(&pair, 1, (point3){{clouds[1].x[k][0], clouds[1].x[k][1], clouds[1].x[k][2]}});
    for (uint32_t k = 0; k < clouds[0].n; k++) {
        const point3 a =
            in_world(&pair, 0, (point3){{clouds[0].x[k][0], clouds[0].x[k][1], clouds[0].x[k][2]}});
        for (uint32_t l = 0; l < clouds[1].n; l++, count++)
            for (int i = 0; i < 3; i++)
                all[count][i] = a.x[i] - b[l].x[i];
    }
    hull_of(&h, &all[0][0], count, (char[]){"qhull"});
    qhT *qh = &h.qh;
    double least = HUGE_VAL, least_qhull = HUGE_VAL;
    FORALLfacets
    {
        const double by_qhull = -facet->offset;
        least_qhull = fmin(least_qhull, by_qhull);
        if (by_qhull > least + 1e-6)
            continue;
        const double depth = along(facet->normal);
        if (depth < least) {
            least = depth;
            memcpy(n, facet->normal, 3 * sizeof *n);
        }
    }
    free_hull(&h);
    *off = least_qhull > 0.0 ? least - least_qhull : 0.0;
    return least_qhull > 0.0 ? least : -1.0;
}

/* `deep`: that part of the way to one centre at least; 0: from 1e-9 of it on. */
static void place(fake_host *f, uint32_t number, double deep)
{
    double n[3];
    init_pair(&pair, 3);
    for (int k = 0; k < 2; k++) {
        turn_randomly(f, &pair, k);
        pair.scale[k] = fake_uniform(f, 0.5, 1.5);
        set_shape(&pair, k, &solids[k].shape);
    }
    random_way(f, n);
    const double all = along(n);
    const double part = number % 3 || deep > 0.0 ? fake_uniform(f, deep, 1.0)
                                                 : pow(10.0, fake_uniform(f, -9.0, -1.0));
    for (int k = 0; k < 3; k++)
        pair.d[k] = all * (1.0 - part) * n[k];
}

/* ---- polytopes ---- */

/* Errors, of the size of the smaller body. */
typedef struct errors {
    uint32_t n, n_missing, n_deep;
    double off, tilt, stated, qhull;
} errors;

static void judge(subject *s, errors *e)
{
    double n[3] = {0}, off;
    const double size = fmin(pair.radius[0], pair.radius[1]), depth = qhull_depth(n, &off);
    if (depth < 0.0)
        return;
    e->n++;
    e->n_deep += depth > 0.1 * size;
    e->qhull = fmax(e->qhull, fabs(off) / size);
    if (touch_pair(s, &pair, 0.0, NULL, &touches) == 0) {
        e->n_missing++;
        return;
    }
    const uint32_t k = deepest_touch(&touches);
    const double m[3] = {touches.normal[0][k], touches.normal[1][k], touches.normal[2][k]};
    double square = 0.0;
    for (int i = 0; i < 3; i++)
        square += (n[i] - m[i]) * (n[i] - m[i]);
    e->off = fmax(e->off, fabs(touches.depth[k] - depth) / size);
    e->stated = fmax(e->stated, fabs(along(m) - touches.depth[k]) / size);
    e->tilt = fmax(e->tilt, sqrt(square));
}

static void test_hulls(subject *s)
{
    errors e = {0};
    for (uint32_t i = 0; i < PAIRS; i++) {
        for (int k = 0; k < 2; k++) {
            make_cloud(&s->fake, &clouds[k], (int)(k ? i / KINDS % KINDS : i % KINDS), 4.0,
                       i % 17 ? 40.0 : 250.0);
            make_solid(&solids[k], &clouds[k]);
            prepare_shape(s, (uint32_t)k, &solids[k].shape);
        }
        place(&s->fake, i, 0.0);
        judge(s, &e);
    }
    printf(
        "# %u pairs of polytopes overlap, %u by more than a tenth of their size; off qhull by "
        "%.2g, normals by %.2g, "
        "off the depth along their normal by %.2g of the size; qhull off its own normal by %.2g\n",
        e.n, e.n_deep, e.off, e.tilt, e.stated, e.qhull);
    tap_ok(e.n > PAIRS / 2 && e.n_deep > PAIRS / 10 && e.n_missing == 0,
           "every pair that overlaps has a contact");
    tap_ok(e.off < 1e-13 && e.stated < 1e-13,
           "the deepest contact has the least translation out of qhull's Minkowski difference");
    tap_ok(e.tilt < 1e-6, "its normal is that of the nearest face");
}

/* Where every face of the larger one is farther than edges that are outside of the box of the other. */
static void test_many_faces(subject *s)
{
    errors e = {0};
    for (uint32_t i = 0; i < MANY; i++) {
        make_cloud(&s->fake, &clouds[0], 0, 200.0, 250.0);
        make_cloud(&s->fake, &clouds[1], i % 2 ? 0 : 3, 4.0, 12.0);
        for (int k = 0; k < 2; k++) {
            make_solid(&solids[k], &clouds[k]);
            prepare_shape(s, (uint32_t)k, &solids[k].shape);
        }
        place(&s->fake, i, 0.5);
        judge(s, &e);
    }
    printf("# %u pairs of a polytope of more than 390 faces, more than half in the other; off "
           "qhull by %.2g\n",
           e.n, e.off);
    tap_ok(e.n == MANY && e.n_missing == 0 && e.off < 1e-13 && e.stated < 1e-13 && e.tilt < 1e-6,
           "so it is deep in polytopes of many faces");
}

/* ---- cylinders ---- */

typedef struct rod {
    double half, radius;
} rod;

static rod rods[2];

static void farthest_of_rod(const void *ctx, uint32_t n, const double *const direction[3],
                            double *const point[3])
{
    const rod *r = ctx;
    for (uint32_t i = 0; i < n; i++) {
        const double x = direction[0][i], y = direction[1][i], across = sqrt(x * x + y * y);
        point[0][i] = across > 0.0 ? r->radius * x / across : 0.0;
        point[1][i] = across > 0.0 ? r->radius * y / across : 0.0;
        point[2][i] = direction[2][i] < 0.0 ? -r->half : r->half;
    }
}

static const void *view_rod(const scree_shape *shape, const char *name, double tolerance)
{
    static scree_support view[2];
    const int k = shape->ctx == &solids[1];
    view[k] = (scree_support){.size = sizeof view[k], .ctx = &rods[k], .farthest = farthest_of_rod};
    return strcmp(name, SCREE_VIEW_SUPPORT) == 0 ? &view[k] : NULL;
}

/* Two cylinders, of which two of three are nearly parallel, next to each other. */
static void place_rods(subject *s, uint32_t number)
{
    static const uint64_t ids[2] = {1, 2};
    fake_host *f = &s->fake;
    double n[3];
    init_pair(&pair, 3);
    pair.bodies.id = ids;
    turn_randomly(f, &pair, 0);
    turn_randomly(f, &pair, 1);
    const double by = pow(10.0, fake_uniform(f, -6.0, -0.5));
    double q[4], square = 0.0;
    for (int k = 0; k < 4; k++) {
        q[k] = pair.q[k][0] + by * fake_uniform(f, -1.0, 1.0);
        square += q[k] * q[k];
    }
    const int count = number % 3 ? 4 : 0;
    for (int k = 0; k < count; k++)
        pair.q[k][1] = q[k] / sqrt(square);
    for (int k = 0; k < 2; k++) {
        rods[k] = (rod){pow(10.0, fake_uniform(f, -1.5, 0.3)), 1.0};
        solid_start(&solids[k]);
        solid_finish(&solids[k]);
        solids[k].shape.view = view_rod;
        solids[k].shape.radius = hypot(rods[k].half, rods[k].radius);
        prepare_shape(s, (uint32_t)k, &solids[k].shape);
        set_shape(&pair, k, &solids[k].shape);
    }
    random_way(f, n);
    for (int k = 0; k < 3; k++)
        pair.d[k] = n[k];
}

/* [m] The overlap of two cylinders along n. */
static double along_rods(const double n[3])
{
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        const double back[4] = {pair.q[0][k], -pair.q[1][k], -pair.q[2][k], -pair.q[3][k]};
        double u[3];
        scree_rotate(back, n, u);
        sum += rods[k].radius * sqrt(u[0] * u[0] + u[1] * u[1]) + rods[k].half * fabs(u[2]);
    }
    return sum - n[0] * pair.d[0] - n[1] * pair.d[1] - n[2] * pair.d[2];
}

/* Whether a point is in the cylinder, or misses it by `slack` at most. */
static int is_in_rod(int k, const double at[3], double slack)
{
    const double back[4] = {pair.q[0][k], -pair.q[1][k], -pair.q[2][k], -pair.q[3][k]};
    double p[3], u[3];
    for (int i = 0; i < 3; i++)
        p[i] = at[i] - (k ? pair.d[i] : 0.0);
    scree_rotate(back, p, u);
    return hypot(u[0], u[1]) <= rods[k].radius + slack && fabs(u[2]) <= rods[k].half + slack;
}

static void test_cylinders(subject *s)
{
    uint32_t n = 0, n_out = 0, n_deeper = 0, n_several = 0;
    double far = 0.0;
    for (uint32_t i = 0; i < CYLINDERS; i++) {
        place_rods(s, i);
        // along the line of centres to where they overlap by 1e-6 to 0.06 along it, and from there to their distance
        const double apart = along_rods(pair.d) + 1.0;
        const double part = 1.0 - pow(10.0, fake_uniform(&s->fake, -6.0, -1.2)) / apart;
        for (int k = 0; k < 3; k++)
            pair.d[k] *= apart * part;
        for (int round = 0; round < 3; round++) {
            if (touch_pair(s, &pair, 9.0, NULL, &touches) == 0)
                break;
            const uint32_t c = deepest_touch(&touches);
            for (int k = 0; k < 3 && touches.depth[c] < 0.0; k++)
                pair.d[k] += (touches.depth[c] - 1e-3) * touches.normal[k][c];
        }
        const uint32_t count = touch_pair(s, &pair, 0.0, NULL, &touches);
        n += count > 0;
        n_several += count > 1;
        for (uint32_t c = 0; c < count; c++) {
            const double m[3] = {touches.normal[0][c], touches.normal[1][c], touches.normal[2][c]};
            const double at[3] = {touches.arm[0][c], touches.arm[1][c], touches.arm[2][c]};
            const double slack = 0.5 * touches.depth[c] + 1e-7;
            n_out += !is_in_rod(0, at, slack) || !is_in_rod(1, at, slack);
            n_deeper += touches.depth[c] > along_rods(m) + 1e-7;
            far = fmax(far, touches.depth[c] - along_rods(m));
        }
    }
    printf("# %u pairs of cylinders touch, %u at several points; %u contact points are not in "
           "both, %u are deeper than "
           "the bodies along the normal, by %.2g at most\n",
           n, n_several, n_out, n_deeper, far);
    tap_ok(n > CYLINDERS / 2 && n_several > CYLINDERS / 20 && n_out == 0,
           "contact points of cylinders are in both, but for half of the depth");
    tap_ok(n_deeper == 0, "none is deeper than the cylinders are along its normal");
}

int main(int argc, char **argv)
{
    subject s;
    if (argc < 2)
        return 2;
    start_resolver(&s, argv[1], 3, NULL);
    test_hulls(&s);
    test_many_faces(&s);
    test_cylinders(&s);
    stop_resolver(&s);
    return tap_end();
}
