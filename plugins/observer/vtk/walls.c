// SPDX-License-Identifier: Apache-2.0
// Walls of observer `vtk`: facets as polygons, infinite planes cut to a box.
/*
 * The box is the scene's region; on an axis without a region it has the bounds of all balls and
 * facets, or 1 m around the origin without any. A plane that misses the box is cut to the box moved
 * along the plane's normal until the plane goes through its centre, so that it is seen.
 *
 * Cutting: a square in the plane, larger than the box, is cut by each face of the box in turn
 * (Sutherland, Hodgman 1974, Comm. ACM 17, 32). In 2D a segment is cut in the same way.
 */
#include <math.h>

#include "cells.h"

typedef struct box {
    double lo[3], hi[3];
} box;

void place_point(const scree_bodies *b, uint32_t i, double x, double y, double z, double at[3])
{
    const double v[3] = {b->scale[i] * x, b->scale[i] * y, b->scale[i] * z};
    scree_to_world(b, i, v, at);
    for (int axis = 0; axis < 3; axis++)
        at[axis] += b->x[axis][i];
}

/* Place [m] of vertex `k` of the shape of body `i`. */
static void place_vertex(const scree_bodies *b, uint32_t i, uint32_t k, double at[3])
{
    const double *const *v = b->shapes[b->shape[i]]->mesh->vertex;
    place_point(b, i, v[0][k], v[1][k], v[2][k], at);
}

static void include(box *to, const double at[3], double radius)
{
    for (int k = 0; k < 3; k++) {
        to->lo[k] = scree_min(to->lo[k], at[k] - radius);
        to->hi[k] = scree_max(to->hi[k], at[k] + radius);
    }
}

static box find_bounds(const frame *f)
{
    const scree_bodies *b = f->view->bodies;
    box bounds = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    if (f->piece) { // bodies of other ranks are old
        memcpy(bounds.lo, f->piece->lo, sizeof bounds.lo);
        memcpy(bounds.hi, f->piece->hi, sizeof bounds.hi);
    }
    for (uint32_t i = f->piece ? b->n_free : 0; i < b->n; i++) {
        const scree_shape *shape = b->shapes[b->shape[i]];
        double at[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
        if (!is_wall(b, i))
            include(&bounds, at, b->radius[i]);
        if (shape->flags & SCREE_CAP_WALL)
            for (uint32_t k = 0; k < shape->mesh->n_vertices; k++) {
                place_vertex(b, i, k, at);
                include(&bounds, at, 0.0);
            }
    }
    return bounds;
}

static box find_box(const frame *f)
{
    const scree_bodies *b = f->view->bodies;
    int has_region = 1;
    for (uint32_t k = 0; k < b->dimension; k++)
        has_region &= isfinite(b->cell->lo[k]) && isfinite(b->cell->hi[k]);
    box bounds = has_region ? (box){{0}, {0}} : find_bounds(f);
    for (uint32_t k = 0; k < 3; k++) {
        if (isfinite(b->cell->lo[k]) && isfinite(b->cell->hi[k])) {
            bounds.lo[k] = b->cell->lo[k];
            bounds.hi[k] = b->cell->hi[k];
        } else if (!(bounds.lo[k] <= bounds.hi[k])) {
            bounds.lo[k] = -0.5;
            bounds.hi[k] = 0.5;
        }
        if (k >= b->dimension)
            bounds.lo[k] = bounds.hi[k] = 0.0;
    }
    return bounds;
}

/* Cuts a convex polygon to the side x[axis] * sign <= at * sign, with tolerance. */
static uint32_t cut(double (*corner)[3], uint32_t n, int closed, int axis, double sign, double at,
                    double eps)
{
    double kept[MOST_CORNERS][3];
    uint32_t m = 0, edges = closed ? n : n - 1;
    for (uint32_t e = 0; e < n; e++) {
        const double *a = corner[e], *b = corner[(e + 1) % n];
        double da = (a[axis] - at) * sign, db = (b[axis] - at) * sign;
        if (da <= eps && m < MOST_CORNERS)
            memcpy(kept[m++], a, sizeof kept[0]);
        if (e < edges && (da <= eps) != (db <= eps) && m < MOST_CORNERS) {
            for (int k = 0; k < 3; k++)
                kept[m][k] = a[k] + (b[k] - a[k]) * (da / (da - db));
            kept[m++][axis] = at;
        }
    }
    memcpy(corner, kept, m * sizeof kept[0]);
    return m;
}

/* Finds the part of a plane inside a box; its corners are in order around the normal. Returns their
 * number. */
static uint32_t cut_plane(const double x[3], const double n[3], uint32_t dimension, const box *in,
                          double (*corner)[3])
{
    double centre[3], foot[3], u[3], v[3], size = 0.0, d = 0.0;
    int least = 0;
    uint32_t count = dimension == 3 ? 4 : 2;
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * (in->lo[k] + in->hi[k]);
        size += (in->hi[k] - in->lo[k]) * (in->hi[k] - in->lo[k]);
        d += n[k] * (x[k] - centre[k]);
        if (fabs(n[k]) < fabs(n[least]))
            least = k;
    }
    size = 2.0 * sqrt(size) + fabs(d);
    // u and v span the plane; in 2D only u, v is the axis.
    double axis[3] = {least == 0, least == 1, least == 2};
    if (dimension == 2) {
        axis[0] = axis[1] = 0.0;
        axis[2] = 1.0;
    }
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        u[k] = axis[a] * n[b] - axis[b] * n[a];
        foot[k] = centre[k] + d * n[k];
    }
    double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int k = 0; k < 3; k++)
        u[k] /= length;
    for (int k = 0; k < 3; k++)
        v[k] = n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3];
    for (uint32_t c = 0; c < count; c++) {
        double along = c == 0 || c == 3 ? -size : size;
        double across = dimension == 3 ? (c < 2 ? -size : size) : 0.0;
        for (int k = 0; k < 3; k++)
            corner[c][k] = foot[k] + along * u[k] + across * v[k];
    }
    double eps = 1e-9 * size;
    for (uint32_t k = 0; k < dimension && count > 0; k++) {
        count = cut(corner, count, dimension == 3, (int)k, 1.0, in->hi[k], eps);
        if (count > 0)
            count = cut(corner, count, dimension == 3, (int)k, -1.0, in->lo[k], eps);
    }
    return count;
}

static void outline_plane(const scree_bodies *b, uint32_t i, const box *in, wall *to)
{
    double n[3], x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]}, d = 0.0;
    uint32_t fewest = b->dimension;
    scree_to_world(b, i, b->shapes[b->shape[i]]->normal, n);
    to->n_points = cut_plane(x, n, b->dimension, in, to->outline);
    if (to->n_points < fewest) {
        box moved = *in;
        for (int k = 0; k < 3; k++)
            d += n[k] * (x[k] - 0.5 * (in->lo[k] + in->hi[k]));
        for (int k = 0; k < 3; k++) {
            moved.lo[k] += d * n[k];
            moved.hi[k] += d * n[k];
        }
        to->n_points = cut_plane(x, n, b->dimension, &moved, to->outline);
    }
    to->n_cells = to->n_points >= fewest;
    to->n_corners = to->n_points = to->n_cells ? to->n_points : 0;
}

static void count_facets(const scree_shape *shape, wall *to)
{
    to->n_points = shape->mesh->n_vertices;
    to->n_cells = shape->mesh->n_facets;
    for (uint32_t k = 0; k < 4 * shape->mesh->n_facets; k++)
        to->n_corners += shape->mesh->facet[k] != SCREE_NONE;
}

int32_t find_walls(wall_memory *memory, frame *f)
{
    const scree_bodies *b = f->view->bodies;
    const box in = find_box(f);
    uint64_t n_walls = 0, n_planes = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        n_walls += (uint64_t)is_wall(b, i);
        n_planes += (b->shapes[b->shape[i]]->flags & SCREE_CAP_INFINITE) != 0;
    }
    if (!scree_grow(&memory->walls, &memory->wall_capacity, n_walls + 1, sizeof(wall)) ||
        !scree_grow(&memory->outlines, &memory->outline_capacity, n_planes + 1,
                    sizeof memory->outlines[0]))
        return SCREE_E_MEMORY;
    f->n_walls = f->n_points = f->n_cells = f->n_corners = n_planes = 0;
    f->walls = memory->walls;
    for (uint32_t i = 0; i < b->n; i++) {
        const scree_shape *shape = b->shapes[b->shape[i]];
        wall *to = &memory->walls[f->n_walls];
        scree_load load = {.size = offsetof(scree_load, stiffness)};
        if (!is_wall(b, i))
            continue;
        *to = (wall){.body = i};
        if (shape->flags & SCREE_CAP_INFINITE) {
            to->outline = memory->outlines[n_planes++];
            outline_plane(b, i, &in, to);
        } else {
            count_facets(shape, to);
        }
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
    const scree_bodies *b = f->view->bodies;
    for (const wall *w = f->walls; w < f->walls + f->n_walls; w++)
        for (uint32_t k = 0; k < w->n_points; k++) {
            double at[3];
            if (!w->outline)
                place_vertex(b, w->body, k, at);
            put_reals(s, w->outline ? w->outline[k] : at, 3);
        }
}

static void emit_connectivity(const frame *f, sink *s)
{
    const scree_bodies *b = f->view->bodies;
    uint64_t first = 0;
    for (const wall *w = f->walls; w < f->walls + f->n_walls; w++) {
        const scree_shape *shape = b->shapes[b->shape[w->body]];
        if (w->outline)
            for (uint32_t k = 0; k < w->n_corners; k++)
                put_int64(s, first + k);
        else
            for (uint32_t k = 0; k < 4 * shape->mesh->n_facets; k++)
                if (shape->mesh->facet[k] != SCREE_NONE)
                    put_int64(s, first + shape->mesh->facet[k]);
        first += w->n_points;
    }
}

static void emit_offsets(const frame *f, sink *s)
{
    const scree_bodies *b = f->view->bodies;
    uint64_t end = 0;
    for (const wall *w = f->walls; w < f->walls + f->n_walls; w++) {
        const scree_shape *shape = b->shapes[b->shape[w->body]];
        for (uint32_t c = 0; c < w->n_cells; c++) {
            if (!w->outline)
                for (uint32_t k = 0; k < 4; k++)
                    end += shape->mesh->facet[4 * c + k] != SCREE_NONE;
            end += w->outline ? w->n_corners : 0;
            put_int64(s, end);
        }
    }
}

EMIT_PER_CELL(facet, put_int32(s, w->outline ? -1 : (int32_t)c))

static const array cell_data[] = {
    {"id", "Int64", 1, emit_id},
    {"facet", "Int32", 1, emit_facet},
    {"material", "Int32", 1, emit_material},
    {"group", "Int32", 1, emit_group},
    {"motion", "Int32", 1, emit_motion},
    {"force", "Float64", 3, emit_force},
    {0},
};

const part walls_part = {
    .name = "walls",
    .point_data = nothing,
    .cell_data = cell_data,
    .points = {"Points", "Float64", 3, emit_points},
    .connectivity = {"connectivity", "Int64", 1, emit_connectivity},
    .offsets = {"offsets", "Int64", 1, emit_offsets},
};
