/* SPDX-License-Identifier: Apache-2.0 */
/* Common parts of gcd/rtree and gcd/dess_rtree: a tree, nodes, entries. With RTREE_RANKS boxes are
 * boxes of whole numbers, the ranks of their ends. */
#ifndef SCREE_RTREE_H
#define SCREE_RTREE_H

#include <scree/gcd_sdk.h>

#define MOST 16u    /* entries of a node, at most */
#define LEAST 6u    /* entries of all nodes but the root, when entered one by one: 40 % of MOST */
#define HIGHEST 16u /* levels: 6^13 > 2^32 */

#define BUILD_LINEAR 0
#define BUILD_QUADRATIC 1
#define BUILD_RSTAR 2
#define BUILD_STR 3
#define UPDATE_REBUILD 0
#define UPDATE_REFIT 1
#define QUERY_LEAF 0
#define QUERY_BOX 1

#ifdef RTREE_RANKS
typedef int32_t coord;     // [-]
typedef uint32_t hit_word; // as wide as a coordinate, so that both fill the same lanes
#define COORD_MOST INT32_MAX
#else
typedef double coord; // [m]
typedef uint64_t hit_word;
#define COORD_MOST HUGE_VAL
#endif

typedef struct settings {
    int32_t build, update, query; // BUILD_*, UPDATE_*, QUERY_*
    int32_t unused;
    double worn; // [-] growth of the leaves' sides after which the tree is made again
} settings;

typedef struct entry {
    coord lo[3], hi[3];
    uint32_t id; // number of a box or of a node
    uint32_t unused;
} entry;

typedef struct node {
    coord lo[3][MOST], hi[3][MOST]; // unused ones: empty boxes
    uint32_t id[MOST];              // at level 0: boxes; else nodes
    uint32_t n, level;
} node;

typedef struct rtree {
    const scree_host *host;
    const settings *config;
    scree_boxes boxes;
#ifdef RTREE_RANKS
    const uint32_t *rank[3][2]; // [axis][lower, upper] of its ends; NULL on z in 2D
#endif
    uint32_t axes, n; // n: slots in the last step
    uint32_t root, n_nodes, n_entered;
    double sides; // [m] sum of the sides of all leaves when built

    node *nodes;      // arena
    entry *entries;   // [n] for packing
    uint8_t *entered; // [n] 1: the slot is in the tree
    uint64_t room[3];
} rtree;

static inline uint32_t new_node(rtree *t, uint32_t level)
{
    node *p = &t->nodes[t->n_nodes];
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t e = 0; e < MOST; e++) {
            p->lo[k][e] = COORD_MOST;
            p->hi[k][e] = -COORD_MOST;
        }
    p->n = 0;
    p->level = level;
    return t->n_nodes++;
}

static inline void put(node *p, uint32_t at, const entry *e)
{
    for (uint32_t k = 0; k < 3; k++) {
        p->lo[k][at] = e->lo[k];
        p->hi[k][at] = e->hi[k];
    }
    p->id[at] = e->id;
}

static inline entry take(const node *p, uint32_t at)
{
    return (entry){.lo = {p->lo[0][at], p->lo[1][at], p->lo[2][at]},
                   .hi = {p->hi[0][at], p->hi[1][at], p->hi[2][at]},
                   .id = p->id[at]};
}

static inline void enlarge(entry *e, const entry *by)
{
    for (uint32_t k = 0; k < 3; k++) {
        e->lo[k] = by->lo[k] < e->lo[k] ? by->lo[k] : e->lo[k];
        e->hi[k] = by->hi[k] > e->hi[k] ? by->hi[k] : e->hi[k];
    }
}

/* The entry of node `at` in its parent. */
static inline entry bounds_of(const rtree *t, uint32_t at)
{
    const node *p = &t->nodes[at];
    entry all = take(p, 0);
    for (uint32_t e = 1; e < p->n; e++) {
        const entry one = take(p, e);
        enlarge(&all, &one);
    }
    all.id = at;
    return all;
}

static inline entry no_entry(void)
{
    return (entry){.lo = {COORD_MOST, COORD_MOST, COORD_MOST},
                   .hi = {-COORD_MOST, -COORD_MOST, -COORD_MOST}};
}

#ifdef RTREE_RANKS
static inline entry box_entry(const rtree *t, uint32_t i)
{
    const int empty = scree_box_empty(&t->boxes, i); // an empty box has no ranks
    entry e = empty ? no_entry() : (entry){.lo = {0, 0, 0}};
    e.id = i;
    if (!empty)
        for (uint32_t k = 0; k < t->axes; k++) {
            e.lo[k] = (coord)t->rank[k][0][i];
            e.hi[k] = (coord)t->rank[k][1][i];
        }
    return e;
}
#else
static inline entry box_entry(const rtree *t, uint32_t i)
{
    const scree_boxes *b = &t->boxes;
    return (entry){.lo = {b->lo[0][i], b->lo[1][i], b->lo[2][i]},
                   .hi = {b->hi[0][i], b->hi[1][i], b->hi[2][i]},
                   .id = i};
}
#endif

/** [step] Enters a box; the tree has a root (insert.c). */
void scree_rtree_insert(rtree *t, uint32_t box);

/** [step] Packs the first `n` of t->entries, which are boxes, into a tree (pack.c). */
void scree_rtree_pack(rtree *t, uint32_t n);

/** [step] Forgets all boxes; makes the tree of t->boxes, or brings it up to date (tree.c). */
void scree_rtree_clear(rtree *t, const scree_boxes *boxes);
int32_t scree_rtree_update(rtree *t);
void scree_rtree_free(rtree *t);
uint64_t scree_rtree_bytes(const rtree *t); // without the struct itself

/** [lane] Finds the pairs of the nodes [first, last); finds the boxes in the zone, which lies
 * within `e` (search.c).
 */
int32_t scree_rtree_find(const rtree *t, uint64_t first, uint64_t last, scree_pair_sink *sink);
int32_t scree_rtree_objects(const rtree *t, const scree_zone *zone, const entry *e,
                            scree_index_sink *sink);

#endif
