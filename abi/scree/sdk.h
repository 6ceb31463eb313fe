/* SPDX-License-Identifier: MIT */
/* Inline helpers for plugin authors. Convenience alone, never part of the ABI. */
#ifndef SCREE_SDK_H
#define SCREE_SDK_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree.h"

/*
 * The kernel idiom. `restrict` on struct members, or on locals copied from them, does not let a
 * compiler vectorise; `restrict` on the *parameters* of an inner function does (measured: 4 to 8
 * times). So compute() only unpacks the batch:
 *
 *     static void kernel(uint32_t n, const double *SCREE_RESTRICT depth, double kn,
 *                        double *SCREE_RESTRICT fn)
 *     {
 *         for (uint32_t c = 0; c < n; c++)
 *             fn[c] = kn * depth[c];
 *     }
 *
 * with selects (x > y ? x : y) instead of branches and no calls but sqrt.
 */
#if defined(__cplusplus)
#define SCREE_RESTRICT __restrict__
#else
#define SCREE_RESTRICT restrict
#endif

/** Defines the exported symbol of a file that offers the listed descriptors (addresses of
 * `static const scree_plugin` objects). A semicolon follows. */
#define SCREE_DEFINE_MANIFEST(...)                                                                 \
    static const scree_plugin *const scree_plugin_list_[] = {__VA_ARGS__};                         \
    const scree_manifest scree_plugin_v0 = {                                                       \
        sizeof(scree_manifest),                                                                    \
        SCREE_ABI_MAJOR,                                                                           \
        SCREE_MINOR_NEEDED,                                                                        \
        (uint32_t)(sizeof scree_plugin_list_ / sizeof scree_plugin_list_[0]),                      \
        scree_plugin_list_,                                                                        \
        SCREE_ABI_DIGEST,                                                                          \
    }

/** Number of elements of an array. */
#define SCREE_COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/** host->fail with a format. Returns `code`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4), unused))
#endif
static int32_t
scree_failf(const scree_host *host, int32_t code, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return host->fail(host->ctx, code, text);
}

/** host->log with a format. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4), unused))
#endif
static void
scree_logf(const scree_host *host, int32_t level, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    host->log(host->ctx, level, text);
}

/** A double in [0, 1) from 64 random bits. */
static inline double scree_uniform(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1.0p-53;
}

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

/** Closed overlap of two boxes: touching counts. Empty slots overlap nothing. */
static inline int scree_boxes_overlap(const scree_boxes *b, uint32_t i, uint32_t j)
{
    return (b->lo[0][i] <= b->hi[0][j]) & (b->lo[0][j] <= b->hi[0][i]) &
           (b->lo[1][i] <= b->hi[1][j]) & (b->lo[1][j] <= b->hi[1][i]) &
           (b->lo[2][i] <= b->hi[2][j]) & (b->lo[2][j] <= b->hi[2][i]);
}

/** 1 when slot i is empty. */
static inline int scree_box_empty(const scree_boxes *b, uint32_t i)
{
    return b->lo[0][i] > b->hi[0][i];
}

/** 1 when box i overlaps the region, both closed; an empty slot overlaps none. A ball is taken
 * larger by a few roundings, so that a box that touches it is never missed. */
static inline int scree_region_overlaps(const scree_region *r, const scree_boxes *b, uint32_t i)
{
    double d2 = 0.0, reach = r->radius * (1.0 + 1e-12);
    int inside = b->lo[0][i] <= b->hi[0][i];
    for (int k = 0; k < 3; k++) {
        double c = r->type == SCREE_REGION_BALL ? r->centre[k] : 0.0;
        double below = b->lo[k][i] - c, above = c - b->hi[k][i];
        double d = below > above ? below : above;
        d2 += d > 0.0 ? d * d : 0.0;
        inside &=
            r->type == SCREE_REGION_BALL || ((b->lo[k][i] <= r->hi[k]) & (r->lo[k] <= b->hi[k][i]));
    }
    return inside && (r->type != SCREE_REGION_BALL || d2 <= reach * reach);
}

#endif
