// SPDX-License-Identifier: Apache-2.0
// Volume of a ball, or area of a disc, on the far side of planes across the axes, in closed form.
#ifndef OBSERVER_FIELD_BALL_H
#define OBSERVER_FIELD_BALL_H

/** Volume of the part X > x, Y > y, Z > z of the unit ball about 0, to 1e-15. A limit of -1 or less
 * does not count. */
double ball_corner(double x, double y, double z);
/** Area of the part X > x, Y > y of the unit disc. */
double disc_corner(double x, double y);

#endif
