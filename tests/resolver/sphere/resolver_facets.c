// SPDX-License-Identifier: Apache-2.0
// Claims about the resolver `sphere` on meshes beyond what `scree check` asks of all: bent patches,
// corners, holes, order of facets, refusals. usage: resolver_facets PLUGIN.so [PLUGIN.x86-64-v3.so]
#include "resolver_scene.h"

#define FACE_KEYS_END (1ull << 62)

static void turn_body(uint32_t b, const double q[4])
{
    for (int k = 0; k < 4; k++)
        world.q[k][b] = q[k];
}

/* Centre at body b's axes `local`, in the world. */
static void place(uint32_t b, const double local[3], double centre[3])
{
    double q[4] = {world.q[0][b], world.q[1][b], world.q[2][b], world.q[3][b]};
    turn(q, local, centre);
    for (int k = 0; k < 3; k++)
        centre[k] = world.x[k][b] + world.scale[b] * centre[k];
}

/* ---- seams ---- */

static void make_fan(uint32_t spokes)
{
    uint32_t hub, rim[16];
    clear_shape();
    hub = add_vertex(&shape, 0.1, 0.2, 0.0);
    for (uint32_t i = 0; i < spokes; i++) {
        double angle = 2 * 3.14159265358979323846 * i / spokes;
        rim[i] = add_vertex(&shape, cos(angle), sin(angle), 0.0);
    }
    for (uint32_t i = 0; i < spokes; i++)
        solid_facet(&shape, hub, rim[i], rim[(i + 1) % spokes], SCREE_NONE);
}

/* A hub raised by less than the host calls a bend: over it, and over the ridges of its spokes, no
 * facet has a foot. It is one patch all the same. */
static void test_bent_patch(subject *s)
{
    int same = 1;
    make_fan(7);
    shape.x[0][0] = shape.x[1][0] = 0.0;
    shape.x[2][0] = 2e-7;
    prepare(s, 3);
    for (int i = 0; i < 8; i++) {
        double x = i < 7 ? 0.4 * shape.x[0][1 + i] : 0.0;
        double y = i < 7 ? 0.4 * shape.x[1][1 + i] : 0.0;
        add_ball(&batch, &world, 0, (double[3]){x, y, 0.29}, 0.3);
    }
    run(s, 8, MAX_PARTS, &contacts);
    for (uint32_t c = 0; c < contacts.out.n; c++)
        same &= contacts.feature[c] == 0 && fabs(contacts.depth[c] - 0.01) < 3e-7 &&
                contacts.normal[2][c] < -1.0 + 1e-12;
    tap_ok(same && contacts.out.n == 8, "a patch that is bent within tolerance has no ridges");
}

/* ---- corners ---- */

/* The six faces of the cube [-1, 1]³ (2D: four sides of the square), each cut into `cut`² quads or
 * pairs of triangles, so that there are seams, subdivided ridges and corners. */
static void make_cube(int dimension, int cut)
{
    const int n_corners = dimension == 3 ? 4 : 2, rows = dimension == 3 ? cut : 1;
    clear_shape();
    for (int axis = 0; axis < dimension; axis++)
        for (int side = -1; side <= 1; side += 2)
            for (int i = 0; i < cut; i++)
                for (int j = 0; j < rows; j++) {
                    uint32_t v[4];
                    for (int c = 0; c < n_corners; c++) {
                        double x[3] = {0};
                        x[axis] = side;
                        x[(axis + 1) % dimension] = -1 + 2.0 * (i + (c == 1 || c == 2)) / cut;
                        if (dimension == 3)
                            x[(axis + 2) % 3] = -1 + 2.0 * (j + (c > 1)) / cut;
                        v[c] = add_vertex(&shape, x[0], x[1], x[2]);
                    }
                    if (dimension == 2) {
                        solid_facet(&shape, v[0], v[1], SCREE_NONE, SCREE_NONE);
                    } else if ((i + j) % 2) {
                        solid_facet(&shape, v[0], v[1], v[2], v[3]);
                    } else {
                        solid_facet(&shape, v[0], v[1], v[2], SCREE_NONE);
                        solid_facet(&shape, v[0], v[2], v[3], SCREE_NONE);
                    }
                }
}

static void test_concave(subject *s)
{
    double spread = 0.0;
    uint32_t done = 1;
    clear_shape();
    for (int axis = 0; axis < 3; axis++) {
        uint32_t v[4];
        for (int c = 0; c < 4; c++) {
            double x[3] = {0};
            x[(axis + 1) % 3] = c == 1 || c == 2;
            x[(axis + 2) % 3] = c > 1;
            v[c] = add_vertex(&shape, x[0], x[1], x[2]);
        }
        solid_facet(&shape, v[0], v[1], v[2], v[3]);
    }
    prepare(s, 3);
    add_ball(&batch, &world, 0, (double[3]){0.29, 0.28, 0.27}, 0.3);
    add_ball(&batch, &world, 0, (double[3]){0.29, 0.28, 0.5}, 0.3);
    add_ball(&batch, &world, 0, (double[3]){-0.01, 0.5, 0.5}, 0.3);
    add_ball(&batch, &world, 0, (double[3]){0.0, 0.5, 0.5}, 0.3);
    run(s, 4, MAX_PARTS, &contacts);
    tap_ok(contacts.out.n == 7 && contacts.pair[2] == 0 && contacts.pair[3] == 1 &&
               contacts.pair[4] == 1 && contacts.feature[0] == 0 && contacts.feature[1] == 1 &&
               contacts.feature[2] == 2,
           "a ball in a corner of three quads has three contacts, in a groove two");
    if (contacts.out.n == 7)
        for (uint32_t c = 0; c < 3; c++)
            spread += fabs(contacts.normal[c][c] + 1.0) + fabs(contacts.depth[c] - 0.01 * (c + 1));
    tap_ok(spread < 1e-14, "each contact in the corner is that of its own wall");
    tap_ok(contacts.out.n == 7 && contacts.normal[0][5] == 1.0 && contacts.normal[0][6] == -1.0 &&
               contacts.depth[6] == 0.3,
           "a facet has two sides; with the centre in its plane its normal decides");
    init_contacts(&part, 2, 1, 0);
    tap_ok(s->ops->resolve(s->self, &batch.in, &part.out, &done) == SCREE_OK && done == 0 &&
               part.out.n == 3,
           "where the contacts of the first ball do not fit, it says how many they are");
}

/* A plate of one patch with a hole in the middle, on z = `slope` (x + y / 3). */
static void make_plate(double slope)
{
    clear_shape();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            uint32_t v[4];
            int cut = i == 2 && j == 1;
            for (int c = 0; c < 4; c++) {
                double x = i + (c == 1 || c == 2) - 1.5, y = j + (c > 1) - 1.5;
                v[c] = add_vertex(&shape, x, y, slope * (x + y / 3));
            }
            if (i != 1 || j != 1)
                solid_facet(&shape, v[0], v[1], v[2], cut ? SCREE_NONE : v[3]);
            if (cut)
                solid_facet(&shape, v[0], v[2], v[3], SCREE_NONE);
        }
}

/* A ball in the hole touches four rims, one on the plate next to it only the face. */
static void test_hole(subject *s)
{
    make_plate(0.0);
    prepare(s, 3);
    add_ball(&batch, &world, 0, (double[3]){0.0, 0.0, 0.2}, 0.6);
    add_ball(&batch, &world, 0, (double[3]){0.6, 0.1, 0.2}, 1.3);
    run(s, 2, MAX_PARTS, &contacts);
    tap_ok(contacts.out.n == 5 && contacts.pair[3] == 0 && contacts.feature[4] == 0 &&
               contacts.feature[0] >= FACE_KEYS_END && fabs(contacts.depth[4] - 1.1) < 1e-15 &&
               fabs(contacts.depth[0] - contacts.depth[3]) < 1e-15,
           "a ball in a hole touches its four rims, next to it only the face");
    make_plate(0.3);
    prepare(s, 3);
    init_batch(&batch, &world, TEST_SPHERE, TEST_MESH, 1);
    for (uint32_t b = 0; b < MAX_BODIES; b++) {
        double q[4], centre[3];
        random_turn(&s->fake, 3, q);
        turn_body(b, q);
        for (int i = 0; i < 16; i++) {
            double t = 0.3 + 0.01 * i;
            double x = 0.5 + t, y = t - 0.5, z = 0.3 * (x + y / 3);
            place(b, (double[3]){x - 0.3 * 0.2, y - 0.1 * 0.2, z + 0.2}, centre);
            add_ball(&batch, &world, b, centre, 1.6);
        }
    }
    run(s, batch.in.n, MAX_PARTS, &contacts);
    tap_ok(contacts.out.n == batch.in.n, "so it does on a seam, however that is turned");
}

/* ---- batches ---- */

static void fill_cube_batch(subject *s, uint32_t n)
{
    make_cube(3, 3);
    prepare(s, 3);
    for (uint32_t b = 0; b < MAX_BODIES; b++) {
        double q[4];
        random_turn(&s->fake, 3, q);
        turn_body(b, q);
    }
    for (uint32_t p = 0; p < n; p++) {
        double local[3], centre[3];
        for (int k = 0; k < 3; k++) /* inside, too: three walls and more in reach */
            local[k] = fake_uniform(&s->fake, -1.3, 1.3);
        place(p % MAX_BODIES, local, centre);
        add_ball(&batch, &world, p % MAX_BODIES, centre, 0.8);
    }
}

/* Leaves out the candidate facets whose bounding sphere the ball does not reach. */
static uint32_t drop_far_facets(double range)
{
    uint32_t kept = 0, dropped = 0;
    for (uint32_t p = 0; p < batch.in.n; p++) {
        uint32_t begin = batch.first[p], end = batch.first[p + 1], b = batch.b[p];
        batch.first[p] = kept;
        for (uint32_t c = begin; c < end; c++) {
            const uint32_t *v = shape.facet + 4 * batch.part_b[c];
            double middle[3], at[3], sum = 0.0;
            for (int k = 0; k < 3; k++) /* v0 and v2 are opposite, or share the longest side */
                middle[k] = 0.5 * (shape.x[k][v[0]] + shape.x[k][v[2]]);
            place(b, middle, at);
            for (int k = 0; k < 3; k++)
                sum += pow(at[k] - world.x[k][b] + batch.d[k][p], 2);
            if (sqrt(sum) <= batch.radius_a[p] + range + 0.4715)
                batch.part_b[kept++] = batch.part_b[c];
            else
                dropped++;
        }
    }
    batch.first[batch.in.n] = kept;
    return dropped;
}

static void test_far_facets(subject *s)
{
    fill_cube_batch(s, 150);
    run(s, 150, MAX_PARTS, &contacts);
    tap_ok(drop_far_facets(0.0) > 1000 && run(s, 150, MAX_PARTS, &other) == 1 &&
               same_bits(&contacts, &other),
           "a candidate facet out of reach changes no bit");
}

/* The same cube with its facets given in reverse. */
static void test_renumbered(subject *s)
{
    int agree = 1;
    uint32_t n;
    fill_cube_batch(s, 150);
    run(s, 150, MAX_PARTS, &contacts);
    n = shape.mesh.n_facets;
    for (uint32_t f = 0; f < n / 2; f++)
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t swap = shape.facet[4 * f + k];
            shape.facet[4 * f + k] = shape.facet[4 * (n - 1 - f) + k];
            shape.facet[4 * (n - 1 - f) + k] = swap;
        }
    finish_shape(&shape, 3);
    if (s->ops->prepare(s->self, 0, &shape.shape) != SCREE_OK)
        agree = 0;
    run(s, 150, MAX_PARTS, &other);
    agree &= contacts.out.n == other.out.n;
    for (uint32_t i = 0; agree && i < contacts.out.n; i++) {
        double nearest = 1.0;
        for (uint32_t j = 0; j < other.out.n; j++)
            if (other.pair[j] == contacts.pair[i])
                nearest = fmin(nearest, max_difference(&other, j,
                                                       (double[3]){contacts.normal[0][i],
                                                                   contacts.normal[1][i],
                                                                   contacts.normal[2][i]},
                                                       contacts.depth[i]));
        agree &= nearest < 1e-14;
    }
    tap_ok(agree, "facets in another order give the same contacts");
}

/* Asks the resolver about a pair of types. */
static uint32_t answer(subject *s, uint32_t a, uint32_t b)
{
    scree_pair_support pair = {.size = sizeof pair,
                               .a = test_types[a],
                               .b = test_types[b],
                               .provides = s->plugin->provides};
    int32_t code = s->ops->supports(s->self, &pair);
    return code == SCREE_OK ? pair.contacts : UINT32_MAX;
}

static void test_refusals(subject *s)
{
    clear_shape();
    for (int i = 0; i < 4; i++)
        add_vertex(&shape, i == 0 || i == 3 ? -1 : 1, i < 2 ? -1 : 1, 0.0);
    shape.x[0][3] = shape.x[0][0] = 0.0;
    shape.x[0][1] = -0.2; /* v1 is left of v0: the corner at v0 points inwards */
    shape.x[1][1] = 0.5;
    solid_facet(&shape, 0, 1, 2, 3);
    finish_shape(&shape, 3);
    tap_ok(s->ops->prepare(s->self, 1, &shape.shape) == SCREE_E_UNSUPPORTED &&
               strstr(s->fake.text, "facet 0") != NULL,
           "a quad that is not convex is refused by its number");
    tap_ok(answer(s, TEST_SPHERE, TEST_MESH) == SCREE_SUPPORTS_MANY &&
               answer(s, TEST_SPHERE, TEST_SPHERE) == SCREE_SUPPORTS_ONE &&
               answer(s, TEST_SPHERE, TEST_PLANE) == SCREE_SUPPORTS_ONE &&
               answer(s, TEST_DISC, TEST_DISC) == SCREE_SUPPORTS_NOT &&
               answer(s, TEST_MESH, TEST_MESH) == SCREE_SUPPORTS_NOT,
           "it reports the shapes that it supports");
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int i = 1; i < argc; i++) {
        subject solid;
        if (i == 2 && !__builtin_cpu_supports("avx2"))
            break;
        start_resolver(&solid, argv[i], 3, NULL);
        test_bent_patch(&solid);
        test_concave(&solid);
        test_hole(&solid);
        test_far_facets(&solid);
        test_renumbered(&solid);
        test_refusals(&solid);
        stop_resolver(&solid);
    }
    return tap_end();
}
