// SPDX-License-Identifier: Apache-2.0
// Arc tangent, exponential and logarithm by the four operations and sqrt: the same bits on every machine.
#ifndef OBSERVER_FIELD_NUMERIC_H
#define OBSERVER_FIELD_NUMERIC_H

#define FIELD_PI 3.14159265358979323846

/** Angle of (x, y) in [-pi, pi], to 4e-16; 0 for (0, 0). */
double field_atan2(double y, double x);
/** exp(x) of x <= 0, to some roundings; 0 below -700. */
double field_exp(double x);
/** log(x) of a normal x > 0, to 1e-15. */
double field_log(double x);
/** Cosine and sine of |angle| <= 10, to 1e-15. */
void field_turn(double angle, double *cosine, double *sine);
/** Nodes in (-1, 1) and weights of the rule of Gauss and Legendre of `n` <= 16 points. */
void field_gauss(int n, double *node, double *weight);

#endif
