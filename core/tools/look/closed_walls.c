// SPDX-License-Identifier: Apache-2.0
/*
 * Free bodies that start outside of the closed walls of their scene.
 *
 * Idea   a ray from the centre of a body crosses a closed surface an odd number of times if the
 *        body is inside. The ray runs along z, in 2D along x.
 * Steps  seen along z, a triangle holds the centre if a ray along x crosses its sides an odd number
 *        of times; it counts if the centre is below its plane. Each side is computed from its
 *        vertices in one order, so that two triangles agree about their common side.
 * Cost   facets times bodies; at most MOST_TESTS, for which only each k-th body is tried.
 */
#include "tools/look/closed_walls.h"

#include <math.h>

#include "scree/rotation_sdk.h"
#include "shape/shape.h"

#define MOST_TESTS 2e8 // about a second

static uint32_t corners_of(const uint32_t *facet)
{
    return facet[2] == SCREE_NONE ? 2 : facet[3] == SCREE_NONE ? 3 : 4;
}

static bool is_closed(const scree_mesh *m)
{
    bool closed = m->n_facets > 0;
    for (uint32_t f = 0; f < m->n_facets && closed; f++)
        for (uint32_t e = 0; e < corners_of(m->facet + 4 * (size_t)f); e++)
            closed = closed && m->neighbour[4 * (size_t)f + e] != SCREE_NONE;
    return closed;
}

/** The part [m^3], 2D: [m^2], of the volume within a surface that one side or triangle adds. */
static double volume_below(const scree_mesh *m, const uint32_t *f, uint32_t t)
{
    const double *const *v = m->vertex;
    if (corners_of(f) == 2)
        return 0.5 * (v[0][f[0]] * v[1][f[1]] - v[0][f[1]] * v[1][f[0]]);
    const uint32_t a = f[0], b = f[t], c = f[t + 1];
    return (v[0][a] * (v[1][b] * v[2][c] - v[2][b] * v[1][c]) +
            v[1][a] * (v[2][b] * v[0][c] - v[0][b] * v[2][c]) +
            v[2][a] * (v[0][b] * v[1][c] - v[1][b] * v[0][c])) /
           6.0;
}

/** Whether the normals of a closed surface point inward. */
static bool points_inward(const scree_mesh *m)
{
    double volume = 0.0;
    for (uint32_t i = 0; i < m->n_facets; i++) {
        const uint32_t *f = m->facet + 4 * (size_t)i, n = corners_of(f);
        for (uint32_t t = 1; t + 1 < MAX(n, 3); t++)
            volume += volume_below(m, f, t);
    }
    return volume < 0.0;
}

/** Whether a ray along x from p crosses a side, seen along z. */
static bool crosses_side(const scree_mesh *m, uint32_t i, uint32_t j, const double p[3])
{
    const uint32_t a = MIN(i, j), b = MAX(i, j);
    const double *x = m->vertex[0], *y = m->vertex[1];
    return (y[a] > p[1]) != (y[b] > p[1]) &&
           p[0] < x[a] + (p[1] - y[a]) / (y[b] - y[a]) * (x[b] - x[a]);
}

/** Whether a ray along z from p crosses a triangle. */
static bool crosses_triangle(const scree_mesh *m, uint32_t a, uint32_t b, uint32_t c,
                             const double p[3])
{
    if ((crosses_side(m, a, b, p) ^ crosses_side(m, b, c, p) ^ crosses_side(m, c, a, p)) == 0)
        return false;
    double u[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = m->vertex[k][b] - m->vertex[k][a];
        w[k] = m->vertex[k][c] - m->vertex[k][a];
    }
    const double n[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2],
                         u[0] * w[1] - u[1] * w[0]};
    const double above = n[0] * (m->vertex[0][a] - p[0]) + n[1] * (m->vertex[1][a] - p[1]) +
                         n[2] * (m->vertex[2][a] - p[2]);
    return n[2] > 0.0 ? above > 0.0 : above < 0.0;
}

/** Whether the centre of a body is inside of a closed wall. */
static bool is_inside(const scree_mesh *m, const scree_body *wall, const double x[3])
{
    bool inside = false;
    double d[3], p[3];
    for (int k = 0; k < 3; k++)
        d[k] = (x[k] - wall->x[k]) / wall->scale;
    scree_rotate_back(wall->q, d, p);
    for (uint32_t i = 0; i < m->n_facets; i++) {
        const uint32_t *f = m->facet + 4 * (size_t)i, n = corners_of(f);
        if (n == 2)
            inside ^= crosses_side(m, f[0], f[1], p);
        for (uint32_t t = 1; t + 1 < n; t++)
            inside ^= crosses_triangle(m, f[0], f[t], f[t + 1], p);
    }
    return inside;
}

bool scree_body_is_beyond(const scree_scene *s, const scree_body *b)
{
    const double r = b->scale * ((const scree_shape *)s->shapes->pdata[b->shape])->radius;
    bool out = false;
    for (uint32_t k = 0; k < s->dimension; k++)
        out = out || b->x[k] - r > s->region_max[k] || b->x[k] + r < s->region_min[k];
    return out && s->has_region;
}

/** Lists the bodies in the region whose shapes are closed walls; the scene owns them. */
static GPtrArray *list_closed(const scree_scene *s, uint64_t *n_free, double *facets)
{
    g_autofree int8_t *closed = g_new0(int8_t, s->shapes->len + 1); // 1: closed, -1: open
    GPtrArray *walls = g_ptr_array_new();
    for (guint i = 0; i < s->bodies->len; i++) {
        const scree_body *b = &g_array_index(s->bodies, scree_body, i);
        const scree_shape *shape = s->shapes->pdata[b->shape];
        *n_free += b->motion == SCREE_MOTION_FREE;
        if (!(shape->flags & SCREE_CAP_WALL) || scree_body_is_beyond(s, b))
            continue;
        if (!closed[b->shape])
            closed[b->shape] = is_closed(shape->mesh) ? 1 : -1;
        if (closed[b->shape] < 0)
            continue;
        *facets += shape->mesh->n_facets;
        g_ptr_array_add(walls, (gpointer)b);
    }
    return walls;
}

scree_closed_walls scree_closed_walls_find(const scree_scene *s)
{
    scree_closed_walls found = {0};
    uint64_t n_free = 0, at = 0;
    double facets = 0.0;
    g_autoptr(GPtrArray) walls = list_closed(s, &n_free, &facets);
    g_autofree bool *holds = g_new0(bool, walls->len + 1);
    const uint64_t every = 1 + (uint64_t)(facets * (double)n_free / MOST_TESTS);
    const guint n = walls->len ? s->bodies->len : 0;
    for (guint i = 0; i < n; i++) {
        const scree_body *b = &g_array_index(s->bodies, scree_body, i);
        if (b->motion != SCREE_MOTION_FREE || at++ % every)
            continue;
        bool inside = false;
        for (guint w = 0; w < walls->len; w++) {
            const scree_body *wall = walls->pdata[w];
            const scree_shape *shape = s->shapes->pdata[wall->shape];
            const bool here = is_inside(shape->mesh, wall, b->x);
            holds[w] = holds[w] || here;
            inside = inside || here;
        }
        found.free++;
        found.out += !inside;
    }
    for (guint w = walls->len; w-- > 0;) {
        const scree_body *wall = walls->pdata[w];
        if (!holds[w] && !points_inward(((const scree_shape *)s->shapes->pdata[wall->shape])->mesh))
            continue;
        found.n++;
        found.group = wall->group;
    }
    return found;
}
