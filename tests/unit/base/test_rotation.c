/* SPDX-License-Identifier: Apache-2.0 */
/* Rotation of vectors by unit quaternions: every order of the sum against the matrix. */
#include <glib.h>
#include <math.h>

#include "../../test.h"
#include "../near.h"
#include "base/rotation.h"

typedef void (*rotation)(const double q[4], const double v[3], double out[3]);

static const rotation forward[] = {scree_rotate, scree_rotate_summed, scree_rotate_nested};
static const double q[4] = {0.1, -0.5, 0.7, 0.5}; // 0.01 + 0.25 + 0.49 + 0.25 = 1
static const double v[3] = {0.3, -1.7, 2.9};

/** The rotation matrix of a unit quaternion. */
static void rotate_by_matrix(const double p[4], const double from[3], double out[3])
{
    double w = p[0], x = p[1], y = p[2], z = p[3];
    const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int k = 0; k < 3; k++)
        out[k] = m[k][0] * from[0] + m[k][1] * from[1] + m[k][2] * from[2];
}

TEST("/rotation/each-order-agrees-with-the-matrix")
{
    double expected[3], got[3];
    rotate_by_matrix(q, v, expected);
    g_assert_cmpfloat(fabs(expected[0] - v[0]), >, 0.1);
    for (guint f = 0; f < G_N_ELEMENTS(forward); f++) {
        forward[f](q, v, got);
        for (int k = 0; k < 3; k++)
            assert_near(got[k], expected[k], 1e-14);
    }
}

/** 90 degrees about z turn x to y. */
TEST("/rotation/a-quarter-about-z-turns-x-to-y")
{
    const double quarter[4] = {sqrt(0.5), 0.0, 0.0, sqrt(0.5)}, x[3] = {1.0, 0.0, 0.0};
    for (guint f = 0; f < G_N_ELEMENTS(forward); f++) {
        double got[3];
        forward[f](quarter, x, got);
        assert_near(got[0], 0.0, 1e-15);
        assert_near(got[1], 1.0, 1e-15);
        g_assert_cmpfloat(got[2], ==, 0.0);
    }
}

TEST("/rotation/back-undoes-it")
{
    double there[3], back[3];
    scree_rotate(q, v, there);
    scree_rotate_back(q, there, back);
    for (int k = 0; k < 3; k++)
        assert_near(back[k], v[k], 1e-14);
}

TEST("/rotation/the-result-may-replace-the-vector")
{
    for (guint f = 0; f < G_N_ELEMENTS(forward); f++) {
        double expected[3], got[3] = {v[0], v[1], v[2]};
        forward[f](q, v, expected);
        forward[f](q, got, got);
        g_assert_cmpmem(got, sizeof got, expected, sizeof expected);
    }
}
