// SPDX-License-Identifier: Apache-2.0
// Averages of observer `field` over the samples of a window, with standard errors by blocks.
/*
 * The sums of the samples are added up; values follow from the sums of all samples: velocity is the
 * mean momentum over the mean density, temperature tr(kinetic stress) over dimension times density.
 *
 * Errors: successive samples are alike, so blocks of them are compared: the standard deviation of
 * the values of whole blocks over the root of their number (Flyvbjerg, Petersen 1989, J. Chem.
 * Phys. 91, 461). Mean and squares of the blocks are kept by Welford's update. A value that needs
 * mass or contacts uses only blocks that have some.
 */
#include <math.h>

#include "field.h"

const field_value field_values[N_VALUES] = {
    {"solid_fraction", "-", 1, 0},      {"density", "kg/m^3", 1, 0},
    {"momentum", "kg/(m^2 s)", 3, 0},   {"velocity", "m/s", 3, 1},
    {"temperature", "m^2/s^2", 1, 1},   {"kinetic_stress", "Pa", 6, 0},
    {"contact_stress", "Pa", 9, 0},     {"pressure", "Pa", 1, 0},
    {"couple_stress", "N/m", 9, 0},     {"boundary_force", "N/m^3", 3, 0},
    {"contact_density", "1/m^3", 1, 0}, {"fabric", "-", 6, 2},
};

enum { N_FIXED = 44 }; // components of the values above

uint32_t values_count(uint32_t n_sums)
{
    return N_FIXED + n_sums - SUM_FIELDS;
}

uint32_t values_need(uint32_t column)
{
    uint32_t first = 0;
    for (int k = 0; k < N_VALUES; k++) {
        if (column < first + field_values[k].components)
            return field_values[k].needs;
        first += field_values[k].components;
    }
    return 1;
}

static double *put(double *out, const double *sums, int count, double by)
{
    for (int k = 0; k < count; k++)
        *out++ = by > 0.0 ? sums[k] / by : (double)NAN;
    return out;
}

void values_of(const double *q, uint32_t n_sums, double n, uint32_t dimension, double *out)
{
    const double mass = q[SUM_MASS], *kinetic = q + SUM_KINETIC, *contact = q + SUM_CONTACT;
    const double heat = kinetic[0] + kinetic[3] + kinetic[5];
    const double all = heat + contact[0] + contact[4] + contact[8];
    out = put(out, q + SUM_VOLUME, 1, n);
    out = put(out, q + SUM_MASS, 1, n);
    out = put(out, q + SUM_MOMENTUM, 3, n);
    out = put(out, q + SUM_MOMENTUM, 3, mass);
    out = put(out, &heat, 1, mass * dimension);
    out = put(out, kinetic, 6, n);
    out = put(out, contact, 9, n);
    out = put(out, &all, 1, n * dimension);
    out = put(out, q + SUM_COUPLE, 9, n);
    out = put(out, q + SUM_BOUNDARY, 3, n);
    out = put(out, q + SUM_NUMBER, 1, n);
    out = put(out, q + SUM_FABRIC, 6, q[SUM_NUMBER]);
    put(out, q + SUM_FIELDS, (int)(n_sums - SUM_FIELDS), mass);
}

int average_allocate(field_average *a, uint64_t n_cells, uint32_t n_sums)
{
    a->head.n_cells = n_cells;
    a->head.n_sums = n_sums;
    a->n_values = values_count(n_sums);
    a->total = calloc(n_cells * n_sums, sizeof(double));
    a->block = calloc(n_cells * n_sums, sizeof(double));
    a->mean = calloc(n_cells * a->n_values, sizeof(double));
    a->spread = calloc(n_cells * a->n_values, sizeof(double));
    a->counts = calloc(n_cells * 2, sizeof(double));
    return a->total && a->block && a->mean && a->spread && a->counts;
}

void average_free(field_average *a)
{
    free(a->total);
    free(a->block);
    free(a->mean);
    free(a->spread);
    free(a->counts);
    a->total = a->block = a->mean = a->spread = a->counts = NULL;
}

static double blocks_of(const field_average *a, uint64_t cell, uint32_t column)
{
    const uint32_t needs = values_need(column);
    return needs == 0 ? (double)a->head.blocks : a->counts[2 * cell + needs - 1];
}

/* Welford's update with the values of the full block. */
static void end_block(field_average *a, uint64_t cell, uint32_t dimension, double *values)
{
    const double *q = a->block + cell * a->head.n_sums;
    double *mean = a->mean + cell * a->n_values, *spread = a->spread + cell * a->n_values;
    a->counts[2 * cell] += q[SUM_MASS] > 0.0;
    a->counts[2 * cell + 1] += q[SUM_NUMBER] > 0.0;
    values_of(q, (uint32_t)a->head.n_sums, (double)a->head.in_block, dimension, values);
    for (uint32_t k = 0; k < a->n_values; k++) {
        const double off = values[k] - mean[k];
        if (isnan(values[k]))
            continue;
        mean[k] += off / blocks_of(a, cell, k);
        spread[k] += off * (values[k] - mean[k]);
    }
}

void average_add(field_average *a, const double *sample, uint32_t dimension, uint64_t block,
                 double *values)
{
    const uint64_t n = a->head.n_cells * a->head.n_sums;
    for (uint64_t k = 0; k < n; k++) {
        a->total[k] += sample[k];
        a->block[k] += sample[k];
    }
    a->head.samples++;
    if (++a->head.in_block < block)
        return;
    a->head.blocks++;
    for (uint64_t cell = 0; cell < a->head.n_cells; cell++)
        end_block(a, cell, dimension, values);
    memset(a->block, 0, n * sizeof *a->block);
    a->head.in_block = 0;
}

void average_reset(field_average *a)
{
    const uint64_t cells = a->head.n_cells;
    memset(a->total, 0, cells * a->head.n_sums * sizeof(double));
    memset(a->block, 0, cells * a->head.n_sums * sizeof(double));
    memset(a->mean, 0, cells * a->n_values * sizeof(double));
    memset(a->spread, 0, cells * a->n_values * sizeof(double));
    memset(a->counts, 0, cells * 2 * sizeof(double));
    a->head.samples = a->head.in_block = a->head.blocks = 0;
}

double average_error(const field_average *a, uint64_t cell, uint32_t column)
{
    const double n = blocks_of(a, cell, column);
    if (!(n > 1.0))
        return (double)NAN;
    return sqrt(a->spread[cell * a->n_values + column] / (n * (n - 1.0)));
}
