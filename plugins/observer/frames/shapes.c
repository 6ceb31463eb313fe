// SPDX-License-Identifier: Apache-2.0
// The block SHAP of observer `frames`: the surface of a shape, once.
#include "frames.h"

#include "../hull.h"

enum { BALL, MESH, OUTLINE, PLANE, BALLS, SEGMENTS };

/* 0: out of memory. */
static int put_head(blocks *b, uint32_t number, uint32_t kind, uint32_t n, uint32_t m)
{
    const uint64_t bytes = 16 * ((uint64_t)n + m + 1); // at most four numbers a point and a cell
    if (!block_begin(b, "SHAP", bytes))
        return 0;
    block_put(b, (uint32_t[4]){number, kind, n, m}, 4, 4);
    return 1;
}

/* Adds n points of `width` numbers. */
static void put_points(blocks *b, const double *const *from, uint32_t width, uint32_t n)
{
    float *to = block_array(b, (uint64_t)n * width, sizeof *to);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < width; k++)
            *to++ = (float)from[k][i];
}

/* Corners of a facet. */
static uint32_t count_corners(const scree_mesh *mesh, uint32_t facet)
{
    uint32_t n = 0;
    while (n < 4 && mesh->facet[4 * (uint64_t)facet + n] != SCREE_NONE)
        n++;
    return n;
}

/* Adds triangles of a mesh, or in 2D segments, and which facet each is a part of. */
static int put_mesh(blocks *b, uint32_t number, const scree_mesh *mesh, uint32_t dimension)
{
    const uint32_t width = dimension; // corners of a cell, and numbers of a point
    uint32_t m = 0;
    for (uint32_t f = 0; f < mesh->n_facets; f++)
        m += count_corners(mesh, f) + 1 - width;
    if (!put_head(b, number, dimension == 2 ? SEGMENTS : MESH, mesh->n_vertices, m))
        return 0;
    put_points(b, mesh->vertex, width, mesh->n_vertices);
    uint32_t *to = block_array(b, (uint64_t)m * width, sizeof *to);
    for (uint32_t f = 0; f < mesh->n_facets; f++)
        for (uint32_t c = width - 1; c < count_corners(mesh, f); c++) {
            *to++ = mesh->facet[4 * (uint64_t)f];
            for (uint32_t k = width - 1; k > 0; k--)
                *to++ = mesh->facet[4 * (uint64_t)f + c + 1 - k];
        }
    to = block_array(b, m, sizeof *to);
    for (uint32_t f = 0; f < mesh->n_facets; f++)
        for (uint32_t c = width - 1; c < count_corners(mesh, f); c++)
            *to++ = f;
    return 1;
}

static int put_outline(blocks *b, uint32_t number, const scree_outline *outline)
{
    if (!put_head(b, number, OUTLINE, outline->n, 0))
        return 0;
    put_points(b, outline->vertex, 2, outline->n);
    return 1;
}

static int put_balls(blocks *b, uint32_t number, const scree_balls *balls)
{
    const double *const from[4] = {balls->centre[0], balls->centre[1], balls->centre[2],
                                   balls->radius};
    if (!put_head(b, number, BALLS, balls->n, 0))
        return 0;
    put_points(b, from, 4, balls->n);
    return 1;
}

static int put_plane(blocks *b, uint32_t number, const double normal[3])
{
    const double *const from[3] = {&normal[0], &normal[1], &normal[2]};
    if (!put_head(b, number, PLANE, 1, 0))
        return 0;
    put_points(b, from, 3, 1);
    return 1;
}

/* The surface of a solid; without one the ball that holds it. */
static int put_solid(blocks *b, const row_source *from, uint32_t number)
{
    const uint32_t dimension = from->bodies->dimension;
    const scree_shape *shape = from->bodies->shapes[number];
    const double tolerance = from->tolerance * shape->radius, centre = 0.0;
    const scree_balls one = {
        .n = 1, .centre = {&centre, &centre, &centre}, .radius = &shape->radius};
    const char *name = dimension == 2 ? SCREE_VIEW_OUTLINE : SCREE_VIEW_MESH;
    const void *view = shape->view(shape, name, tolerance);
    hull *made = NULL;
    if (!view && !hull_make(shape, dimension, tolerance, &made))
        return 0;
    if (made)
        view = dimension == 2 ? (const void *)&made->outline : (const void *)&made->mesh;
    const int ok = !view            ? put_balls(b, number, &one)
                   : dimension == 2 ? put_outline(b, number, view)
                                    : put_mesh(b, number, view, 3);
    hull_free(made);
    return ok;
}

int shape_write(blocks *b, const row_source *from, uint32_t number)
{
    const scree_shape *shape = from->bodies->shapes[number];
    const char *name = from->names ? from->names->shape_name(from->names->ctx, number) : NULL;
    int ok;
    if (shape->flags & SCREE_CAP_ROUND)
        ok = put_head(b, number, BALL, 0, 0);
    else if (shape->flags & SCREE_CAP_BALLS)
        ok = put_balls(b, number, shape->balls);
    else if (shape->flags & SCREE_CAP_WALL)
        ok = put_mesh(b, number, shape->mesh, from->bodies->dimension);
    else if (shape->flags & SCREE_CAP_INFINITE)
        ok = put_plane(b, number, shape->normal);
    else
        ok = put_solid(b, from, number);
    if (!ok)
        return 0;
    block_text(b, name ? name : "", 0);
    block_end(b);
    return 1;
}
