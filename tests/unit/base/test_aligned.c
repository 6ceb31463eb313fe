/* SPDX-License-Identifier: Apache-2.0 */
/* Memory at the edge of a cache line. */
#include "../../test.h"
#include "base/aligned.h"

#include <glib.h>
#include <stdlib.h>

TEST("/aligned/memory-starts-at-a-cache-line")
{
    for (size_t bytes = 1; bytes < 1000; bytes += 37) {
        uint8_t *memory = scree_aligned_new(bytes);
        g_assert_cmpuint((uintptr_t)memory % 64, ==, 0);
        memory[bytes - 1] = 1;
        free(memory);
    }
}

TEST("/aligned/an-array-that-grows-keeps-what-is-used")
{
    uint32_t *array = NULL;
    uint64_t capacity = 0;
    for (uint32_t n = 0; n < 1000; n++) {
        scree_aligned_grow(&array, &capacity, (uint64_t)n + 1, n, sizeof *array);
        g_assert_cmpuint(capacity, >=, n + 1);
        g_assert_cmpuint((uintptr_t)array % 64, ==, 0);
        array[n] = n;
    }
    for (uint32_t n = 0; n < 1000; n++)
        g_assert_cmpuint(array[n], ==, n);
    free(array);
}
