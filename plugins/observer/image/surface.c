// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: surfaces of solids and clumps; their bodies as things to draw.
/*
 * A shape is asked for its surface at most twice: roughly, to find the place of the camera, and
 * then to a fifth of a pixel, for its largest body in the middle of the scene. Each body is drawn
 * from that one surface, with its own pose and scale; bodies have no data of their own.
 *
 *   shape      3D                                 2D
 *   clump      its balls                          its discs, a dark rim around all of them
 *   solid      facets of scree.mesh/1             scree.outline/1, filled, with a dark rim
 *   convex the hull by scree.support/1, if it has no such view
 *   no view    the ball that holds it; the log says so
 *
 * Each corner has a normal: the mean, by area, of the facets around the vertex that are bent by
 * less than 30 degrees against its facet. So a rod is smooth and a cube has edges.
 */
#include "image.h"

#include <inttypes.h>

#define SHARP_COS 0.866 /* cos 30 degrees */
#define PIXELS 0.2      /* tolerance [px] */
#define ROUGH 0.05      /* tolerance at most, of the radius */
#define FINE 1e-4       /* and at least, of the radius */
#define RIM 0.12        /* width of a rim, of a disc's radius */
#define BEHIND 1e-3     /* distance of a disc's rim behind its middle, of its radius */
enum { UNKNOWN, ROUGHLY, KNOWN };

/* ---- surfaces ---- */

/* Normal of a facet, twice its area long. */
static void facet_normal(const scree_mesh *m, uint32_t number, double out[3])
{
    const uint32_t *f = &m->facet[4 * (uint64_t)number];
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = m->vertex[k][f[1]] - m->vertex[k][f[0]];
        v[k] = m->vertex[k][f[2]] - m->vertex[k][f[0]];
    }
    cross(u, v, out);
}

/* Facets around each vertex: list[first[v]] .. list[first[v + 1] - 1]. */
static void list_facets(const scree_mesh *m, uint32_t *first, uint32_t *list)
{
    for (uint64_t k = 0; k < 4 * (uint64_t)m->n_facets; k++)
        if (m->facet[k] != SCREE_NONE)
            first[m->facet[k] + 2]++;
    for (uint32_t v = 0; v < m->n_vertices; v++)
        first[v + 2] += first[v + 1];
    for (uint64_t k = 0; k < 4 * (uint64_t)m->n_facets; k++)
        if (m->facet[k] != SCREE_NONE)
            list[first[m->facet[k] + 1]++] = (uint32_t)(k / 4);
}

/* Mean of the normals around a corner, without those bent sharply against its facet's normal. */
static void corner_normal(const double (*all)[3], const double own[3], const uint32_t *from,
                          const uint32_t *to, float out[3])
{
    double sum[3] = {own[0], own[1], own[2]}, length = sqrt(dot(own, own));
    for (; from < to; from++) {
        const double *n = all[*from];
        if (n != own && dot(n, own) > SHARP_COS * length * sqrt(dot(n, n)))
            for (int k = 0; k < 3; k++)
                sum[k] += n[k];
    }
    normalise(sum);
    for (int k = 0; k < 3; k++)
        out[k] = (float)sum[k];
}

static int make_normals(image_surface *s)
{
    const scree_mesh *m = s->mesh;
    uint32_t *first = calloc((uint64_t)m->n_vertices + 2, sizeof *first);
    uint32_t *list = malloc(4 * (uint64_t)m->n_facets * sizeof *list);
    double(*all)[3] = malloc(m->n_facets * sizeof *all);
    s->normal = malloc(4 * (uint64_t)m->n_facets * sizeof *s->normal);
    int ok = first && list && all && s->normal;
    if (ok) {
        list_facets(m, first, list);
        for (uint32_t f = 0; f < m->n_facets; f++)
            facet_normal(m, f, all[f]);
        for (uint64_t k = 0; k < 4 * (uint64_t)m->n_facets; k++)
            if (m->facet[k] != SCREE_NONE)
                corner_normal((const double(*)[3])all, all[k / 4], list + first[m->facet[k]],
                              list + first[m->facet[k] + 1], s->normal[k]);
    }
    free(first);
    free(list);
    free(all);
    return ok;
}

/* The rim is as wide as that of a disc with the same area and circumference. */
static void find_rim(image_surface *s)
{
    const double *x = s->outline->vertex[0], *y = s->outline->vertex[1];
    double area = 0.0, round = 0.0;
    for (uint32_t i = 0, j = s->outline->n - 1; i < s->outline->n; j = i++) {
        area += 0.5 * (x[j] * y[i] - x[i] * y[j]);
        round += sqrt((x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]));
    }
    s->rim = RIM * 2.0 * area / round;
}

/* Asks a shape for its surface; 0: out of memory. */
static int ask(const image *self, const scree_shape *shape, double tolerance, image_surface *s)
{
    const uint32_t dimension = self->host->dimension;
    s->tolerance = tolerance;
    s->balls = shape->balls;
    if (s->balls)
        return 1;
    if (dimension == 3)
        s->mesh = shape->view(shape, SCREE_VIEW_MESH, tolerance);
    else
        s->outline = shape->view(shape, SCREE_VIEW_OUTLINE, tolerance);
    if (s->mesh || s->outline)
        return 1;
    if (!hull_make(shape, dimension, tolerance, &s->hull))
        return 0;
    if (s->hull && dimension == 3)
        s->mesh = &s->hull->mesh;
    else if (s->hull)
        s->outline = &s->hull->outline;
    return 1;
}

/* The tolerance that pictures need for a shape whose largest body has this scale. */
static double choose_tolerance(const image *self, const scree_shape *shape, double scale)
{
    const camera *c = &self->camera;
    double middle[3], at[3], tolerance;
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (self->box[0][k] + self->box[1][k]);
    to_camera(c, middle, at);
    tolerance = PIXELS * (c->flat ? 1.0 : fmax(at[2], c->near)) / c->focal / scale;
    return fmin(fmax(tolerance, FINE * shape->radius), ROUGH * shape->radius);
}

static int32_t no_memory(const image *self)
{
    return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for surfaces");
}

static int32_t make_surface(image *self, const scree_view *view, uint32_t number, double scale)
{
    const scree_shape *shape = view->bodies->shapes[number];
    const int flat = self->host->dimension == 2;
    image_surface *s = &self->surfaces[number];
    hull_free(s->hull);
    *s = (image_surface){.known = KNOWN};
    if (!ask(self, shape, choose_tolerance(self, shape, scale), s))
        return no_memory(self);
    s->size = cbrt(shape->volume / 4.1887902047863905);
    if (!s->balls && !s->mesh && !s->outline)
        scree_logf(self->host, SCREE_LOG_INFO,
                   "shape %" PRIu32 " (%s) offers neither %s nor " SCREE_VIEW_SUPPORT
                   ": its bodies are drawn as %s that hold them",
                   number, shape->plugin->id, flat ? SCREE_VIEW_OUTLINE : SCREE_VIEW_MESH,
                   flat ? "discs" : "balls");
    if (s->outline)
        find_rim(s);
    if (s->mesh && !make_normals(s))
        return no_memory(self);
    return SCREE_OK;
}

static int has_room(image *self, const scree_bodies *b)
{
    uint64_t n = self->n_surfaces;
    if (!scree_grow(&self->surfaces, &self->surface_capacity, b->n_shapes, sizeof(image_surface)))
        return 0;
    for (; n < b->n_shapes; n++)
        self->surfaces[n] = (image_surface){.known = UNKNOWN};
    self->n_surfaces = n;
    return 1;
}

int32_t make_rough_surfaces(image *self, const scree_bodies *b)
{
    if (!has_room(self, b))
        return no_memory(self);
    for (uint32_t i = 0; i < b->n; i++) {
        const scree_shape *shape = b->shapes[b->shape[i]];
        image_surface *s = &self->surfaces[b->shape[i]];
        if (s->known != UNKNOWN || !is_solid(shape))
            continue;
        if (!ask(self, shape, ROUGH * shape->radius, s))
            return no_memory(self);
        s->known = ROUGHLY;
    }
    return SCREE_OK;
}

int32_t make_surfaces(image *self, const scree_view *view)
{
    const scree_bodies *b = view->bodies;
    int32_t status = SCREE_OK;
    if (!has_room(self, b))
        return no_memory(self);
    for (uint32_t i = 0; i < b->n && status == SCREE_OK; i++) {
        double scale = 0.0;
        if (self->surfaces[b->shape[i]].known == KNOWN || !is_solid(b->shapes[b->shape[i]]))
            continue;
        for (uint32_t j = i; j < b->n; j++) // each shape once
            if (b->shape[j] == b->shape[i])
                scale = fmax(scale, b->scale[j]);
        status = make_surface(self, view, b->shape[i], scale);
    }
    return status;
}

void drop_surfaces(image *self)
{
    for (uint64_t k = 0; k < self->n_surfaces; k++) {
        free(self->surfaces[k].normal);
        hull_free(self->surfaces[k].hull);
    }
    free(self->surfaces);
}

/* ---- bodies ---- */

void place_vertex(const scree_bodies *b, uint32_t i, const double *const point[3], uint32_t k,
                  double out[3])
{
    double x[3];
    for (int axis = 0; axis < 3; axis++)
        x[axis] = point[axis] ? b->scale[i] * point[axis][k] : 0.0;
    scree_to_world(b, i, x, out);
    for (int axis = 0; axis < 3; axis++)
        out[axis] += b->x[axis][i];
}

static int32_t add_clump(image *self, const scree_bodies *b, uint32_t i, const scree_balls *balls)
{
    int32_t status = SCREE_OK;
    for (uint32_t p = 0; p < balls->n && status == SCREE_OK; p++) {
        double x[3];
        image_ball one = {
            .r = b->scale[i] * balls->radius[p], .kind = BALL_SPHERE, .solid = NO_SOLID};
        place_vertex(b, i, balls->centre, p, x);
        if (b->dimension == 3) {
            status = add_ball(self, b, i, &one, x);
            continue;
        }
        one.kind = BALL_FLAT;
        one.r *= 1.0 - RIM;
        status = add_ball(self, b, i, &one, x);
        one.kind = BALL_RIM;
        one.r = b->scale[i] * balls->radius[p];
        x[2] -= BEHIND * one.r; // 2D: the camera looks down
        if (status == SCREE_OK)
            status = add_ball(self, b, i, &one, x);
    }
    return status;
}

int32_t add_solid(image *self, const scree_bodies *b, uint32_t i)
{
    drawing *d = &self->drawing;
    const image_surface *s = &self->surfaces[b->shape[i]];
    const double x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
    image_ball one = {.r = b->radius[i] + b->scale[i] * s->tolerance,
                      .kind = b->dimension == 2 ? BALL_DISC : BALL_SPHERE,
                      .solid = NO_SOLID};
    if (s->balls)
        return add_clump(self, b, i, s->balls);
    if (!s->mesh && !s->outline) {
        one.r = b->radius[i];
        return add_ball(self, b, i, &one, x);
    }
    solid *to = grow(self, &d->solids, &d->solid_capacity, d->n_solids, sizeof *to);
    if (!to)
        return SCREE_E_MEMORY;
    *to = (solid){.surface = s, .scale = b->scale[i]};
    for (int c = 0; c < 3; c++) {
        double axis[3] = {0.0, 0.0, 0.0}, world[3];
        axis[c] = b->scale[i];
        scree_to_world(b, i, axis, world);
        for (int k = 0; k < 3; k++)
            to->turn[k][c] = dot(self->camera.axis[k], world);
    }
    const uint64_t before = d->n_balls;
    const uint32_t n = s->mesh ? s->mesh->n_vertices : s->outline->n;
    one.solid = (uint32_t)d->n_solids;
    int32_t status = add_ball(self, b, i, &one, x);
    if (d->n_balls > before) { // otherwise it is outside the picture
        d->n_solids++;
        d->most_vertices = n > d->most_vertices ? n : d->most_vertices;
    }
    return status;
}
