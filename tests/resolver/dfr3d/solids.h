/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of `dfr3d` without a host: functions, meshes that have holes, winding numbers. */
#ifndef TEST_RESOLVER_SOLIDS_H
#define TEST_RESOLVER_SOLIDS_H

#include "../../tap.h"
#include "dfr3d/pair.h"

#define PI 3.14159265358979323846

static uint64_t random_state = 88172645463325252ull;

/* xorshift64: uniform in [low, high). */
__attribute__((unused)) static double uniform(double low, double high)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return low + (high - low) * scree_uniform(random_state);
}

/* ---- functions ---- */

enum { ELLIPSOID, TORUS, CHEESE, SADDLE };

/** A solid by a function. */
typedef struct solid {
    int kind;
    double axes[3]; // half axes; of a torus: ring, tube
} solid;

/* Holes of the cheese: two tunnels along x, one along y, a cavity. */
static double cheese(const double *x)
{
    double f = sqrt(dot(x, x)) - 1.0;
    const double one = 0.2 - sqrt((x[1] - 0.4) * (x[1] - 0.4) + x[2] * x[2]);
    const double two = 0.25 - sqrt((x[1] + 0.4) * (x[1] + 0.4) + (x[2] - 0.1) * (x[2] - 0.1));
    const double three = 0.15 - sqrt((x[0] - 0.3) * (x[0] - 0.3) + (x[2] + 0.5) * (x[2] + 0.5));
    const double cavity = 0.2 - sqrt(x[0] * x[0] + x[1] * x[1] + (x[2] - 0.6) * (x[2] - 0.6));
    f = scree_max(f, one);
    f = scree_max(f, two);
    f = scree_max(f, three);
    return scree_max(f, cavity);
}

static double value_of(const solid *s, const double *x)
{
    double sum = 0.0;
    if (s->kind == CHEESE)
        return cheese(x);
    if (s->kind == TORUS) {
        const double out = sqrt(x[0] * x[0] + x[1] * x[1]) - s->axes[0];
        return sqrt(out * out + x[2] * x[2]) - s->axes[1];
    }
    for (int k = 0; k < 3; k++)
        sum += x[k] * x[k] / (s->axes[k] * s->axes[k]);
    return sum - 1.0;
}

static void values(const void *ctx, uint32_t n, const double *const x[3], double *value,
                   double *const gradient[3])
{
    for (uint32_t i = 0; i < n; i++) {
        const double at[3] = {x[0][i], x[1][i], x[2][i]};
        value[i] = value_of(ctx, at);
    }
}

/** A body of that function; the grid is exactly [-half, half] with n cells. */
static inline int make_exact(const solid *s, const double half[3], const uint32_t n[3],
                             dfr_body *out)
{
    const scree_implicit view = {.size = sizeof view, .ctx = s, .value = values};
    cubes_field field;
    cubes_grid grid;
    cubes_field_function(&field, &view);
    for (int k = 0; k < 3; k++) {
        grid.origin[k] = -half[k];
        grid.cell[k] = 2.0 * half[k] / n[k];
        grid.n[k] = n[k];
    }
    return dfr_body_make(out, &grid, &field);
}

/** A body as the plugin makes it. */
static inline int make_around(const solid *s, const double half[3], uint32_t cells, dfr_body *out)
{
    const scree_implicit view = {.size = sizeof view, .ctx = s, .value = values};
    const double lo[3] = {-half[0], -half[1], -half[2]};
    cubes_field field;
    cubes_grid grid;
    cubes_field_function(&field, &view);
    cubes_grid_around(&grid, lo, half, cells, 0.0);
    return dfr_body_make(out, &grid, &field);
}

/* ---- meshes ---- */

/** A mesh with room for its arrays. */
typedef struct test_mesh {
    scree_mesh view;
    double *x[3];
    uint32_t *facet;
} test_mesh;

static inline void free_mesh(test_mesh *m)
{
    for (int k = 0; k < 3; k++)
        free(m->x[k]);
    free(m->facet);
}

static inline void new_mesh(test_mesh *m, uint32_t n_vertices, uint32_t n_facets)
{
    for (int k = 0; k < 3; k++)
        m->x[k] = malloc(n_vertices * sizeof(double));
    m->facet = malloc(4ull * n_facets * sizeof *m->facet);
    m->view = (scree_mesh){.size = sizeof m->view,
                           .closed = 1,
                           .n_vertices = n_vertices,
                           .n_facets = n_facets,
                           .vertex = {m->x[0], m->x[1], m->x[2]},
                           .facet = m->facet};
}

/** The facets of a body as a mesh. */
static inline void mesh_of_body(const dfr_body *b, test_mesh *m)
{
    new_mesh(m, b->n_vertices, b->n_facets);
    for (uint32_t v = 0; v < b->n_vertices; v++)
        for (int k = 0; k < 3; k++)
            m->x[k][v] = b->vertex[v][k];
    for (uint32_t f = 0; f < b->n_facets; f++)
        for (int k = 0; k < 4; k++)
            m->facet[4 * f + (uint32_t)k] = k < 3 ? b->facet[f][k] : SCREE_NONE;
}

/** A box of half sides, as quads; `turned` about (1, 1, 0) by that angle [rad]. */
static inline void mesh_of_box(const double half[3], double turned, test_mesh *m)
{
    static const uint32_t quads[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                       2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    const double s = sin(0.5 * turned) / sqrt(2.0), q[4] = {cos(0.5 * turned), s, s, 0.0};
    new_mesh(m, 8, 6);
    memcpy(m->facet, quads, sizeof quads);
    for (uint32_t v = 0; v < 8; v++) {
        double x[3];
        for (uint32_t k = 0; k < 3; k++)
            x[k] = v >> k & 1 ? half[k] : -half[k];
        scree_rotate(q, x, x);
        for (int k = 0; k < 3; k++)
            m->x[k][v] = x[k];
    }
}

/** A body of a mesh, as the plugin makes it. */
static inline int make_of_mesh(const scree_mesh *mesh, uint32_t cells, dfr_body *out)
{
    double lo[3], hi[3];
    cubes_field field;
    cubes_grid grid;
    for (int k = 0; k < 3; k++) {
        lo[k] = hi[k] = mesh->vertex[k][0];
        for (uint32_t v = 0; v < mesh->n_vertices; v++) {
            lo[k] = scree_min(lo[k], mesh->vertex[k][v]);
            hi[k] = scree_max(hi[k], mesh->vertex[k][v]);
        }
    }
    cubes_grid_around(&grid, lo, hi, cells, 0.0);
    if (!dfr_field_mesh(&field, mesh, &grid))
        return SCREE_E_MEMORY;
    const int status = dfr_body_make(out, &grid, &field);
    dfr_field_free(&field);
    return status;
}

/* ---- poses, one call ---- */

/** b at t, turned by a unit quaternion, in the frame of a. */
static inline dfr_pose pose_at(const double t[3], const double q[4])
{
    dfr_pose pose = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .ratio = 1.0, .scale = 1.0};
    for (int k = 0; k < 3; k++) {
        double e[3] = {0}, x[3];
        e[k] = 1.0;
        scree_rotate(q, e, x);
        for (int m = 0; m < 3; m++)
            pose.r[m][k] = x[m];
        pose.t[k] = t[k];
    }
    return pose;
}

static inline void random_turn(double q[4])
{
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        q[k] = uniform(-1.0, 1.0);
        sum += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(sum);
}

/** Memory of calls. */
typedef struct workbench {
    dfr_work work;
    void *memory;
} workbench;

static inline void bench_start(workbench *b, const dfr_body *x, const dfr_body *y)
{
    const uint32_t v = x->n_vertices > y->n_vertices ? x->n_vertices : y->n_vertices;
    const uint32_t f = x->n_facets > y->n_facets ? x->n_facets : y->n_facets;
    const dfr_sizes sizes = {.vertices = v, .facets = f};
    const uint32_t room = 1u << 16;
    b->memory = malloc(dfr_work_bytes(&sizes, room) + 64);
    const uintptr_t at = ((uintptr_t)b->memory + 63) / 64 * 64;
    void *aligned;
    memcpy(&aligned, &at, sizeof aligned);
    dfr_work_place(&b->work, aligned, &sizes, room);
}

static inline void bench_stop(workbench *b)
{
    free(b->memory);
}

#endif
