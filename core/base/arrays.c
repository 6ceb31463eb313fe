/* SPDX-License-Identifier: Apache-2.0 */
/* Grows, frees and counts arrays of a struct, by a table. */
#include "base/arrays.h"

#include <stdlib.h>

#include "base/aligned.h"

void scree_arrays_grow(void *of, scree_arrays arrays, uint32_t has, uint64_t *capacity, uint64_t n,
                       uint64_t used)
{
    uint64_t grown = *capacity;
    for (uint32_t r = 0; r < arrays.n; r++) {
        const scree_array *row = &arrays.row[r];
        if (row->flags & ~has)
            continue;
        for (uint32_t k = 0; k < row->count; k++) {
            grown = *capacity;
            scree_aligned_grow(scree_array_place(of, row, k), &grown, n, used, row->width);
        }
    }
    *capacity = grown;
}

void scree_arrays_free(void *of, scree_arrays arrays)
{
    for (uint32_t r = 0; r < arrays.n; r++)
        for (uint32_t k = 0; k < arrays.row[r].count; k++) {
            void *place = scree_array_place(of, &arrays.row[r], k);
            free(scree_array_get(place));
            scree_array_set(place, NULL);
        }
}

uint64_t scree_arrays_bytes(scree_arrays arrays, uint32_t has)
{
    uint64_t bytes = 0;
    for (uint32_t r = 0; r < arrays.n; r++)
        if (!(arrays.row[r].flags & ~has))
            bytes += (uint64_t)arrays.row[r].count * arrays.row[r].width;
    return bytes;
}
