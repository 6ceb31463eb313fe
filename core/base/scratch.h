/* SPDX-License-Identifier: Apache-2.0 */
/* Room for work that is done now and then, in memory that is lent for as long as it lasts. */
#ifndef CORE_SCRATCH_H
#define CORE_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

/*
 * A refresh of the lists needs as much memory again as the lists, for a moment; meanwhile the
 * mirrors and sums of the bodies are free, because they are written again before they are read. So
 * they are lent to it, and the peak is that of the steps.
 */
typedef struct scree_scratch scree_scratch;

scree_scratch *scree_scratch_new(void);
/** Accepts NULL. */
void scree_scratch_free(scree_scratch *scratch);
/** Lends memory, 64-byte aligned, until scree_scratch_end. */
void scree_scratch_lend(scree_scratch *scratch, void *memory, size_t bytes);
/** Room of its own for the caller, 64-byte aligned, its contents undefined: of what was lent where
 * it fits, else of memory that the scratch holds and keeps for the next time. Any thread. Aborts
 * when there is none. */
void *scree_scratch_take(scree_scratch *scratch, size_t bytes);
/** Gives room back before the end; accepts NULL. Any thread. */
void scree_scratch_give(scree_scratch *scratch, void *room);
/** All rooms are given back, and what was lent is the lender's again. */
void scree_scratch_end(scree_scratch *scratch);
/** Bytes of memory that it holds itself. */
uint64_t scree_scratch_bytes(const scree_scratch *scratch);

#endif
