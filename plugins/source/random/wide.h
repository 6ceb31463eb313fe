/* SPDX-License-Identifier: Apache-2.0 */
/* Source `random`: large pages for arrays that are read all over. */
#ifndef PLUGINS_SOURCE_WIDE_H
#define PLUGINS_SOURCE_WIDE_H

#include <stdint.h>
#include <sys/mman.h>

/** Asks for large pages for an array that nobody has touched: else each read of it walks the page
 * tables, too. The system may say no. */
static inline void ask_for_large_pages(void *array, uint64_t bytes)
{
    const uintptr_t page = 4096, begin = ((uintptr_t)array + page - 1) & ~(page - 1),
                    end = ((uintptr_t)array + bytes) & ~(page - 1);
    if (array && bytes >= 1 << 22)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

#endif
