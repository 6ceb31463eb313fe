// SPDX-License-Identifier: Apache-2.0
/*
 * Principal moments and axes of an inertia tensor, by Jacobi's rotations (C. G. J. Jacobi, J. reine
 * angew. Math. 30, 1846) in a fixed order of the products. Each rotation sets one product to 0; a
 * 3 x 3 matrix needs about six sweeps for full precision.
 */
#include "shape/principal.h"

#include <math.h>
#include <string.h>

#define SMALL 1e-12 /* [-] share of the largest moment; smaller products count as 0 */
enum { MOST_SWEEPS = 50 };

/** Rotates in the plane of axes p and r, so that a[p][r] is 0. The columns of v are the axes. */
static void rotate_axes(double a[3][3], double v[3][3], int p, int r)
{
    if (a[p][r] == 0.0)
        return;
    double theta = (a[r][r] - a[p][p]) / (2.0 * a[p][r]);
    double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c, product = a[p][r];
    int o = 3 - p - r;
    double along = a[o][p], across = a[o][r];
    a[p][p] -= t * product;
    a[r][r] += t * product;
    a[p][r] = a[r][p] = 0.0;
    a[o][p] = a[p][o] = c * along - s * across;
    a[o][r] = a[r][o] = s * along + c * across;
    for (int k = 0; k < 3; k++) {
        double vp = v[k][p], vr = v[k][r];
        v[k][p] = c * vp - s * vr;
        v[k][r] = s * vp + c * vr;
    }
}

/** The columns of v as a unit quaternion with w >= 0. The largest member comes first, and divides
 * the others (S. W. Shepperd, J. Guidance and Control 1, 1978). */
static void to_quaternion(double v[3][3], double q[4])
{
    double trace = v[0][0] + v[1][1] + v[2][2], part[4] = {trace}, length = 0.0;
    int largest = 0;
    for (int k = 0; k < 3; k++)
        part[k + 1] = 2.0 * v[k][k] - trace;
    for (int k = 1; k < 4; k++)
        if (part[k] > part[largest])
            largest = k;
    const double off[3] = {v[2][1] - v[1][2], v[0][2] - v[2][0], v[1][0] - v[0][1]};
    q[0] = largest == 0 ? 1.0 + trace : off[largest - 1];
    for (int k = 0; k < 3; k++)
        q[k + 1] = largest == 0       ? off[k]
                   : largest == k + 1 ? 1.0 + part[largest]
                                      : v[k][largest - 1] + v[largest - 1][k];
    for (int k = 0; k < 4; k++)
        length += q[k] * q[k];
    length = q[0] < 0.0 ? -sqrt(length) : sqrt(length);
    for (int k = 0; k < 4; k++)
        q[k] /= length;
}

/** Sorts the moments in ascending order, with signs and handedness as in the header. */
static void order_axes(double moments[3], double v[3][3])
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++) {
            if (moments[j] <= moments[j + 1])
                continue;
            double m = moments[j];
            moments[j] = moments[j + 1];
            moments[j + 1] = m;
            for (int k = 0; k < 3; k++) {
                double t = v[k][j];
                v[k][j] = v[k][j + 1];
                v[k][j + 1] = t;
            }
        }
    for (int j = 0; j < 2; j++) {
        int at = 0;
        for (int k = 1; k < 3; k++)
            if (fabs(v[k][j]) > fabs(v[at][j]))
                at = k;
        double sign = v[at][j] < 0.0 ? -1.0 : 1.0;
        for (int k = 0; k < 3; k++)
            v[k][j] *= sign;
    }
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        v[k][2] = v[l][0] * v[m][1] - v[m][0] * v[l][1];
    }
}

bool scree_principal(const double inertia[6], double moments[3], double q[4])
{
    static const double identity[4] = {1.0, 0.0, 0.0, 0.0};
    double largest = 0.0, product = 0.0, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double a[3][3] = {{inertia[0], inertia[3], inertia[4]},
                      {inertia[3], inertia[1], inertia[5]},
                      {inertia[4], inertia[5], inertia[2]}};
    for (int k = 0; k < 3; k++) {
        largest = fmax(largest, fabs(inertia[k]));
        product = fmax(product, fabs(inertia[k + 3]));
        moments[k] = inertia[k];
    }
    memcpy(q, identity, sizeof identity);
    if (!(product > SMALL * largest))
        return false;
    for (int sweep = 0; sweep < MOST_SWEEPS && product > 1e-17 * largest; sweep++) {
        rotate_axes(a, v, 0, 1);
        rotate_axes(a, v, 0, 2);
        rotate_axes(a, v, 1, 2);
        product = fmax(fabs(a[0][1]), fmax(fabs(a[0][2]), fabs(a[1][2])));
    }
    for (int k = 0; k < 3; k++)
        moments[k] = a[k][k];
    order_axes(moments, v);
    to_quaternion(v, q);
    return true;
}
