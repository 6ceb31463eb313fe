// SPDX-License-Identifier: Apache-2.0
/*
 * winding: how often a surface goes round a point.
 *
 * Sources  [1] A. van Oosterom, J. Strackee, The solid angle of a plane triangle, IEEE Transactions on
 *              Biomedical Engineering 30, 1983, 125, eq. 8.
 *          [2] A. Jacobson, L. Kavan, O. Sorkine-Hornung, Robust inside-outside segmentation using
 *              generalized winding numbers, ACM Transactions on Graphics 32, 2013.
 * Idea     the sum of the signed solid angles of all triangles over 4 pi [2]: 1 inside of a closed surface
 *          whose normals point outward, 0 outside, whether it is convex, has a hole or encloses cavities.
 * Cost     every triangle; one arc tangent each. The library's last bit may differ between machines: round
 *          the result.
 */
#include "surface.h"

double solid_winding(const solid_surface *s, scree_vec x)
{
    double sum = 0.0;
    for (uint32_t t = 0; t < s->n_triangles; t++) {
        const uint32_t *v = s->triangle[t];
        const scree_vec a = scree_less(s->vertex[v[0]], 1.0, x);
        const scree_vec b = scree_less(s->vertex[v[1]], 1.0, x);
        const scree_vec c = scree_less(s->vertex[v[2]], 1.0, x);
        const double la = solid_length(a), lb = solid_length(b), lc = solid_length(c);
        const double up = scree_dot(a, scree_cross(b, c)); // [1] eq. 8
        const double down =
            la * lb * lc + scree_dot(a, b) * lc + scree_dot(b, c) * la + scree_dot(c, a) * lb;
        sum += atan2(up, down);
    }
    return sum / (2.0 * 3.14159265358979323846);
}
