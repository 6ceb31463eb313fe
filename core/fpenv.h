/* SPDX-License-Identifier: Apache-2.0 */
/* The floating-point environment of a thread as one number, to see that nobody has changed it. */
#ifndef CORE_FPENV_H
#define CORE_FPENV_H

#include <fenv.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/** Rounding, flush-to-zero, denormals-are-zero and trap masks of the calling thread, without the
 * sticky exception flags. Equal numbers: equal arithmetic. */
static inline uint32_t scree_fp_control(void)
{
#if defined(__x86_64__)
    /* MXCSR without its six flags; x87's rounding sits above it. */
    return (_mm_getcsr() & 0xffc0u) | (uint32_t)fegetround() << 16;
#elif defined(__aarch64__)
    fenv_t env;
    fegetenv(&env);
    return (uint32_t)env.__fpcr;
#else
    return (uint32_t)fegetround();
#endif
}

#endif
