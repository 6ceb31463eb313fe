// SPDX-License-Identifier: Apache-2.0
// Claims about contacts of dfr3d, each entry of [O'Connor 1996, table 4.1] that it serves: distances of convex pairs
// against all facets and edges, points, balls, planes, walls, bodies with holes.
#include "least_translation.h"

static const double ONE[3] = {1.0, 1.0, 1.0};
static const solid BALL = {ELLIPSOID, {1.0, 1.0, 1.0}}, RING = {TORUS, {0.75, 0.25, 0.0}};
static const double NOT_TURNED[4] = {1.0, 0.0, 0.0, 0.0};

/* ---- convex pairs against everything ---- */

/* `shapes` bodies; poses with the expected depth up to `most`. */
static void test_convex(dfr_body *bodies, uint32_t shapes, double most, uint32_t pairs,
                        double error, const char *claim)
{
    uint32_t n = 0, n_touch = 0, missed = 0, invented = 0, off = 0, several = 0;
    double worst = 0.0, share = 0.0, normal_off = 0.0;
    workbench bench;
    bench_start(&bench, &bodies[shapes - 1], &bodies[shapes - 1]);
    while (n < pairs) {
        const dfr_body *a = &bodies[(uint32_t)uniform(0, shapes)],
                       *b = &bodies[(uint32_t)uniform(0, shapes)];
        double q[4], t[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        random_turn(q);
        normalize(t);
        // The gap along t by bisection, so that depths are small and even.
        double lo = 0.0, hi = 3.0;
        const double wanted = uniform(0.2 * most, 1.5 * most);
        for (int k = 0; k < 12; k++) {
            const double mid = 0.5 * (lo + hi), at[3] = {mid * t[0], mid * t[1], mid * t[2]};
            const dfr_pose pose = pose_at(at, q);
            *(along(a, b, &pose, t) > wanted ? &lo : &hi) = mid;
        }
        for (int k = 0; k < 3; k++)
            t[k] *= lo;
        const dfr_pose pose = pose_at(t, q);
        const double expected = least_translation(a, b, &pose);
        dfr_contact found[64];
        dfr_work_start(&bench.work, a, b);
        const uint32_t count = dfr_pair(&bench.work, &pose, 0, found, 64);
        n++;
        n_touch += expected > 0.0;
        missed += expected > 1e-6 && count == 0;
        invented += expected < 0.0 && count > 0;
        several += count > 1;
        if (count == 0 || !(expected > 1e-6))
            continue;
        double best = HUGE_VAL;
        for (uint32_t i = 0; i < count; i++) {
            best = scree_min(best, fabs(found[i].depth - expected));
            normal_off =
                scree_max(normal_off, fabs(along(a, b, &pose, found[i].normal) - found[i].depth));
        }
        off += best > 1e-9;
        share = scree_max(share, best / expected);
        worst = scree_max(worst, best);
    }
    printf("# %u pairs, %u overlap by up to %g: missed %u, invented %u, %u are off by more than "
           "1e-9 m, by up to %.3g m "
           "and %.3g of themselves; %u have several contacts\n",
           n, n_touch, most, missed, invented, off, worst, share, several);
    printf("# moved by depth along the normal they are apart to %.3g m\n", normal_off);
    tap_ok(n_touch > pairs / 5 && missed == 0 && invented == 0 && worst <= error, claim);
    bench_stop(&bench);
}

/* `pairs` of each depth. */
static void test_distances(uint32_t pairs)
{
    enum { SHAPES = 4 };
    const solid form[SHAPES - 1] = {
        {ELLIPSOID, {0.6, 0.8, 1.0}}, {ELLIPSOID, {1, 1, 1}}, {ELLIPSOID, {1.0, 0.5, 0.5}}};
    const double box[3] = {0.7, 0.5, 0.6};
    const uint32_t four[3] = {4, 4, 4}, five[3] = {5, 5, 5};
    dfr_body bodies[SHAPES];
    test_mesh m;
    mesh_of_box(box, 0.0, &m);
    int fine = make_of_mesh(&m.view, 5, &bodies[0]) == SCREE_OK;
    fine = fine && make_exact(&form[0], form[0].axes, four, &bodies[1]) == SCREE_OK;
    fine = fine && make_exact(&form[2], form[2].axes, four, &bodies[2]) == SCREE_OK;
    fine = fine && make_exact(&form[1], form[1].axes, five, &bodies[3]) == SCREE_OK;
    for (int k = 0; k < SHAPES; k++)
        fine = fine && bodies[k].convex;
    tap_ok(fine, "four convex bodies of cells are convex");
    test_convex(bodies, SHAPES, 0.05, pairs, 1e-9,
                "convex pairs that overlap by up to 0.2 cells have the least translation");
    test_convex(bodies, SHAPES, 0.3, pairs, 1e-9,
                "those that overlap by up to a cell have it, too");
    for (int k = 0; k < SHAPES; k++)
        dfr_body_clear(&bodies[k]);
    free_mesh(&m);
}

/* ---- gaps ---- */

static void test_gaps(void)
{
    const uint32_t four[3] = {4, 4, 4};
    dfr_body a, b;
    double worst = 0.0, off = 0.0;
    if (make_exact(&BALL, ONE, four, &a) != SCREE_OK || make_around(&RING, ONE, 12, &b) != SCREE_OK)
        return;
    uint32_t n = 0;
    for (int i = 0; i < 300; i++) {
        double q[4], t[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}, least = HUGE_VAL;
        random_turn(q);
        normalize(t);
        for (int k = 0; k < 3; k++)
            t[k] *= uniform(2.1, 3.0);
        const dfr_pose pose = pose_at(t, q);
        dfr_contact c;
        if (!dfr_gap(&a, &b, &pose, 10.0, &c))
            continue;
        n++;
        for (uint32_t f = 0; f < a.n_facets; f++) // all with all
            for (uint32_t g = 0; g < b.n_facets; g++) {
                double p[3][3], r[3][3], on[2][3];
                for (int k = 0; k < 3; k++) {
                    copy(a.vertex[a.facet[f][k]], p[k]);
                    dfr_to_a(&pose, b.vertex[b.facet[g][k]], r[k]);
                }
                least = scree_min(least, dfr_closest_of_triangles(p, r, on[0], on[1]));
            }
        worst = scree_max(worst, fabs(sqrt(least) + c.depth));
        off = scree_max(off, fabs(sqrt(dot(c.normal, c.normal)) - 1.0));
    }
    printf("# %u gaps, off by up to %.3g m\n", n, worst);
    tap_ok(n == 300 && worst < 1e-12 && off < 1e-12,
           "gaps are the least distance of all facets from all");
    dfr_body_clear(&a);
    dfr_body_clear(&b);
}

/* ---- points and balls ---- */

static void test_balls(const char *name, const solid *s, double curved)
{
    static const uint32_t cells[] = {15, 30, 60};
    double error[2][3] = {{0}}; // of points, which are balls of radius 0, and of other balls
    char text[200];
    for (int c = 0; c < 3; c++) {
        dfr_body b;
        workbench bench;
        if (make_around(s, ONE, cells[c], &b) != SCREE_OK)
            continue;
        bench_start(&bench, &b, &b);
        for (int i = 0; i < 2000; i++) {
            const double x[3] = {uniform(-1.2, 1.2), uniform(-1.2, 1.2), uniform(-0.5, 0.5)};
            const int ball = i % 4 > 0;
            const double away = value_of(s, x), radius = ball ? 0.15 : 0.0;
            dfr_contact found[64];
            if (fabs(away) > curved || radius - away < 1e-2)
                continue;
            dfr_work_start(&bench.work, &b, &b);
            const uint32_t n = dfr_ball(&bench.work, &b, x, radius, 0.0, 1, found, 64);
            double best = n ? HUGE_VAL : radius - away;
            for (uint32_t k = 0; k < n; k++)
                best = scree_min(best, fabs(found[k].depth - (radius - away)));
            error[ball][c] = scree_max(error[ball][c], best);
        }
        bench_stop(&bench);
        dfr_body_clear(&b);
    }
    for (int ball = 0; ball < 2; ball++) {
        const double *e = error[ball];
        const char *who = ball ? "balls" : "points";
        printf("# %s at a %s: depth off by up to %.3g, %.3g, %.3g m with 15, 30, 60 cells\n", who,
               name, e[0], e[1], e[2]);
        snprintf(text, sizeof text, "%s at a %s: depths of the exact solid, with order 2 of cells",
                 who, name);
        tap_ok(e[0] > 0.0 && e[0] < 0.03 && e[2] < e[0] / 8.0, text);
    }
}

static void test_block(void)
{
    test_mesh m;
    dfr_body b;
    workbench bench;
    dfr_contact found[64];
    const int fine = make_block(&b, &m) == SCREE_OK;
    printf("# L-block: volume %.6f of 3, %u faces\n", b.volume, b.n_faces);
    tap_ok(fine && fabs(b.volume - 3.0) < 1e-2 && b.n_faces >= 8,
           "an L-block has its volume and its faces");
    if (!fine)
        return;
    bench_start(&bench, &b, &b);
    const double corner[3] = {0.2 + 0.29, 0.0, 0.2 + 0.28}; // of radius 0.3 in the notch
    dfr_work_start(&bench.work, &b, &b);
    uint32_t n = dfr_ball(&bench.work, &b, corner, 0.3, 0.0, 1, found, 64);
    double sum = 0.0;
    for (uint32_t k = 0; k < n; k++)
        sum += found[k].depth;
    tap_ok(n == 2 && fabs(sum - 0.03) < 1e-3, "a ball in the notch touches both walls of it");
    // Feet of the block turned over: both ends on a plane.
    const double on[3] = {0.0, 0.0, 1.2 - 0.01}, down[3] = {0.0, 0.0, -1.0};
    dfr_work_start(&bench.work, &b, &b);
    n = dfr_plane(&bench.work, on, down, 0.0, 1, found, 64);
    int deep = n == 4;
    for (uint32_t k = 0; k < n; k++)
        deep = deep && fabs(found[k].depth - 0.01) < 1e-3 && found[k].normal[2] > 0.999;
    tap_ok(deep, "a flat end on a plane has its four corners");
    bench_stop(&bench);
    // A box in the notch: both walls push.
    const double half[3] = {0.3, 0.3, 0.3}, t[3] = {0.2 + 0.295, 0.0, 0.2 + 0.29};
    test_mesh box;
    dfr_body small;
    mesh_of_box(half, 0.0, &box);
    if (make_of_mesh(&box.view, 8, &small) == SCREE_OK) {
        const dfr_pose pose = pose_at(t, NOT_TURNED);
        bench_start(&bench, &b, &b);
        dfr_work_start(&bench.work, &b, &small);
        n = dfr_pair(&bench.work, &pose, 1, found, 64);
        uint32_t right = 0, up = 0;
        for (uint32_t k = 0; k < n; k++) {
            right += found[k].normal[0] > 0.99 && fabs(found[k].depth - 0.005) < 1e-3;
            up += found[k].normal[2] > 0.99 && fabs(found[k].depth - 0.01) < 1e-3;
        }
        printf("# a box in the notch: %u contacts, %u to the right, %u up\n", n, right, up);
        tap_ok(right == 4 && up == 4 && n == 8, "a box in the notch: four contacts at each wall");
        bench_stop(&bench);
        dfr_body_clear(&small);
    }
    free_mesh(&box);
    free_mesh(&m);
    dfr_body_clear(&b);
}

/* ---- bodies with holes ---- */

static void test_rings(void)
{
    dfr_body ring;
    workbench bench;
    dfr_contact found[64];
    if (make_around(&RING, ONE, 24, &ring) != SCREE_OK)
        return;
    const double half = sqrt(0.5), upright[4] = {half, half, 0.0, 0.0};
    bench_start(&bench, &ring, &ring);
    // Linked: the second one through the hole, its tube at the side of the first one's.
    const double linked[3] = {0.75, 0.0, 0.0}, touching[3] = {2 * 0.75 - 2 * 0.25 + 0.01, 0.0, 0.0};
    dfr_pose pose = pose_at(linked, upright);
    dfr_work_start(&bench.work, &ring, &ring);
    uint32_t n = dfr_pair(&bench.work, &pose, 1, found, 64);
    tap_ok(n == 0, "two linked rings do not touch where each is in the middle of the other's hole");
    pose = pose_at(touching, upright);
    dfr_work_start(&bench.work, &ring, &ring);
    n = dfr_pair(&bench.work, &pose, 1, found, 64);
    printf("# linked rings pulled apart: %u contacts, depth %.4f, normal (%.3f, %.3f, %.3f)\n", n,
           n ? found[0].depth : 0.0, n ? found[0].normal[0] : 0.0, n ? found[0].normal[1] : 0.0,
           n ? found[0].normal[2] : 0.0);
    int near = n >= 1 && n <= 2; // facets may cross at two places next to the one of the rings
    for (uint32_t k = 0; k < n; k++)
        near = near && fabs(found[k].depth - 0.01) < 5e-3 && found[k].normal[0] < -0.97 &&
               fabs(found[k].point[0] - 0.505) < 0.02 && fabs(found[k].point[1]) < 0.1 &&
               fabs(found[k].point[2]) < 0.1;
    tap_ok(near, "pulled apart, they hold one another where they meet");
    // One in the plane of the other, shifted: it overlaps at two places.
    const double beside[3] = {0.9, 0.0, 0.0};
    pose = pose_at(beside, NOT_TURNED);
    dfr_work_start(&bench.work, &ring, &ring);
    n = dfr_pair(&bench.work, &pose, 1, found, 64);
    const uint32_t one =
        (dfr_work_start(&bench.work, &ring, &ring), dfr_pair(&bench.work, &pose, 0, found, 64));
    printf("# rings that cross in a plane: %u contacts, %u with contacts = \"one\"\n", n, one);
    tap_ok(n == 2 && one == 1, "rings that cross at two places have two contacts, or the deepest");
    bench_stop(&bench);
    dfr_body_clear(&ring);
}

/* ---- planes and walls ---- */

static void test_planes(void)
{
    const uint32_t n_cells[3] = {16, 16, 16};
    dfr_body b;
    workbench bench;
    double worst = 0.0, most = 0.0;
    uint32_t several = 0;
    if (make_exact(&BALL, ONE, n_cells, &b) != SCREE_OK)
        return;
    bench_start(&bench, &b, &b);
    for (int i = 0; i < 2000; i++) {
        double n[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}, t[3], down[3];
        const double height = uniform(0.9, 0.99);
        normalize(n);
        for (int k = 0; k < 3; k++) {
            t[k] = -height * n[k];
            down[k] = -n[k];
        }
        dfr_contact found[64];
        dfr_work_start(&bench.work, &b, &b);
        const uint32_t count = dfr_plane(&bench.work, t, n, 0.0, 1, found, 64);
        several += count > 1;
        const double expected = support(&b, down) - height;
        worst = scree_max(worst, count ? fabs(found[0].depth - expected) : 1.0);
        most = scree_max(most, 1.0 - height - expected);
    }
    printf("# planes at a sphere of 16 cells: depth as of its vertices to %.3g m, %.3g m less than "
           "of the sphere\n",
           worst, most);
    tap_ok(worst < 1e-12 && several == 0 && most < 0.01,
           "planes at a round body: one contact, its deepest vertex");
    bench_stop(&bench);
    dfr_body_clear(&b);
}

/* A square wall of two triangles. */
static void test_walls(void)
{
    const double half[3] = {0.5, 0.4, 0.3};
    double x[4] = {-2, 2, 2, -2}, y[4] = {-2, -2, 2, 2}, z[4] = {0, 0, 0, 0};
    uint32_t facet[8] = {0, 1, 2, SCREE_NONE, 0, 2, 3, SCREE_NONE};
    const uint32_t neighbour[8] = {SCREE_NONE, SCREE_NONE, 1,          SCREE_NONE,
                                   0,          SCREE_NONE, SCREE_NONE, SCREE_NONE};
    const uint8_t edge[8] = {0, 0, SCREE_EDGE_FLAT, 0, SCREE_EDGE_FLAT, 0, 0, 0};
    const scree_mesh mesh = {.size = sizeof mesh,
                             .n_vertices = 4,
                             .n_facets = 2,
                             .vertex = {x, y, z},
                             .facet = facet,
                             .neighbour = neighbour,
                             .edge = edge};
    const uint32_t parts[2] = {0, 1};
    dfr_contact found[64];
    test_mesh m;
    dfr_body b;
    dfr_wall wall;
    workbench bench;
    mesh_of_box(half, 0.0, &m);
    if (make_of_mesh(&m.view, 10, &b) != SCREE_OK || !dfr_wall_make(&wall, &mesh))
        return;
    bench_start(&bench, &b, &b);
    const double under[3] = {0.1, 0.2, -0.3 + 0.01}, over[3] = {0.1, 0.2, 0.3 - 0.01},
                 off[3] = {0.0, 0.0, -0.4};
    dfr_pose pose = pose_at(under, NOT_TURNED);
    uint32_t n = dfr_wall_contacts(&bench.work, &b, &wall, &pose, parts, 2, 0.0, 1, found, 64);
    int fine = n == 4;
    for (uint32_t k = 0; k < n; k++)
        fine = fine && fabs(found[k].depth - 0.01) < 1e-3 && found[k].normal[2] < -0.999;
    printf("# a box on a wall of two triangles: %u contacts\n", n);
    tap_ok(fine, "a box on a square wall has its four corners, none at the seam");
    pose = pose_at(over, NOT_TURNED);
    n = dfr_wall_contacts(&bench.work, &b, &wall, &pose, parts, 2, 0.0, 1, found, 64);
    tap_ok(n == 4 && found[0].normal[2] > 0.999,
           "under it, it is pushed down: walls have two sides");
    pose = pose_at(off, NOT_TURNED);
    n = dfr_wall_contacts(&bench.work, &b, &wall, &pose, parts, 2, 0.2, 1, found, 64);
    tap_ok(n == 1 && fabs(found[0].depth + 0.1) < 1e-3,
           "across a gap there is one contact, the least distance");
    // Over its border: corners that hang over are replaced by where sides cross.
    const double at[3] = {-1.8, 0.0, -0.3 + 0.01};
    pose = pose_at(at, NOT_TURNED); // the wall reaches to x = 0.2 of the box
    n = dfr_wall_contacts(&bench.work, &b, &wall, &pose, parts, 2, 0.0, 1, found, 64);
    fine = n == 4;
    double reach = -1.0;
    for (uint32_t k = 0; k < n; k++) {
        fine = fine && fabs(found[k].depth - 0.01) < 1e-3;
        reach = scree_max(reach, found[k].point[0]);
    }
    printf("# a box over the border of a wall: %u contacts, up to x = %.4f\n", n, reach);
    tap_ok(fine && fabs(reach - 0.2) < 1e-3,
           "over the border of a wall, contacts end at the border");
    bench_stop(&bench);
    dfr_wall_clear(&wall);
    dfr_body_clear(&b);
    free_mesh(&m);
}

/* ---- walls whose facets show either side ---- */

/* The facets of a box as a wall; facet f is turned over where bit f of `turned` is set. */
typedef struct box_wall {
    test_mesh m;
    uint32_t neighbour[24];
    uint8_t edge[24];
    dfr_wall wall;
} box_wall;

static int make_box_wall(const double half[3], uint32_t turned, box_wall *out)
{
    mesh_of_box(half, 0.0, &out->m);
    uint32_t *v = out->m.facet;
    for (uint32_t f = 0; f < 6; f++)
        if (turned >> f & 1) {
            const uint32_t keep = v[4 * f + 1];
            v[4 * f + 1] = v[4 * f + 3];
            v[4 * f + 3] = keep;
        }
    for (uint32_t i = 0; i < 24; i++)
        for (uint32_t k = 0; k < 24; k++) {
            const uint32_t p = v[i], q = v[i / 4 * 4 + (i + 1) % 4], r = v[k],
                           t = v[k / 4 * 4 + (k + 1) % 4];
            if (i / 4 == k / 4 || !((p == r && q == t) || (p == t && q == r)))
                continue;
            out->neighbour[i] = k / 4;
            out->edge[i] = turned >> i / 4 & 1 ? SCREE_EDGE_CONCAVE : SCREE_EDGE_CONVEX;
        }
    out->m.view.closed = turned == 0;
    out->m.view.neighbour = out->neighbour;
    out->m.view.edge = out->edge;
    return dfr_wall_make(&out->wall, &out->m.view);
}

/* The least translation of two boxes, from their sides: along 3 + 3 normals and 9 pairs of edges. */
static double depth_of_boxes(const double a[3], const double b[3], const dfr_pose *pose)
{
    double least = HUGE_VAL;
    for (int axis = 0; axis < 15; axis++) {
        double n[3] = {0}, e[3] = {0}, f[3] = {0}, reach = 0.0;
        e[axis < 3 ? axis : (axis - 6) / 3 % 3] = 1.0;
        for (int k = 0; k < 3; k++)
            f[k] = pose->r[k][axis < 6 ? axis % 3 : (axis - 6) % 3];
        if (axis < 6)
            copy(axis < 3 ? e : f, n);
        else
            cross(e, f, n);
        if (!(normalize(n) > 1e-9))
            continue;
        for (int k = 0; k < 3; k++)
            reach += a[k] * fabs(n[k]) + b[k] * fabs(pose->r[0][k] * n[0] + pose->r[1][k] * n[1] +
                                                     pose->r[2][k] * n[2]);
        least = scree_min(least, reach - fabs(dot(pose->t, n)));
    }
    return least;
}

static void test_turned_walls(void)
{
    enum { PAIRS = 400, KINDS = 4 };
    static const uint32_t turned[KINDS] = {0, 0x3f, 0x15, 0x2c}, parts[6] = {0, 1, 2, 3, 4, 5};
    const double half[3] = {0.5, 0.45, 0.4}, of_wall[3] = {1.0, 1.1, 0.9};
    test_mesh m;
    dfr_body b;
    box_wall walls[KINDS];
    workbench bench;
    uint32_t n = 0, differ = 0;
    double worst = 0.0;
    mesh_of_box(half, 0.0, &m);
    int fine = make_of_mesh(&m.view, 6, &b) == SCREE_OK;
    for (int k = 0; k < KINDS; k++)
        fine = fine && make_box_wall(of_wall, turned[k], &walls[k]);
    if (!fine)
        return;
    bench_start(&bench, &b, &b);
    while (n < PAIRS) {
        double q[4], t[3] = {uniform(-2, 2), uniform(-2, 2), uniform(-2, 2)}, origin[3] = {0}, x[3];
        random_turn(q);
        const dfr_pose pose = pose_at(t, q);
        const double expected = depth_of_boxes(half, of_wall, &pose);
        dfr_to_b(&pose, origin, x);
        const int inside = fabs(x[0]) < 1.0 && fabs(x[1]) < 1.1 && fabs(x[2]) < 0.9;
        if (inside || !(expected > 0.005 && expected < 0.05))
            continue;
        dfr_contact found[KINDS][64];
        uint32_t count[KINDS];
        for (int k = 0; k < KINDS; k++)
            count[k] = dfr_wall_contacts(&bench.work, &b, &walls[k].wall, &pose, parts, 6, 0.0, 0,
                                         found[k], 64);
        for (int k = 0; k < KINDS; k++) {
            int same = count[k] == count[0] && count[k] == 1;
            for (int i = 0; same && i < 3; i++)
                same = fabs(found[k][0].normal[i] - found[0][0].normal[i]) < 1e-12;
            differ += !same || fabs(found[k][0].depth - found[0][0].depth) > 1e-12;
        }
        worst = scree_max(worst, count[2] ? fabs(found[2][0].depth - expected) : HUGE_VAL);
        n++;
    }
    printf(
        "# boxes at a box of facets turned this way and that: %u of %u differ, depths are %.2g m "
        "off\n",
        differ, KINDS * n, worst);
    tap_ok(differ == 0, "facets of a wall may be turned either way: the contacts are the same");
    tap_ok(worst < 1e-3, "and deep as the least translation of the two boxes");
    bench_stop(&bench);
    for (int k = 0; k < KINDS; k++) {
        dfr_wall_clear(&walls[k].wall);
        free_mesh(&walls[k].m);
    }
    dfr_body_clear(&b);
    free_mesh(&m);
}

/* ---- one on the other ---- */

static void test_faces(void)
{
    const double half[3] = {0.5, 0.4, 0.3};
    dfr_contact found[64];
    test_mesh m;
    dfr_body b;
    workbench bench;
    mesh_of_box(half, 0.0, &m);
    if (make_of_mesh(&m.view, 10, &b) != SCREE_OK)
        return;
    bench_start(&bench, &b, &b);
    const double q[4] = {cos(PI / 4), 0.0, 0.0, sin(PI / 4)}, t[3] = {0.0, 0.0, 0.6 - 0.01};
    const dfr_pose crossed = pose_at(t, q);
    dfr_work_start(&bench.work, &b, &b);
    uint32_t n = dfr_pair(&bench.work, &crossed, 1, found, 64);
    int fine = n == 4;
    for (uint32_t k = 0; k < n; k++)
        fine = fine && fabs(found[k].depth - 0.01) < 1e-3 && found[k].normal[2] > 0.999 &&
               fabs(fabs(found[k].point[0]) - 0.4) < 1e-3 &&
               fabs(fabs(found[k].point[1]) - 0.4) < 1e-3;
    printf("# crossed boxes: %u contacts, first at (%.3f, %.3f, %.3f)\n", n, found[0].point[0],
           found[0].point[1], found[0].point[2]);
    tap_ok(fine, "crossed boxes touch at the four corners of the square that they share");
    // Moved by less than a corner, all names last.
    uint64_t name[64];
    for (uint32_t k = 0; k < n; k++)
        name[k] = found[k].feature;
    int same = 1;
    for (int i = 0; i < 50; i++) {
        const double moved[3] = {0.002 * i, 0.001 * i, 0.6 - 0.01};
        const dfr_pose pose = pose_at(moved, q);
        dfr_work_start(&bench.work, &b, &b);
        same = same && dfr_pair(&bench.work, &pose, 1, found, 64) == n;
        for (uint32_t k = 0; same && k < n; k++)
            same = same && found[k].feature == name[k];
    }
    tap_ok(same, "as one slides on the other, the contacts keep their names");
    bench_stop(&bench);
    dfr_body_clear(&b);
    free_mesh(&m);
}

/* The zone bounds the work: cells looked at, over the resolution, at one depth. */
static void test_zone_work(void)
{
    static const uint32_t cells[] = {16, 32, 64};
    double looked[3], share[3];
    for (int c = 0; c < 3; c++) {
        dfr_body b;
        workbench bench;
        dfr_contact found[64];
        const uint32_t n[3] = {cells[c], cells[c], cells[c]};
        const double t[3] = {1.98, 0.0, 0.0};
        if (make_exact(&BALL, ONE, n, &b) != SCREE_OK)
            return;
        const dfr_pose pose = pose_at(t, NOT_TURNED);
        bench_start(&bench, &b, &b);
        dfr_work_start(&bench.work, &b, &b);
        dfr_pair(&bench.work, &pose, 1, found, 64);
        looked[c] = (double)bench.work.zone_cells;
        share[c] = (double)bench.work.facets_tested / b.n_facets;
        printf("# %u cells along a side, %u facets: %g cells of zones, %g facets tested\n",
               cells[c], b.n_facets, looked[c], share[c] * b.n_facets);
        bench_stop(&bench);
        dfr_body_clear(&b);
    }
    tap_ok(share[0] < 2.0 && share[2] < 1.0, "a shallow pair tests fewer facets than it has");
}

int main(int argc, char **argv)
{
    const uint32_t pairs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 600;
    test_distances(pairs);
    test_gaps();
    test_balls("sphere", &(const solid){TORUS, {0.0, 1.0, 0.0}}, 0.15);
    test_balls("torus", &RING, 0.15);
    test_block();
    test_rings();
    test_planes();
    test_walls();
    test_turned_walls();
    test_faces();
    test_zone_work();
    return tap_end();
}
