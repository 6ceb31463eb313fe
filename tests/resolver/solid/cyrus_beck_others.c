// SPDX-License-Identifier: Apache-2.0
// Claims about resolver `cyrus_beck` in space beyond pairs of solids, by closed forms: a ball at a cube's face, edge and
// corner, a cube on a plane and on a closed wall, and which walls it takes. usage: cyrus_beck_others CYRUS_BECK.so...
#include "solid_scene.h"

static test_solid cube;

/* A ball of radius 0.2 with its centre at c from that of a unit cube: depth and the direction towards the cube. */
static int ball_is(subject *s, const double *c, double depth, const double *n)
{
    static test_touches t;
    test_pair p;
    init_pair(&p, 3);
    set_ball(&p, 0.2);
    set_shape(&p, 1, &cube.shape);
    for (int k = 0; k < 3; k++)
        p.d[k] = -c[k];
    const uint32_t found = touch_pair(s, &p, 0.0, NULL, &t);
    if (depth < 0.0)
        return found == 0;
    int fine = found == 1 && fabs(t.depth[0] - depth) < 1e-15;
    for (int k = 0; k < 3; k++)
        fine = fine && fabs(t.normal[k][0] - n[k]) < 1e-15 &&
               fabs(t.arm[k][0] - (0.2 - 0.5 * depth) * n[k]) < 1e-15;
    printf("# ball: depth %.17g, expected %.17g\n", found ? t.depth[0] : -1.0, depth);
    return fine;
}

static void test_balls(subject *s)
{
    const double e = sqrt(0.5), v = sqrt(1.0 / 3.0);
    prepare_shape(s, 1, &cube.shape);
    tap_ok(ball_is(s, (double[3]){0.1, -0.3, 0.65}, 0.05, (double[3]){0.0, 0.0, -1.0}),
           "a ball over a face: depth r - h");
    tap_ok(ball_is(s, (double[3]){0.6, 0.2, 0.6}, 0.2 - 0.1 * sqrt(2.0), (double[3]){-e, 0.0, -e}),
           "a ball at an edge: depth r - h sqrt(2)");
    tap_ok(ball_is(s, (double[3]){0.6, 0.6, -0.6}, 0.2 - 0.1 * sqrt(3.0), (double[3]){-v, -v, v}),
           "a ball at a corner: depth r - h sqrt(3)");
    tap_ok(ball_is(s, (double[3]){0.2, 0.1, 0.4}, 0.3, (double[3]){0.0, 0.0, -1.0}),
           "a ball whose centre is under a face: depth r + h");
    tap_ok(ball_is(s, (double[3]){0.62, 0.62, 0.62}, -1.0, NULL),
           "a ball past a corner: no contact");
}

/* Four corners of the cube's lower face at z, each with this depth, the middle of the overlap between. */
static int corners_are(const test_touches *t, double depth)
{
    uint32_t seen = 0;
    int fine = t->out.n == 4;
    for (uint32_t c = 0; c < t->out.n && c < 4; c++) {
        seen |= 1u << ((t->arm[0][c] > 0.0) + 2 * (t->arm[1][c] > 0.0));
        fine = fine && fabs(t->depth[c] - depth) < 1e-15 && fabs(t->normal[2][c] + 1.0) < 1e-15 &&
               fabs(fabs(t->arm[0][c]) - 0.5) < 1e-15 && fabs(fabs(t->arm[1][c]) - 0.5) < 1e-15 &&
               fabs(t->arm[2][c] + 0.5 - 0.5 * depth) < 1e-15;
    }
    return fine && seen == 15;
}

static void test_flats(subject *s)
{
    static test_touches t;
    test_pair p;
    init_pair(&p, 3);
    prepare_shape(s, 0, &cube.shape);
    set_shape(&p, 0, &cube.shape);
    p.d[2] = -0.49;
    touch_pair(s, &p, 0.0, NULL, &t);
    tap_ok(corners_are(&t, 0.01), "a cube 0.01 m in a plane: its four corners, 0.01 m deep");
    p.q[0][0] = cos(M_PI / 8.0);
    p.q[1][0] = sin(M_PI / 8.0); // about x by 45 degrees: on an edge
    p.d[2] = 0.01 - sqrt(0.5);
    const uint32_t n = touch_pair(s, &p, 0.0, NULL, &t);
    tap_ok(n == 2 && fabs(t.depth[0] - 0.01) < 1e-15 && fabs(t.depth[1] - 0.01) < 1e-15 &&
               fabs(t.arm[0][0] + t.arm[0][1]) < 1e-15 && fabs(fabs(t.arm[0][0]) - 0.5) < 1e-15,
           "on an edge: its two ends");
    // A wall that encloses a block of 4 x 4 x 0.6 m, under the cube.
    static test_solid block;
    make_box(&block, 2.0, 2.0, 0.3);
    block.shape.type = TYPE_WALL;
    block.shape.flags = SCREE_CAP_WALL;
    init_pair(&p, 3);
    prepare_shape(s, 1, &block.shape);
    set_shape(&p, 0, &cube.shape);
    set_shape(&p, 1, &block.shape);
    p.d[2] = -0.79;
    touch_pair(s, &p, 0.0, NULL, &t);
    tap_ok(corners_are(&t, 0.01), "a cube 0.01 m in a closed wall: the same four");
    p.d[2] = -0.81;
    tap_ok(touch_pair(s, &p, 0.0, NULL, &t) == 0 && touch_pair(s, &p, 0.02, NULL, &t) == 1 &&
               fabs(t.depth[0] + 0.01) < 1e-14 && fabs(t.normal[2][0] + 1.0) < 1e-14,
           "across a gap of 0.01 m: one, where the range reaches it");
}

static uint32_t answer_for(const subject *s, const test_solid *wall, uint32_t type_a)
{
    const scree_shape *shape[2] = {&cube.shape, &wall->shape};
    test_pair p;
    init_pair(&p, 3);
    const scree_shape *ball = &p.ball;
    p.type[TYPE_ROUND].n_shapes = p.type[TYPE_SOLID].n_shapes = p.type[TYPE_WALL].n_shapes = 1;
    p.type[TYPE_ROUND].shapes = &ball;
    p.type[TYPE_SOLID].shapes = &shape[0];
    p.type[TYPE_WALL].shapes = &shape[1];
    scree_pair_support pair = {.size = sizeof pair,
                               .a = &p.type[type_a],
                               .b = &p.type[TYPE_WALL],
                               .provides = s->plugin->provides};
    return s->ops->supports(s->self, &pair) == SCREE_OK ? pair.contacts : 99;
}

static void test_walls(const subject *s)
{
    static test_solid wall;
    make_box(&wall, 2.0, 2.0, 2.0);
    wall.shape.flags = SCREE_CAP_WALL;
    tap_ok(answer_for(s, &wall, TYPE_SOLID) == SCREE_SUPPORTS_MANY &&
               answer_for(s, &wall, TYPE_ROUND) == SCREE_SUPPORTS_ONE,
           "it takes a closed convex wall, solids and balls");
    wall.mesh.closed = 0;
    tap_ok(answer_for(s, &wall, TYPE_SOLID) == SCREE_SUPPORTS_NOT, "not an open one");
    wall.mesh.closed = 1;
    for (uint32_t f = 0; f < wall.mesh.n_facets; f++) {
        const uint32_t keep = wall.facet[4 * f];
        wall.facet[4 * f] = wall.facet[4 * f + 2];
        wall.facet[4 * f + 2] = keep;
    }
    tap_ok(answer_for(s, &wall, TYPE_SOLID) == SCREE_SUPPORTS_NOT &&
               answer_for(s, &wall, TYPE_ROUND) == SCREE_SUPPORTS_NOT,
           "nor one whose facets face inward, around the bodies");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        printf("Bail out! usage: cyrus_beck_others CYRUS_BECK.so...\n");
        return 1;
    }
    make_box(&cube, 0.5, 0.5, 0.5);
    for (int k = 1; k < argc; k++) {
        subject s;
        start_resolver(&s, argv[k], 3, NULL);
        test_balls(&s);
        test_flats(&s);
        test_walls(&s);
        stop_resolver(&s);
    }
    return tap_end();
}
