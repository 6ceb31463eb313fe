/* SPDX-License-Identifier: Apache-2.0 */
/* Impacts of two balls, or of a ball on a plane, under force/hertz_mindlin. */
#ifndef TESTS_SCENES_HERTZ_H
#define TESTS_SCENES_HERTZ_H

#include <stdbool.h>
#include <stddef.h>

typedef struct scree_sim scree_sim;

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

#endif
