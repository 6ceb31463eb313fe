/* SPDX-License-Identifier: Apache-2.0 */
/* A bad plugin: fault.h with the macros of a row of make_faults.py, and what these rows use. */
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "scree/force.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#define FLUSH _mm_setcsr(_mm_getcsr() | 0x8040);
#else
#define FLUSH fesetround(FE_TOWARDZERO);
#endif

int32_t scree_no_such_function(void *instance, const scree_contact_batch *batch);

#include "fault.h"
