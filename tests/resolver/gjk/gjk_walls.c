// SPDX-License-Identifier: Apache-2.0
// Claims about the resolver `gjk`: polytopes that lie over the edge of a wall, parallel to it or nearly.
// usage: gjk_walls PLUGIN.so
#include "gjk_pairs.h"

/* The wall: the plane z = 0 up to its edge x = 0, however it is made of facets. The body lies on it and reaches over the
 * edge. Each contact pulls with its depth in newtons: its energy is depth²/2. */
#define HALF 0.1  /* [m] of the edge */
#define DEEP 1e-5 /* [m] */
#define DEGREE 0.017453292519943295

enum { STEPS = 200 };
enum {
    SLAB,
    HALVES,
    TRIANGLES,
    BOX_SIDE,
    BLOCK,
    N_WALLS
}; // BOX_SIDE: its open side is at the edge; BLOCK: outward
enum { BRICK, CUBE, PRISM, HULL, N_BODIES };

static const char *const body_names[] = {"a brick", "a cube", "a prism", "a hull"};
static const double yaws[] = {0.0, 1e-9, 1e-7, 1e-6, 1e-4, 1e-3, 1e-2}; // [degrees]
enum { N_YAWS = sizeof yaws / sizeof *yaws };

static solid walls[N_WALLS], bodies_of[N_BODIES];

/* ---- walls ---- */

static void add_quad(solid *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t facet[4] = {a, b, c, d};
    memcpy(s->facet + 4 * s->n_facets++, facet, sizeof facet);
}

static void add_vertex(solid *s, double x, double y, double z)
{
    s->x[0][s->n] = x;
    s->x[1][s->n] = y;
    s->x[2][s->n++] = z;
}

/* Kinds of edges, as the host names them: by where the other facet lies. */
static void name_edges(solid *s)
{
    for (uint32_t at = 0; at < 4 * s->n_facets; at++) {
        const uint32_t f = at / 4, g = s->neighbour[at];
        s->sharp[at] = SCREE_EDGE_OPEN;
        if (g == SCREE_NONE)
            continue;
        const uint32_t *v = s->facet + 4 * f, *u = s->facet + 4 * g;
        const spot n = cross(minus(point_of(s, v[1]), point_of(s, v[0])),
                             minus(point_of(s, v[2]), point_of(s, v[0])));
        real most = -HUGE_VALL, least = HUGE_VALL;
        for (int k = 0; k < 3; k++) {
            const real h = dot(n, minus(point_of(s, u[k]), point_of(s, v[0])));
            most = fmaxl(most, h);
            least = fminl(least, h);
        }
        s->sharp[at] = most > 0    ? SCREE_EDGE_CONCAVE
                       : least < 0 ? SCREE_EDGE_CONVEX
                                   : SCREE_EDGE_FLAT;
    }
}

static void make_wall(solid *s, int kind)
{
    *s = (solid){.type = TYPE_HULL};
    const int deep = kind == BLOCK, high = kind == BOX_SIDE;
    const int n = deep || high ? 8 : 4;
    for (int k = 0; k < n; k++)
        add_vertex(s, k % 4 == 0 || k % 4 == 3 ? -HALF : 0.0, k % 4 < 2 ? -HALF : HALF,
                   k < 4  ? 0.0
                   : high ? HALF
                          : -HALF);
    if (kind == HALVES) {
        add_vertex(s, -HALF, 0.0, 0.0);
        add_vertex(s, 0.0, 0.0, 0.0);
        add_quad(s, 0, 1, 5, 4);
        add_quad(s, 4, 5, 2, 3);
    } else if (kind == TRIANGLES) {
        add_vertex(s, 0.0, 0.001, 0.0);
        add_quad(s, 0, 1, 4, SCREE_NONE);
        add_quad(s, 0, 4, 3, SCREE_NONE);
        add_quad(s, 4, 2, 3, SCREE_NONE);
    } else {
        add_quad(s, 0, 1, 2, 3);
    }
    if (deep || high) { // the sides but, of a box, that at the edge; and what is across
        add_quad(s, 3, 7, 4, 0);
        add_quad(s, 1, 0, 4, 5);
        add_quad(s, 3, 2, 6, 7);
    }
    if (deep) {
        add_quad(s, 2, 1, 5, 6);
        add_quad(s, 7, 6, 5, 4);
    }
    link_facets(s);
    name_edges(s);
    finish_solid(s);
    s->mesh.closed = (uint32_t)deep;
    s->shape.flags = SCREE_CAP_WALL;
    s->shape.n_parts = s->n_facets;
    s->shape.view = NULL;
}

/* ---- bodies: their lowest face is at z = -height, at right angles to z ---- */

static double height_of(const solid *s)
{
    double low = 0.0;
    for (uint32_t k = 0; k < s->n; k++)
        low = fmin(low, s->x[2][k]);
    return -low;
}

/* Two rings of n corners: [0, n) below, [n, 2n) above. */
static void join_rings(solid *s, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        add_quad(s, k, (k + 1) % n, n + (k + 1) % n, n + k);
    for (uint32_t k = 1; k + 1 < n; k++) {
        add_quad(s, 0, k + 1, k, SCREE_NONE);
        add_quad(s, n, n + k, n + k + 1, SCREE_NONE);
    }
    link_facets(s);
    name_edges(s);
    finish_solid(s);
}

static void make_body(solid *s, int kind)
{
    if (kind == BRICK)
        make_box(s, 6e-3, 4e-3, 2.5e-3);
    if (kind == CUBE)
        make_box(s, 4e-3, 4e-3, 4e-3);
    if (kind == BRICK || kind == CUBE)
        return;
    const uint32_t n = kind == PRISM ? 6 : 5;
    *s = (solid){.type = TYPE_HULL};
    for (int up = 0; up < 2; up++)
        for (uint32_t k = 0; k < n; k++) {
            const double turn =
                (kind == PRISM ? 1.0 : 1.3) * (double)k + 0.5; // the hull has no regular face
            const double angle = kind == PRISM ? (k + 0.5) * 60.0 * DEGREE : turn,
                         wide = kind == HULL && up ? 0.6 : 1.0;
            add_vertex(s, wide * 5e-3 * cos(angle), wide * 4e-3 * sin(angle), up ? 3e-3 : -3e-3);
        }
    join_rings(s, n);
}

/* ---- forces ---- */

/* A pose: the lowest face of the body meets the edge y = 0 at a depth, `over` of the middle of the face reaches beyond; it is
 * turned by `yaw` about z, leans by `lean` over the edge, then by `tilt` along it. */
typedef struct pose {
    double over, deep, yaw, lean, tilt;
} pose;

typedef struct forces {
    double energy;
    spot force, torque; /* on the body, about its centre */
    uint32_t n;
    int inside; /* all contact points are in the body and on the wall */
} forces;

static void turn_about(double q[4], int axis, double angle)
{
    double p[4] = {cos(0.5 * angle), 0.0, 0.0, 0.0}, o[4];
    p[1 + axis] = sin(0.5 * angle);
    o[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    o[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    o[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    o[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
    memcpy(q, o, sizeof o);
}

/* Gives the resolver a body and a wall. */
static void set_scene(subject *s, int body, int wall)
{
    init_pair(&pair, 3);
    solids[0] = bodies_of[body];
    solids[1] = walls[wall];
    for (uint32_t k = 0; k < 2; k++) {
        solid *of = &solids[k];
        const uint32_t flags = of->shape.flags;
        finish_solid(of);
        of->shape.type = k;
        of->shape.flags = pair.type[k].flags = flags;
        of->shape.view = k ? NULL : of->shape.view;
        of->shape.n_parts = of->n_facets;
        set_shape(&pair, (int)k, &of->shape);
    }
    prepare_pair(s, &pair);
}

static spot place_at(const pose *at)
{
    double q[4] = {1.0, 0.0, 0.0, 0.0};
    turn_about(q, 2, at->yaw);
    turn_about(q, 1, at->lean);
    turn_about(q, 0, at->tilt);
    for (int k = 0; k < 4; k++)
        pair.q[k][0] = q[k];
    place_solid(&placed_at[0], &solids[0], q, 1.0, spot_of(0, 0, 0));
    const real from[3] = {(real)at->over, 0, (real)height_of(&solids[0])};
    real c[3];
    for (int i = 0; i < 3; i++)
        c[i] = placed_at[0].m[i][0] * from[0] + placed_at[0].m[i][1] * from[1] +
               placed_at[0].m[i][2] * from[2];
    return spot_of(c[0], c[1], c[2] - (real)at->deep);
}

static void find_touches(subject *s, spot at)
{
    static uint32_t parts[MOST_FACETS];
    static double none[HINT_WORDS * MOST_FACETS];
    const uint32_t order[2] = {0, 1}, first[2] = {0, solids[1].n_facets};
    const double d[3] = {-(double)at.x, -(double)at.y, -(double)at.z};
    for (uint32_t k = 0; k < MOST_FACETS; k++)
        parts[k] = k;
    scree_candidates in = pair_candidates(s, &pair, order, d, 0.0, none);
    in.first = first;
    in.part_b = parts;
    clear_touches(&touches);
    resolve_pairs(s, &in, &touches);
}

/* Whether a contact point is in the body, and on or in the wall. */
static int is_inside(spot arm, spot at, double deep)
{
    const real more = (real)(deep + 1e-9);
    const spot p = plus(arm, 1, at);
    for (uint32_t f = 0; f < solids[0].n_facets; f++)
        if (dot(unit(facet_normal(&placed_at[0], f)),
                minus(arm, placed_at[0].core[solids[0].facet[4 * f]])) > more)
            return 0;
    return p.x <= more && p.z <= more && p.z >= -more && fabsl(p.y) <= (real)HALF + more;
}

static forces forces_at(subject *s, const pose *of)
{
    const spot at = place_at(of);
    forces out = {.inside = 1};
    find_touches(s, at);
    out.n = touches.out.n;
    for (uint32_t k = 0; k < touches.out.n; k++) {
        const double d = touches.depth[k];
        const spot arm = spot_at(touches.arm[0][k], touches.arm[1][k], touches.arm[2][k]);
        const spot f =
            plus(spot_of(0, 0, 0), -(real)d,
                 spot_at(touches.normal[0][k], touches.normal[1][k], touches.normal[2][k]));
        out.energy += 0.5 * d * d;
        out.force = plus(out.force, 1, f);
        out.torque = plus(out.torque, 1, cross(arm, f));
        out.inside &= is_inside(arm, at, d);
    }
    return out;
}

/* ---- claims ---- */

static double size_of(spot v)
{
    return (double)sqrtl(dot(v, v));
}

/* By how much two sets of forces differ, of what the depth at the edge gives. */
static double difference(const forces *x, const forces *y, double deep)
{
    const double radius = pair.radius[0];
    return (size_of(minus(x->force, y->force)) + size_of(minus(x->torque, y->torque)) / radius) /
           deep;
}

static const double leans[] = {-1e-4, -1e-7, 0.0, 1e-9, 1e-7, 1e-6, 1e-4, 1e-2, 0.2, 0.3, 0.8};
enum { N_LEANS = sizeof leans / sizeof *leans };

/* The largest differences that the yaws and the walls make for a body. */
typedef struct spread {
    double by_yaw, by_wall;
    int held; /* at two points and more, all of them in the body and on the wall */
} spread;

static void compare_walls(subject *s, int body, double lean, spread *out)
{
    forces slab[N_YAWS];
    for (int w = 0; w < N_WALLS; w++) {
        set_scene(s, body, w);
        for (int y = 0; y < N_YAWS; y++) {
            const pose at = {5e-4, DEEP, yaws[y] * DEGREE, lean, 0.0};
            const forces f = forces_at(s, &at);
            slab[y] = w == SLAB ? f : slab[y];
            out->by_wall = fmax(out->by_wall, difference(&f, &slab[y], DEEP));
            out->by_yaw =
                fmax(out->by_yaw, difference(&f, &slab[0], DEEP) - 10.0 * yaws[y] * DEGREE);
            out->held &= f.inside && f.n >= 2 && (double)f.force.z > 0.0;
        }
    }
}

static void test_yaws(subject *s)
{
    for (int b = 0; b < N_BODIES; b++) {
        spread most = {.by_yaw = 0.0, .held = 1};
        char claim[160];
        for (int l = 0; l < N_LEANS; l++)
            compare_walls(s, b, leans[l], &most);
        printf("# %s: forces differ by %.2g between walls, by %.2g more than the yaw explains\n",
               body_names[b], most.by_wall, most.by_yaw);
        snprintf(claim, sizeof claim,
                 "%s over an edge is held alike at yaws from 0 to 0.01 degrees, by one facet and "
                 "by many",
                 body_names[b]);
        tap_ok(most.held && most.by_wall < 1e-11 && most.by_yaw < 1e-9, claim);
    }
}

/* A closed path: two numbers of a pose, in the order of its members, go round a rectangle. */
typedef struct loop {
    const char *name;
    double from[5];
    int i, j;
    double to_i, to_j;
} loop;

static const loop loops[] = {
    {"depth, leaning through 0", {5e-4, DEEP, 0, -1e-3, 0}, 3, 1, 1e-3, 2 * DEEP},
    {"depth, leaning through 15 degrees", {5e-4, DEEP, 0, 0.24, 0}, 3, 1, 0.3, 2 * DEEP},
    {"depth, tilting through 0, flat", {5e-4, DEEP, 0, 0, -1e-3}, 4, 1, 1e-3, 2 * DEEP},
    {"depth, tilting through 0, at 10 degrees", {5e-4, DEEP, 0, 0.17, -1e-3}, 4, 1, 1e-3, 2 * DEEP},
    {"depth, tilting through 0, at 50 degrees", {5e-4, DEEP, 0, 0.9, -1e-3}, 4, 1, 1e-3, 2 * DEEP},
    {"depth, yaw through 0, at 50 degrees", {5e-4, DEEP, -1e-6, 0.9, 0}, 2, 1, 1e-6, 2 * DEEP},
    {"reach, leaning through 0", {-1e-3, DEEP, 1e-8, -1e-3, 1e-5}, 3, 0, 1e-3, 1e-3},
    {"tilting, leaning, both through 0", {5e-4, DEEP, 1e-4, -1e-3, -1e-3}, 3, 4, 1e-3, 1e-3},
};
enum { N_LOOPS = sizeof loops / sizeof *loops };

static pose pose_of(const double at[5])
{
    return (pose){at[0], at[1], at[2], at[3], at[4]};
}

/* The work of the forces from one pose to the next, with those between. */
static double work_between(subject *s, const double from[5], const double to[5])
{
    double middle[5], q[2][4], turn[3];
    spot at[2];
    for (int k = 0; k < 5; k++)
        middle[k] = 0.5 * (from[k] + to[k]);
    const pose poses[3] = {pose_of(from), pose_of(to), pose_of(middle)};
    for (int k = 0; k < 2; k++) {
        at[k] = place_at(&poses[k]);
        for (int i = 0; i < 4; i++)
            q[k][i] = pair.q[i][0];
    }
    const forces f = forces_at(s, &poses[2]);
    for (int k = 0; k < 3; k++) { // twice the vector part of q1 times the conjugate of q0
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        turn[k] = 2 * (q[1][1 + k] * q[0][0] - q[1][0] * q[0][1 + k] - q[1][1 + l] * q[0][1 + m] +
                       q[1][1 + m] * q[0][1 + l]);
    }
    return (double)(dot(f.force, minus(at[1], at[0])) +
                    dot(f.torque, spot_at(turn[0], turn[1], turn[2])));
}

/* The work that is left over once round, of the energy at the start. */
static double left_over(subject *s, const loop *l)
{
    double sum = 0.0;
    const pose start = pose_of(l->from);
    const double all = forces_at(s, &start).energy;
    for (int step = 0; step < 4 * STEPS; step++) {
        double at[2][5];
        for (int k = 0; k < 2; k++) {
            const int side = (step + k) / STEPS % 4;
            const double part = (double)((step + k) % STEPS) / STEPS;
            const double x = side == 0 ? part : side == 1 ? 1.0 : side == 2 ? 1.0 - part : 0.0;
            const double y = side == 0 ? 0.0 : side == 1 ? part : side == 2 ? 1.0 : 1.0 - part;
            memcpy(at[k], l->from, sizeof at[k]);
            at[k][l->i] += x * (l->to_i - l->from[l->i]);
            at[k][l->j] += y * (l->to_j - l->from[l->j]);
        }
        sum += work_between(s, at[0], at[1]);
    }
    return sum / all;
}

static void test_work(subject *s)
{
    for (int l = 0; l < N_LOOPS; l++) {
        double most = 0.0;
        for (int b = 0; b < N_BODIES; b++)
            for (int w = 0; w < N_WALLS; w++) {
                set_scene(s, b, w);
                const double left = left_over(s, &loops[l]);
                most = fmax(most, fabs(left));
            }
        char claim[120];
        snprintf(claim, sizeof claim, "no work is left over once round: %s", loops[l].name);
        printf("# %.2g of the energy at the start\n", most);
        tap_ok(most < 1e-3, claim);
    }
}

int main(int argc, char **argv)
{
    subject s;
    start_resolver(&s, argv[1], 3, NULL);
    for (int k = 0; k < N_WALLS; k++)
        make_wall(&walls[k], k);
    for (int k = 0; k < N_BODIES; k++)
        make_body(&bodies_of[k], k);
    test_yaws(&s);
    test_work(&s);
    stop_resolver(&s);
    return tap_end();
}
