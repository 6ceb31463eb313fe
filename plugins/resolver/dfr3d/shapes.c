// SPDX-License-Identifier: Apache-2.0
// dfr3d: bodies of shapes: the box around one, its cells, what they lose.
#include "shapes.h"

const scree_mesh *dfr_closed_mesh(const scree_shape *shape)
{
    const scree_mesh *mesh = shape->view(shape, SCREE_VIEW_MESH, 0.0);
    return mesh && mesh->closed ? mesh : NULL;
}

static void box_of_mesh(const scree_mesh *mesh, double tolerance, double lo[3], double hi[3])
{
    for (int k = 0; k < 3; k++) {
        lo[k] = HUGE_VAL;
        hi[k] = -HUGE_VAL;
        for (uint32_t i = 0; i < mesh->n_vertices; i++) {
            lo[k] = scree_min(lo[k], mesh->vertex[k][i] - tolerance);
            hi[k] = scree_max(hi[k], mesh->vertex[k][i] + tolerance);
        }
    }
}

static void box_of_support(const scree_support *support, double lo[3], double hi[3])
{
    for (int i = 0; i < 6; i++) {
        double direction[3] = {0}, point[3];
        const int k = i / 2;
        direction[k] = i % 2 ? 1.0 : -1.0;
        const double *const in[3] = {&direction[0], &direction[1], &direction[2]};
        double *const out[3] = {&point[0], &point[1], &point[2]};
        support->farthest(support->ctx, 1, in, out);
        *(i % 2 ? &hi[k] : &lo[k]) = point[k];
    }
}

/* A box around a solid: exact where the shape has a support function or an exact mesh. */
static void box_of(const scree_shape *shape, const scree_mesh *mesh, double lo[3], double hi[3])
{
    const scree_support *support = shape->view(shape, SCREE_VIEW_SUPPORT, 0.0);
    const double tolerance = 0.01 * shape->radius;
    const scree_mesh *near =
        mesh || support ? NULL : shape->view(shape, SCREE_VIEW_MESH, tolerance);
    for (int k = 0; k < 3; k++) {
        lo[k] = -shape->radius;
        hi[k] = shape->radius;
    }
    if (mesh)
        box_of_mesh(mesh, 0.0, lo, hi);
    else if (support)
        box_of_support(support, lo, hi);
    else if (near)
        box_of_mesh(near, tolerance, lo, hi);
}

static double off_facets(const dfr_body *b, const double x[3])
{
    double least = HUGE_VAL, point[3];
    uint32_t f;
    return dfr_closest(b, x, &least, point, &f) ? sqrt(least) : 0.0;
}

/* [m] The same for a side of a facet, at points half a cell apart: cells may cut more from a side
 * than from its ends. */
static double off_side(const dfr_body *b, const scree_mesh *mesh, uint32_t v, uint32_t w)
{
    double along[3], worst = 0.0;
    for (int k = 0; k < 3; k++)
        along[k] = mesh->vertex[k][w] - mesh->vertex[k][v];
    const double n = ceil(2.0 * sqrt(dot(along, along)) / b->grid.cell[0]);
    for (double i = 0.5; i < n; i++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = mesh->vertex[k][v] + i / n * along[k];
        worst = scree_max(worst, off_facets(b, x));
    }
    return worst;
}

static double off_sides(const dfr_body *b, const scree_mesh *mesh)
{
    double worst = 0.0;
    for (uint32_t f = 0; f < mesh->n_facets; f++) {
        const uint32_t *v = mesh->facet + 4ull * f, corners = v[3] == SCREE_NONE ? 3 : 4;
        for (uint32_t k = 0; k < corners; k++)
            if (v[k] < v[(k + 1) % corners]) // each side once, as facets of a solid share it
                worst = scree_max(worst, off_side(b, mesh, v[k], v[(k + 1) % corners]));
    }
    return worst;
}

/* [m] Distance of the shape's own surface from the facets; a mesh is measured at its vertices and
 * along its edges. */
static double surface_error(const dfr_body *b, const scree_mesh *mesh, const scree_implicit *view)
{
    const uint32_t n = mesh ? mesh->n_vertices : b->n_facets;
    double worst = mesh ? off_sides(b, mesh) : 0.0;
    for (uint32_t i = 0; i < n; i++) {
        double x[3];
        for (int k = 0; k < 3; k++) // vertex i of the mesh, or the middle of facet i
            x[k] = mesh ? mesh->vertex[k][i]
                        : (b->vertex[b->facet[i][0]][k] + b->vertex[b->facet[i][1]][k] +
                           b->vertex[b->facet[i][2]][k]) /
                              3.0;
        worst = scree_max(worst, mesh ? off_facets(b, x) : solid_off_function(view, x));
    }
    return worst;
}

/* Logs how the cells represent a shape, and warns when its corners are too fine for them. */
static void report(const dfr_request *asked, uint32_t index, const scree_shape *shape,
                   const dfr_body *body, double longest, double off)
{
    const cubes_grid *grid = &body->grid;
    const char *name = solid_name_of(asked->host, index);
    const double cell = scree_max(grid->cell[0], scree_max(grid->cell[1], grid->cell[2]));
    const double fine = SOLID_SERVED * longest / off; // [-] a fine enough cell, in cells
    scree_logf(asked->host, SCREE_LOG_INFO,
               "shape \"%s\": %u x %u x %u cells of %.3g m, %u with facets, %u facets; its volume "
               "is %.2g %% off, "
               "its surface up to %.2g m",
               name, grid->n[0], grid->n[1], grid->n[2], cell, body->n_cells, body->n_facets,
               shape->volume > 0.0 ? 100.0 * (body->volume - shape->volume) / shape->volume : 0.0,
               off);
    if (fine >= 1.0)
        return;
    const double cells = ceil(longest / (fine * cell));
    char advice[96] = "more than `cells` can be set to; \"gjk\" serves convex solids exactly";
    if (cells <= DFR_MOST_ASKED)
        snprintf(advice, sizeof advice, "`cells` of about %.0f, or a `cell` of %.2g m", cells,
                 fine * cell);
    scree_logf(
        asked->host, SCREE_LOG_WARNING,
        "shape \"%s\": cells of %.3g m cut off corners and edges by up to %.2g m, %.2g %% of "
        "its longest side, and contacts begin that much later there; less than %g %% needs %s",
        name, cell, off, 100.0 * off / longest, 100.0 * SOLID_SERVED, advice);
}

static int32_t check_grid(const dfr_request *asked, uint32_t index, const cubes_grid *grid,
                          double longest)
{
    for (int k = 0; k < 3; k++)
        if (grid->n[k] > DFR_MOST_ASKED + 2)
            return scree_failf(
                asked->host, SCREE_E_CONFIG,
                "shape \"%s\": expected a `cell` of at least %.4g m, for at most %d cells along "
                "its length of %.4g m, got %.4g m",
                solid_name_of(asked->host, index), longest / DFR_MOST_ASKED, DFR_MOST_ASKED,
                longest, asked->cell);
    return SCREE_OK;
}

/* A mesh in the frame of cells, with vertices of its own. */
typedef struct moved_mesh {
    scree_mesh view;
    double *x[3];
} moved_mesh;

/* 0: no memory. */
static int move_mesh(const scree_mesh *mesh, const dfr_frame *frame, moved_mesh *out)
{
    out->x[0] = malloc(3 * (size_t)mesh->n_vertices * sizeof(double));
    if (!out->x[0])
        return 0;
    out->view = (scree_mesh){.size = sizeof out->view,
                             .closed = mesh->closed,
                             .n_vertices = mesh->n_vertices,
                             .n_facets = mesh->n_facets,
                             .facet = mesh->facet,
                             .neighbour = mesh->neighbour,
                             .edge = mesh->edge};
    for (int k = 0; k < 3; k++) {
        out->x[k] = out->x[0] + k * (size_t)mesh->n_vertices;
        out->view.vertex[k] = out->x[k];
        for (uint32_t i = 0; i < mesh->n_vertices; i++)
            out->x[k][i] = frame->turn[k][0] * mesh->vertex[0][i] +
                           frame->turn[k][1] * mesh->vertex[1][i] +
                           frame->turn[k][2] * mesh->vertex[2][i] + frame->shift[k];
    }
    return 1;
}

/* The box of the cells, and their frame: those that the shape was made with, else around it in its own
 * frame. *mesh becomes the one in that frame; 0: no memory. */
static int choose_frame(const scree_shape *shape, const scree_mesh **mesh, moved_mesh *moved,
                        double lo[3], double hi[3], dfr_frame *frame)
{
    const cubes_axes *axes = *mesh ? shape->view(shape, CUBES_AXES_VIEW, 0.0) : NULL;
    *frame = (dfr_frame){.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    if (!axes) {
        box_of(shape, *mesh, lo, hi);
        return 1;
    }
    memcpy(frame->turn, axes->turn, sizeof frame->turn);
    memcpy(frame->shift, axes->shift, sizeof frame->shift);
    memcpy(lo, axes->lo, sizeof axes->lo);
    memcpy(hi, axes->hi, sizeof axes->hi);
    if (!move_mesh(*mesh, frame, moved))
        return 0;
    *mesh = &moved->view;
    return 1;
}

/* Makes the cells, in the frame of the box; logs their error, or fails. */
static int32_t make_cells(const dfr_request *asked, uint32_t index, const scree_shape *shape,
                          const scree_mesh *mesh, const double lo[3], const double hi[3],
                          dfr_body *body)
{
    const scree_implicit *view = mesh ? NULL : shape->view(shape, SCREE_VIEW_IMPLICIT, 0.0);
    double longest = 0.0;
    cubes_field field;
    cubes_grid grid;
    for (int k = 0; k < 3; k++)
        longest = scree_max(longest, hi[k] - lo[k]);
    cubes_grid_around(&grid, lo, hi, asked->cells, asked->cell > 0.0 ? asked->cell : 0.0);
    int32_t status = check_grid(asked, index, &grid, longest);
    if (status != SCREE_OK)
        return status;
    if (view)
        cubes_field_function(&field, view);
    else if (!dfr_field_mesh(&field, mesh, &grid))
        return asked->host->fail(asked->host->ctx, SCREE_E_MEMORY, "no memory for cells");
    status = dfr_body_make(body, &grid, &field);
    if (mesh)
        dfr_field_free(&field);
    if (status == SCREE_E_MEMORY)
        return asked->host->fail(asked->host->ctx, status, "no memory for cells");
    if (status != SCREE_OK)
        return scree_failf(
            asked->host, status,
            "shape \"%s\": expected a closed solid thicker than a cell of %.4g m, got one "
            "that no corner of %u x %u x %u cells is inside of, or that reaches beyond them; "
            "more `cells` may help",
            solid_name_of(asked->host, index), grid.cell[0], grid.n[0], grid.n[1], grid.n[2]);
    report(asked, index, shape, body, longest, surface_error(body, mesh, view));
    return SCREE_OK;
}

int32_t dfr_make_of_shape(const dfr_request *asked, uint32_t index, const scree_shape *shape,
                          dfr_body *body, dfr_frame *frame)
{
    const scree_mesh *mesh = dfr_closed_mesh(shape);
    moved_mesh moved = {.x = {NULL}};
    double lo[3], hi[3];
    int32_t status = SCREE_E_MEMORY;
    if (choose_frame(shape, &mesh, &moved, lo, hi, frame))
        status = make_cells(asked, index, shape, mesh, lo, hi, body);
    else
        asked->host->fail(asked->host->ctx, status, "no memory for cells");
    free(moved.x[0]);
    return status;
}
