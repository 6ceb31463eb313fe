/* SPDX-License-Identifier: Apache-2.0 */
/* Room for occasional work, in memory that is lent meanwhile. */
#ifndef CORE_SCRATCH_H
#define CORE_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

/* A refresh of the lists needs as much memory again as the lists, for a moment. Meanwhile the
 * mirrors and sums of the bodies are free, because they are written again before they are read. So
 * they are lent to the refresh, and the peak is that of the steps. */
typedef struct scree_scratch scree_scratch;

scree_scratch *scree_scratch_new(void);
/** Accepts NULL. */
void scree_scratch_free(scree_scratch *scratch);
/** Lends memory, 64-byte aligned, until scree_scratch_end. */
void scree_scratch_lend(scree_scratch *scratch, void *memory, size_t bytes);
/** Takes a room of 64-byte aligned memory with undefined contents: from lent memory if it fits,
 * otherwise from memory that the scratch keeps. Any thread may call it. Ends the process if memory
 * runs out. */
void *scree_scratch_take(scree_scratch *scratch, size_t bytes);
/** Gives a room back before the end; NULL is allowed. Any thread may call it. */
void scree_scratch_give(scree_scratch *scratch, void *room);
/** Ends all rooms, and returns lent memory to its lender. */
void scree_scratch_end(scree_scratch *scratch);
/** Bytes of memory that the scratch has allocated. */
uint64_t scree_scratch_bytes(const scree_scratch *scratch);

#endif
