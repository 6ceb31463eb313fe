// SPDX-License-Identifier: Apache-2.0
// Masses of the host's own shapes against closed forms.
#include <math.h>

#include "../../test.h"
#include "../near.h"
#include "shape/shape.h"

TEST("/shape/mass-and-inertia-of-spheres-and-discs")
{
    scree_shape *sphere = scree_shape_new_round(false);
    scree_shape *disc = scree_shape_new_round(true);
    double m, inertia[3];
    scree_shape_mass(sphere, 0.5, 1000.0, 3.0, &m, inertia);
    assert_near(m, 4.0 / 3.0 * G_PI * 125.0, 1e-12 * m);
    assert_near(inertia[2], 0.4 * m * 0.25, 1e-12 * m);
    scree_shape_mass(disc, 0.5, 1000.0, 3.0, &m, inertia);
    assert_near(m, G_PI * 0.25 * 3000.0, 1e-12 * m);
    assert_near(inertia[2], 0.5 * m * 0.25, 1e-12 * m);
    g_assert_null(disc->view(disc, SCREE_VIEW_OUTLINE, 0.0)); // asked without a look at the pointer
    g_free(sphere);
    g_free(disc);
}
