/* SPDX-License-Identifier: Apache-2.0 */
/* The floating-point environment of a thread as one number, to see that nobody has changed it. */
#ifndef CORE_FPENV_H
#define CORE_FPENV_H

#include <fenv.h>
#include <fpu_control.h>
#include <stdbool.h>
#include <stdint.h>
#include <xmmintrin.h>

/** Rounding, flush-to-zero, denormals-are-zero, precision and trap masks of the calling thread,
 * without the sticky exception flags. Equal numbers: equal arithmetic. */
static inline uint32_t scree_fp_control(void)
{
    fpu_control_t x87;
    _FPU_GETCW(x87);
    return (_mm_getcsr() & 0xffc0u) | (uint32_t)x87 << 16; // MXCSR without its six flags
}

/** The value of scree_fp_control in the host's own environment, with which a process starts
 * (System V ABI): to nearest, subnormal numbers kept, all exceptions masked. */
#define SCREE_FP_HOST (0x1f80u | 0x037fu << 16)

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
