// SPDX-License-Identifier: Apache-2.0
// An instance of any type of closed surfaces of triangles: what all of them do with a host's calls.
#include "polyhedron.h"

typedef struct polyhedron {
    const scree_host *host;
    mesh_surface *surface;     // surface in the current frame
    polyhedron_corners corner; // corners of the convex hull
    polyhedron_sums sums;      // sums in the current frame
    double radius;             // [m] about the centroid
    scree_support support;
    polyhedron_extra extra; // owned NULL: none
    cubes_axes axes;        // of `extra`
    int is_convex, is_placed;
} polyhedron;

void polyhedron_destroy(void *instance)
{
    polyhedron *self = instance;
    if (!self)
        return;
    mesh_surface_free(self->surface);
    polyhedron_corners_clear(&self->corner);
    if (self->extra.owned)
        self->extra.free_owned(self->extra.owned);
    free(self);
}

void polyhedron_add(void *instance, const polyhedron_extra *extra)
{
    polyhedron *self = instance;
    self->extra = *extra;
    self->axes = (cubes_axes){.size = sizeof self->axes,
                              .turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    memcpy(self->axes.lo, extra->lo, sizeof extra->lo);
    memcpy(self->axes.hi, extra->hi, sizeof extra->hi);
}

static int no_memory(mesh_lines *problems)
{
    return mesh_say(problems, "no memory for a solid");
}

/** Sets sums, corners and radius in the current frame. */
static void set_sums(polyhedron *self)
{
    const double *const x[3] = {SCREE_XYZ(self->surface->vertex)};
    double most = 0.0;
    self->sums = polyhedron_measure(self->surface);
    polyhedron_corners_set(&self->corner, x);
    for (uint32_t i = 0; i < self->corner.n; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            const double d = self->corner.x[k][i] - self->sums.centroid[k];
            square += d * d;
        }
        most = scree_max(square, most);
    }
    self->radius = sqrt(most);
}

/** Finds the corners; a convex surface has all its vertices as corners. */
static int find_corners(polyhedron *self, mesh_lines *problems)
{
    const uint32_t n = self->surface->view.n_vertices;
    const double *const x[3] = {SCREE_XYZ(self->surface->vertex)};
    uint8_t *marked = malloc((size_t)n + 1);
    if (!marked)
        return no_memory(problems);
    memset(marked, self->is_convex, (size_t)n + 1);
    const int good = self->is_convex || polyhedron_mark_hull(n, x, marked, problems);
    const int made = good && polyhedron_corners_new(&self->corner, n, marked);
    free(marked);
    return made || (good && no_memory(problems));
}

static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    const polyhedron *self = ctx;
    const polyhedron_corners *c = &self->corner;
    for (uint32_t i = 0; i < n; i++) {
        const double d[3] = {direction[0][i], direction[1][i], direction[2][i]};
        const uint32_t at = polyhedron_farthest(c, d);
        for (int k = 0; k < 3; k++)
            point[k][i] = c->x[k][at];
    }
}

int32_t polyhedron_new(const scree_host *host, mesh_surface *surface, mesh_notes *notes,
                       void **instance)
{
    polyhedron *self = surface ? calloc(1, sizeof *self) : NULL;
    int32_t code = SCREE_OK;
    if (self) {
        self->host = host;
        self->surface = surface;
        self->is_convex = polyhedron_is_convex(surface);
        self->support = (scree_support){sizeof self->support, 0, self, farthest};
    }
    if (self && find_corners(self, &notes->problems))
        set_sums(self);
    else
        code = mesh_fail(host, &notes->problems);
    const uint64_t n_notes = code == SCREE_OK ? notes->notes.n : 0;
    for (uint64_t i = 0; i < n_notes; i++)
        host->log(host->ctx, SCREE_LOG_WARNING, notes->notes.line[i]);
    mesh_lines_clear(&notes->problems);
    mesh_lines_clear(&notes->notes);
    if (code == SCREE_OK)
        *instance = self;
    else if (self)
        polyhedron_destroy(self);
    else
        mesh_surface_free(surface);
    return code;
}

uint64_t polyhedron_bytes(void *instance)
{
    const polyhedron *self = instance;
    return sizeof *self + self->surface->bytes + self->corner.n * sizeof *self->corner.number +
           3 * (uint64_t)self->corner.padded * sizeof(double) + self->extra.bytes;
}

int32_t polyhedron_give_measure(void *instance, scree_measure *out)
{
    const polyhedron *self = instance;
    out->n_parts = 1;
    out->content = self->sums.volume;
    out->radius = self->radius;
    memcpy(out->centroid, self->sums.centroid, sizeof out->centroid);
    memcpy(out->inertia, self->sums.inertia, sizeof out->inertia);
    return SCREE_OK;
}

int32_t polyhedron_place(void *instance, const scree_frame *frame)
{
    polyhedron *self = instance;
    mesh_surface *s = self->surface;
    for (uint32_t i = 0; i < s->view.n_vertices; i++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = s->vertex[k][i] - frame->shift[k];
        scree_rotate_back(frame->q, p, p);
        for (int k = 0; k < 3; k++)
            s->vertex[k][i] = p[k];
    }
    for (int j = 0; j < 3; j++) {
        double axis[3] = {j == 0, j == 1, j == 2};
        scree_rotate(frame->q, axis, axis);
        for (int k = 0; k < 3; k++)
            self->axes.turn[k][j] = axis[k];
        self->axes.shift[j] = frame->shift[j];
    }
    set_sums(self);
    self->is_placed = 1;
    return SCREE_OK;
}

int32_t polyhedron_find_boxes(void *instance, const scree_shape_boxes *b)
{
    const polyhedron *self = instance;
    for (uint32_t i = 0; i < b->n; i++) {
        const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
        for (int k = 0; k < 3; k++) {
            double axis[3] = {k == 0, k == 1, k == 2}, range[2], middle = 0.0;
            scree_rotate_back(q, axis, axis); // axis of the world, as the body sees it
            polyhedron_range(&self->corner, axis, range);
            for (int l = 0; l < 3; l++)
                middle += axis[l] * self->sums.centroid[l];
            b->lo[k][i] = b->x[k][i] + b->scale[i] * range[0];
            b->hi[k][i] = b->x[k][i] + b->scale[i] * range[1];
            b->centre[k][i] = b->x[k][i] + b->scale[i] * middle;
        }
        b->radius[i] = b->scale[i] * self->radius;
    }
    return SCREE_OK;
}

/** All views are exact, and satisfy any tolerance. */
int32_t polyhedron_view(void *instance, const char *name, double tolerance, const void **out)
{
    polyhedron *self = instance;
    const int extra = self->extra.owned && !self->is_placed && strcmp(name, self->extra.name) == 0;
    const int axes = self->extra.owned && strcmp(name, CUBES_AXES_VIEW) == 0;
    (void)tolerance;
    *out = NULL;
    if (strcmp(name, SCREE_VIEW_MESH) == 0)
        *out = &self->surface->view;
    else if (strcmp(name, SCREE_VIEW_SUPPORT) == 0 && self->is_convex)
        *out = &self->support;
    else if (extra)
        *out = &self->extra.view;
    else if (axes)
        *out = &self->axes;
    return SCREE_OK;
}
