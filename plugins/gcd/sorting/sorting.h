/* SPDX-License-Identifier: Apache-2.0 */
/* Sorted lists of the ends of boxes, one per axis, kept from step to step: the base of
 * gcd/spatial_sort and gcd/dess. */
#ifndef SCREE_GCD_SORTING_H
#define SCREE_GCD_SORTING_H

#include <scree/gcd_sdk.h>

#define UPPER_END (1u << 31) /* bit of a tag: this is the upper end of the box */
#define MOST_BOXES (1u << 30)

/* At equal coordinates the tags decide: all lower ends come before all upper ones (so that boxes
 * that touch overlap), then the smaller number. */
typedef struct sorted_end {
    uint64_t key; // the coordinate as a whole number in the same order
    uint32_t tag; // number of the box, with UPPER_END for its upper end
    uint32_t unused;
} sorted_end;

#define MOST_PIECES 256u

/* Pieces of lists that lanes sort side by side (split.c). */
typedef struct split_lists {
    uint32_t n, size;                 // pieces; ends in each, but in the last ones
    uint32_t first;                   // first of the two pieces that meet in this phase
    sorted_end *spare[3];             // as `list`
    uint8_t in_spare[3][MOST_PIECES]; // 1: the piece is in `spare`
    uint8_t merged[3][MOST_PIECES];   // 1: this phase has changed it
    double widest[3][MOST_PIECES];    // [m]
    uint64_t room[3];
} split_lists;

typedef struct sorting {
    const scree_host *host;
    scree_boxes boxes;
    int both;    // 1: both ends; 0: only the lower ones
    int heap;    // 1: sort by heap in every step; 0: by insertion
    int spheres; // 1: boxes are those around bounding spheres (and, by rounding, around the box)
    uint32_t pieces; // of each list, sorted side by side; 0: as many as lanes, 1: one
    uint32_t axes, n_slots;
    uint32_t n;       // ends per axis
    uint32_t n_fresh; // boxes that no list has yet
    sorted_end *list[3];
    uint32_t *fresh;
    uint8_t *used;      // [slot] 0: empty
    uint32_t listed[3]; // number of ends in the previous lists
    double widest[3];   // [m] a little more than the width of the widest box
    uint32_t *rank[3][2];
    uint64_t room[5], room_rank[3][2];
    double *around[3][2]; // [slot] lower and upper corners of these boxes
    uint64_t room_around[3][2];
    split_lists split;
} sorting;

/* Whole numbers in the order of the doubles; -0 is 0. */
static inline uint64_t sort_key(double x)
{
    uint64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ (bits >> 63 ? UINT64_MAX : UINT64_C(1) << 63);
}

/* A search compares WIDE entries at a time; their arrays are readable WIDE entries beyond the
 * end. */
#define WIDE 32u
/* One bit each, as a table, so that the loop that gathers them is vectorised on all CPU levels. */
#define ONE_EACH                                                                                   \
    {                                                                                              \
        1u << 0, 1u << 1, 1u << 2, 1u << 3, 1u << 4, 1u << 5, 1u << 6, 1u << 7, 1u << 8, 1u << 9,  \
            1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17,        \
            1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23, 1u << 24, 1u << 25,        \
            1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31                             \
    }

/* Number of the lowest bit that is set in a word. */
static inline uint32_t lowest_bit(uint32_t word)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctz(word);
#else
    uint32_t k = 0;
    for (; !(word & 1); word >>= 1)
        k++;
    return k;
#endif
}

/* The first n bits, n <= WIDE. */
static inline uint32_t first_bits(uint32_t n)
{
    return n < WIDE ? (1u << n) - 1 : UINT32_MAX;
}

/* Sorts any list. */
void scree_sorting_heap(sorted_end *list, uint32_t n);
/* Sorts a nearly sorted list; returns 0 when that takes more than `budget` moves. The list then has
 * the same entries and is not less sorted than before. */
int scree_sorting_insert(sorted_end *list, uint32_t n, uint64_t budget);
/* Sorts a list that is `fresh` (in no order) or nearly sorted, by the choice of `heap`. */
void scree_sorting_sort(const sorting *s, sorted_end *list, uint32_t n, int fresh);
/* A little more than the width of the widest of `n` boxes. */
double scree_sorting_widest(uint32_t n, const double *lo, const double *hi);
/* Sorts all lists, each in pieces on all lanes, and finds `widest` (split.c). */
int32_t scree_sorting_split(sorting *s);
/* Comes end a before end b? */
static inline int end_before(sorted_end a, sorted_end b)
{
    return (a.key < b.key) | ((a.key == b.key) & (a.tag < b.tag));
}
/* Sorts the ends of the current boxes. */
int32_t scree_sorting_update(sorting *s, const scree_boxes *boxes);
/* Ranks of both ends by enumeration of the lists, for `rank`. */
int32_t scree_sorting_rank(sorting *s);
/* Forgets all boxes. */
void scree_sorting_clear(sorting *s);
void scree_sorting_free(sorting *s);
uint64_t scree_sorting_bytes(const sorting *s);
/* Number of ends of an axis at or before x, from `first` on. */
uint32_t scree_sorting_upto(const sorting *s, uint32_t axis, uint32_t first, double x);
/* Number of ends of an axis before x. */
uint32_t scree_sorting_before(const sorting *s, uint32_t axis, double x);
/* The boxes that overlap the zone, from the shortest list among the axes. Boxes around the zone
 * have no end within it, so that Perkins searches from the bottom of the list to the upper end of
 * the zone (4.1.1.4, 5.1.1.4); here the search begins where a box as wide as the widest one would
 * end at the zone. */
int32_t scree_sorting_objects(const sorting *s, const scree_zone *zone, scree_index_sink *sink);

#endif
