// SPDX-License-Identifier: Apache-2.0
// Directions of a scene: up, and those across it.
#ifndef OBSERVER_UPRIGHT_H
#define OBSERVER_UPRIGHT_H

#include "scree/sdk.h"

/** Unit vectors: against gravity (without gravity the last axis of the scene), and across it; in 2D
 * the second one across is 0. */
static inline void find_up(const scree_bodies *b, double up[3], double across[2][3])
{
    const double *g = b->gravity;
    const double length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    int least = 0;
    double norm = 0.0;
    for (int k = 0; k < 3; k++)
        up[k] = length > 0.0 ? -g[k] / length : (uint32_t)k + 1 == b->dimension;
    for (int k = 0; k < 3; k++) {
        least = fabs(up[k]) < fabs(up[least]) ? k : least;
        across[0][k] = across[1][k] = 0.0;
    }
    if (b->dimension == 2) {
        across[0][0] = up[1];
        across[0][1] = -up[0];
        return;
    }
    for (int k = 0; k < 3; k++)
        across[0][k] = (k == least) - up[least] * up[k];
    for (int k = 0; k < 3; k++)
        norm += across[0][k] * across[0][k];
    for (int k = 0; k < 3; k++)
        across[0][k] /= sqrt(norm);
    for (int k = 0; k < 3; k++)
        across[1][k] =
            up[(k + 1) % 3] * across[0][(k + 2) % 3] - up[(k + 2) % 3] * across[0][(k + 1) % 3];
}

/** Place of body i along a direction. */
static inline double place_along(const scree_bodies *b, uint32_t i, const double direction[3])
{
    return b->x[0][i] * direction[0] + b->x[1][i] * direction[1] + b->x[2][i] * direction[2];
}

#endif
