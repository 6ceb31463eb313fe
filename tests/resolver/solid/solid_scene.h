/* SPDX-License-Identifier: Apache-2.0 */
/* Two bodies of closed meshes in space. */
#ifndef TEST_SOLID_SCENE_H
#define TEST_SOLID_SCENE_H

#include "../meshes.h"

static inline void turn_randomly(fake_host *fake, test_pair *p, int body)
{
    double q[4], square;
    do {
        square = 0.0;
        for (int k = 0; k < 4; k++) {
            q[k] = fake_uniform(fake, -1.0, 1.0);
            square += q[k] * q[k];
        }
    } while (square > 1.0 || square < 0.01);
    for (int k = 0; k < 4; k++)
        p->q[k][body] = q[k] / sqrt(square);
}

/** A point of a body in the world, from x_a. */
static inline point3 in_world(const test_pair *p, int body, point3 v)
{
    const double q[4] = {p->q[0][body], p->q[1][body], p->q[2][body], p->q[3][body]};
    point3 out;
    scree_rotate(q, v.x, out.x);
    for (int k = 0; k < 3; k++)
        out.x[k] = p->scale[body] * out.x[k] + (body ? p->d[k] : 0.0);
    return out;
}

#endif
