/* SPDX-License-Identifier: MIT */
/* Rotation of vectors by unit quaternions. Inline helpers, never part of the ABI: the host includes
 * them too.
 *
 * A quaternion is (w, u), u = (x, y, z), from body axes to world axes. Every function computes
 *
 *     v + 2 w (u × v) + 2 u × (u × v)
 *
 * and `out` may be `v`. The functions add these terms in different orders, so their results differ
 * in the last bit. The bits of a state depend on that: a plugin keeps the function that it has. New
 * code calls scree_rotate() and scree_rotate_back().
 */
#ifndef SCREE_ROTATION_SDK_H
#define SCREE_ROTATION_SDK_H

/** Turns v from body axes to world axes. */
static inline void scree_rotate(const double q[4], const double v[3], double out[3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double a = v[0], b = v[1], c = v[2];
    double tx = 2.0 * (y * c - z * b);
    double ty = 2.0 * (z * a - x * c);
    double tz = 2.0 * (x * b - y * a);
    out[0] = a + w * tx + y * tz - z * ty;
    out[1] = b + w * ty + z * tx - x * tz;
    out[2] = c + w * tz + x * ty - y * tx;
}

/** Turns v from world axes to body axes. */
static inline void scree_rotate_back(const double q[4], const double v[3], double out[3])
{
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    scree_rotate(back, v, out);
}

/** scree_rotate() as v + 2 (w (u × v) + u × (u × v)); force/bonded uses it. */
static inline void scree_rotate_summed(const double q[4], const double v[3], double out[3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double a = v[0], b = v[1], c = v[2];
    double tx = y * c - z * b;
    double ty = z * a - x * c;
    double tz = x * b - y * a;
    out[0] = a + 2.0 * (w * tx + (y * tz - z * ty));
    out[1] = b + 2.0 * (w * ty + (z * tx - x * tz));
    out[2] = c + 2.0 * (w * tz + (x * ty - y * tx));
}

/** scree_rotate() as v + 2 u × (u × v + w v); resolver/sphere uses it. */
static inline void scree_rotate_nested(const double q[4], const double v[3], double out[3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double a = v[0], b = v[1], c = v[2];
    double tx = y * c - z * b + w * a;
    double ty = z * a - x * c + w * b;
    double tz = x * b - y * a + w * c;
    out[0] = a + 2.0 * (y * tz - z * ty);
    out[1] = b + 2.0 * (z * tx - x * tz);
    out[2] = c + 2.0 * (x * ty - y * tx);
}

#endif
