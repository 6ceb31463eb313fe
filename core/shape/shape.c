// SPDX-License-Identifier: Apache-2.0
// Round shapes of the host; mass and volume of any shape.
#include "shape/shape.h"

#include <math.h>

/** A shape of the host has no named views. */
static const void *find_no_view(const scree_shape *shape, const char *name, double tolerance)
{
    (void)shape;
    (void)name;
    (void)tolerance;
    return NULL;
}

scree_shape *scree_shape_new_round(bool flat)
{
    scree_shape *s = g_new0(scree_shape, 1);
    *s = (scree_shape){.size = sizeof *s,
                       .view = find_no_view,
                       .flags = SCREE_CAP_ROUND,
                       .n_parts = 1,
                       .flat = flat,
                       .radius = 1.0,
                       .volume = flat ? G_PI : 4.0 / 3.0 * G_PI};
    for (int k = 0; k < 3; k++)
        s->inertia[k] = flat ? 0.5 : 0.4;
    return s;
}

double scree_shape_equal_radius(const scree_shape *shape)
{
    if (scree_shape_is_round(shape))
        return shape->radius;
    return shape->flat ? sqrt(shape->volume / G_PI) : cbrt(0.75 * shape->volume / G_PI);
}

double scree_shape_volume(const scree_shape *shape, double scale, double thickness)
{
    double area = shape->volume * scale * scale;
    return shape->flat ? area * thickness : area * scale;
}

void scree_shape_mass(const scree_shape *shape, double scale, double density, double thickness,
                      double *mass, double inertia[3])
{
    double m = density * scree_shape_volume(shape, scale, thickness);
    *mass = m;
    for (int k = 0; k < 3; k++)
        inertia[k] = shape->inertia[k] * m * scale * scale;
}

bool scree_shape_mass_moves(double mass, const double inertia[3])
{
    return isnormal(mass) && isnormal(inertia[0]) && isfinite(1.0 / inertia[0]) &&
           isfinite(mass * mass); // the mass of two bodies in contact has this product
}
