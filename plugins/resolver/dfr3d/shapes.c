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

/* [m] How far the middle of a facet is from where the function is 0, to first order. */
static double off_function(const scree_implicit *view, const dfr_body *b, uint32_t f)
{
    double x[3], g[3], value;
    for (int k = 0; k < 3; k++)
        x[k] = (b->vertex[b->facet[f][0]][k] + b->vertex[b->facet[f][1]][k] +
                b->vertex[b->facet[f][2]][k]) /
               3.0;
    const double *const at[3] = {&x[0], &x[1], &x[2]};
    double *const gradient[3] = {&g[0], &g[1], &g[2]};
    view->value(view->ctx, 1, at, &value, gradient);
    const double slope = sqrt(dot(g, g));
    return slope > 0.0 ? fabs(value) / slope : 0.0;
}

/* [m] How far the shape's own surface is from the facets: a mesh at its vertices. */
static double surface_error(const dfr_body *b, const scree_mesh *mesh, const scree_implicit *view)
{
    const uint32_t n = mesh ? mesh->n_vertices : b->n_facets;
    double worst = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        double off = 0.0, least = HUGE_VAL, point[3];
        uint32_t f;
        if (mesh) {
            const double x[3] = {mesh->vertex[0][i], mesh->vertex[1][i], mesh->vertex[2][i]};
            off = dfr_closest(b, x, &least, point, &f) ? sqrt(least) : 0.0;
        } else {
            off = off_function(view, b, i);
        }
        worst = scree_max(worst, off);
    }
    return worst;
}

static const char *name_of(const dfr_request *asked, uint32_t index)
{
    const scree_names *names = asked->host->get_service(asked->host->ctx, SCREE_SERVICE_NAMES);
    const char *name = names ? names->shape_name(names->ctx, index) : NULL;
    return name ? name : "?";
}

static int32_t check_grid(const dfr_request *asked, uint32_t index, const dfr_grid *grid,
                          double longest)
{
    for (int k = 0; k < 3; k++)
        if (grid->n[k] > DFR_MOST_ASKED + 2)
            return scree_failf(
                asked->host, SCREE_E_CONFIG,
                "shape \"%s\": expected a `cell` of at least %.4g m, for at most %d cells along "
                "its length of %.4g m, got %.4g m",
                name_of(asked, index), longest / DFR_MOST_ASKED, DFR_MOST_ASKED, longest,
                asked->cell);
    return SCREE_OK;
}

int32_t dfr_make_of_shape(const dfr_request *asked, uint32_t index, const scree_shape *shape,
                          dfr_body *body)
{
    const scree_mesh *mesh = dfr_closed_mesh(shape);
    const scree_implicit *view = mesh ? NULL : shape->view(shape, SCREE_VIEW_IMPLICIT, 0.0);
    double lo[3], hi[3], longest = 0.0;
    dfr_field field;
    dfr_grid grid;
    box_of(shape, mesh, lo, hi);
    for (int k = 0; k < 3; k++)
        longest = scree_max(longest, hi[k] - lo[k]);
    dfr_grid_around(&grid, lo, hi, asked->cells, asked->cell > 0.0 ? asked->cell : 0.0);
    int32_t status = check_grid(asked, index, &grid, longest);
    if (status != SCREE_OK)
        return status;
    if (view)
        dfr_field_function(&field, view);
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
            name_of(asked, index), grid.cell[0], grid.n[0], grid.n[1], grid.n[2]);
    scree_logf(asked->host, SCREE_LOG_INFO,
               "shape \"%s\": %u x %u x %u cells of %.3g m, %u with facets, %u facets; its volume "
               "is %.2g %% off, "
               "its surface up to %.2g m",
               name_of(asked, index), grid.n[0], grid.n[1], grid.n[2],
               scree_max(grid.cell[0], scree_max(grid.cell[1], grid.cell[2])), body->n_cells,
               body->n_facets,
               shape->volume > 0.0 ? 100.0 * (body->volume - shape->volume) / shape->volume : 0.0,
               surface_error(body, mesh, view));
    return SCREE_OK;
}
