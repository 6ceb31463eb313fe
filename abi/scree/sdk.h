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
 * This header includes these. Further ones, to be included by name: force_sdk.h and friction_sdk.h
 * for laws, gcd_sdk.h for GCDs, vector_sdk.h for kernels.
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

/** [kg] Mass of a body of this shape, material and scale; shape and material are indices of `b`. */
static inline double scree_body_mass(const scree_bodies *b, uint32_t shape, uint32_t material,
                                     double scale)
{
    const scree_shape *s = b->shapes[shape];
    return b->material_density[material] *
           (s->volume * scale * scale * (s->flat ? b->thickness : scale));
}

/** One new body in plain numbers, in the principal frame. */
typedef struct scree_one_body {
    uint32_t shape, material, motion;
    uint32_t reserved; /* 0 */
    double scale;      /* [-] */
    double x[3];       /* [m] */
    double q[4];       /* [-] */
    double v[3];       /* [m/s] */
    double w[3];       /* [rad/s] */
} scree_one_body;

/** The description of one body, for edits->insert, add() of a source and scree.query/1; *one must
 * live as long as the result. */
static inline scree_new_bodies scree_new_body(const scree_one_body *one)
{
    scree_new_bodies b;
    memset(&b, 0, sizeof b);
    b.size = sizeof b;
    b.n = 1;
    b.shape = &one->shape;
    b.material = &one->material;
    b.motion = &one->motion;
    b.scale = &one->scale;
    for (int k = 0; k < 4; k++) {
        b.q[k] = &one->q[k];
        if (k == 3)
            break;
        b.x[k] = &one->x[k];
        b.v[k] = &one->v[k];
        b.w[k] = &one->w[k];
    }
    return b;
}

/** Inserts one body; *id: its future id. */
static inline int32_t scree_insert_one(const scree_edits *edits, const scree_one_body *one,
                                       uint64_t *id)
{
    const scree_new_bodies bodies = scree_new_body(one);
    return edits->insert(edits->ctx, &bodies, id);
}

/** Turns v from the axes of body i to world axes. */
static inline void scree_to_world(const scree_bodies *b, uint32_t i, const double v[3],
                                  double out[3])
{
    const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
    scree_rotate(q, v, out);
}

#endif
