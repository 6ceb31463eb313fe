// SPDX-License-Identifier: Apache-2.0
/*
 * shape: makes surface, grid and samples of a solid.
 *
 * Surface  the exact mesh of the shape; else triangles of its implicit function (solid/implicit.c), at the
 *          cell of the grid; else its mesh within an eighth of a cell.
 * Samples  samples.c
 */
#include "sdf.h"

/* ---- make ---- */

void sdf_shape_clear(sdf_shape *shape)
{
    solid_surface_clear(&shape->surface);
    free(shape->grid.node);
    free(shape->grid.closest);
    free(shape->sample);
    free(shape->facing);
    free(shape->least);
    free(shape->weight);
    free(shape->bucket);
    memset(shape, 0, sizeof *shape);
}

uint64_t sdf_shape_bytes(const sdf_shape *s)
{
    const uint64_t nodes = (uint64_t)s->grid.n[0] * s->grid.n[1] * s->grid.n[2];
    return solid_surface_bytes(&s->surface) +
           nodes * (sizeof *s->grid.node + sizeof *s->grid.closest) +
           s->n_samples * (2 * sizeof(scree_vec) + 2 * sizeof(double)) +
           s->n_buckets * sizeof(sdf_bucket);
}

enum { MOST_CELLS = 512 };
/* Cosine between normals, 30 degrees: above it facets approximate a round body, and their edge does not count. */
#define SMOOTH 0.8660254037844387

/* Finds the surface, and the edge of a cell. */
static int32_t find_surface(const sdf_resolver *self, uint32_t index, const scree_shape *from,
                            solid_surface *out, double *h)
{
    const scree_host *host = self->host;
    const double rough = self->cell > 0.0 ? self->cell : 2.0 * from->radius / self->cells;
    const scree_implicit *f = from->mesh ? NULL : from->view(from, SCREE_VIEW_IMPLICIT, 0.0);
    const scree_mesh *mesh = from->mesh  ? from->mesh
                             : f == NULL ? from->view(from, SCREE_VIEW_MESH, 0.125 * rough)
                                         : NULL;
    if (2.0 * from->radius > MOST_CELLS * rough)
        return scree_failf(host, SCREE_E_CONFIG,
                           "shape \"%s\": expected `cell` >= 1/%d of its size, %g m, got %g m",
                           solid_name_of(host, index), MOST_CELLS, 2.0 * from->radius / MOST_CELLS,
                           rough);
    if (mesh && !mesh->closed)
        return scree_failf(host, SCREE_E_CONFIG,
                           "shape \"%s\": expected a closed mesh, got one with open edges",
                           solid_name_of(host, index));
    const int32_t status =
        mesh ? solid_surface_of_mesh(mesh, out)
             : solid_surface_of_implicit(f, from->radius * (1.0 + 1e-9), rough, out);
    if (status != SCREE_OK)
        return host->fail(host->ctx, status, "no memory for the surface of a shape");
    if (out->n_triangles == 0 || !(solid_surface_volume(out) > 0.0) || solid_surface_n_open(out))
        return scree_failf(host, SCREE_E_CONFIG,
                           "shape \"%s\": expected a closed surface with its normals outward, got "
                           "%u triangles, %u open edges, a volume of %g m^3",
                           solid_name_of(host, index), out->n_triangles, solid_surface_n_open(out),
                           solid_surface_volume(out));
    *h = self->cell > 0.0 ? self->cell : out->size / self->cells;
    return SCREE_OK;
}

/* ---- thin ---- */

/* 1: a sliver of an implicit function's triangles that is folded back over its neighbours. */
static int is_fold(const solid_surface *s, uint32_t t)
{
    int away = 0;
    for (int k = 0; k < 3; k++)
        away |= !(scree_dot(s->vertex_normal[s->triangle[t][k]], s->normal[t]) > 0.0);
    return away;
}

/* [m] The least thickness below `most` between two faces within 2.6 degrees of parallel; else `most`. */
static double thinnest(const solid_surface *s, double most)
{
    double least = most;
    for (uint32_t t = 0; t < s->n_triangles; t++) {
        const uint32_t *c = s->triangle[t];
        const scree_vec sum =
            scree_sum(s->vertex[c[0]], scree_sum(s->vertex[c[1]], s->vertex[c[2]]));
        const scree_vec below = scree_less(scree_scaled(1.0 / 3.0, sum), least, s->normal[t]);
        const solid_foot foot = solid_tree_closest(s, below, least);
        if (foot.found && foot.distance > 0.0 && scree_dot(foot.normal, s->normal[t]) < -0.999 &&
            !is_fold(s, t))
            least -= foot.distance;
    }
    return least;
}

/* Edges of a plate thinner than the spacing would pass between the other body's samples. */
static int32_t check_thickness(const sdf_resolver *self, uint32_t index, const sdf_shape *s,
                               double h)
{
    const double spacing = self->spacing * h, thin = thinnest(&s->surface, spacing);
    char others[96] = "";
    size_t n = 0;
    if (thin > spacing * (1.0 - 1e-9) || spacing > s->surface.size) // then it is only for balls
        return SCREE_OK;
    const double need = ceil(self->spacing * s->surface.size / thin * (1.0 - 1e-9));
    const double share = floor(1e3 * thin / h) / 1e3;
    if (!(self->cell > 0.0) && need <= 64.0) // within the ranges of the parameters
        n = (size_t)snprintf(others, sizeof others, "`cells` >= %.0f, or ", need);
    if (share >= 0.25)
        snprintf(others + n, sizeof others - n, "`spacing` <= %.3g, or ", share);
    return scree_failf(self->host, SCREE_E_CONFIG,
                       "shape \"%s\": a part of it is %.4g m thick, and its samples are %.4g m "
                       "apart: edges would slip between them; expected %s`cell` <= %.3g m",
                       solid_name_of(self->host, index), thin, spacing, others,
                       thin / self->spacing);
}

/* [m] Distance of a triangle's third vertex from the line of the edge. */
static double height_over(const solid_surface *s, uint32_t t, const solid_edge *e)
{
    const uint32_t *c = s->triangle[t];
    const scree_vec from = s->vertex[e->vertex[0]],
                    along = scree_less(s->vertex[e->vertex[1]], 1.0, from);
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        const scree_vec to = scree_less(s->vertex[c[k]], 1.0, from);
        most = scree_max(most, solid_length(scree_cross(along, to)));
    }
    return most / solid_length(along);
}

/* [-] The least cosine between the outward normals of the two sides of an edge that sticks out. */
static double sharpest(const solid_surface *s, double spacing)
{
    double least = 1.0;
    for (uint32_t e = 0; e < s->n_edges; e++) {
        const uint32_t *t = s->edge[e].triangle;
        const double cosine = scree_dot(s->normal[t[0]], s->normal[t[1]]);
        const double height = scree_min(height_over(s, t[0], &s->edge[e]),
                                        height_over(s, t[1], &s->edge[e])); // 0: a sliver
        uint32_t apex = 0;
        for (int k = 0; k < 3; k++)
            if (s->triangle[t[1]][k] != s->edge[e].vertex[0] &&
                s->triangle[t[1]][k] != s->edge[e].vertex[1])
                apex = s->triangle[t[1]][k];
        const scree_vec to = scree_less(s->vertex[apex], 1.0, s->vertex[s->edge[e].vertex[0]]);
        if (height >= 0.5 * spacing && scree_dot(s->normal[t[0]], to) < 0.0)
            least = scree_min(least, cosine);
    }
    return least;
}

/* Two wedges that cross meet when a sample of one edge is in the other: between samples these are spacing / 2
 * away, where a wedge of angle v is that thick at a depth of spacing / (2 tan(v / 2)). */
static void warn_of_edges(const sdf_resolver *self, uint32_t index, const sdf_shape *s, double h)
{
    const double spacing = self->spacing * h, size = s->surface.size,
                 cosine = scree_max(sharpest(&s->surface, spacing), -1.0);
    const double tangent = sqrt((1.0 + cosine) / (1.0 - cosine)); // tangent of half the angle
    const double unseen = 0.5 * spacing / scree_max(tangent, 1e-9);
    const double fine = SOLID_SERVED * size / unseen * self->spacing; // spacing of the same cells
    if (self->overlap || cosine > SMOOTH || unseen <= SOLID_SERVED * size || spacing > size)
        return;
    const double cells = ceil(self->spacing * size / (fine * h));
    char advice[96] = "more samples than can be set; \"gjk\" serves convex solids exactly";
    if (!(self->cell > 0.0) && cells <= 64.0)
        snprintf(advice, sizeof advice, "`cells` of %.0f, or a `cell` of %.2g m", cells,
                 size / cells);
    else if (fine >= 0.25)
        snprintf(advice, sizeof advice, "a `spacing` of %.2g", floor(100.0 * fine) / 100.0);
    scree_logf(self->host, SCREE_LOG_WARNING,
               "shape \"%s\": an edge of %.3g degrees: where two such edges cross, up to %.2g m of "
               "overlap are not seen, %.2g %% of its longest side; less than %g %% needs %s",
               solid_name_of(self->host, index), 114.59155902616465 * atan(tangent), unseen,
               100.0 * unseen / size, 100.0 * SOLID_SERVED, advice);
}

/* [m] Distance of the triangles' middles from the function's surface: triangles cut off corners. */
static double off_corners(const scree_shape *from, const solid_surface *s)
{
    const scree_implicit *view = from->mesh ? NULL : from->view(from, SCREE_VIEW_IMPLICIT, 0.0);
    double off = 0.0;
    const uint32_t n = view ? s->n_triangles : 0;
    for (uint32_t t = 0; t < n; t++) {
        const uint32_t *c = s->triangle[t];
        const scree_vec middle = scree_scaled(
            1.0 / 3.0, scree_sum(s->vertex[c[0]], scree_sum(s->vertex[c[1]], s->vertex[c[2]])));
        const double x[3] = {middle.x, middle.y, middle.z};
        off = scree_max(off, solid_off_function(view, x));
    }
    return off;
}

/* Warns when a corner or an edge is too fine for the cells. */
static void check_corners(const sdf_resolver *self, uint32_t index, const scree_shape *from,
                          const sdf_shape *s, double h)
{
    const double size = s->surface.size, off = off_corners(from, &s->surface);
    if (off <= SOLID_SERVED * size) {
        warn_of_edges(self, index, s, h);
        return;
    }
    scree_logf(self->host, SCREE_LOG_WARNING,
               "shape \"%s\": cells of %.3g m cut off its corners by up to %.2g m, %.2g %% of its "
               "longest side, and contacts begin that much later there; less than %g %% needs "
               "more `cells`",
               solid_name_of(self->host, index), h, off, 100.0 * off / size, 100.0 * SOLID_SERVED);
}

int32_t sdf_shape_make(const sdf_resolver *self, uint32_t index, const scree_shape *from,
                       sdf_shape *out)
{
    const scree_host *host = self->host;
    double h = 0.0;
    memset(out, 0, sizeof *out);
    int32_t status = find_surface(self, index, from, &out->surface, &h);
    if (status != SCREE_OK)
        return status;
    status = check_thickness(self, index, out, h);
    if (status != SCREE_OK)
        return status;
    check_corners(self, index, from, out, h);
    status = sdf_grid_build(host, &out->surface, h, self->overlap, &out->grid);
    if (status == SCREE_OK)
        status = sdf_shape_sample(out, self->spacing * h, self->overlap);
    if (status != SCREE_OK)
        return host->fail(host->ctx, status, "no memory for the grid of a shape");
    return SCREE_OK;
}

int32_t sdf_wall_make(const sdf_resolver *self, const scree_shape *from, sdf_shape *out)
{
    memset(out, 0, sizeof *out);
    const int32_t status = solid_surface_of_mesh(from->mesh, &out->surface);
    return status == SCREE_OK
               ? status
               : self->host->fail(self->host->ctx, status, "no memory for the surface of a wall");
}
