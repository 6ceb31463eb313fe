/* SPDX-License-Identifier: Apache-2.0 */
/* The floating-point environment of a thread as one number, to notice changes. */
#ifndef CORE_FPENV_H
#define CORE_FPENV_H

#include <fenv.h>
#include <fpu_control.h>
#include <stdbool.h>
#include <stdint.h>
#include <xmmintrin.h>

/** Rounding, flush-to-zero, denormals-are-zero, precision and trap masks of the calling thread,
 * without the exception flags. Equal numbers mean equal arithmetic. */
static inline uint32_t scree_fp_control(void)
{
    fpu_control_t x87;
    _FPU_GETCW(x87);
    return (_mm_getcsr() & 0xffc0u) | (uint32_t)x87 << 16; // MXCSR without its six flags
}

/** The scree_fp_control of the host, and of each new process (System V ABI): rounds to nearest,
 * keeps subnormal numbers, masks all exceptions. */
#define SCREE_FP_HOST (0x1f80u | 0x037fu << 16)

static inline bool scree_fp_is_host(void)
{
    return scree_fp_control() == SCREE_FP_HOST;
}

/** Restores the host's environment in the calling thread. */
static inline void scree_fp_restore(void)
{
    fesetenv(FE_DFL_ENV);
}

#endif
