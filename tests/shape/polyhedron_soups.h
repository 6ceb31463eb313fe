/* SPDX-License-Identifier: Apache-2.0 */
/* A cube, and soups of facets, for tests of polyhedra. */
#ifndef TEST_POLYHEDRON_SOUPS_H
#define TEST_POLYHEDRON_SOUPS_H

#include <glib.h>

#include "mesh/mesh_params.h"
#include "polyhedron/polyhedron.h"

static const double cube[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                              0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
static const uint32_t cube_sides[] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                      2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};

static inline void add(mesh_soup *soup, uint32_t n_vertices, const double *xyz, uint32_t n_facets,
                       uint32_t corners, const uint32_t *facet)
{
    mesh_lines problems = {0};
    const uint32_t first = (uint32_t)soup->n_vertices;
    g_assert_true(mesh_reserve(soup, n_vertices, n_facets, &problems));
    for (uint32_t i = 0; i < n_vertices; i++)
        mesh_add_vertex(soup, xyz + 3 * i);
    for (uint32_t i = 0; i < n_facets; i++) {
        uint32_t corner[4];
        for (uint32_t k = 0; k < corners; k++)
            corner[k] = first + facet[corners * i + k];
        mesh_add_facet(soup, corners, corner, 0);
    }
}

static inline mesh_surface *surface_of(mesh_soup *soup)
{
    mesh_lines problems = {0};
    g_assert_true(polyhedron_cut_quads(soup, &problems));
    mesh_surface *s =
        mesh_surface_new(3, soup->n_vertices, soup->xyz, soup->n_facets, soup->corner, &problems);
    if (!s)
        g_error("%s", problems.line[0]);
    return s;
}

#endif
