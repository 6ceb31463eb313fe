// SPDX-License-Identifier: Apache-2.0
// Solids of observer `vtk`: the surface of a shape, once for each of its bodies.
/*
 * In 3D writes the facets of scree.mesh/1, in 2D the polygon of scree.outline/1; for a convex shape
 * without these views the hull by scree.support/1. A polygon of the file
 * has its corners counterclockwise as seen from outside, in 2D from above.
 */
#include <inttypes.h>

#include "cells.h"

int is_solid(const scree_shape *shape)
{
    return !(shape->flags &
             (SCREE_CAP_ROUND | SCREE_CAP_BALLS | SCREE_CAP_WALL | SCREE_CAP_INFINITE));
}

/* Finds the surface of a shape; 0: out of memory. */
static int find_surface(const scree_shape *shape, uint32_t dimension, double tolerance,
                        vtk_surface *to)
{
    if (dimension == 2)
        to->outline = shape->view(shape, SCREE_VIEW_OUTLINE, tolerance);
    else
        to->mesh = shape->view(shape, SCREE_VIEW_MESH, tolerance);
    if (to->mesh || to->outline)
        return 1;
    if (!hull_make(shape, dimension, tolerance, &to->hull))
        return 0;
    if (to->hull && dimension == 2)
        to->outline = &to->hull->outline;
    else if (to->hull)
        to->mesh = &to->hull->mesh;
    return 1;
}

void free_surfaces(surface_memory *memory)
{
    for (uint64_t k = 0; k < memory->n; k++)
        hull_free(memory->surfaces[k].hull);
    free(memory->surfaces);
}

int find_surfaces(surface_memory *memory, const scree_host *host, const scree_bodies *b,
                  double tolerance)
{
    const char *name = b->dimension == 2 ? SCREE_VIEW_OUTLINE : SCREE_VIEW_MESH;
    if (!scree_grow(&memory->surfaces, &memory->capacity, (uint64_t)b->n_shapes + 1,
                    sizeof(vtk_surface)))
        return 0;
    for (; memory->n < b->n_shapes; memory->n++) {
        const scree_shape *shape = b->shapes[memory->n];
        vtk_surface *to = &memory->surfaces[memory->n];
        *to = (vtk_surface){.mesh = NULL};
        if (!is_solid(shape))
            continue;
        if (!find_surface(shape, b->dimension, tolerance * shape->radius, to))
            return 0;
        if (!to->mesh && !to->outline)
            scree_logf(host, SCREE_LOG_INFO,
                       "shape %" PRIu64 " (%s) offers neither %s nor " SCREE_VIEW_SUPPORT
                       ": its bodies are written as points with "
                       "the radius of the ball that holds them",
                       memory->n, shape->plugin->id, name);
    }
    return 1;
}

static const vtk_surface *surface_of(const frame *f, const wall *w)
{
    return &f->surfaces[f->view->bodies->shape[w->body]];
}

static void count_surface(const vtk_surface *surface, wall *to)
{
    const scree_mesh *m = surface->mesh;
    if (!m) {
        to->n_points = to->n_corners = surface->outline->n;
        to->n_cells = 1;
        return;
    }
    to->n_points = m->n_vertices;
    to->n_cells = m->n_facets;
    for (uint64_t k = 0; k < 4 * (uint64_t)m->n_facets; k++)
        to->n_corners += m->facet[k] != SCREE_NONE;
}

int32_t find_solids(wall_memory *memory, frame *f)
{
    const scree_bodies *b = f->view->bodies;
    const uint32_t n_shown = count_shown(f);
    uint64_t n = 0;
    for (uint32_t k = 0; k < n_shown; k++)
        n += (uint64_t)is_solid(b->shapes[b->shape[shown_body(f, k)]]);
    if (!scree_grow(&memory->walls, &memory->wall_capacity, n + 1, sizeof(wall)))
        return SCREE_E_MEMORY;
    f->n_walls = f->n_points = f->n_cells = f->n_corners = 0;
    f->walls = memory->walls;
    for (uint32_t k = 0; k < n_shown; k++) {
        const uint32_t i = shown_body(f, k);
        wall *to = &memory->walls[f->n_walls];
        scree_load load = {.size = offsetof(scree_load, stiffness)};
        *to = (wall){.body = i};
        if (!surface_of(f, to)->mesh && !surface_of(f, to)->outline)
            continue;
        count_surface(surface_of(f, to), to);
        const int32_t status = f->view->load(f->view, i, &load);
        if (status != SCREE_OK)
            return status;
        memcpy(to->force, load.force, sizeof to->force);
        f->n_walls++;
        f->n_points += to->n_points;
        f->n_cells += to->n_cells;
        f->n_corners += to->n_corners;
    }
    return SCREE_OK;
}

static void emit_points(const frame *f, sink *s)
{
    for (const wall *w = f->walls; w < f->walls + f->n_walls; w++) {
        const vtk_surface *surface = surface_of(f, w);
        for (uint32_t k = 0; k < w->n_points; k++) {
            const double *const *v =
                surface->mesh ? surface->mesh->vertex : surface->outline->vertex;
            double at[3];
            place_point(f->view->bodies, w->body, v[0][k], v[1][k], surface->mesh ? v[2][k] : 0.0,
                        at);
            put_reals(s, at, 3);
        }
    }
}

static void emit_connectivity(const frame *f, sink *s)
{
    uint64_t first = 0;
    for (const wall *w = f->walls; w < f->walls + f->n_walls; w++) {
        const scree_mesh *m = surface_of(f, w)->mesh;
        const uint64_t n = m ? 4 * (uint64_t)m->n_facets : w->n_corners;
        for (uint64_t k = 0; k < n; k++) {
            const uint64_t vertex = m ? m->facet[k] : k;
            if (vertex != SCREE_NONE)
                put_int64(s, first + vertex);
        }
        first += w->n_points;
    }
}

static void emit_offsets(const frame *f, sink *s)
{
    uint64_t end = 0;
    for (const wall *w = f->walls; w < f->walls + f->n_walls; w++) {
        const scree_mesh *m = surface_of(f, w)->mesh;
        for (uint32_t c = 0; c < w->n_cells; c++) {
            const uint32_t *corner = m ? &m->facet[4 * (uint64_t)c] : NULL;
            end += m ? 3u + (corner[3] != SCREE_NONE) : w->n_corners;
            put_int64(s, end);
        }
    }
}

EMIT_PER_CELL(shape, put_int32(s, (int32_t)b->shape[w->body]))
EMIT_PER_CELL(velocity, put_vector(s, b->v, w->body))
EMIT_PER_CELL(spin, put_vector(s, b->w, w->body))

static const array cell_data[] = {
    {"id", "Int64", 1, emit_id},
    {"shape", "Int32", 1, emit_shape},
    {"material", "Int32", 1, emit_material},
    {"group", "Int32", 1, emit_group},
    {"motion", "Int32", 1, emit_motion},
    {"velocity", "Float64", 3, emit_velocity},
    {"spin", "Float64", 3, emit_spin},
    {"force", "Float64", 3, emit_force},
    {0},
};

const part solids_part = {
    .name = "solids",
    .point_data = nothing,
    .cell_data = cell_data,
    .points = {"Points", "Float64", 3, emit_points},
    .connectivity = {"connectivity", "Int64", 1, emit_connectivity},
    .offsets = {"offsets", "Int64", 1, emit_offsets},
};
