/* SPDX-License-Identifier: Apache-2.0 */
/* The floating-point environment of a thread as one number, to see that nobody has changed it. */
#ifndef CORE_FPENV_H
#define CORE_FPENV_H

#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <fpu_control.h>
#include <xmmintrin.h>
#endif

/** Rounding, flush-to-zero, denormals-are-zero, precision and trap masks of the calling thread,
 * without the sticky exception flags. Equal numbers: equal arithmetic. */
static inline uint32_t scree_fp_control(void)
{
#if defined(__x86_64__)
    fpu_control_t x87;
    _FPU_GETCW(x87);
    return (_mm_getcsr() & 0xffc0u) | (uint32_t)x87 << 16; // MXCSR without its six flags
#elif defined(__aarch64__)
    fenv_t env;
    fegetenv(&env);
    return (uint32_t)env.__fpcr;
#else
    return (uint32_t)fegetround();
#endif
}

/** The value of scree_fp_control in the host's own environment, with which a process starts
 * (System V ABI): to nearest, subnormal numbers kept, all exceptions masked. */
#if defined(__x86_64__)
#define SCREE_FP_HOST (0x1f80u | 0x037fu << 16)
#else
#define SCREE_FP_HOST 0u
#endif

static inline bool scree_fp_is_host(void)
{
    return scree_fp_control() == SCREE_FP_HOST;
}

/** Gives the calling thread the host's own. */
static inline void scree_fp_restore(void)
{
    fesetenv(FE_DFL_ENV);
}

#endif
