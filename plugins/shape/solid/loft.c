// SPDX-License-Identifier: Apache-2.0
/*
 * Meshes of solids whose sections across z are copies of one ring: superquadrics, and bodies of
 * revolution.
 *
 * Idea     The point (a r e_x, b r e_y, z) of a ring (e_x, e_y) and a profile (r, z). A ring within
 *          t / 2 of its curve and a profile within t / 2 of its own, in the plane of (max(a, b) r,
 *          z), give a mesh within t of the surface, because r <= 1: this follows from a move along
 *          the profile, then along the ring.
 * Curves   |u|^n + |v|^n = 1 is farthest from a chord where its tangent is parallel to the chord;
 *          with the normal (p, q) of the chord this point has v / u = (q / p)^(1 / (n - 1)); for n
 *          < 1 it is on the chord's other side. So the bound is exact. The arc is cut there.
 */
#include "power.h"
#include "solid.h"

void solid_curve_clear(solid_curve *c)
{
    free(c->u);
    free(c->v);
    *c = (solid_curve){0};
}

int solid_curve_add(solid_curve *c, double u, double v)
{
    if (c->n == c->room) {
        const uint32_t room = c->room ? 2 * c->room : 64;
        double *at[2] = {realloc(c->u, room * sizeof(double)), NULL};
        c->u = at[0] ? at[0] : c->u;
        at[1] = at[0] ? realloc(c->v, room * sizeof(double)) : NULL;
        c->v = at[1] ? at[1] : c->v;
        if (!at[1])
            return 0;
        c->room = room;
    }
    c->u[c->n] = u;
    c->v[c->n++] = v;
    return 1;
}

/** A point of the curve with u, v in [0, 1]. */
typedef struct curve_point {
    double u, v;
} curve_point;

/** The point whose tangent has the normal (p, q), both >= 0 and one of them > 0. */
static curve_point touch(double n, double p, double q)
{
    const double k = fabs(n - 1.0) > 1e-12 ? 1.0 / fabs(n - 1.0) : 1e12;
    const double t = p > q ? q / p : p / q;
    const double ratio = solid_power(t, k); // exponent of the smaller coordinate
    const double large = solid_power(1.0 + solid_power(ratio, n), -1.0 / n);
    const int u_larger = (p > q) == (n >= 1.0);
    const curve_point at = {u_larger ? large : ratio * large, u_larger ? ratio * large : large};
    return at;
}

/** The point of the arc from a to b that is farthest from its chord; *far: its distance [m]. */
static curve_point find_farthest(double n, double wide, double high, curve_point a, curve_point b,
                                 double *far)
{
    const double p = high * (b.v - a.v), q = wide * (a.u - b.u); // the normal, outward
    const double length = sqrt(p * p + q * q);
    const curve_point at = touch(n, wide * p, high * q);
    *far = fabs(p * wide * (at.u - a.u) + q * high * (at.v - a.v)) / length;
    return at;
}

int solid_quarter(double n, double wide, double high, double tolerance, solid_curve *curve)
{
    enum { DEEPEST = 64 };
    curve_point waiting[DEEPEST + 1], from = {1.0, 0.0};
    uint32_t depth = 1;
    waiting[0] = (curve_point){0.0, 1.0};
    if (!solid_curve_add(curve, wide, 0.0))
        return 0;
    while (depth) {
        const curve_point to = waiting[depth - 1];
        double far;
        const curve_point at = find_farthest(n, wide, high, from, to, &far);
        // Rounding may put the point outside of a tiny arc, which then counts as straight.
        const int inside = at.u < from.u && at.u > to.u && at.v > from.v && at.v < to.v;
        if (far > tolerance && inside && depth <= DEEPEST) {
            waiting[depth++] = at;
            continue;
        }
        if (!solid_curve_add(curve, wide * to.u, high * to.v))
            return 0;
        if (curve->n > SOLID_MOST_FACETS)
            return -1;
        from = to;
        depth--;
    }
    return 1;
}

int solid_ring(const solid_curve *q, solid_curve *ring)
{
    int good = 1;
    for (uint32_t i = 0; i + 1 < q->n && good; i++)
        good = solid_curve_add(ring, q->u[i], q->v[i]);
    for (uint32_t i = q->n - 1; i > 0 && good; i--)
        good = solid_curve_add(ring, -q->u[i], q->v[i]);
    for (uint32_t i = 0; i + 1 < q->n && good; i++)
        good = solid_curve_add(ring, -q->u[i], -q->v[i]);
    for (uint32_t i = q->n - 1; i > 0 && good; i--)
        good = solid_curve_add(ring, q->u[i], -q->v[i]);
    return good;
}

/* ---- facets ---- */

/** Facets of a loft on their way to a surface. */
typedef struct loft {
    uint32_t n_ring, n_facets, *facet;
    double *xyz;
} loft;

static void add_facet(loft *l, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corner[4] = {a, b, c, SCREE_NONE};
    memcpy(l->facet + 4 * (size_t)l->n_facets++, corner, sizeof corner);
}

/** Adds the facets between the rings at two points of the profile. */
static void add_belt(loft *l, uint32_t low, uint32_t high, int from_point, int to_point)
{
    const uint32_t n = l->n_ring, bottom = low * n, top = high * n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = i + 1 < n ? i + 1 : 0;
        if (from_point)
            add_facet(l, bottom, top + j, top + i);
        else if (to_point)
            add_facet(l, bottom + i, bottom + j, top);
        else {
            add_facet(l, bottom + i, bottom + j, top + j);
            add_facet(l, bottom + i, top + j, top + i);
        }
    }
}

/** Vertex i of the ring at point k of the profile is number k n_ring + i; a ring without extent has
 * all its vertices in one place, and they become one. */
mesh_surface *solid_loft(const solid_curve *ring, const solid_curve *profile,
                         const solid_frame *frame, mesh_lines *problems)
{
    const size_t n = (size_t)ring->n * profile->n;
    loft l = {.n_ring = ring->n};
    mesh_surface *surface = NULL;
    l.xyz = malloc(3 * n * sizeof *l.xyz);
    l.facet = malloc(8 * n * sizeof *l.facet);
    if (l.xyz && l.facet) {
        for (size_t i = 0; i < n; i++) {
            const size_t k = i / ring->n, r = i % ring->n;
            const double own[3] = {profile->u[k] * ring->u[r], profile->u[k] * ring->v[r],
                                   profile->v[k]};
            solid_point_out(frame, own, l.xyz + 3 * i);
        }
        for (uint32_t k = 0; k + 1 < profile->n; k++)
            add_belt(&l, k, k + 1, profile->u[k] == 0.0, profile->u[k + 1] == 0.0);
        surface = mesh_surface_new(3, n, l.xyz, l.n_facets, l.facet, problems);
    }
    free(l.xyz);
    free(l.facet);
    return surface;
}

int solid_revolve(double wide, double tolerance, const solid_curve *profile,
                  const solid_frame *frame, mesh_surface **surface)
{
    solid_curve quarter = {0}, ring = {0};
    mesh_lines problems = {0};
    *surface = NULL;
    int code = solid_quarter(2.0, wide, wide, tolerance, &quarter);
    code = code > 0 ? solid_ring(&quarter, &ring) : code;
    if (code > 0 && 2.0 * ring.n * profile->n <= SOLID_MOST_FACETS) {
        *surface = solid_loft(&ring, profile, frame, &problems);
        code = *surface != NULL;
    }
    mesh_lines_clear(&problems);
    solid_curve_clear(&quarter);
    solid_curve_clear(&ring);
    return code != 0;
}
