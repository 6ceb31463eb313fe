/* SPDX-License-Identifier: Apache-2.0 */
/* Walls of segments for tests of resolvers, without the plugins that make them. */
#ifndef TEST_WALL_SCENE_H
#define TEST_WALL_SCENE_H

#include "polygon_scene.h"

enum { MOST_FACETS = 64 };

/** A wall of segments between given places, which the test joins as the host would. */
typedef struct test_wall {
    scree_mesh mesh;
    scree_shape shape;
    double x[2 * MOST_FACETS], y[2 * MOST_FACETS], z[2 * MOST_FACETS];
    uint32_t facet[4 * MOST_FACETS], neighbour[4 * MOST_FACETS];
    uint8_t edge[4 * MOST_FACETS];
} test_wall;

static inline void start_wall(test_wall *w)
{
    memset(w, 0, sizeof *w);
    memset(w->facet, 0xff, sizeof w->facet);
    memset(w->neighbour, 0xff, sizeof w->neighbour);
}

static inline void add_segment(test_wall *w, spot p, spot q)
{
    const uint32_t f = w->mesh.n_facets++;
    w->facet[4 * f] = 2 * f;
    w->facet[4 * f + 1] = 2 * f + 1;
    w->x[2 * f] = (double)p.x;
    w->y[2 * f] = (double)p.y;
    w->x[2 * f + 1] = (double)q.x;
    w->y[2 * f + 1] = (double)q.y;
}

/** Neighbours: other ends at the same place. Flat: within 1e-6 rad, as shape/mesh has it. */
static inline void end_wall(test_wall *w)
{
    const uint32_t n = w->mesh.n_facets;
    double square = 0.0;
    for (uint32_t v = 0; v < 2 * n; v++) {
        square = fmax(square, w->x[v] * w->x[v] + w->y[v] * w->y[v]);
        for (uint32_t u = 0; u < 2 * n; u++) {
            if (u / 2 == v / 2 || w->x[u] != w->x[v] || w->y[u] != w->y[v])
                continue;
            const double px = w->x[v ^ 1] - w->x[v], py = w->y[v ^ 1] - w->y[v];
            const double qx = w->x[u ^ 1] - w->x[u], qy = w->y[u ^ 1] - w->y[u];
            w->neighbour[v / 2 * 4 + v % 2] = u / 2;
            w->edge[v / 2 * 4 + v % 2] =
                fabs(px * qy - py * qx) < 1e-6 * fabs(px * qx + py * qy) && px * qx + py * qy < 0.0
                    ? SCREE_EDGE_FLAT
                    : SCREE_EDGE_CONVEX;
        }
    }
    w->mesh = (scree_mesh){.size = sizeof w->mesh,
                           .n_vertices = 2 * n,
                           .n_facets = n,
                           .vertex = {w->x, w->y, w->z},
                           .facet = w->facet,
                           .neighbour = w->neighbour,
                           .edge = w->edge};
    w->shape = (scree_shape){.size = sizeof w->shape,
                             .type = TYPE_SOLID,
                             .flags = SCREE_CAP_WALL,
                             .n_parts = n,
                             .radius = sqrt(square),
                             .mesh = &w->mesh};
}

/** Segments between n places. `back`: the odd ones run the other way. */
static inline void line_wall(test_wall *w, const spot *at, uint32_t n, int back)
{
    start_wall(w);
    for (uint32_t k = 0; k + 1 < n; k++)
        add_segment(w, at[back && k % 2 ? k + 1 : k], at[back && k % 2 ? k : k + 1]);
    end_wall(w);
}

#endif
