// SPDX-License-Identifier: Apache-2.0
// Judges what the views of a shape that a plugin makes answer.
#include "scene/plugin_shape_answers.h"

#include <math.h>

#include "base/random.h"
#include "plugin/call.h"

#define SLACK 1e-9 /* relative: rounding of a plugin's own sums */
enum { ANSWERS = 6000 };

bool scree_shape_ask_farthest(const scree_shape *shape, const scree_support *support, uint32_t n,
                              const double *const to[3], double *const found[3], GError **error)
{
    scree_instance *in = scree_shape_instance(shape);
    scree_call call = scree_call_begin(in, SCREE_CALL_LANE, "farthest");
    support->farthest(support->ctx, n, to, found);
    if (scree_call_end(&call, SCREE_OK, SCREE_OK, error) < 0)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const double far =
            sqrt(found[0][i] * found[0][i] + found[1][i] * found[1][i] + found[2][i] * found[2][i]);
        if (!(far <= shape->radius * (1.0 + SLACK)))
            return scree_call_blame(in, "farthest", SCREE_EXIT_PLUGIN, error,
                                    SCREE_VIEW_SUPPORT ": in the direction (%g, %g, %g) it gave "
                                                       "(%g, %g, %g) m, of a shape of radius %g m",
                                    to[0][i], to[1][i], to[2][i], found[0][i], found[1][i],
                                    found[2][i], shape->radius);
    }
    return true;
}

/** Asks for the implicit function and its gradient: they are numbers. */
static bool check_implicit(scree_instance *in, const scree_implicit *implicit,
                           const double *const x[3], double *value, double *const gradient[3],
                           GError **error)
{
    scree_call call = scree_call_begin(in, SCREE_CALL_LANE, "value");
    implicit->value(implicit->ctx, ANSWERS, x, value, gradient);
    if (scree_call_end(&call, SCREE_OK, SCREE_OK, error) < 0)
        return false;
    for (uint32_t i = 0; i < ANSWERS; i++)
        if (!isfinite(value[i] + gradient[0][i] + gradient[1][i] + gradient[2][i]))
            return scree_call_blame(in, "value", SCREE_EXIT_PLUGIN, error,
                                    SCREE_VIEW_IMPLICIT ": at (%g, %g, %g) m it gave %g with the "
                                                        "gradient (%g, %g, %g)",
                                    x[0][i], x[1][i], x[2][i], value[i], gradient[0][i],
                                    gradient[1][i], gradient[2][i]);
    return true;
}

bool scree_shape_check_answers(const scree_shape *shape, GError **error)
{
    const scree_support *support = scree_shape_find_view(shape, SCREE_VIEW_SUPPORT, 0.0);
    const scree_implicit *implicit = scree_shape_find_view(shape, SCREE_VIEW_IMPLICIT, 0.0);
    scree_instance *in = scree_shape_instance(shape);
    if (!in || !(shape->radius > 0.0))
        return true;
    g_autofree double *m = g_new0(double, 7 * ANSWERS);
    double *const x[3] = {m, m + ANSWERS, m + 2 * ANSWERS};
    double *const found[3] = {m + 3 * ANSWERS, m + 4 * ANSWERS, m + 5 * ANSWERS};
    const double *const asked[3] = {x[0], x[1], x[2]};
    static const double length[3] = {1.0, 1e-3, 1e-9}, distance[3] = {1.0, 1.2, 0.3};
    for (uint32_t i = 0; i < ANSWERS; i++) { // evenly over the sphere
        const double z = in->host.dimension == 2 ? 0.0 : 2.0 * scree_random_unit(1, 0, i, 0) - 1.0;
        const double turn = 2.0 * G_PI * scree_random_unit(1, 0, i, 1), ring = sqrt(1.0 - z * z);
        x[0][i] = length[i % 3] * ring * cos(turn);
        x[1][i] = length[i % 3] * ring * sin(turn);
        x[2][i] = length[i % 3] * z;
    }
    if (support && !scree_shape_ask_farthest(shape, support, ANSWERS, asked, found, error))
        return false;
    for (uint32_t i = 0; i < ANSWERS; i++)
        for (int k = 0; k < 3; k++)
            x[k][i] *= shape->radius * distance[i % 3] / length[i % 3];
    return !implicit || check_implicit(in, implicit, asked, m + 6 * ANSWERS, found, error);
}
