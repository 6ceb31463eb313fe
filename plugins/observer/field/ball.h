// SPDX-License-Identifier: Apache-2.0
// Volume of a ball, or area of a disc, on the far side of planes across the axes, in closed form.
#ifndef OBSERVER_FIELD_BALL_H
#define OBSERVER_FIELD_BALL_H

/** Of the unit ball about 0: volume where X > x, Y > y and Z > z; -1 or less is no limit. Error 1e-15. */
double ball_corner(double x, double y, double z);
/** Of the unit disc: area where X > x and Y > y. */
double disc_corner(double x, double y);

#endif
