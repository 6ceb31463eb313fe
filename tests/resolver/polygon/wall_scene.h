/* SPDX-License-Identifier: Apache-2.0 */
/* Walls of segments for tests of resolvers, without the plugins that make them. */
#ifndef TEST_WALL_SCENE_H
#define TEST_WALL_SCENE_H

#include "../meshes.h"
#include "polygon_scene.h"

enum { MOST_FACETS = 64 };

static inline void start_wall(test_solid *w)
{
    w->mesh = (scree_mesh){.size = sizeof w->mesh};
    memset(w->neighbour, 0xff, 4 * MOST_FACETS * sizeof *w->neighbour);
    memset(w->edge, 0, 4 * MOST_FACETS);
}

static inline void add_segment(test_solid *w, spot p, spot q)
{
    const uint32_t v = solid_vertex(w, (double)p.x, (double)p.y, 0.0);
    solid_facet(w, v, solid_vertex(w, (double)q.x, (double)q.y, 0.0), SCREE_NONE, SCREE_NONE);
}

/** Neighbours: other ends at the same place. Flat: within 1e-6 rad, as shape/mesh has it. */
static inline void end_wall(test_solid *w)
{
    const uint32_t n = w->mesh.n_facets;
    for (uint32_t v = 0; v < 2 * n; v++) {
        for (uint32_t u = 0; u < 2 * n; u++) {
            if (u / 2 == v / 2 || w->x[0][u] != w->x[0][v] || w->x[1][u] != w->x[1][v])
                continue;
            const double px = w->x[0][v ^ 1] - w->x[0][v], py = w->x[1][v ^ 1] - w->x[1][v];
            const double qx = w->x[0][u ^ 1] - w->x[0][u], qy = w->x[1][u ^ 1] - w->x[1][u];
            w->neighbour[v / 2 * 4 + v % 2] = u / 2;
            w->edge[v / 2 * 4 + v % 2] =
                fabs(px * qy - py * qx) < 1e-6 * fabs(px * qx + py * qy) && px * qx + py * qy < 0.0
                    ? SCREE_EDGE_FLAT
                    : SCREE_EDGE_CONVEX;
        }
    }
    solid_finish(w);
    w->shape.flags = SCREE_CAP_WALL;
    w->shape.n_parts = n;
    w->shape.view = NULL;
}

/** Segments between n places. `back`: the odd ones run the other way. */
static inline void line_wall(test_solid *w, const spot *at, uint32_t n, int back)
{
    start_wall(w);
    for (uint32_t k = 0; k + 1 < n; k++)
        add_segment(w, at[back && k % 2 ? k + 1 : k], at[back && k % 2 ? k : k + 1]);
    end_wall(w);
}

#endif
