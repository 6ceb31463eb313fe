/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs for tests of the host's inner loops, which run for every CPU level. */
#ifndef TESTS_UNIT_KERNEL_DATA_H
#define TESTS_UNIT_KERNEL_DATA_H

#define OWN_MAIN
#include "../../test.h"
#include "base/cpu.h"
#include "base/cpu_v3.h"
#include "engine/kernels.h"
#include "engine/state.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/aligned.h"
#include "base/random.h"
#include "build_config.h"

enum { BODIES = 50, MOST = 1000, ROOM = MOST + 8, LINE = 8 };

/** Inputs, and room for outputs with a canary behind the last element. */
typedef struct data {
    uint32_t n, a[ROOM], b[ROOM], index[ROOM];
    _Alignas(64) double ball[4 * BODIES]; /* lines of one body are aligned, as in the host */
    _Alignas(64) double twist[8 * BODIES];
    double ref[4 * BODIES], column[11][BODIES];
    double v[24][ROOM], from[ROOM];
} data;

static inline double draw(uint64_t *count)
{
    return 2.0 * scree_random_unit(1, 2, 3, ++*count) - 1.0;
}

static inline data *new_data(uint32_t n)
{
    data *d = memset(scree_aligned_new(sizeof *d), 0, sizeof *d);
    uint64_t k = n;
    d->n = n;
    for (int i = 0; i < 4 * BODIES; i++)
        d->ref[i] = d->ball[i] = draw(&k);
    for (int i = 0; i < 8 * BODIES; i++)
        d->twist[i] = i % 8 == 3 ? fabs(draw(&k)) + 0.1 : draw(&k);
    for (int c = 0; c < 11; c++)
        for (int i = 0; i < BODIES; i++)
            d->column[c][i] = draw(&k);
    for (uint32_t c = 0; c < n; c++) {
        d->a[c] = (uint32_t)(BODIES * fabs(draw(&k)));
        d->b[c] = (d->a[c] + c % BODIES) % BODIES; // also own images
        d->index[c] = c % 7 == 3 ? UINT32_MAX : (uint32_t)(ROOM * fabs(draw(&k)));
    }
    for (int i = 0; i < ROOM; i++)
        d->from[i] = draw(&k);
    for (int f = 0; f < 24; f++)
        for (int c = 0; c < ROOM; c++)
            d->v[f][c] = draw(&k);
    return d;
}

static const scree_kernels *levels[2];
static int n_levels;

/** Runs a test for every level and length. */
static inline void for_all(void (*test)(const scree_kernels *, data *))
{
    for (int l = 0; l < n_levels; l++)
        for (uint32_t n = 0; n <= 41; n++) {
            g_autofree data *d = new_data(n == 41 ? MOST : n);
            test(levels[l], d);
        }
}

/** The n elements are these bits, and what follows them is unchanged. */
static inline void check(const double *got, const double *expected, uint32_t n,
                         const double *before)
{
    g_assert_cmpmem(got, n * sizeof *got, expected, n * sizeof *got);
    g_assert_cmpmem(got + n, 8 * sizeof *got, before + n, 8 * sizeof *got);
}

#define CLAIM(claim, kernel)                                                                       \
    TEST("/kernels/" claim)                                                                        \
    {                                                                                              \
        for_all(test_##kernel);                                                                    \
    }

int main(int argc, char **argv)
{
    g_unsetenv("SCREE_CPU_LEVEL");
#ifdef SCREE_HAS_BASELINE
    levels[n_levels++] = &scree_kernels_baseline;
#endif
#ifdef SCREE_HAS_V3
    if (has_v3())
        levels[n_levels++] = &scree_kernels_v3;
#endif
    return test_run(argc, argv);
}

#endif
