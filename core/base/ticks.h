/* SPDX-License-Identifier: Apache-2.0 */
/* A clock of one instruction. */
#ifndef CORE_TICKS_H
#define CORE_TICKS_H

#include <stdint.h>
#include <x86intrin.h>

/** Processor ticks at an even rate: batches and small loops are too short for clock_gettime
 * (measured: two calls of it took 40 % as long as the work of a batch of 64 pairs between them). */
static inline uint64_t scree_ticks(void)
{
    return __rdtsc();
}

#endif
