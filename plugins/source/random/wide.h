/* SPDX-License-Identifier: Apache-2.0 */
/* Source `random`: large pages for arrays that are read all over. */
#ifndef PLUGINS_SOURCE_WIDE_H
#define PLUGINS_SOURCE_WIDE_H

#include <stdint.h>
#include <sys/mman.h>

/** Asks for large pages for an array that was not touched yet; otherwise each read also walks the
 * page tables. The system may refuse. */
static inline void ask_for_large_pages(void *array, uint64_t bytes)
{
    const uintptr_t page = 4096, begin = ((uintptr_t)array + page - 1) & ~(page - 1),
                    end = ((uintptr_t)array + bytes) & ~(page - 1);
    if (array && bytes >= 1 << 22)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

#endif
