// SPDX-License-Identifier: Apache-2.0
// A wall of facets: what all types of walls do with their surface. Part p of a body is facet p.
#include "mesh.h"

int32_t mesh_wall_new(const scree_host *host, mesh_surface *surface, mesh_notes *notes,
                      void **instance)
{
    mesh_wall *self = calloc(1, sizeof *self);
    int32_t code = surface && self ? SCREE_OK : mesh_fail(host, &notes->problems);
    const uint64_t n_notes = code == SCREE_OK ? notes->notes.n : 0;
    for (uint64_t i = 0; i < n_notes; i++)
        host->log(host->ctx, SCREE_LOG_WARNING, notes->notes.line[i]);
    if (code == SCREE_OK && surface->branching)
        scree_logf(host, SCREE_LOG_WARNING,
                   "%u edges have more than two facets; they count as open edges of each",
                   surface->branching);
    mesh_lines_clear(&notes->problems);
    mesh_lines_clear(&notes->notes);
    if (code != SCREE_OK) {
        mesh_surface_free(surface);
        free(self);
        return code;
    }
    self->host = host;
    self->surface = surface;
    *instance = self;
    return SCREE_OK;
}

void mesh_wall_destroy(void *instance)
{
    mesh_wall *self = instance;
    if (self)
        mesh_surface_free(self->surface);
    free(self);
}

uint64_t mesh_wall_bytes(void *instance)
{
    const mesh_wall *self = instance;
    return sizeof *self + self->surface->bytes;
}

int32_t mesh_wall_measure(void *instance, scree_measure *out)
{
    const mesh_surface *s = ((const mesh_wall *)instance)->surface;
    double largest = 0.0;
    for (uint32_t i = 0; i < s->view.n_vertices; i++) {
        double x = s->vertex[0][i], y = s->vertex[1][i], z = s->vertex[2][i];
        largest = fmax(largest, sqrt(x * x + y * y + z * z));
    }
    out->n_parts = s->view.n_facets;
    out->radius = largest;
    return SCREE_OK;
}

/** Writes the corners of a part in world axes. Returns their number. */
static uint32_t corners_of(const mesh_surface *s, const scree_shape_boxes *b, uint32_t i,
                           double corner[4][3])
{
    const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
    const uint32_t *f = s->facet + 4 * (size_t)b->part[i];
    uint32_t n = 0;
    for (; n < 4 && f[n] != SCREE_NONE; n++) {
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = b->scale[i] * s->vertex[k][f[n]];
        scree_rotate(q, at, corner[n]);
        for (int k = 0; k < 3; k++)
            corner[n][k] += b->x[k][i];
    }
    return n;
}

int32_t mesh_wall_boxes(void *instance, const scree_shape_boxes *b)
{
    const mesh_surface *s = ((const mesh_wall *)instance)->surface;
    for (uint32_t i = 0; i < b->n; i++) {
        double corner[4][3], radius = 0.0;
        const uint32_t n = corners_of(s, b, i, corner);
        for (int k = 0; k < 3; k++) {
            double sum = 0.0, lo = HUGE_VAL, hi = -HUGE_VAL;
            for (uint32_t c = 0; c < n; c++) {
                lo = fmin(lo, corner[c][k]);
                hi = fmax(hi, corner[c][k]);
                sum += corner[c][k];
            }
            b->lo[k][i] = lo;
            b->hi[k][i] = hi;
            b->centre[k][i] = fmin(fmax(sum / n, lo), hi);
        }
        for (uint32_t c = 0; c < n; c++) {
            double square = 0.0;
            for (int k = 0; k < 3; k++)
                square += (corner[c][k] - b->centre[k][i]) * (corner[c][k] - b->centre[k][i]);
            radius = fmax(radius, sqrt(square));
        }
        b->radius[i] = radius;
    }
    return SCREE_OK;
}

int32_t mesh_wall_view(void *instance, const char *name, double tolerance, const void **view)
{
    const mesh_wall *self = instance;
    (void)tolerance; // the mesh is exact
    *view = strcmp(name, SCREE_VIEW_MESH) == 0 ? &self->surface->view : NULL;
    return SCREE_OK;
}
