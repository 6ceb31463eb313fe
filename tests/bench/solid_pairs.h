/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of convex solids whose depth is known without a resolver. */
#ifndef BENCH_SOLID_PAIRS_H
#define BENCH_SOLID_PAIRS_H

#include "../resolver/solid/solid_scene.h"

typedef long double real;

/** A superquadric of half axes and one exponent: |x/a|^e + |y/b|^e + |z/c|^e = 1. */
typedef struct formula {
    double axis[3], exponent;
} formula;

/** Turns, x_b - x_a, and the depth: the least of h_a(n) + h_b(-n) - n . d over all unit n. */
typedef struct placing {
    double q[4][2], d[3];
    real n[3], depth;
} placing;

static inline real dotl(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void unit3(real a[3])
{
    const real length = sqrtl(dotl(a, a));
    for (int k = 0; k < 3; k++)
        a[k] /= length;
}

/* Rows of the matrix of body k. */
static inline void matrix_of(const placing *p, int k, real m[3][3])
{
    const real w = (real)p->q[0][k], x = (real)p->q[1][k];
    const real y = (real)p->q[2][k], z = (real)p->q[3][k];
    const real of[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(m, of, sizeof of);
}

/* The support function in closed form: the dual norm, exponent e / (e - 1), of (a n_x, b n_y, c n_z). */
static inline real height(const formula *f, real m[3][3], const real n[3])
{
    const real dual = (real)f->exponent / ((real)f->exponent - 1);
    real sum = 0;
    for (int k = 0; k < 3; k++) {
        const real along = fabsl(m[0][k] * n[0] + m[1][k] * n[1] + m[2][k] * n[2]) * f->axis[k];
        sum += dual == 2 ? along * along : powl(along, dual);
    }
    return dual == 2 ? sqrtl(sum) : powl(sum, 1 / dual);
}

typedef struct two_formulas {
    const formula *of;
    real m[2][3][3], d[3];
} two_formulas;

static inline two_formulas place_formulas(const formula *f, const placing *p)
{
    two_formulas t = {.of = f};
    for (int k = 0; k < 2; k++)
        matrix_of(p, k, t.m[k]);
    for (int k = 0; k < 3; k++)
        t.d[k] = p->d[k];
    return t;
}

/* h is even: h_b(-n) = h_b(n). */
static inline real depth_at(two_formulas *t, const real n[3])
{
    return height(t->of, t->m[0], n) + height(t->of, t->m[1], n) - dotl(n, t->d);
}

/* Goes downhill from n by steps on the sphere that halve, to 1e-11 rad: the depth is then known to
 * 1e-20, as its slope is 0. */
static inline real descend(two_formulas *t, real n[3], real step)
{
    real least = depth_at(t, n);
    while (step > 1e-11L) {
        const real *axis = fabsl(n[0]) < 0.6L ? (const real[]){1, 0, 0} : (const real[]){0, 1, 0};
        real u[3], v[3], best[3], lower = least;
        for (int k = 0; k < 3; k++)
            u[k] = axis[(k + 1) % 3] * n[(k + 2) % 3] - axis[(k + 2) % 3] * n[(k + 1) % 3];
        unit3(u);
        for (int k = 0; k < 3; k++)
            v[k] = n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3];
        for (int way = 0; way < 8; way++) {
            static const int to[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                         {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
            real at[3];
            for (int k = 0; k < 3; k++)
                at[k] = n[k] + step * (to[way][0] * u[k] + to[way][1] * v[k]);
            unit3(at);
            const real depth = depth_at(t, at);
            if (depth < lower) {
                lower = depth;
                memcpy(best, at, sizeof best);
            }
        }
        if (lower < least)
            memcpy(n, best, sizeof best);
        else
            step /= 2;
        least = lower;
    }
    return least;
}

/* The least of all: 1 500 directions, and downhill from the best five. */
static inline void find_depth(const formula *f, placing *p)
{
    enum { DIRECTIONS = 1500, STARTS = 5 };
    two_formulas t = place_formulas(f, p);
    real start[STARTS][3], value[STARTS];
    for (int s = 0; s < STARTS; s++)
        value[s] = HUGE_VALL;
    for (int i = 0; i < DIRECTIONS; i++) {
        const real z = 1 - (2 * i + 1) / (real)DIRECTIONS, r = sqrtl(1 - z * z),
                   turn = i * 2.399963229728653322L;
        const real n[3] = {r * cosl(turn), r * sinl(turn), z}, depth = depth_at(&t, n);
        int at = STARTS;
        for (; at > 0 && depth < value[at - 1]; at--)
            if (at < STARTS) {
                value[at] = value[at - 1];
                memcpy(start[at], start[at - 1], sizeof n);
            }
        if (at < STARTS) {
            value[at] = depth;
            memcpy(start[at], n, sizeof n);
        }
    }
    p->depth = HUGE_VALL;
    for (int s = 0; s < STARTS; s++) {
        const real depth = descend(&t, start[s], 0.03L);
        if (depth < p->depth) {
            p->depth = depth;
            memcpy(p->n, start[s], sizeof p->n);
        }
    }
}

/* Random turns and directions of d; then b is moved along n until they overlap by 0.001 to 0.01. */
static inline void place_pairs(fake_host *fake, const formula *f, placing *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        placing *p = &list[i];
        test_pair pair;
        init_pair(&pair, 3);
        real u[3];
        for (int k = 0; k < 2; k++)
            turn_randomly(fake, &pair, k);
        memcpy(p->q, pair.q, sizeof p->q);
        do
            for (int k = 0; k < 3; k++)
                u[k] = fake_uniform(fake, -1.0, 1.0);
        while (dotl(u, u) > 1 || dotl(u, u) < 0.01L);
        unit3(u);
        memset(p->d, 0, sizeof p->d);
        two_formulas t = place_formulas(f, p);
        const real wanted = fake_uniform(fake, 0.001, 0.01), apart = depth_at(&t, u) - wanted;
        for (int k = 0; k < 3; k++)
            p->d[k] = (double)(apart * u[k]);
        for (int round = 0; round < 8; round++) {
            find_depth(f, p);
            if (fabsl(p->depth - wanted) < 0.1L * wanted)
                break;
            for (int k = 0; k < 3; k++)
                p->d[k] += (double)((p->depth - wanted) * p->n[k]);
        }
    }
}

/* ---- the same of polyhedra: the least over normals of faces and across pairs of edges ---- */

enum { NEAR_MOST = 512 };

typedef struct near_axes {
    uint32_t n_normals, n_edges;
    real normal[NEAR_MOST][3], edge[NEAR_MOST][3];
} near_axes;

static inline void vertex_of(const scree_mesh *m, real r[3][3], uint32_t v, real out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = r[k][0] * m->vertex[0][v] + r[k][1] * m->vertex[1][v] + r[k][2] * m->vertex[2][v];
}

/* Normals, and edges of facets, within 0.3 rad of `about`. */
static inline void find_near(const scree_mesh *m, real r[3][3], const real about[3], near_axes *out)
{
    out->n_normals = out->n_edges = 0;
    for (uint32_t f = 0; f < m->n_facets; f++) {
        const uint32_t *c = m->facet + 4 * (size_t)f, corners = c[3] == SCREE_NONE ? 3 : 4;
        real x[4][3], n[3];
        for (uint32_t k = 0; k < corners; k++)
            vertex_of(m, r, c[k], x[k]);
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            n[k] = (x[1][i] - x[0][i]) * (x[2][j] - x[0][j]) -
                   (x[1][j] - x[0][j]) * (x[2][i] - x[0][i]);
        }
        unit3(n);
        if (dotl(n, about) < cosl(0.3L))
            continue;
        if (out->n_normals == NEAR_MOST || out->n_edges + 4 > NEAR_MOST)
            bail_out("too many facets about a direction");
        memcpy(out->normal[out->n_normals++], n, sizeof n);
        for (uint32_t e = 0; e < corners; e++)
            if (c[e] < c[(e + 1) % corners]) {
                for (int k = 0; k < 3; k++)
                    out->edge[out->n_edges][k] = x[(e + 1) % corners][k] - x[e][k];
                out->n_edges++;
            }
    }
}

typedef struct two_meshes {
    uint32_t n;
    real (*x[2])[3]; // corners that can be farthest, turned
    real d[3];
} two_meshes;

static inline real farthest_of(const two_meshes *t, int body, const real n[3])
{
    real most = -HUGE_VALL;
    for (uint32_t v = 0; v < t->n; v++) {
        const real at = body ? -dotl(t->x[1][v], n) : dotl(t->x[0][v], n);
        most = at > most ? at : most;
    }
    return most;
}

static inline void try_axis(const two_meshes *t, const real n[3], placing *p)
{
    const real depth = farthest_of(t, 0, n) + farthest_of(t, 1, n) - dotl(n, t->d);
    if (depth >= p->depth)
        return;
    p->depth = depth;
    memcpy(p->n, n, sizeof p->n);
}

/* p->n is near the normal, from the smooth solid. */
static inline void find_mesh_depth(const scree_mesh *m, placing *p)
{
    static near_axes a, b;
    const real about[3] = {p->n[0], p->n[1], p->n[2]}, back[3] = {-p->n[0], -p->n[1], -p->n[2]};
    two_meshes t = {.n = m->n_vertices, .d = {p->d[0], p->d[1], p->d[2]}};
    real r[2][3][3];
    for (int k = 0; k < 2; k++) {
        matrix_of(p, k, r[k]);
        t.x[k] = malloc(m->n_vertices * sizeof *t.x[k]);
        for (uint32_t v = 0; v < m->n_vertices; v++)
            vertex_of(m, r[k], v, t.x[k][v]);
    }
    find_near(m, r[0], about, &a);
    find_near(m, r[1], back, &b);
    p->depth = HUGE_VALL;
    for (uint32_t i = 0; i < a.n_normals; i++)
        try_axis(&t, a.normal[i], p);
    for (uint32_t i = 0; i < b.n_normals; i++)
        try_axis(&t, (const real[]){-b.normal[i][0], -b.normal[i][1], -b.normal[i][2]}, p);
    for (uint32_t i = 0; i < a.n_edges; i++)
        for (uint32_t j = 0; j < b.n_edges; j++) {
            const real *e = a.edge[i], *f = b.edge[j];
            real n[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2],
                         e[0] * f[1] - e[1] * f[0]};
            const real side = dotl(n, about), size = dotl(n, n);
            if (side * side < 0.8L * size || !(size > 0))
                continue;
            for (int k = 0; k < 3; k++)
                n[k] = side < 0 ? -n[k] : n[k];
            unit3(n);
            try_axis(&t, n, p);
        }
    free(t.x[0]);
    free(t.x[1]);
    if (dotl(p->n, about) < cosl(0.25L))
        bail_out("the normal of two polyhedra is far from that of the smooth solids");
}

/* Facets are inside of the smooth solids: moves b until they overlap by as much as those did. */
static inline void move_meshes(const scree_mesh *m, placing *p)
{
    const real wanted = p->depth;
    for (int round = 0; round < 2; round++) {
        find_mesh_depth(m, p);
        for (int k = 0; k < 3; k++)
            p->d[k] += (double)((p->depth - wanted) * p->n[k]);
    }
    find_mesh_depth(m, p);
}

#endif
