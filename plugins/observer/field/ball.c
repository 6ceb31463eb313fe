// SPDX-License-Identifier: Apache-2.0
// Volume of a ball, or area of a disc, on the far side of planes across the axes, in closed form.
/*
 * The part of the unit ball in the corner X > x, Y > y, Z > z, with x, y, z >= 0 and the corner's tip
 * inside, is bounded by three plane pieces and a spherical triangle of three circular arcs. By the
 * theorem of divergence (of the field r / 3)
 *
 *     3 V = S - x A_x - y A_y - z A_z
 *
 * A_x is the area of the disc of radius rho_x = sqrt(1 - x^2) in the corner Y > y, Z > z, and in the
 * same way 2 A = rho^2 theta - y L_y - z L_z, theta the angle of its arc and L the lengths of its two
 * straight sides. The area S of the triangle is 2 pi less its turns (Gauss and Bonnet):
 *
 *     S = 2 pi - sum over corners of gamma - sum over arcs of x theta_x
 *     gamma_xy = angle(-x y, sqrt(1 - x^2 - y^2))
 *
 * Limits below 0 follow by reflection: V(-x, y, z) = V(y, z) - V(x, y, z), and two limits by
 * halves: V(y, z) = 2 V(0, y, z).
 */
#include "ball.h"

#include <math.h>

#include "numeric.h"

/* Angle of the arc of a circle of radius^2 `rho2` in the corner u > y, v > z; y, z >= 0, tip inside. */
static double arc(double rho2, double y, double z)
{
    const double along = sqrt(fmax(rho2 - y * y, 0.0)), up = sqrt(fmax(rho2 - z * z, 0.0));
    return field_atan2(along, y) - field_atan2(z, up);
}

static double corner_area(double rho2, double y, double z, double theta)
{
    const double along = sqrt(fmax(rho2 - y * y, 0.0)) - z, up = sqrt(fmax(rho2 - z * z, 0.0)) - y;
    return 0.5 * (rho2 * theta - y * along - z * up);
}

/* The turn between two of the arcs. */
static double turn(double x, double y)
{
    return field_atan2(sqrt(fmax(1.0 - x * x - y * y, 0.0)), -x * y);
}

static double octant(double x, double y, double z)
{
    const double c[3] = {x, y, z};
    double sphere = 2.0 * FIELD_PI - turn(x, y) - turn(y, z) - turn(z, x), planes = 0.0;
    if (x * x + y * y + z * z >= 1.0)
        return 0.0;
    for (int k = 0; k < 3; k++) {
        const double at = c[k], u = c[(k + 1) % 3], v = c[(k + 2) % 3], rho2 = 1.0 - at * at;
        const double theta = arc(rho2, u, v);
        sphere -= at * theta;
        planes += at > 0.0 ? at * corner_area(rho2, u, v, theta) : 0.0;
    }
    return (sphere - planes) / 3.0;
}

static double cap(double x)
{
    return FIELD_PI * (1.0 - x) * (1.0 - x) * (2.0 + x) / 3.0;
}

/* The volume for two limits. */
static double wedge(double x, double y)
{
    if (x <= -1.0)
        return y <= -1.0 ? 4.0 / 3.0 * FIELD_PI : cap(y);
    if (y <= -1.0)
        return cap(x);
    if (x < 0.0)
        return cap(y) - wedge(-x, y);
    if (y < 0.0)
        return cap(x) - wedge(x, -y);
    return 2.0 * octant(x, y, 0.0);
}

double ball_corner(double x, double y, double z)
{
    if (x >= 1.0 || y >= 1.0 || z >= 1.0)
        return 0.0;
    if (x <= -1.0)
        return wedge(y, z);
    if (y <= -1.0)
        return wedge(x, z);
    if (z <= -1.0)
        return wedge(x, y);
    if (x < 0.0)
        return wedge(y, z) - ball_corner(-x, y, z);
    if (y < 0.0)
        return wedge(x, z) - ball_corner(x, -y, z);
    if (z < 0.0)
        return wedge(x, y) - ball_corner(x, y, -z);
    return octant(x, y, z);
}

static double quarter(double x, double y)
{
    return x * x + y * y < 1.0 ? corner_area(1.0, x, y, arc(1.0, x, y)) : 0.0;
}

double disc_corner(double x, double y)
{
    if (x >= 1.0 || y >= 1.0)
        return 0.0;
    if (x <= -1.0)
        return y <= -1.0 ? FIELD_PI : disc_corner(y, -1.0);
    if (y <= -1.0)
        return x < 0.0 ? FIELD_PI - 2.0 * quarter(-x, 0.0) : 2.0 * quarter(x, 0.0);
    if (x < 0.0)
        return disc_corner(-1.0, y) - disc_corner(-x, y);
    if (y < 0.0)
        return disc_corner(x, -1.0) - disc_corner(x, -y);
    return quarter(x, y);
}
