/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of a struct with equally many elements, listed in a table: they grow together. */
#ifndef CORE_ARRAYS_H
#define CORE_ARRAYS_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** A row of the table: pointers in the struct, one after the other; each has its own array. */
typedef struct scree_array {
    size_t offset;  /* of the first pointer in the struct */
    uint32_t count; /* number of pointers */
    uint32_t width; /* [bytes] of an element */
    uint32_t flags; /* the array exists only with all of these flags of its owner */
} scree_array;

typedef struct scree_arrays {
    const scree_array *row;
    uint32_t n;
} scree_arrays;

/** The row of a member `T *member` with `per` values for each element. */
#define SCREE_ARRAY(type, member, per, flags)                                                      \
    {                                                                                              \
        offsetof(type, member), 1, (per) * sizeof *((type *)0)->member, flags                      \
    }
/** The row of a member `T *member[n]`. */
#define SCREE_ARRAY_EACH(type, member, flags)                                                      \
    {                                                                                              \
        offsetof(type, member), G_N_ELEMENTS(((type *)0)->member), sizeof *((type *)0)->member[0], \
            flags                                                                                  \
    }

/** The place of pointer `k` of a row in the struct `of`. */
static inline void *scree_array_place(const void *of, const scree_array *row, uint32_t k)
{
    return (char *)of + row->offset + k * sizeof(void *);
}
/** Reads or writes a pointer at such a place. A pointer of another type may not be read as void
 * *. */
static inline void *scree_array_get(const void *place)
{
    void *array;
    memcpy(&array, place, sizeof array);
    return array;
}
static inline void scree_array_set(void *place, void *array)
{
    memcpy(place, &array, sizeof array);
}

/** Makes the arrays whose flags are all in `has` hold n elements each, as scree_aligned_grow does,
 * and keeps `used` of them. *capacity is that of all arrays, before and after. */
void scree_arrays_grow(void *of, scree_arrays arrays, uint32_t has, uint64_t *capacity, uint64_t n,
                       uint64_t used);
/** Frees all arrays of the table, and sets their pointers to NULL. */
void scree_arrays_free(void *of, scree_arrays arrays);
/** [bytes] that one element takes in all arrays whose flags are all in `has`. */
uint64_t scree_arrays_bytes(scree_arrays arrays, uint32_t has);

#endif
