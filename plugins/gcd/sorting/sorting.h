/* SPDX-License-Identifier: Apache-2.0 */
/* Sorted lists of the ends of boxes, one per axis, kept from step to step: what gcd/spatial_sort
 * and gcd/dess are built on. */
#ifndef SCREE_GCD_SORTING_H
#define SCREE_GCD_SORTING_H

#include <scree/sdk.h>

#define UPPER_END (1u << 31) /* in a tag: the upper end of the box, else the lower one */
#define MOST_BOXES (1u << 30)

/* At equal coordinates the tags decide: all lower ends come before all upper ones (so that boxes
 * that touch overlap), then the smaller number. */
typedef struct sorted_end {
    uint64_t key; // the coordinate as a whole number in the same order
    uint32_t tag; // number of the box, UPPER_END
    uint32_t unused;
} sorted_end;

typedef struct sorting {
    const scree_host *host;
    scree_boxes boxes;
    int both; // ends, or the lower ones alone
    int heap; // sort by heap in every step, not by insertion
    uint32_t axes, n_slots;
    uint32_t n;       // ends per axis
    uint32_t n_fresh; // boxes that no list has yet
    sorted_end *list[3];
    uint32_t *fresh;
    uint8_t *used;      // [slot] 0: empty
    uint32_t listed[3]; // ends that the lists had before
    uint64_t room[5];
} sorting;

/* Whole numbers in the order of the doubles; -0 is 0. */
static inline uint64_t sort_key(double x)
{
    uint64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ (bits >> 63 ? UINT64_MAX : UINT64_C(1) << 63);
}

/* Any list. */
void scree_sorting_heap(sorted_end *list, uint32_t n);
/* A list that is nearly sorted; 0 when that takes more than `budget` moves: the list is then as
 * unsorted as before or less, with the same entries. */
int scree_sorting_insert(sorted_end *list, uint32_t n, uint64_t budget);
/* Sorts the ends of the boxes as they are now. */
int32_t scree_sorting_update(sorting *s, const scree_boxes *boxes);
/* Forgets all boxes. */
void scree_sorting_clear(sorting *s);
void scree_sorting_free(sorting *s);
uint64_t scree_sorting_bytes(const sorting *s);
/* How many ends of an axis lie at or before x, from `first` on. */
uint32_t scree_sorting_upto(const sorting *s, uint32_t axis, uint32_t first, double x);
/* The boxes of the shortest list among the axes, from its bottom to the upper end of the region,
 * that overlap it. Boxes around the region have no end within it, so none can be skipped below. */
int32_t scree_sorting_objects(const sorting *s, const scree_region *region, scree_index_sink *sink);

#endif
