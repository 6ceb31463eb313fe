/* SPDX-License-Identifier: Apache-2.0 */
/* Impacts of two balls, or of a ball on a plane, under force/hertz_mindlin. */
#ifndef TESTS_SCENES_HERTZ_H
#define TESTS_SCENES_HERTZ_H

#include <stdbool.h>
#include <stddef.h>

typedef struct material {
    double young, nu, density; // [Pa] [-] [kg/m^3]
} material;

typedef struct ball {
    double r; // [m]
    material of;
} ball;

typedef struct impact {
    ball b[2];
    double speed, slide, e, friction; // [m/s] along the normal, across it
    bool wall, pull;                  // b[1] is a plane
    const char *more;                 // keys of the law, or NULL
} impact;

typedef struct outcome {
    double depth, force, duration, e; // largest overlap and push; e: of the normal velocities
    double pull, u, spin;             // strongest pull; speed across and spin of b[0] afterwards
} outcome;

double hertz_mass(const ball *b);      /* [kg] */
double hertz_modulus(const impact *c); /* [Pa] E* */
outcome hertz_closed_form(const impact *c);

/** A run of `n` steps per duration of the elastic impact. trace: {time, overlap, force}, the first
 * given, ascending, the others found; none at times after the impact. */
outcome hertz_measure(const impact *c, double n, double (*trace)[3], size_t n_trace);

#endif
