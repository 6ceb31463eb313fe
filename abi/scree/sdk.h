/* SPDX-License-Identifier: MIT */
/* Inline helpers for plugin authors, in one header. Only for convenience, never part of the ABI.
 *
 *     plugin_sdk.h     every plugin: the manifest, parameters, fields, errors with numbers
 *     kernel_sdk.h     loops that a compiler vectorises (vector_sdk.h: vectors by value)
 *     energy_sdk.h     laws: `lost`, `heat`, the ends of contacts
 *     slide_sdk.h      laws: a tangential spring, cut to a limit
 *     box_sdk.h        boxes and zones
 *     source_sdk.h     random numbers, sizes, zones
 *     cell_sdk.h       how space repeats
 *     rotation_sdk.h   quaternions
 *
 * This header includes these. Further ones, to be included by name: force_sdk.h and friction_sdk.h for
 * laws, gcd_sdk.h for GCDs, vector_sdk.h for kernels.
 */
#ifndef SCREE_SDK_H
#define SCREE_SDK_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "box_sdk.h"
#include "cell_sdk.h"
#include "energy_sdk.h"
#include "kernel_sdk.h"
#include "plugin_sdk.h"
#include "rotation_sdk.h"
#include "slide_sdk.h"
#include "source_sdk.h"

/** Makes *array hold at least `n` elements of `size` bytes, growing by half; content is kept, new
 * bytes are undefined. Returns 0 when out of memory (the old array is then still valid). */
static inline int scree_grow(void *array_ptr, uint64_t *capacity, uint64_t n, size_t size)
{
    void *old, *grown;
    uint64_t want;
    if (n <= *capacity)
        return 1;
    want = *capacity + *capacity / 2;
    if (want < n)
        want = n;
    if (want > SIZE_MAX / size)
        return 0;
    memcpy(&old, array_ptr, sizeof old);
    grown = realloc(old, (size_t)want * size);
    if (!grown)
        return 0;
    memcpy(array_ptr, &grown, sizeof grown);
    *capacity = want;
    return 1;
}

/** Turns v from the axes of body i to those of the world. */
static inline void scree_to_world(const scree_bodies *b, uint32_t i, const double v[3],
                                  double out[3])
{
    const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
    scree_rotate(q, v, out);
}

#endif
