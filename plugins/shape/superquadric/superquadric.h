/* SPDX-License-Identifier: Apache-2.0 */
/* The formulas of a superquadric in its own axes. */
#ifndef PLUGINS_SHAPE_SUPERQUADRIC_H
#define PLUGINS_SHAPE_SUPERQUADRIC_H

#include "../solid/solid.h"

/**
 * (|x/a|^m + |y/b|^m)^(n/m) + |z/c|^n = 1. Its gauge N(x, y, z) = ((|x/a|^m + |y/b|^m)^(n/m) +
 * |z/c|^n)^(1/n) is 1 on the surface, and grows in proportion to the distance from the origin.
 */
typedef struct superquadric_form {
    double axis[3];  /* [m] a, b, c */
    double m, n;     /* [-] exponents: of the section across z, and of the profile along it */
    double least;    /* [m] the shortest half axis */
    double longest2; /* [m^2] square of the distance of the farthest point from the origin */
} superquadric_form;

/** [1] eq. 8.3: m = 2 / xi, n = 2 / eta. */
superquadric_form superquadric_of(const double axis[3], double m, double n);
int superquadric_is_convex(const superquadric_form *f);

/** Volume [m^3], and the principal moments of inertia [m^2] per mass, by gamma functions. */
double superquadric_volume(const superquadric_form *f);
void superquadric_moments(const superquadric_form *f, double moment[3]);

/* Kernels (solid.h); `self` is a superquadric_form. */

/** The farthest points of a convex superquadric. */
void superquadric_farthest(const void *self, uint32_t n, SCREE_IN3(d), SCREE_OUT3(p));
/** Reach of the convex hull. */
void superquadric_reach(const void *self, uint32_t n, SCREE_IN3(d), SCREE_OUT h);
/** least (N - 1), and its gradient. */
void superquadric_value(const void *self, uint32_t n, SCREE_IN3(x), SCREE_OUT value, SCREE_OUT3(g));

/** Radius [m] of a ball that rolls freely inside; 0: none is known, negative: the surface has no
 * radii of curvature. */
double superquadric_roll(const void *self);
/** The farthest point p, and the radii of curvature there (solid.h). */
void superquadric_radii(const void *self, const double way[3][3], double p[3], double radii[3]);

/** Makes a closed mesh within the tolerance. 1: *surface NULL, it would be too fine; 0: no
 * memory. */
int superquadric_mesh(const void *self, const solid_frame *frame, double tolerance,
                      mesh_surface **surface);

#endif
