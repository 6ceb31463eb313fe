/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases `middle` and `missed` of resolvers: views say where the surfaces of solids are.
 *
 * middle   The contact point of solids is half-way between two surfaces: half a depth along the
 *          normal leads to the surface of a, half a depth back to that of b. A view judges the two
 *          ends: the implicit function by its signs a little before and behind the end, or the
 *          mesh by its distance from the end (a corner has no side).
 * missed   Two bodies have a contact if a point of one is clearly inside the other. A closed mesh
 *          holds a point from which its facets fill all directions.
 * Limits   Walls of facets are left out: a body is on one side of a facet, on which its depth
 *          depends. `middle` judges the deepest contact of a pair: others may be where the bodies
 *          would touch if they turned a little. A resolver on a grid is off by a part of a cell,
 *          so the slack is a share of the depth; a point on one of the two surfaces is off by half
 *          of the depth.
 */
#include "tools/check/check_witness.h"

#include <math.h>

#include "plugin/call.h"
#include "shape/plugin_shape.h"
#include "tools/check/check_mesh.h"
#include "tools/check/check_vectors.h"

/* [-] slack, of the depth; [m] a smaller depth of bodies of 1 m says nothing. */
static const double SHARE = 0.35, LEAST_DEPTH = 0.15;

/** One solid of a contact, and the end to judge, in the axes of the body at scale 1. */
typedef struct witness {
    const scree_shape *shape;
    double end[3], along[3], slack; // [m] [-] [m] along: out of the body
} witness;

/** Turns body `side` of the contact's pair back into its own axes. */
static witness find_witness(const scree_resolver_bench *t, const scree_touch *x, int side)
{
    const scree_check_bodies *b = &t->bodies;
    const uint64_t i = 2 * x->pair + (uint64_t)side;
    const double back[4] = {b->q[0][i], -b->q[1][i], -b->q[2][i], -b->q[3][i]};
    const double sign = side == 0 ? 1.0 : -1.0, scale = b->scale[i];
    witness w = {.shape = t->shapes->pdata[b->shape[i]], .slack = SHARE * fabs(x->depth) / scale};
    for (int k = 0; k < 3; k++) {
        w.along[k] = sign * x->normal[k];
        w.end[k] =
            (x->arm[k] - (side == 1 ? t->d[x->pair][k] : 0.0) + 0.5 * x->depth * w.along[k]) /
            scale;
    }
    scree_rotate(back, w.along, w.along);
    scree_rotate(back, w.end, w.end);
    return w;
}

/** Whether the implicit function is not positive before the end, and not negative behind it. */
static bool has_signs(const witness *w, const scree_implicit *view)
{
    double at[2][3], value[2];
    for (int s = 0; s < 2; s++) {
        for (int k = 0; k < 3; k++)
            at[s][k] = w->end[k] + (s ? w->slack : -w->slack) * w->along[k];
        const double *const x[3] = {&at[s][0], &at[s][1], &at[s][2]};
        scree_call call =
            scree_call_begin(scree_shape_instance(w->shape), SCREE_CALL_LANE, "value");
        view->value(view->ctx, 1, x, &value[s], NULL);
        scree_call_done(&call);
    }
    return value[0] <= 0.0 && value[1] >= 0.0;
}

/** Square of the distance of p from the segment from a to b. */
static double square_to_segment(const double p[3], const double a[3], const double b[3])
{
    double u[3], v[3], square = 0.0;
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = p[k] - a[k];
    }
    const double length2 = scree_check_dot(u, u),
                 s = length2 > 0.0 ? CLAMP(scree_check_dot(u, v) / length2, 0.0, 1.0) : 0.0;
    for (int k = 0; k < 3; k++)
        square += (v[k] - s * u[k]) * (v[k] - s * u[k]);
    return square;
}

/** Square of the distance of p from a triangle: from its plane where the foot is inside, else from
 * its sides. */
static double square_to_triangle(const double p[3], double c[3][3])
{
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = c[1][k] - c[0][k];
        v[k] = c[2][k] - c[0][k];
        w[k] = p[k] - c[0][k];
    }
    const double uu = scree_check_dot(u, u), uv = scree_check_dot(u, v), vv = scree_check_dot(v, v),
                 wu = scree_check_dot(w, u), wv = scree_check_dot(w, v);
    const double area2 = uu * vv - uv * uv, s = (vv * wu - uv * wv) / area2,
                 r = (uu * wv - uv * wu) / area2;
    if (area2 > 0.0 && s >= 0.0 && r >= 0.0 && s + r <= 1.0)
        return scree_check_dot(w, w) - s * wu - r * wv;
    return fmin(square_to_segment(p, c[0], c[1]),
                fmin(square_to_segment(p, c[1], c[2]), square_to_segment(p, c[2], c[0])));
}

static double distance_to_mesh(const scree_mesh *m, const double p[3])
{
    double nearest = HUGE_VAL, c[3][3];
    int corners;
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t t = 0; (corners = scree_mesh_triangle(m, f, t, c)); t++)
            nearest = fmin(nearest, corners == 3 ? square_to_triangle(p, c)
                                                 : square_to_segment(p, c[0], c[1]));
    return sqrt(fmax(nearest, 0.0)); // rounding may make it negative
}

/** Whether the end is on the surface, or no view can say. */
static bool is_on_surface(const witness *w)
{
    const double tolerance = 1e-3 * w->shape->radius;
    const scree_implicit *implicit = scree_shape_find_view(w->shape, SCREE_VIEW_IMPLICIT, 0.0);
    if (implicit && has_signs(w, implicit))
        return true;
    const scree_mesh *mesh = scree_shape_find_view(w->shape, SCREE_VIEW_MESH, tolerance);
    return mesh ? distance_to_mesh(mesh, w->end) <= w->slack : !implicit;
}

static bool is_deepest(const GArray *touches, const scree_touch *x)
{
    for (guint i = 0; i < touches->len; i++) {
        const scree_touch *y = scree_touch_at(touches, i);
        if (y->pair == x->pair && y->depth > x->depth)
            return false;
    }
    return true;
}

bool scree_check_witnesses(scree_resolver_bench *t, const GArray *touches)
{
    for (guint i = 0; i < touches->len; i++) {
        const scree_touch *x = scree_touch_at(touches, i);
        if (fabs(x->depth) < LEAST_DEPTH || !is_deepest(touches, x))
            continue;
        for (int side = 0; side < 2; side++) {
            if (t->type[side] != SCREE_CHECK_SOLID || t->type[1] > SCREE_CHECK_SOLID)
                continue;
            const witness w = find_witness(t, x, side);
            if (is_on_surface(&w))
                continue;
            scree_resolver_fail(t,
                                "pair %u, depth %g m: half a depth from its point along the normal "
                                "the surface of %s "
                                "was expected within %g m",
                                (unsigned)x->pair, x->depth, side == 0 ? "a" : "b",
                                w.slack * t->bodies.scale[2 * x->pair + (uint64_t)side]);
            return false;
        }
    }
    return true;
}

/* ---- missed ---- */

static const double CLEARLY = 0.1; /* [m] of bodies of 1 m */
enum { MOST_POINTS = 24 };

/** The angle, in space the solid angle, under which p sees a segment or a triangle. */
static double angle_of(const double p[3], int corners, double c[3][3])
{
    double u[3][3], n[3], length[3];
    for (int i = 0; i < corners; i++) {
        for (int k = 0; k < 3; k++)
            u[i][k] = c[i][k] - p[k];
        length[i] = sqrt(scree_check_dot(u[i], u[i]));
    }
    scree_check_cross(u[0], u[1], n);
    if (corners == 2)
        return atan2(n[2], scree_check_dot(u[0], u[1]));
    return 2.0 * atan2(scree_check_dot(n, u[2]), length[0] * length[1] * length[2] +
                                                     scree_check_dot(u[0], u[1]) * length[2] +
                                                     scree_check_dot(u[1], u[2]) * length[0] +
                                                     scree_check_dot(u[2], u[0]) * length[1]);
}

static bool is_in_mesh(const scree_mesh *m, const double p[3], double clearly)
{
    double sum = 0.0, c[3][3];
    int corners, flat = 0;
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t t = 0; (corners = scree_mesh_triangle(m, f, t, c)); t++) {
            sum += angle_of(p, corners, c);
            flat = corners == 2;
        }
    return m->closed && sum > (flat ? G_PI : 2.0 * G_PI) && distance_to_mesh(m, p) > clearly;
}

/** The mesh of body i, if it is a solid. */
static const scree_mesh *mesh_of(const scree_resolver_bench *t, uint32_t i)
{
    const scree_shape *shape = t->shapes->pdata[t->bodies.shape[i]];
    return t->type[i % 2] == SCREE_CHECK_SOLID
               ? scree_shape_find_view(shape, SCREE_VIEW_MESH, 1e-3 * shape->radius)
               : NULL;
}

/** Whether x, from the origin of a, is clearly inside body i. */
static bool holds(const scree_resolver_bench *t, uint32_t i, const double x[3])
{
    const scree_check_bodies *b = &t->bodies;
    const double back[4] = {b->q[0][i], -b->q[1][i], -b->q[2][i], -b->q[3][i]};
    const double *normal = ((const scree_shape *)t->shapes->pdata[b->shape[i]])->normal;
    const scree_mesh *mesh = mesh_of(t, i);
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = x[k] - (i % 2 ? t->d[i / 2][k] : 0.0);
    if (t->type[i % 2] <= SCREE_CHECK_DISC)
        return sqrt(scree_check_dot(p, p)) < b->radius[i] - CLEARLY;
    scree_rotate(back, p, p);
    if (t->type[i % 2] == SCREE_CHECK_PLANE)
        return scree_check_dot(p, normal) < -CLEARLY;
    for (int k = 0; k < 3; k++)
        p[k] /= b->scale[i];
    return mesh && is_in_mesh(mesh, p, CLEARLY / b->scale[i]);
}

/** Whether a point of body i is clearly inside the other: the nearest one of a ball, or a
 * corner. */
static bool reaches(const scree_resolver_bench *t, uint32_t i)
{
    const scree_check_bodies *b = &t->bodies;
    const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]}, *d = t->d[i / 2];
    const double way = (i % 2 ? -1.0 : 1.0) / sqrt(scree_check_dot(d, d));
    const bool round = t->type[i % 2] <= SCREE_CHECK_DISC;
    const scree_mesh *mesh = mesh_of(t, i);
    const uint32_t n = mesh ? mesh->n_vertices : round;
    for (uint32_t v = 0; v < n; v += 1 + n / (MOST_POINTS + 1)) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = mesh ? b->scale[i] * mesh->vertex[k][v] : way * b->radius[i] * d[k];
        if (mesh)
            scree_rotate(q, x, x);
        for (int k = 0; k < 3; k++)
            x[k] += i % 2 ? d[k] : 0.0;
        if (holds(t, i ^ 1u, x))
            return true;
    }
    return false;
}

void scree_check_missed(scree_resolver_bench *t)
{
    g_autoptr(GArray) touches = scree_touches_new();
    bool found[SCREE_CHECK_PAIRS] = {false};
    t->range = 0.0;
    if (!scree_resolver_run_plainly(t, touches))
        return;
    for (guint k = 0; k < touches->len; k++)
        found[scree_touch_at(touches, k)->pair] = true;
    for (uint32_t p = 0; p < t->n_pairs && !t->check->failed; p++)
        if (!found[p] && (reaches(t, 2 * p) || reaches(t, 2 * p + 1)))
            scree_resolver_fail(
                t,
                "pair %u: a point of one body is %g m or more inside the other, expected a contact",
                p, CLEARLY);
}
