// SPDX-License-Identifier: Apache-2.0
// Principal moments and axes against tensors that were made from known ones.
#include <math.h>
#include <string.h>

#include "../../test.h"
#include "../near.h"
#include "base/rotation.h"
#include "shape/principal.h"

/** The tensor of these moments about the axes that q turns out of x, y, z. */
static void make_tensor(const double moments[3], const double q[4], double out[6])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    memset(out, 0, 6 * sizeof *out);
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2};
        scree_rotate(q, axis, axis);
        for (int i = 0; i < 6; i++)
            out[i] += moments[k] * axis[row[i]] * axis[column[i]];
    }
}

static void check_turn(const double given[3], const double q[4])
{
    double tensor[6], moments[3], found[4], again[6], norm = 0.0;
    make_tensor(given, q, tensor);
    g_assert_true(scree_principal(tensor, moments, found));
    make_tensor(moments, found, again);
    for (int i = 0; i < 6; i++)
        assert_near(again[i], tensor[i], 1e-14);
    for (int k = 0; k < 4; k++)
        norm += found[k] * found[k];
    assert_near(norm, 1.0, 1e-15);
    g_assert_cmpfloat(found[0], >=, 0.0);
    g_assert_cmpfloat(moments[0], <=, moments[1]);
    g_assert_cmpfloat(moments[1], <=, moments[2]);
    for (int j = 0; j < 2; j++) {
        double axis[3] = {j == 0, j == 1, 0.0};
        int largest = 0;
        scree_rotate(found, axis, axis);
        for (int k = 1; k < 3; k++)
            if (fabs(axis[k]) > fabs(axis[largest]) * (1.0 + 1e-12))
                largest = k;
        g_assert_cmpfloat(axis[largest], >, 0.0);
    }
}

TEST("/principal/moments-and-axes-make-the-tensor-again")
{
    static const double sets[][3] = {
        {1, 2, 2.5}, {2.5, 1, 2}, {1, 1, 2}, {2, 1, 1}, {1, 1.0000001, 1}};
    static const double turns[][4] = {{0.5, 0.5, 0.5, 0.49},
                                      {0.1, -0.7, 0.3, 0.2},
                                      {0.0, 0.6, 0.8, 0.3},
                                      {1.0, 1e-4, 0.0, 2e-4},
                                      {-0.3, 0.1, 0.9, -0.2}};
    for (size_t i = 0; i < G_N_ELEMENTS(sets); i++)
        for (size_t j = 0; j < G_N_ELEMENTS(turns); j++) {
            double q[4], norm = 0.0;
            for (int k = 0; k < 4; k++)
                norm += turns[j][k] * turns[j][k];
            for (int k = 0; k < 4; k++)
                q[k] = turns[j][k] / sqrt(norm);
            check_turn(sets[i], q);
        }
}

TEST("/principal/small-products-turn-nothing")
{
    // Below 1e-12 of the largest moment nothing is turned, and the order stays.
    const double tensor[6] = {3.0, 1.0, 2.0, 2.9e-12, -1e-12, 0.0};
    double moments[3], q[4];
    g_assert_false(scree_principal(tensor, moments, q));
    g_assert_cmpfloat(moments[0], ==, 3.0);
    g_assert_cmpfloat(moments[1], ==, 1.0);
    g_assert_cmpfloat(moments[2], ==, 2.0);
    g_assert_cmpfloat(q[0], ==, 1.0);
    const double beyond[6] = {3.0, 1.0, 2.0, 3.1e-12, 0.0, 0.0};
    g_assert_true(scree_principal(beyond, moments, q));
    assert_near(moments[0], 1.0, 1e-15);
}
