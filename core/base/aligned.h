/* SPDX-License-Identifier: Apache-2.0 */
/* Memory at the edge of a cache line, and arrays in it that grow. */
#ifndef CORE_ALIGNED_H
#define CORE_ALIGNED_H

#include <stddef.h>
#include <stdint.h>

/** Returns 64-byte aligned memory, freed by free(). Ends the process when memory is short, as
 * g_malloc does. */
void *scree_aligned_new(size_t bytes);
/** Makes *array_ptr hold n elements, or half as many again; keeps the first `used`. */
void scree_aligned_grow(void *array_ptr, uint64_t *capacity, uint64_t n, uint64_t used,
                        size_t size);

#endif
