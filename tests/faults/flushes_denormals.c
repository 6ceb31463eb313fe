/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor that sets flush-to-zero, as linking with -ffast-math does. */
#if defined(__x86_64__)
#include <xmmintrin.h>
#define FAULT_AT_LOAD _mm_setcsr(_mm_getcsr() | 0x8040);
#else
#include <fenv.h>
#define FAULT_AT_LOAD fesetround(FE_TOWARDZERO);
#endif
#include "fault.h"
