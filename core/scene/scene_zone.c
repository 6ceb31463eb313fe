// SPDX-License-Identifier: Apache-2.0
/* Boxes around zones. */
#include "scene/scene_zone.h"

#include <math.h>

double scree_zone_least(const scree_zone *z, const double n[3])
{
    double a = 0.0, b = 0.0, length2 = 0.0;
    for (int k = 0; k < 3; k++) {
        length2 += (z->b[k] - z->a[k]) * (z->b[k] - z->a[k]);
        if (n[k] == 0.0) // in 2D z is not set
            continue;
        a += n[k] * (z->type == SCREE_ZONE_BOX ? (n[k] > 0.0 ? z->lo : z->hi)[k] : z->a[k]);
        b += n[k] * z->b[k];
    }
    if (z->type != SCREE_ZONE_CYLINDER)
        return z->type == SCREE_ZONE_BALL ? a - z->radius : a;
    const double across2 = length2 > 0.0 ? 1.0 - (b - a) * (b - a) / length2 : 1.0;
    return fmin(a, b) - z->radius * sqrt(fmax(0.0, across2));
}

void scree_zone_enclose(const scree_zone *z, uint32_t dimension, double lo[3], double hi[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2}, back[3] = {-axis[0], -axis[1], -axis[2]};
        lo[k] = k < dimension ? scree_zone_least(z, axis) : z->a[k];
        hi[k] = k < dimension ? -scree_zone_least(z, back) : z->a[k];
    }
}
