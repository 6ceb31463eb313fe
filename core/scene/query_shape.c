// SPDX-License-Identifier: Apache-2.0
/*
 * Whether balls, facets, half-spaces and solids meet a ball or a box.
 *
 * Facet and ball: the distance to the plane when the foot of the perpendicular is inside the
 * polygon, else to the nearest edge. Facet and box: separating axes (Akenine-Moeller, "Fast 3D
 * triangle-box overlap testing", J. Graphics Tools 6, 2001, 29-33); a quad as its two triangles.
 * Solid: a facet of its border meets the region, or the region is inside of it; a convex solid
 * by query_convex.c.
 */
#include "scene/query_shape.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "scene/plugin_shape.h"
#include "scene/query_convex.h"

#define VIEW_TOLERANCE 1e-3 /* [-] of the radius, where no view is exact */

/* ---- facets ---- */

static void set_normal(scree_query_facet *f)
{
    double a[3], b[3];
    memset(f->n, 0, sizeof f->n);
    if (f->corners == 2)
        return;
    for (int k = 0; k < 3; k++) {
        a[k] = f->v[1][k] - f->v[0][k];
        b[k] = f->v[2][k] - f->v[0][k];
    }
    f->n[0] = a[1] * b[2] - a[2] * b[1];
    f->n[1] = a[2] * b[0] - a[0] * b[2];
    f->n[2] = a[0] * b[1] - a[1] * b[0];
    double length = sqrt(f->n[0] * f->n[0] + f->n[1] * f->n[1] + f->n[2] * f->n[2]);
    for (int k = 0; k < 3; k++)
        f->n[k] /= length;
}

void scree_query_facet_place(scree_query_facet *f, const scree_mesh *mesh, uint32_t number,
                             const double x[3], const double q[4], double scale)
{
    const uint32_t *corner = mesh->facet + 4 * (size_t)number;
    for (int k = 0; k < 3; k++) {
        f->lo[k] = HUGE_VAL;
        f->hi[k] = -HUGE_VAL;
    }
    f->corners = 0;
    for (uint32_t c = 0; c < 4 && corner[c] != SCREE_NONE; c++) {
        double v[3], turned[3];
        for (int k = 0; k < 3; k++)
            v[k] = scale * mesh->vertex[k][corner[c]];
        scree_rotate(q, v, turned);
        for (int k = 0; k < 3; k++) {
            f->v[c][k] = x[k] + turned[k];
            f->lo[k] = fmin(f->lo[k], f->v[c][k]);
            f->hi[k] = fmax(f->hi[k], f->v[c][k]);
        }
        f->corners = c + 1;
    }
    set_normal(f);
}

/** Squared distance; `way` leads from x to the nearest point. */
static double segment_way(const double a[3], const double b[3], const double x[3], double way[3])
{
    double ab[3], ax[3], t = 0.0, length2 = 0.0, d2 = 0.0;
    for (int k = 0; k < 3; k++) {
        ab[k] = b[k] - a[k];
        ax[k] = x[k] - a[k];
        t += ab[k] * ax[k];
        length2 += ab[k] * ab[k];
    }
    t = CLAMP(t / length2, 0.0, 1.0);
    for (int k = 0; k < 3; k++) {
        way[k] = t * ab[k] - ax[k];
        d2 += way[k] * way[k];
    }
    return d2;
}

/** Signed side of x at edge e: >= 0 inside. */
static double edge_side(const scree_query_facet *f, uint32_t e, const double x[3])
{
    const double *a = f->v[e], *b = f->v[(e + 1) % f->corners];
    double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double w[3] = {x[0] - a[0], x[1] - a[1], x[2] - a[2]};
    return f->n[0] * (u[1] * w[2] - u[2] * w[1]) + f->n[1] * (u[2] * w[0] - u[0] * w[2]) +
           f->n[2] * (u[0] * w[1] - u[1] * w[0]);
}

double scree_query_facet_way(const scree_query_facet *f, const double x[3], double way[3])
{
    bool inside = f->corners > 2;
    uint32_t edges = f->corners == 2 ? 1 : f->corners;
    for (uint32_t e = 0; e < edges && inside; e++)
        inside = edge_side(f, e, x) >= 0.0;
    if (inside) {
        double h = 0.0;
        for (int k = 0; k < 3; k++)
            h += f->n[k] * (x[k] - f->v[0][k]);
        for (int k = 0; k < 3; k++)
            way[k] = -h * f->n[k];
        return h * h;
    }
    double least = HUGE_VAL, to_edge[3];
    for (uint32_t e = 0; e < edges; e++) {
        double d2 = segment_way(f->v[e], f->v[(e + 1) % f->corners], x, to_edge);
        if (!(d2 < least))
            continue;
        least = d2;
        memcpy(way, to_edge, sizeof to_edge);
    }
    return least;
}

/** Whether the projections on an axis are apart: of n corners, and of a box of these half sides about
 * the origin. */
static bool is_apart(const double axis[3], uint32_t n, double v[][3], const double half[3])
{
    double least = HUGE_VAL, most = -HUGE_VAL;
    double reach = half[0] * fabs(axis[0]) + half[1] * fabs(axis[1]) + half[2] * fabs(axis[2]);
    for (uint32_t c = 0; c < n; c++) {
        double p = axis[0] * v[c][0] + axis[1] * v[c][1] + axis[2] * v[c][2];
        least = fmin(least, p);
        most = fmax(most, p);
    }
    // Rounding of sums of such terms never parts what touches.
    const double slack = 4e-15 * (reach + fmax(fabs(least), fabs(most)));
    return least > reach + slack || most < -reach - slack;
}

/** A segment in 2D, or a triangle; corners as seen from the centre of the box. */
static bool corners_meet_box(uint32_t n, double v[][3], const double half[3])
{
    double edge[3][3], axis[3];
    for (int k = 0; k < 3; k++) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        if (is_apart(unit, n, v, half))
            return false;
        for (uint32_t e = 0; e < 3; e++)
            edge[e][k] = v[(e + 1) % n][k] - v[e % n][k];
    }
    if (n == 2) {
        const double across[3] = {-edge[0][1], edge[0][0], 0.0};
        return !is_apart(across, n, v, half);
    }
    axis[0] = edge[0][1] * edge[1][2] - edge[0][2] * edge[1][1];
    axis[1] = edge[0][2] * edge[1][0] - edge[0][0] * edge[1][2];
    axis[2] = edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0];
    if (is_apart(axis, n, v, half))
        return false;
    for (uint32_t e = 0; e < 3; e++)
        for (int k = 0; k < 3; k++) { // the axis k of the box times the edge
            axis[k] = 0.0;
            axis[(k + 1) % 3] = -edge[e][(k + 2) % 3];
            axis[(k + 2) % 3] = edge[e][(k + 1) % 3];
            if (is_apart(axis, n, v, half))
                return false;
        }
    return true;
}

bool scree_query_facet_meets_box(const scree_query_facet *f, uint32_t dimension, const double lo[3],
                                 const double hi[3])
{
    double half[3] = {0}, centre[3] = {0};
    for (uint32_t k = 0; k < dimension; k++) {
        half[k] = 0.5 * (hi[k] - lo[k]);
        centre[k] = lo[k] + half[k];
        if (f->lo[k] > hi[k] || f->hi[k] < lo[k])
            return false;
    }
    for (uint32_t first = 0; first + 2 < MAX(f->corners, 3); first++) {
        double v[3][3] = {{0}};
        const uint32_t corner[3] = {0, first + 1, first + 2}, n = MIN(f->corners, 3);
        for (uint32_t c = 0; c < n; c++)
            for (uint32_t k = 0; k < dimension; k++)
                v[c][k] = f->v[corner[c]][k] - centre[k];
        if (corners_meet_box(n, v, half))
            return true;
    }
    return false;
}

/* ---- regions ---- */

bool scree_query_ball_meets(const double x[3], double radius, uint32_t dimension,
                            const scree_region *region)
{
    double d2 = 0.0, reach = radius;
    for (uint32_t k = 0; k < dimension; k++) {
        double d = region->type == SCREE_REGION_BALL
                       ? x[k] - region->centre[k]
                       : x[k] - CLAMP(x[k], region->lo[k], region->hi[k]);
        d2 += d * d;
    }
    if (region->type == SCREE_REGION_BALL)
        reach += region->radius;
    return d2 <= reach * reach;
}

bool scree_query_plane_meets(const double n[3], double at, uint32_t dimension,
                             const scree_region *region)
{
    double least = 0.0; // n x of the point of the region that is farthest against n
    for (uint32_t k = 0; k < dimension; k++)
        least += region->type == SCREE_REGION_BALL ? n[k] * region->centre[k]
                 : n[k] > 0.0                      ? n[k] * region->lo[k]
                                                   : n[k] * region->hi[k];
    return least - (region->type == SCREE_REGION_BALL ? region->radius : 0.0) <= at;
}

bool scree_query_facet_meets(const scree_query_facet *f, uint32_t dimension,
                             const scree_region *region)
{
    double way[3];
    if (region->type == SCREE_REGION_BOX)
        return scree_query_facet_meets_box(f, dimension, region->lo, region->hi);
    return scree_query_facet_way(f, region->centre, way) <= region->radius * region->radius;
}

/* ---- solids ---- */

/** A point of the region. */
static void point_of(const scree_region *region, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = region->type == SCREE_REGION_BALL ? region->centre[k]
                                                 : 0.5 * region->lo[k] + 0.5 * region->hi[k];
}

/** Solid angle of a triangle as seen from the origin over 2 (van Oosterom and Strackee 1983). */
static double half_angle(double v[3][3])
{
    double l[3], dot[3];
    double det = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                 v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                 v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    for (int c = 0; c < 3; c++) {
        const double *a = v[c], *b = v[(c + 1) % 3];
        l[c] = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        dot[c] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
    return atan2(det, l[0] * l[1] * l[2] + dot[0] * l[2] + dot[1] * l[0] + dot[2] * l[1]);
}

/** Share of all directions (2D: of the circle) in which x sees the outer side of a facet. */
static double seen(const scree_query_facet *f, const double x[3])
{
    double v[4][3], sum = 0.0;
    for (uint32_t c = 0; c < f->corners; c++)
        for (int k = 0; k < 3; k++)
            v[c][k] = f->v[c][k] - x[k];
    if (f->corners == 2)
        return atan2(v[0][0] * v[1][1] - v[0][1] * v[1][0], v[0][0] * v[1][0] + v[0][1] * v[1][1]) /
               (2.0 * G_PI);
    for (uint32_t first = 0; first + 2 < f->corners; first++) {
        double t[3][3];
        memcpy(t[0], v[0], sizeof t[0]);
        memcpy(t[1], v[first + 1], sizeof t[1]);
        memcpy(t[2], v[first + 2], sizeof t[2]);
        sum += half_angle(t) / (2.0 * G_PI);
    }
    return sum;
}

/** A solid whose border the facets are: one of them meets the region, or the region is inside. */
static bool mesh_meets(const scree_mesh *mesh, const scree_body *body, uint32_t dimension,
                       const scree_region *region)
{
    scree_query_facet f;
    double inside = 0.0, x[3];
    point_of(region, x);
    for (uint32_t i = 0; i < mesh->n_facets; i++) {
        scree_query_facet_place(&f, mesh, i, body->x, body->q, body->scale);
        if (scree_query_facet_meets(&f, dimension, region))
            return true;
        inside += seen(&f, x);
    }
    return fabs(inside) > 0.5;
}

static bool outline_meets(const scree_outline *outline, const scree_body *body,
                          const scree_region *region)
{
    double inside = 0.0, x[3];
    point_of(region, x);
    x[2] = 0.0;
    for (uint32_t i = 0; i < outline->n; i++) {
        scree_query_facet f = {.corners = 2};
        for (uint32_t c = 0; c < 2; c++) {
            const uint32_t at = (i + c) % outline->n;
            double v[3] = {body->scale * outline->vertex[0][at],
                           body->scale * outline->vertex[1][at], 0.0};
            scree_rotate(body->q, v, v);
            for (int k = 0; k < 2; k++)
                f.v[c][k] = body->x[k] + v[k];
        }
        for (int k = 0; k < 2; k++) {
            f.lo[k] = fmin(f.v[0][k], f.v[1][k]);
            f.hi[k] = fmax(f.v[0][k], f.v[1][k]);
        }
        if (scree_query_facet_meets(&f, 2, region))
            return true;
        inside += seen(&f, x);
    }
    return fabs(inside) > 0.5;
}

/** By an outline or mesh of that tolerance; false: the shape has none. */
static bool border_meets(const scree_shape *shape, const scree_body *body, uint32_t dimension,
                         const scree_region *region, double tolerance, bool *meets)
{
    const scree_outline *outline =
        dimension == 2 ? scree_shape_find_view(shape, SCREE_VIEW_OUTLINE, tolerance) : NULL;
    const scree_mesh *mesh =
        outline ? NULL : scree_shape_find_view(shape, SCREE_VIEW_MESH, tolerance);
    if (outline)
        *meets = outline_meets(outline, body, region);
    else if (mesh && mesh->closed)
        *meets = mesh_meets(mesh, body, dimension, region);
    return outline || (mesh && mesh->closed);
}

bool scree_query_solid_meets(const scree_shape *shape, const char *name, const scree_body *body,
                             uint32_t dimension, const scree_region *region, bool *meets,
                             GError **error)
{
    if (border_meets(shape, body, dimension, region, 0.0, meets))
        return true;
    const scree_support *support = scree_shape_find_view(shape, SCREE_VIEW_SUPPORT, 0.0);
    if (support)
        return scree_query_convex_meets(shape, support, body, dimension, region, meets, error);
    if (border_meets(shape, body, dimension, region, VIEW_TOLERANCE * shape->radius, meets))
        return true;
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "shape \"%s\" (%s) cannot be asked for: it has none of the views "
                      "scree.outline/1, scree.mesh/1, scree.support/1",
                      name, shape->plugin ? shape->plugin->id : "?");
}
