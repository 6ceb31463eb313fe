/* SPDX-License-Identifier: Apache-2.0 */
/* Memory at the edge of a cache line, and arrays in it that grow. */
#include "base/aligned.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/shortage.h"

void *scree_aligned_new(size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, MAX(bytes, 64)))
        scree_out_of_memory(bytes, NULL);
    return memory;
}

void scree_aligned_grow(void *array_ptr, uint64_t *capacity, uint64_t n, uint64_t used, size_t size)
{
    if (n <= *capacity)
        return;
    uint64_t want = MAX(n + 8, *capacity + *capacity / 2);
    void *old, *grown;
    memcpy(&old, array_ptr, sizeof old);
    if (!used) { // frees first, so that the memory is never taken twice
        free(old);
        old = NULL;
    }
    grown = scree_aligned_new(want * size);
    if (used)
        memcpy(grown, old, used * size);
    free(old);
    memcpy(array_ptr, &grown, sizeof grown);
    *capacity = want;
}
