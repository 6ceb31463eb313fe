// SPDX-License-Identifier: Apache-2.0
// Contacts of a pair as they are written, and the curvatures of the bodies there.
/*
 * Sources  [1] A. Podlozhnyuk, S. Pirker, C. Kloss, Efficient implementation of superquadric particles in
 *              Discrete Element Method within an open-source framework, Comput. Part. Mech. 4 (2017) 101:
 *              a sphere of the mean curvature stands for the body.
 *          [2] K. L. Johnson, Contact Mechanics, 1985, 4.1: A + B is half the sum of all four principal
 *              curvatures, however the bodies are turned about the normal.
 * Curvature  the derivative of the farthest point with respect to the direction has the principal
 *          radii as eigenvalues; the mean curvature is half the sum of their inverses. A smooth
 *          shape gives them (smooth.h); of others they come by central differences, exact to 1e-10
 *          of themselves. The sum over both bodies is A + B [2], of balls
 *          1/r. A polytope has 0, also at edges and corners; the end of a capsule has that of the
 *          half ball.
 * Limits   principal radii are kept within 1e-3 and 1e3 of that of the ball that holds the body: in its flat
 *          places and along its edges.
 */
#include "resolver.h"

#define STEP 1e-5 /* [rad] */
#define FLATTEST 1e3
#define SHARPEST 1e-3

/* [m] How the farthest point moves along t and u, per angle: tt, uu, tu. */
static void radii_along(const convex *c, scree_vec n, double r[3])
{
    const scree_vec t = across(n), u = scree_cross(n, t);
    if (c->smooth) {
        convex_bent(c, n, t, u, r);
        return;
    }
    const scree_vec at[2][2] = {
        {unit_of(scree_less(n, -STEP, t)), unit_of(scree_less(n, STEP, t))},
        {unit_of(scree_less(n, -STEP, u)), unit_of(scree_less(n, STEP, u))}};
    scree_vec d[2];
    for (int k = 0; k < 2; k++)
        d[k] = scree_scaled(0.5 / STEP, scree_less(convex_farthest(c, at[k][0], NULL), 1.0,
                                                   convex_farthest(c, at[k][1], NULL)));
    r[0] = scree_dot(t, d[0]);
    r[1] = scree_dot(u, d[1]);
    r[2] = 0.5 * (scree_dot(t, d[1]) + scree_dot(u, d[0]));
}

/* [1/m] Mean curvature of a body at its farthest point along n. */
static double mean_curvature(const convex *c, scree_vec n, uint64_t feature)
{
    double r[3];
    if (c->flat)
        return 0.0;
    if (!c->view)
        return 1.0 / c->radius;
    if (c->spread && !c->spread->ends && feature_type(feature) == TOUCH_SPREAD)
        return 1.0 / (c->scale * c->spread->radius);
    radii_along(c, n, r);
    const double middle = 0.5 * (r[0] + r[1]), half = 0.5 * (r[0] - r[1]);
    const double apart = sqrt(half * half + r[2] * r[2]);
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        const double radius = k ? middle - apart : middle + apart;
        sum += 1.0 / scree_min(scree_max(radius, SHARPEST * c->radius), FLATTEST * c->radius);
    }
    return 0.5 * sum;
}

int put_touches(const touches *t, const convex *a, const convex *b, uint32_t p, scree_contacts *out,
                uint32_t *done)
{
    if (t->n > out->capacity - out->n) {
        out->n = *done > 0 ? out->n : t->n;
        return 0;
    }
    for (uint32_t k = 0; k < t->n; k++) {
        const touch *at = &t->list[k];
        const uint32_t c = out->n++;
        out->pair[c] = p;
        out->depth[c] = at->depth;
        scree_vec_put(out->normal, c, at->normal);
        scree_vec_put(out->arm, c, at->at);
        if (out->feature)
            out->feature[c] = at->feature;
        if (out->curvature[0]) {
            out->curvature[0][c] = mean_curvature(a, at->normal, at->feature);
            out->curvature[1][c] =
                b ? mean_curvature(b, scree_scaled(-1.0, at->normal), at->feature) : 0.0;
        }
        if (out->part[0]) {
            out->part[0][c] = 0;
            out->part[1][c] = at->facet;
        }
    }
    *done = p + 1;
    return 1;
}
