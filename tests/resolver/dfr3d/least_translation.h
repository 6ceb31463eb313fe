/* SPDX-License-Identifier: Apache-2.0 */
/* The least translation that parts two convex bodies, by all facets and pairs of edges; a block that is not convex. */
#ifndef TEST_RESOLVER_LEAST_TRANSLATION_H
#define TEST_RESOLVER_LEAST_TRANSLATION_H

#include "solids.h"

static inline double support(const dfr_body *b, const double *n)
{
    double most = -HUGE_VAL;
    for (uint32_t v = 0; v < b->n_vertices; v++)
        most = scree_max(most, dot(b->vertex[v], n));
    return most;
}

static inline void turned(const dfr_pose *pose, const double *n, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = dot(pose->r[k], n);
}

/* By how much b must move along n (of a's frame). */
static inline double along(const dfr_body *a, const dfr_body *b, const dfr_pose *pose,
                           const double *n)
{
    double m[3];
    for (int k = 0; k < 3; k++)
        m[k] = -(pose->r[0][k] * n[0] + pose->r[1][k] * n[1] + pose->r[2][k] * n[2]);
    return support(a, n) + support(b, m) - dot(pose->t, n);
}

/* The least translation that parts two convex bodies; < 0: they are apart. */
static inline double least_translation(const dfr_body *a, const dfr_body *b, const dfr_pose *pose)
{
    double least = HUGE_VAL;
    for (uint32_t f = 0; f < a->n_facets; f++)
        least = scree_min(least, along(a, b, pose, a->normal[f]));
    for (uint32_t f = 0; f < b->n_facets; f++) {
        double n[3];
        turned(pose, b->normal[f], n);
        for (int k = 0; k < 3; k++)
            n[k] = -n[k];
        least = scree_min(least, along(a, b, pose, n));
    }
    for (uint32_t i = 0; i < a->n_edges && least > 0.0; i++)
        for (uint32_t j = 0; j < b->n_edges; j++) {
            const dfr_edge *p = &a->edge[i], *q = &b->edge[j];
            double u[3], v[3], w[3], n[3], x[2][3], y[3];
            if (a->bend[i] != DFR_CONVEX || b->bend[j] != DFR_CONVEX)
                continue;
            sub(a->vertex[p->vertex[1]], a->vertex[p->vertex[0]], u);
            sub(b->vertex[q->vertex[1]], b->vertex[q->vertex[0]], w);
            turned(pose, w, v);
            cross(u, v, n);
            if (!(normalize(n) > 1e-12))
                continue;
            dfr_to_a(pose, b->vertex[q->vertex[0]], y);
            sub(a->vertex[p->vertex[0]], y, w);
            for (int k = 0; k < 2; k++) {
                turned(pose, b->normal[q->facet[k]], x[k]);
                for (int m = 0; m < 3; m++)
                    x[k][m] = -x[k][m];
            }
            for (int side = 0; side < 2; side++) { // n, and against it
                for (int k = 0; k < 3; k++)
                    n[k] = -n[k];
                if (dot(w, n) < least &&
                    dfr_in_arc(a->normal[p->facet[0]], a->normal[p->facet[1]], n) &&
                    dfr_in_arc(x[0], x[1], n))
                    least = scree_min(least, along(a, b, pose, n));
            }
        }
    return least;
}

/* A block that lacks a corner: along x and z, thickness in y. */
static inline int make_block(dfr_body *out, test_mesh *m)
{
    static const double corner[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    new_mesh(m, 12, 6 + 4);
    uint32_t n = 0;
    for (uint32_t v = 0; v < 12; v++) {
        m->x[0][v] = corner[v % 6][0] - 0.8;
        m->x[1][v] = v < 6 ? -0.5 : 0.5;
        m->x[2][v] = corner[v % 6][1] - 0.8;
    }
    for (uint32_t k = 0; k < 6; k++, n++) { // sides; outline is counterclockwise as seen from -y
        const uint32_t q[4] = {k, k + 6, (k + 1) % 6 + 6, (k + 1) % 6};
        memcpy(m->facet + 4 * n, q, sizeof q);
    }
    static const uint32_t quads[2][4] = {{0, 1, 2, 3}, {0, 3, 4, 5}};
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 2; k++, n++)
            for (int i = 0; i < 4; i++)
                m->facet[4 * n + (uint32_t)i] = side ? quads[k][3 - i] + 6 : quads[k][i];
    m->view.n_facets = n;
    return make_of_mesh(&m->view, 12, out);
}

#endif
