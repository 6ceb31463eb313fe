/* SPDX-License-Identifier: Apache-2.0 */
/* Turning of bodies, for all integrators. Quaternions (w, x, y, z) from body to world. */
#ifndef SCREE_INTEGRATOR_TURNING_H
#define SCREE_INTEGRATOR_TURNING_H

#include "scree/sdk.h"

/** q <- unit(q + dt/2 w q). */
static inline void turn(const double q[4], const double w[3], double dt, double out[4])
{
    double h = 0.5 * dt;
    double a = q[0] - h * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]);
    double b = q[1] + h * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
    double c = q[2] + h * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
    double d = q[3] + h * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
    double norm = 1.0 / sqrt(a * a + b * b + c * c + d * d);
    out[0] = a * norm;
    out[1] = b * norm;
    out[2] = c * norm;
    out[3] = d * norm;
}

/** Angular velocity of a body with angular momentum l at orientation q: R I^-1 R^T l. */
static inline void spin_of(const double q[4], const double inverse[3], const double l[3],
                           double w[3])
{
    double body[3];
    scree_rotate_back(q, l, body);
    for (int k = 0; k < 3; k++)
        body[k] *= inverse[k];
    scree_rotate(q, body, w);
}

/** Angular momentum of a body that spins at w. An axis without inertia has none. */
static inline void momentum_of(const double q[4], const double inverse[3], const double w[3],
                               double l[3])
{
    double body[3];
    scree_rotate_back(q, w, body);
    for (int k = 0; k < 3; k++)
        body[k] = inverse[k] > 0.0 ? body[k] / inverse[k] : 0.0;
    scree_rotate(q, body, l);
}

/** Euler's equations, in body axes: w' = I^-1 (t - w x I w). */
static inline void spin_rate(const double inverse[3], const double w[3], const double t[3],
                             double rate[3])
{
    double l[3];
    for (int k = 0; k < 3; k++)
        l[k] = inverse[k] > 0.0 ? w[k] / inverse[k] : 0.0;
    rate[0] = inverse[0] * (t[0] - (w[1] * l[2] - w[2] * l[1]));
    rate[1] = inverse[1] * (t[1] - (w[2] * l[0] - w[0] * l[2]));
    rate[2] = inverse[2] * (t[2] - (w[0] * l[1] - w[1] * l[0]));
}

/** q' = q w / 2, w in body axes. */
static inline void quaternion_rate(const double q[4], const double w[3], double out[4])
{
    out[0] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    out[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    out[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    out[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

/** q'' = q w' / 2 - |w|^2 q / 4, w and its rate in body axes. */
static inline void quaternion_bend(const double q[4], const double w[3], const double rate[3],
                                   double out[4])
{
    double square = 0.25 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    quaternion_rate(q, rate, out);
    for (int k = 0; k < 4; k++)
        out[k] -= square * q[k];
}

static inline double quaternion_square(const double q[4])
{
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

/** Angular velocity, body axes, from q and q': 2 q* q' / |q|^2. */
static inline void spin_from(const double q[4], const double rate[4], double w[3])
{
    double by = 2.0 / quaternion_square(q);
    w[0] = by * (q[0] * rate[1] - q[1] * rate[0] - q[2] * rate[3] + q[3] * rate[2]);
    w[1] = by * (q[0] * rate[2] - q[2] * rate[0] - q[3] * rate[1] + q[1] * rate[3]);
    w[2] = by * (q[0] * rate[3] - q[3] * rate[0] - q[1] * rate[2] + q[2] * rate[1]);
}

/** Gets q of body i of a motion, and the inverses of its moments. */
static inline void pose_of(const scree_motion *m, uint64_t i, double q[4], double inverse[3])
{
    for (int k = 0; k < 4; k++)
        q[k] = m->q[k][i];
    for (int k = 0; k < 3; k++)
        inverse[k] = m->inv_inertia[k][i];
}

/** Gives body i the direction of q. */
static inline void put_quaternion(const scree_motion *m, uint64_t i, const double q[4])
{
    double norm = 1.0 / sqrt(quaternion_square(q));
    for (int k = 0; k < 4; k++)
        m->q[k][i] = norm * q[k];
}

#endif
