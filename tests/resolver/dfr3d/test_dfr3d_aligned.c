// SPDX-License-Identifier: Apache-2.0
// Claims about bodies of dfr3d whose faces lie exactly in line, or that have one centre.
#include "least_translation.h"

static const double ONE[3] = {1.0, 1.0, 1.0};
static const solid RING = {TORUS, {0.75, 0.25, 0.0}};
static const double NOT_TURNED[4] = {1.0, 0.0, 0.0, 0.0};

static int make_tetrahedron(dfr_body *out)
{
    static const uint32_t facets[16] = {0, 2, 1, SCREE_NONE, 0, 1, 3, SCREE_NONE,
                                        1, 2, 3, SCREE_NONE, 0, 3, 2, SCREE_NONE};
    test_mesh m;
    new_mesh(&m, 4, 4);
    memcpy(m.facet, facets, sizeof facets);
    for (int v = 0; v < 4; v++)
        for (int k = 0; k < 3; k++)
            m.x[k][v] = k + 1 == v ? 0.5 : -0.5;
    const int status = make_of_mesh(&m.view, 6, out);
    free_mesh(&m);
    return status;
}

static int make_box(double x, double y, double z, uint32_t cells, dfr_body *out)
{
    const double half[3] = {x, y, z};
    test_mesh m;
    mesh_of_box(half, 0.0, &m);
    const int status = make_of_mesh(&m.view, cells, out);
    free_mesh(&m);
    return status;
}

/* Contacts of one call: ascending features, no two at one place along one normal. */
static int is_orderly(const dfr_contact *c, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (c[i].feature <= c[k].feature ||
                (distance2(c[i].point, c[k].point) < 1e-14 && dot(c[i].normal, c[k].normal) > 0.99))
                return 0;
    return 1;
}

/** Counts of faults of pairs at exact coordinates. */
typedef struct faults {
    uint32_t n, depth, order, apart;
} faults;

static void try_aligned(workbench *w, const dfr_body *a, const dfr_body *b, const double *t,
                        const double *q, faults *found)
{
    const dfr_pose pose = pose_at(t, q);
    const double expected = least_translation(a, b, &pose);
    double deepest = 0.0;
    dfr_contact c[64];
    dfr_work_start(&w->work, a, b);
    const uint32_t n = dfr_pair(&w->work, &pose, 1, c, 64);
    int parts = 1;
    for (uint32_t i = 0; i < n; i++) {
        deepest = scree_max(deepest, c[i].depth);
        parts = parts && fabs(along(a, b, &pose, c[i].normal) - c[i].depth) < 1e-9;
    }
    found->n++;
    found->depth += fabs(deepest - scree_max(expected, 0.0)) > 1e-9;
    found->order += !is_orderly(c, n);
    found->apart += !parts;
}

/* Boxes and a tetrahedron at coordinates that are exact fractions, in right angles, and within 1e-12 and 1e-15 of them,
 * against all axes. */
static void test_aligned(void)
{
    enum { SHAPES = 5, TURNS = 6 };
    static const double hs = 0.70710678118654752,
                        fraction[] = {0, 0.1, 0.25, 1.0 / 3, 0.5, 0.75, 0.999, 1};
    static const double turn_of[TURNS][4] = {{1, 0, 0, 0},   {hs, hs, 0, 0}, {hs, 0, hs, 0},
                                             {hs, 0, 0, hs}, {0, 0, 0, 1},   {0.5, 0.5, 0.5, 0.5}};
    static const double deep[] = {1e-3, 1e-2, 0.1}, off[] = {0.0, 1e-12, 1e-15};
    dfr_body b[SHAPES];
    faults found = {0};
    workbench w;
    int fine = make_box(0.5, 0.5, 0.5, 4, &b[0]) == SCREE_OK &&
               make_box(0.5, 0.5, 0.5, 5, &b[1]) == SCREE_OK;
    fine = fine && make_box(0.25, 0.25, 0.25, 4, &b[2]) == SCREE_OK;
    fine = fine && make_box(0.5, 0.25, 0.75, 6, &b[3]) == SCREE_OK &&
           make_tetrahedron(&b[4]) == SCREE_OK;
    printf("# a tetrahedron in 6 cells: volume %.6f of 1/6\n", b[4].volume);
    tap_ok(fine && b[4].convex && b[4].n_faces == 4 && fabs(b[4].volume - 1.0 / 6.0) < 2e-4,
           "a tetrahedron keeps its volume and its four faces, and is convex");
    const int n_pairs = fine ? SHAPES * SHAPES : 0;
    bench_start(&w, &b[1], &b[1]);
    for (int pair = 0; pair < n_pairs; pair++)
        for (int i = 0; i < 18 * TURNS; i++) {
            const dfr_body *x = &b[pair / SHAPES], *y = &b[pair % SHAPES];
            const int axis = i % 3;
            const double *q = turn_of[i / 18];
            double t[3], down[3] = {0};
            for (int k = 0; k < 3; k++)
                t[k] = (uniform(-1, 1) < 0 ? -1 : 1) * fraction[(int)uniform(0, 8)];
            down[axis] = 1.0;
            t[axis] = 0.0;
            const dfr_pose at = pose_at(t, q);
            t[axis] = along(x, y, &at, down) - deep[i / 3 % 3]; // overlap along that axis
            for (int k = 0; k < 3; k++)
                t[k] += uniform(-1, 1) * off[i / 6 % 3];
            try_aligned(&w, x, y, t, q, &found);
        }
    printf("# %u pairs in line: %u depths off by more than 1e-9 m, %u out of order or double, %u "
           "not parted by depth\n",
           found.n, found.depth, found.order, found.apart);
    tap_ok(fine && found.n == 2700 && found.depth + found.order + found.apart == 0,
           "bodies whose faces lie exactly in line have the least translation, each touch once");
    const double same[3] = {0}, fixed[3] = {0.999, 0, 0};
    dfr_contact c[64];
    dfr_pose pose = pose_at(same, NOT_TURNED);
    dfr_work_start(&w.work, &b[0], &b[0]);
    uint32_t n = dfr_pair(&w.work, &pose, 1, c, 64);
    tap_ok(fine && n == 4 && is_orderly(c, n) && fabs(c[0].depth - 1.0) < 1e-9,
           "concentric cubes have four contacts, in order");
    pose = pose_at(fixed, NOT_TURNED);
    dfr_work_start(&w.work, &b[0], &b[0]);
    n = dfr_pair(&w.work, &pose, 1, c, 64);
    tap_ok(fine && n == 4 && fabs(c[0].depth - 1e-3) < 1e-12,
           "cubes side by side, 0.999 apart: four contacts of 0.001 m");
    bench_stop(&w);
    for (int k = 0; k < SHAPES; k++)
        dfr_body_clear(&b[k]);
}

/* L-blocks, a cube and a ring: exact places give what the same pair gives 1e-7 m away, one way or the other. Shallow
 * ones: deep bodies with notches have several ways out. */
static void test_aligned_hollow(void)
{
    static const double fraction[] = {0, 0.1, 0.25, 0.5, 0.75};
    uint32_t n_pairs = 0, jumps = 0, order = 0, n_touch = 0;
    dfr_body b[3];
    test_mesh m;
    workbench w;
    const int fine = make_block(&b[0], &m) == SCREE_OK &&
                     make_box(0.5, 0.5, 0.5, 8, &b[1]) == SCREE_OK &&
                     make_around(&RING, ONE, 16, &b[2]) == SCREE_OK;
    if (!fine) {
        tap_ok(0, "bodies with notches and holes are made");
        return;
    }
    bench_start(&w, &b[0], b[2].n_facets > b[0].n_facets ? &b[2] : &b[0]);
    for (int i = 0; i < 9 * 60; i++) {
        const dfr_body *x = &b[i % 3], *y = &b[i / 3 % 3];
        const int axis = i / 9 % 3;
        double t[3], depth[3] = {0};
        for (int k = 0; k < 3; k++)
            t[k] = (uniform(-1, 1) < 0 ? -1 : 1) * fraction[(int)uniform(0, 5)];
        t[axis] = x->hi[axis] - y->lo[axis] - (i / 27 % 2 ? 1e-3 : 0.0);
        for (int s = 0; s < 3; s++) {
            const double by = 1e-7 * (s == 2 ? -1 : s),
                         at[3] = {t[0] + 0.37 * by, t[1] + 0.61 * by, t[2] - 0.23 * by};
            const dfr_pose pose = pose_at(at, NOT_TURNED);
            dfr_contact c[64];
            dfr_work_start(&w.work, x, y);
            const uint32_t n = dfr_pair(&w.work, &pose, 1, c, 64);
            order += !is_orderly(c, n);
            n_touch += s == 0 && n > 0;
            for (uint32_t k = 0; k < n; k++)
                depth[s] = scree_max(depth[s], c[k].depth);
        }
        n_pairs++;
        jumps += fabs(depth[0] - depth[1]) > 1e-6 && fabs(depth[0] - depth[2]) > 1e-6;
    }
    printf("# %u pairs with notches and holes in line, %u touch: %u depths unlike those 1e-7 m "
           "away, %u "
           "out of order\n",
           n_pairs, n_touch, jumps, order);
    tap_ok(n_touch > 100 && jumps == 0 && order == 0,
           "L-blocks, cubes and rings exactly in line have the depths of those next to them");
    bench_stop(&w);
    free_mesh(&m);
    for (int k = 0; k < 3; k++)
        dfr_body_clear(&b[k]);
}

int main(void)
{
    test_aligned();
    test_aligned_hollow();
    return tap_end();
}
