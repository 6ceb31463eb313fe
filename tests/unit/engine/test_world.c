/* SPDX-License-Identifier: Apache-2.0 */
/* Storage of bodies: sorting, dropping, posing, finding, copying, packed shifts. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "base/exact_sum.h"
#include "base/random.h"
#include "engine/body_index.h"
#include "engine/leaves.h"
#include "engine/pose.h"

enum { N = 200, FIELDS = 2, SPHERE = 0, PLANE = 2 }; /* shapes 0 and 1 are the host's own */

static const char frame[] =
    "scene = { dimension = 3; dt = 1.0; };\n" GLASS
    "shapes = { wall = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };\n" BALL LINEAR;

static double unit(uint64_t id, uint64_t k)
{
    return scree_random_unit(3, 0, id, k);
}

/** A value that only this body has at place k. */
static double tag(uint64_t id, int k)
{
    return (double)id + 0.001 * k;
}

/** Visits the columns that no body spec sets: writes their tags, or checks them. */
static void visit(scree_world *w, uint32_t i, bool check)
{
    double *place[64];
    int n = 0;
    for (int k = 0; k < 3; k++) {
        double *const of[] = {w->v[k], w->w[k]};
        for (int c = 0; c < 2; c++)
            place[n++] = of[c] + i;
    }
    for (int k = 0; k < 4; k++)
        place[n++] = w->q[k] + i;
    for (int k = 0; k < 13; k++)
        place[n++] = w->anchor[k] + i;
    for (int k = 0; k < SCREE_WRENCH; k++)
        place[n++] = w->wrench + i * SCREE_WRENCH + k;
    for (int k = 0; k < FIELDS; k++)
        place[n++] = w->field[k] + i;
    double *const of[] = {w->scale,    w->radius,         w->mass,
                          w->inv_mass, w->inv_inertia[0], w->anchor_time};
    for (int c = 0; c < 6; c++)
        place[n++] = of[c] + i;
    for (int k = 0; k < n; k++) {
        if (!check)
            *place[k] = tag(w->id[i], k);
        g_assert_cmpfloat(*place[k], ==, tag(w->id[i], k));
    }
    for (int k = 0; k < 3; k++) {
        if (!check)
            w->image[k][i] = (int32_t)w->id[i] - k;
        g_assert_cmpint(w->image[k][i], ==, (int32_t)w->id[i] - k);
        g_assert_cmpfloat(w->x[k][i], ==, 100.0 * unit(w->id[i], (uint64_t)k) - 50.0);
    }
    if (!check)
        w->isotropic[i] = (uint8_t)(w->id[i] % 251);
    g_assert_cmpuint(w->isotropic[i], ==, w->id[i] % 251);
    g_assert_cmpuint(w->group[i], ==, w->id[i] + 5);
    g_assert_cmpuint(w->shape[i], ==, w->id[i] % 11 == 0 ? PLANE : SPHERE);
    g_assert_cmpuint(w->motion[i], ==, w->id[i] % 3);
}

/** N bodies, ids in a scrambled order, of all motions; every eleventh is a plane. */
static scree_world *new_world(const scree_scene *scene)
{
    scree_world *w = scree_world_new(scene, FIELDS);
    for (uint64_t k = 0; k < N; k++) {
        uint64_t id = k * 77 % N;
        scree_body body = {.id = id,
                           .shape = id % 11 == 0 ? PLANE : SPHERE,
                           .motion = (uint32_t)(id % 3),
                           .group = (uint32_t)id + 5,
                           .scale = 1.0,
                           .q = {1.0}};
        for (int c = 0; c < 3; c++)
            body.x[c] = 100.0 * unit(id, (uint64_t)c) - 50.0;
        scree_world_add(w, &body, 0.0);
        visit(w, w->n - 1, false);
    }
    return w;
}

/** Sorts as a run does, in the memory of the mirrors; checks its report of the numbers. */
static bool sort(scree_world *w, double cell, const uint8_t *dead)
{
    uint32_t n_old = w->n, n_kept = 0;
    g_autofree uint64_t *id = g_memdup2(w->id, n_old * sizeof *id);
    g_autofree uint32_t *new_of_old = g_new(uint32_t, n_old);
    scree_scratch *scratch = scree_scratch_new();
    scree_world_lend(w, scratch);
    bool changed = scree_world_sort(w, cell, dead, new_of_old, scratch);
    scree_scratch_end(scratch);
    g_assert_cmpuint(scree_scratch_bytes(scratch), <=, n_old < 64 ? 8192 : 0); // lent is enough
    scree_scratch_free(scratch);
    for (uint32_t i = 0; i < n_old; i++) {
        g_assert_cmpint(new_of_old[i] == SCREE_NONE, ==, dead && dead[i]);
        if (new_of_old[i] == SCREE_NONE)
            continue;
        g_assert_cmpuint(w->id[new_of_old[i]], ==, id[i]);
        n_kept++;
    }
    g_assert_cmpuint(n_kept, ==, w->n);
    return changed;
}

TEST("/world/sort-keeps-every-column-together")
{
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = new_world(scene);
    g_assert_true(sort(w, 7.0, NULL));
    for (uint32_t i = 0; i < N; i++)
        visit(w, i, true);
    g_assert_false(sort(w, 7.0, NULL)); // sorted already
    scree_world_free(w);
}

TEST("/world/free-kinematic-fixed-planes")
{
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = new_world(scene);
    uint32_t count[4] = {0}, last = 0, led = 0;
    sort(w, 0.0, NULL);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t class = w->shape[i] == PLANE ? 3 : w->motion[i];
        g_assert_cmpuint(class, >=, last);
        count[last = class]++;
        led += w->motion[i] == SCREE_MOTION_KINEMATIC;
    }
    g_assert_cmpuint(w->n_free, ==, count[SCREE_MOTION_FREE]);
    g_assert_cmpuint(w->n_kinematic, ==, led); // among the planes, too
    g_assert_cmpuint(w->n_planes, ==, count[3]);
    g_assert_cmpuint(scree_world_first_plane(w), ==, N - count[3]);
    scree_world_free(w);
}

/** Which of two places comes first on the Morton curve: the axis whose cells differ in the highest
 * bit decides, z before y before x. */
static int compare_cells(const scree_world *w, uint32_t i, uint32_t j, double cell)
{
    uint32_t highest = 0;
    int order = 0;
    for (int k = 0; k < 3; k++) {
        uint32_t a = (uint32_t)((int32_t)floor(w->x[k][i] / cell) + 1048576);
        uint32_t b = (uint32_t)((int32_t)floor(w->x[k][j] / cell) + 1048576);
        uint32_t bit = a == b ? 0 : g_bit_storage(a ^ b);
        if (bit && bit >= highest) {
            highest = bit;
            order = a < b ? -1 : 1;
        }
    }
    return order;
}

TEST("/world/free-bodies-follow-the-morton-curve")
{
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = new_world(scene);
    uint32_t shared = 0;
    sort(w, 21.0, NULL);
    for (uint32_t i = 1; i < w->n_free; i++) {
        int order = compare_cells(w, i - 1, i, 21.0);
        g_assert_cmpint(order, <=, 0);
        g_assert_true(order < 0 || w->id[i - 1] < w->id[i]);
        shared += order == 0;
    }
    g_assert_cmpuint(shared, >, 3);
    for (uint32_t i = w->n_free + 1; i < scree_world_first_plane(w); i++)
        if (w->motion[i] == w->motion[i - 1])
            g_assert_cmpuint(w->id[i - 1], <, w->id[i]); // a body that is not free has no cell
    scree_world_free(w);
}

TEST("/world/the-dead-leave-the-others-in-order")
{
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = new_world(scene);
    sort(w, 7.0, NULL);
    g_autoptr(GArray) expected = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    g_autofree uint8_t *dead = g_new0(uint8_t, N);
    for (uint32_t i = 0; i < N; i++) {
        dead[i] = w->id[i] % 4 == 1;
        if (!dead[i])
            g_array_append_val(expected, w->id[i]);
    }
    g_assert_true(sort(w, 0.0, dead));
    g_assert_cmpmem(w->id, w->n * sizeof *w->id, expected->data, expected->len * sizeof *w->id);
    for (uint32_t i = 0; i < w->n; i++)
        visit(w, i, true);
    g_assert_cmpuint(w->next_id, ==, N); // ids are not used again
    scree_world_free(w);
}

static void rotate(const double q[4], const double v[3], double out[3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int k = 0; k < 3; k++)
        out[k] = m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2];
}

/** v turned by the vector r: Rodrigues' formula. */
static void rodrigues(const double r[3], const double v[3], double out[3])
{
    double angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]), dot = 0.0, e[3];
    for (int k = 0; k < 3; k++) {
        e[k] = r[k] / angle;
        dot += e[k] * v[k];
    }
    for (int k = 0; k < 3; k++) {
        double cross = e[(k + 1) % 3] * v[(k + 2) % 3] - e[(k + 2) % 3] * v[(k + 1) % 3];
        out[k] = v[k] * cos(angle) + cross * sin(angle) + e[k] * dot * (1.0 - cos(angle));
    }
}

TEST("/world/a-kinematic-body-is-where-rodrigues-says")
{
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = scree_world_new(scene, 0);
    const double start = 2.0, p[3] = {0.3, -1.0, 0.7}, spin[3] = {3.0, -4.0, 1.5};
    scree_body body = {.motion = SCREE_MOTION_KINEMATIC,
                       .scale = 1.0,
                       .q = {0.5, 0.5, -0.5, 0.5},
                       .x = {1.0, 2.0, 3.0},
                       .v = {-0.1, 0.2, 0.4},
                       .w = {3.0, -4.0, 1.5}};
    scree_world_add(w, &body, start);
    sort(w, 0.0, NULL);
    for (double t = 9.0; t > 0.1; t *= 0.7) { // back in time: nothing adds up
        double turn[3], before[3], expected[3], got[3], q[4];
        scree_world_pose(w, start + t);
        for (int k = 0; k < 3; k++) {
            turn[k] = spin[k] * (start + t - start);
            assert_near(w->x[k][0], body.x[k] + body.v[k] * t, 1e-14);
        }
        for (int k = 0; k < 4; k++)
            q[k] = w->q[k][0];
        rotate(body.q, p, before);
        rodrigues(turn, before, expected);
        rotate(q, p, got);
        for (int k = 0; k < 3; k++)
            assert_near(got[k], expected[k], 1e-13);
    }
    scree_world_pose(w, start);
    for (int k = 0; k < 4; k++)
        g_assert_cmpfloat(w->q[k][0], ==, body.q[k]);
    scree_world_free(w);
}

TEST("/world/each-id-is-found")
{
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = new_world(scene);
    sort(w, 7.0, NULL);
    g_autofree uint32_t *by_id = scree_body_index_new(w);
    for (uint32_t i = 0; i < N; i++)
        g_assert_cmpuint(scree_body_index_find(w, by_id, w->id[i]), ==, i);
    g_assert_cmpuint(scree_body_index_find(w, by_id, N), ==, SCREE_NONE);
    g_assert_cmpuint(scree_body_index_find(w, by_id, UINT64_MAX), ==, SCREE_NONE);
    scree_world_free(w);
}

TEST("/world/shifts-pack-in-order-and-come-back")
{
    static const int32_t of[] = {-SCREE_SHIFT_BIAS + 1, -3, -1, 0, 1, 2, SCREE_SHIFT_BIAS - 1};
    scree_cells last = 0;
    for (size_t a = 0; a < 7; a++)
        for (size_t b = 0; b < 7; b++)
            for (size_t c = 0; c < 7; c++) {
                const int32_t s[3] = {of[a], of[b], of[c]}, minus[3] = {-s[0], -s[1], -s[2]};
                int32_t back[3];
                scree_cells packed = scree_shift_pack(s);
                scree_shift_unpack(packed, back);
                g_assert_cmpmem(back, sizeof back, s, sizeof s);
                g_assert_cmpuint(scree_shift_negate(packed), ==, scree_shift_pack(minus));
                g_assert_cmpuint(packed, >, last); // packed in the order of x, y, z
                last = packed;
            }
    const int32_t none[3] = {0, 0, 0};
    g_assert_cmpuint(scree_shift_pack(none), ==, SCREE_SHIFT_ZERO);
}

TEST("/world/a-copy-shares-nothing")
{
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = new_world(scene), *copy = scree_world_copy(w);
    sort(w, 7.0, NULL); // shares nothing with the copy
    for (uint32_t i = 0; i < w->n; i++)
        memset(w->wrench + i * SCREE_WRENCH, 0, sizeof *w->wrench);
    g_assert_cmpuint(copy->n, ==, N);
    for (uint32_t i = 0; i < copy->n; i++)
        visit(copy, i, true);
    scree_world_free(w);
    scree_body body = {.id = N, .scale = 1.0, .q = {1.0}};
    scree_world_add(copy, &body, 0.0); // and grows by itself
    for (uint32_t i = 0; i < N; i++)
        visit(copy, i, true);
    scree_world_free(copy);
}

TEST("/world/a-second-copy-replaces-the-first")
{
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = new_world(scene), *copy = scree_world_copy(w);
    for (uint32_t i = 0; i < copy->n; i++)
        for (int k = 0; k < 3; k++)
            copy->x[k][i] = copy->v[k][i] = copy->w[k][i] = copy->q[k][i] = -1.0;
    memset(copy->wrench, 0, copy->n * SCREE_WRENCH * sizeof *copy->wrench);
    memset(copy->image[2], 0, copy->n * sizeof *copy->image[2]);
    memset(copy->isotropic, 0, copy->n * sizeof *copy->isotropic);
    g_assert_true(scree_world_copy_again(copy, w) == copy); // in the memory that it has
    scree_world_free(w);
    for (uint32_t i = 0; i < N; i++)
        visit(copy, i, true);
    scree_world_free(copy);
}

/* The largest radius is kept, until a body gets another size, or the largest one dies. */
TEST("/world/the-largest-free-body-follows-its-size-and-its-death")
{
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = new_world(scene);
    uint8_t dead[N] = {0};
    sort(w, 0.0, NULL);
    const double first = scree_world_largest(w);
    const double was = w->scale[1];
    g_assert_cmpfloat(first, >, 0.0);
    w->scale[1] *= 100.0 * first / w->radius[1];
    scree_world_measure(w, 1);
    g_assert_cmpfloat(scree_world_largest(w), ==, w->radius[1]);
    g_assert_cmpfloat(w->radius[1], >, 50.0 * first);
    scree_world *copy = scree_world_copy(w);
    w->scale[1] = was;
    scree_world_measure(w, 1);
    g_assert_cmpfloat(scree_world_largest(w), ==, first);
    dead[1] = 1;
    sort(copy, 0.0, dead);
    g_assert_cmpfloat(scree_world_largest(copy), <=, first);
    scree_world_copy_again(w, copy);
    g_assert_cmpfloat(scree_world_largest(w), ==, scree_world_largest(copy));
    scree_world_free(w);
    scree_world_free(copy);
}

/* A first cache has room for eight lines of one place in a page; a step needs five of them for the
 * lines of wrenches, mirrors and references. */
TEST("/world/at-most-three-arrays-of-a-step-begin-at-one-place-of-a-page")
{
    enum { PAGE = 4096, PLACES = 8 };
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = scree_world_new(scene, 0);
    for (uint32_t n = 10000; n <= 100000; n *= 10) {
        uint32_t begin[PLACES] = {0};
        scree_world_reserve(w, n);
        const double *const of[] = {w->x[0], w->x[1],   w->x[2],          w->v[0], w->v[1],
                                    w->v[2], w->w[0],   w->w[1],          w->w[2], w->inv_mass,
                                    w->mass, w->radius, w->inv_inertia[0]};
        for (size_t k = 0; k < G_N_ELEMENTS(of); k++) {
            g_assert_cmpuint((uintptr_t)of[k] % 64, ==, 0);
            begin[(uintptr_t)of[k] % PAGE / (PAGE / PLACES)]++;
        }
        for (int k = 0; k < PLACES; k++)
            g_assert_cmpuint(begin[k], <=, 3);
    }
    scree_world_free(w);
}

enum { BALLS = 6400 };
static const double CELL = 7.0;

static scree_body ball(uint64_t id)
{
    scree_body body = {
        .id = id, .shape = SPHERE, .motion = SCREE_MOTION_FREE, .scale = 1.0, .q = {1.0}};
    for (int c = 0; c < 3; c++)
        body.x[c] = 100.0 * unit(id, (uint64_t)c) - 50.0;
    return body;
}

/** Free balls and two that are not free, in leaves. */
static scree_world *new_leaves(const scree_scene *scene)
{
    scree_world *w = scree_world_new(scene, 0);
    for (uint64_t id = 0; id < BALLS + 2; id++) {
        scree_body body = ball(id);
        body.motion = id < BALLS ? SCREE_MOTION_FREE : SCREE_MOTION_FIXED;
        scree_world_add(w, &body, 0.0);
    }
    sort(w, CELL, NULL);
    return w;
}

TEST("/world/leaves-of-64-in-the-order-of-storage")
{
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = new_leaves(scene);
    g_assert_cmpuint(w->n_leaves, ==, BALLS / SCREE_SUM_LEAF);
    for (uint64_t i = 0; i < BALLS; i++)
        g_assert_cmpuint(w->number[i], ==, i / 64 << 32 | i % 64);
    for (uint32_t i = BALLS; i < BALLS + 2; i++) // behind all free ones
        g_assert_cmpuint(w->number[i], ==, UINT64_C(2) << 62 | (i - BALLS));
    scree_world_free(w);
}

TEST("/world/a-newcomer-follows-the-bodies-of-its-place")
{
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = new_leaves(scene);
    for (uint32_t k = 0; k < 500; k++) {
        const uint32_t n = w->n;
        g_autofree uint64_t *id = g_memdup2(w->id, n * sizeof *id);
        g_autofree uint64_t *number = g_memdup2(w->number, n * sizeof *number);
        const scree_body body = ball(BALLS + 2 + k);
        scree_world_add(w, &body, 0.0);
        sort(w, 0.0, NULL);
        uint32_t at = 0;
        while (w->id[at] != body.id)
            at++;
        g_assert_cmpuint(at, <, w->n_free);
        for (uint32_t i = 0; i < n; i++) { // the others keep number and order
            g_assert_cmpuint(w->id[i + (i >= at)], ==, id[i]);
            g_assert_cmpuint(w->number[i + (i >= at)], ==, number[i]);
        }
        // it is behind a body of its leaf, whose first body is not behind its place
        g_assert_cmpuint(w->number[at] >> 32, ==, w->number[at - 1] >> 32);
        uint32_t first = at;
        while (first > 0 && w->number[first - 1] >> 32 == w->number[at] >> 32)
            first--;
        g_assert_cmpint(first == 0 ? 0 : compare_cells(w, first, at, CELL), <=, 0);
        if (at + 1 < w->n_free) // the next leaf begins behind it
            g_assert_cmpint(compare_cells(w, at, at + 1, CELL), <, 0);
    }
    scree_world_free(w);
}

TEST("/world/one-that-leaves-leaves-a-hole-until-all-are-renumbered")
{
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = new_leaves(scene), *copy;
    g_autofree uint8_t *dead = g_new0(uint8_t, w->n);
    dead[70] = 1;
    sort(w, 0.0, dead);
    g_assert_cmpuint(w->number[70], ==, UINT64_C(1) << 32 | 7);
    g_assert_cmpuint(w->leaf[1].slots, ==, 64);
    const scree_body body = {
        .id = 2 * BALLS, .scale = 1.0, .q = {1.0}, .x = {w->x[0][64], w->x[1][64], w->x[2][64]}};
    copy = scree_world_copy(w);
    scree_world *const both[] = {w, copy};
    for (int k = 0; k < 2; k++) { // a copy continues with the same leaves
        scree_world_add(both[k], &body, 0.0);
        sort(both[k], 0.0, NULL);
        g_assert_cmpuint(scree_leaf_end(both[k]->number, both[k]->n_free, 64), ==, 128);
        g_assert_cmpuint(both[k]->id[127], ==, body.id);
        g_assert_cmpuint(both[k]->number[127], ==, UINT64_C(1) << 32 | 64); // not the hole
    }
    g_assert_cmpmem(w->number, w->n * sizeof *w->number, copy->number,
                    copy->n * sizeof *copy->number);
    sort(w, CELL, NULL);
    for (uint64_t i = 0; i < BALLS; i++)
        g_assert_cmpuint(w->number[i], ==, i / 64 << 32 | i % 64);
    scree_world_free(w);
    scree_world_free(copy);
}

TEST("/world/a-crowded-leaf-asks-for-new-numbers")
{
    enum { MOST = 1024 + BALLS / 256 };
    g_autoptr(scree_scene) scene = fixture_scene(frame);
    scree_world *w = new_leaves(scene);
    scree_body body = ball(17);
    for (uint64_t k = 0; k < MOST - 64; k++) {
        body.id = 2 * BALLS + k;
        scree_world_add(w, &body, 0.0);
    }
    g_assert_false(w->crowded);
    body.id++;
    scree_world_add(w, &body, 0.0);
    g_assert_true(w->crowded);
    sort(w, 0.0, NULL);
    g_assert_true(w->crowded);
    sort(w, CELL, NULL);
    g_assert_false(w->crowded);
    g_assert_cmpuint(w->leaf[w->n_leaves - 1].slots, <=, 64);
    scree_world_free(w);
}

TEST("/world/a-crowded-leaf-ends-with-the-step")
{
    g_autoptr(scree_sim) sim =
        fixture_begin(fixture_scene("scene = { dimension = 3; dt = 1.0e-3; };\n" GLASS BALL LINEAR),
                      &(scree_sim_options){0});
    sim->world->crowded = true;
    fixture_run(sim, 1);
    g_assert_false(sim->world->crowded);
}
