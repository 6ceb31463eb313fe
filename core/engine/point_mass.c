/* SPDX-License-Identifier: Apache-2.0 */
/* The mass that a contact point has along its normal. */
#include "engine/point_mass.h"

#include "base/rotation.h"

double scree_point_inverse(const scree_world *w, uint32_t i, const double arm[3], const double n[3])
{
    const double q[4] = {w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]};
    double inverse = w->inv_mass[i], turn[3];
    if (i >= w->n_free)
        return 0.0;
    if (w->isotropic[i]) // its arm is along the normal
        return inverse;
    for (int k = 0; k < 3; k++)
        turn[k] = arm[(k + 1) % 3] * n[(k + 2) % 3] - arm[(k + 2) % 3] * n[(k + 1) % 3];
    scree_rotate_back(q, turn, turn);
    for (int k = 0; k < 3; k++)
        inverse += turn[k] * turn[k] * w->inv_inertia[k][i];
    return inverse;
}

void scree_point_masses(const scree_world *w, uint32_t n, const scree_lane *lane)
{
    for (uint32_t c = 0; c < n; c++) {
        double normal[3], of_a[3], of_b[3];
        for (int k = 0; k < 3; k++) {
            normal[k] = lane->found.normal[k][c];
            of_a[k] = lane->found.arm[k][c];
            of_b[k] = of_a[k] - lane->gathered.d[k][c];
        }
        lane->point_mass[c] = 1.0 / (scree_point_inverse(w, lane->a[c], of_a, normal) +
                                     scree_point_inverse(w, lane->b[c], of_b, normal));
    }
}
