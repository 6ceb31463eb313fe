/* SPDX-License-Identifier: Apache-2.0 */
/* A clock of one instruction. */
#ifndef CORE_TICKS_H
#define CORE_TICKS_H

#include <stdint.h>
#include <x86intrin.h>

/** Processor ticks at an even rate. Batches and small loops are too short for clock_gettime
 * (measured: two calls took 40 % as long as a batch of 64 pairs between them). */
static inline uint64_t scree_ticks(void)
{
    return __rdtsc();
}

#endif
