/* SPDX-License-Identifier: Apache-2.0 */
/* Point tests to be timed: points of one polygon against another one. */
#ifndef BENCH_DFR_KERNELS_H
#define BENCH_DFR_KERNELS_H

#include "cyrus_beck/tests.h"
#include "dfr2d/points.h"

typedef struct dfr_job {
    uint32_t n_points;
    const double *x, *y;  // [n_points]
    double m[2][2], t[2]; // into the frame of the other polygon
    dfr_panels panels;    // the other one as a strip
    const double *rows;   // the same by panel, see points.h
    cyrus_sides sides;    // and as sides
    double *out[5];       // [the larger n]
} dfr_job;

/** Each returns how many of the points are inside. */
typedef struct dfr_kernels {
    uint32_t (*dfr_simple)(const dfr_job *j); // slopes by division, as printed
    uint32_t (*dfr_tables)(const dfr_job *j); // slopes by table
    uint32_t (*dfr_heights)(
        const dfr_job *j); // the kernel of the resolver, which keeps the heights
    uint32_t (*cyrus_as_printed)(const dfr_job *j);
    uint32_t (*cyrus_one_dot)(const dfr_job *j);
} dfr_kernels;

extern const dfr_kernels dfr_kernels_scalar, dfr_kernels_v3;

#endif
