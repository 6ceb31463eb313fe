/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a run by a route, and how far they are from those of another. */
#include "tools/check/route_outcome.h"

#include <math.h>
#include <string.h>

void scree_route_outcome_clear(scree_route_outcome *o)
{
    g_free(o->hash);
    g_clear_pointer(&o->parts, g_ptr_array_unref);
    g_free(o->id);
    g_free(o->x);
    g_free(o->field);
    g_free(o->residual);
    g_clear_pointer(&o->scalars, g_array_unref);
    g_clear_pointer(&o->named, g_ptr_array_unref);
    *o = (scree_route_outcome){.hash = NULL};
}
/** The larger of two; NaN is larger than any. */
static double larger(double most, double d)
{
    return d > most || isnan(d) ? d : most;
}

/** The largest distance along an axis of body i of one run from body j of another. */
static double apart(const scree_route_outcome *a, uint32_t i, const scree_route_outcome *b,
                    uint32_t j)
{
    double most = 0.0;
    for (uint32_t k = 0; k < 3; k++)
        most = larger(most, fabs(a->x[3 * (size_t)i + k] - b->x[3 * (size_t)j + k]));
    return most;
}

double scree_route_distance_of_old(const scree_route_outcome *a, const scree_route_outcome *b)
{
    double most = 0.0;
    for (uint32_t i = 0, j = 0; i < a->n && j < b->n && a->id[i] <= a->n_old;) {
        const uint64_t one = a->id[i], other = b->id[j];
        if (one == other)
            most = larger(most, apart(a, i, b, j));
        i += one <= other;
        j += other <= one;
    }
    return most;
}

double scree_route_distance_from(const scree_route_outcome *a, const scree_route_outcome *b,
                                 uint32_t first, uint32_t shift)
{
    double most = 0.0;
    for (uint32_t i = 0, j = 0; i < a->n && a->id[i] <= a->n_old; i++) {
        if (a->id[i] < first)
            continue;
        while (j < b->n && b->id[j] < a->id[i] + shift)
            j++;
        const bool both = j < b->n && b->id[j] == a->id[i] + shift;
        most = larger(most, both ? apart(a, i, b, j) : HUGE_VAL);
    }
    return most;
}

double scree_route_distance(const scree_route_outcome *a, const scree_route_outcome *b)
{
    double most = 0.0;
    if (a->n != b->n || memcmp(a->id, b->id, a->n * sizeof *a->id))
        return HUGE_VAL;
    for (uint32_t i = 0; i < a->n; i++)
        most = larger(most, apart(a, i, b, i));
    return most;
}

double scree_route_fields_differ(const scree_route_outcome *a, const scree_route_outcome *b)
{
    double most = a->n_fields == b->n_fields ? 0.0 : HUGE_VAL;
    for (uint32_t f = 0; f < a->n_fields && a->n_fields == b->n_fields; f++) {
        double size = 0.0, differ = 0.0;
        for (size_t k = (size_t)f * a->n; k < (f + 1ull) * a->n; k++) {
            size = fmax(size, fabs(a->field[k]));
            differ = larger(differ, fabs(a->field[k] - b->field[k]));
        }
        most = differ / size > most || isnan(differ) ? differ / size : most;
    }
    return most;
}

/** The largest size of scalar k. */
static double size_of(const scree_route_outcome *o, guint k)
{
    double size = 0.0;
    for (guint i = k; i < o->scalars->len; i += o->named->len)
        size = fmax(size, fabs(g_array_index(o->scalars, double, i))); // NaN is left out
    return size;
}

char *scree_route_scalars_differ(const scree_route_outcome *a, const scree_route_outcome *b,
                                 bool mixed)
{
    const guint n = !mixed && a->scalars && b->scalars ? a->scalars->len : 0;
    if (n && n != b->scalars->len)
        return g_strdup_printf("it has %u values of scalars in one run, %u in the other", n,
                               b->scalars->len);
    for (guint i = 0; i < n; i++) {
        const guint k = i % a->named->len;
        const double x = g_array_index(a->scalars, double, i);
        const double y = g_array_index(b->scalars, double, i);
        if (!(fabs(x - y) <= 1e-6 * size_of(a, k)) && !(isnan(x) && isnan(y)))
            return g_strdup_printf("scalar %s is %.9g in one run, %.9g in the other, after step %u",
                                   (const char *)a->named->pdata[k], x, y, i / a->named->len + 1);
    }
    return NULL;
}

void scree_route_outcome_divide(scree_route_outcome *o, double length, double energy)
{
    for (size_t k = 0; k < 3 * (size_t)o->n; k++)
        o->x[k] /= length;
    for (uint32_t n = 0; n <= o->steps; n++)
        o->residual[n] /= energy;
    o->turnover /= energy;
}

double scree_route_residual(const scree_route_outcome *o)
{
    double most = 0.0;
    for (uint32_t n = 0; n <= o->steps; n++)
        most = larger(most, fabs(o->residual[n]));
    return most;
}
