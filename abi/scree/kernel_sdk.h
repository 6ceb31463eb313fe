/* SPDX-License-Identifier: MIT */
/* Inline helpers for loops over many contacts or bodies: they let a compiler vectorise the loop.
 * Only for convenience, never part of the ABI. */
#ifndef SCREE_KERNEL_SDK_H
#define SCREE_KERNEL_SDK_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * Two idioms let a compiler vectorise a loop over contacts, 4 to 8 times as fast as a plain one.
 *
 * Restricted parameters of an inner function (`restrict` on struct members, or on locals copied
 * from them, does not help):
 *
 *     static void kernel(uint32_t n, double kn, SCREE_IN depth, SCREE_IN3(n), SCREE_OUT3(f))
 *     {
 *         for (uint32_t c = 0; c < n; c++) {
 *             double fn = depth[c] > 0.0 ? kn * depth[c] : 0.0;
 *             fx[c] = -fn * nx[c];
 *             ...
 *         }
 *     }
 *     ...
 *     kernel(b->n, kn, b->depth, SCREE_XYZ(b->normal), SCREE_XYZ(b->f));
 *
 * Or SCREE_INDEPENDENT before the loop, which then reads the arrays of the batch itself. Copy
 * doubles that the loop does not change to local variables first: the compiler must assume that a
 * write to an array of doubles changes any double that is not local.
 *
 *     const double kn = self->kn;
 *     SCREE_INDEPENDENT
 *     for (uint32_t c = 0; c < b->n; c++)
 *         b->stored[c] = 0.5 * kn * b->depth[c] * b->depth[c];
 *
 * In both, use selects (x > y ? x : y) instead of branches, and call nothing but sqrt.
 */
#if defined(__cplusplus)
#define SCREE_RESTRICT __restrict__
#else
#define SCREE_RESTRICT restrict
#endif

/** Precedes the loop of a kernel: no contact writes what another one reads, which lets compilers
 * vectorise the loop. */
#if defined(__clang__)
#define SCREE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
/* A loop that clang does not vectorise, as with -O1 or a sanitizer, is not a mistake. */
#pragma clang diagnostic ignored "-Wpass-failed"
#elif defined(__GNUC__)
#define SCREE_INDEPENDENT _Pragma("GCC ivdep")
#else
#define SCREE_INDEPENDENT
#endif

/** Types of kernel parameters that are arrays of doubles: a kernel reads SCREE_IN and writes
 * SCREE_OUT. No two of these arrays overlap. */
#define SCREE_IN const double *SCREE_RESTRICT
#define SCREE_OUT double *SCREE_RESTRICT

/** Three parameters for the components of a vector: SCREE_IN3(v) declares vx, vy, vz. */
#define SCREE_IN3(v) SCREE_IN v##x, SCREE_IN v##y, SCREE_IN v##z
#define SCREE_OUT3(v) SCREE_OUT v##x, SCREE_OUT v##y, SCREE_OUT v##z

/** Passes an array of three pointers as three arguments. */
#define SCREE_XYZ(p) (p)[0], (p)[1], (p)[2]

/** The larger of two numbers, as a select: a kernel may call it. Returns b when they are equal or
 * one is not a number. */
static inline double scree_max(double a, double b)
{
    return a > b ? a : b;
}

/** The smaller of two numbers, as a select. Returns b when they are equal or one is not a
 * number. */
static inline double scree_min(double a, double b)
{
    return a < b ? a : b;
}

/** v^(-1/3) of a normal number v > 0, to a few rounding errors. The first guess, from the bits, has
 * an error of up to 4 %; each of two steps raises the relative error to its fourth power. A kernel
 * may call it. */
static inline double scree_inverse_cbrt(double v)
{
    uint64_t bits;
    double r;
    memcpy(&bits, &v, sizeof bits);
    bits = (0x553ef0ffull - ((bits >> 32) * 0x55555556ull >> 32)) << 32;
    memcpy(&r, &bits, sizeof r);
    for (int k = 0; k < 2; k++) {
        double off = 1.0 - v * r * (r * r);
        r += r * off * (1.0 / 3.0 + off * (2.0 / 9.0 + off * (14.0 / 81.0)));
    }
    return r;
}

/** A kernel marks the contacts that it leaves to a slower function: mark > `from`. Returns the
 * number of the first marked contact from c on; n: none is left. */
static inline uint32_t scree_next_mark(const double *mark, double from, uint32_t c, uint32_t n)
{
    for (; c + 8 <= n; c += 8) {
        double a = scree_max(scree_max(mark[c], mark[c + 1]), scree_max(mark[c + 2], mark[c + 3]));
        double b =
            scree_max(scree_max(mark[c + 4], mark[c + 5]), scree_max(mark[c + 6], mark[c + 7]));
        if (scree_max(a, b) > from)
            break;
    }
    while (c < n && !(mark[c] > from))
        c++;
    return c;
}

#endif
