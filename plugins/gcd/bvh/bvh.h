/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of gcd/bvh in common: its instance, the tree, the list, the kept pairs. */
#ifndef SCREE_BVH_H
#define SCREE_BVH_H

#include <scree/draft/layout.h>
#include <scree/gcd_sdk.h>

#define ABSENT 0xfffffffeu /* parent of a leaf that is outside the tree */
#define DEEPEST 256u       /* height up to which a stack suffices */
#define RUN_HEIGHT 3u      /* height of subtrees that become one run: at most 8 boxes */
#define RUN 8u
#define NEAR 256u    /* boxes gathered before they are compared */
#define GRAIN 1024u  /* places per piece of parallel work */
#define LINE 64u     /* bytes of a line of memory */
#define WAITING 128u /* nodes waiting in the search of one box */
#define PIECE 1024u  /* kept pairs per pivot */
#define UNEVEN 0.25  /* [-] a much smaller child is not part of its parent's run */
#define TOO_LARGE 4. /* [-] leaf over grown box, above which the box has shrunk */

typedef struct settings {
    double margin;  // [-] growth of a leaf, over the mean side
    double rebuild; // [-] share of strays above which the tree is built again
    int32_t rotate;
    int32_t unused;
} settings;

typedef struct node {
    double lo[3], hi[3]; // [m] corners; those of a leaf are fat
    uint32_t parent;     // SCREE_NONE: root
    uint32_t child[2];   // SCREE_NONE: a leaf, whose number is that of its box
    uint32_t height;     // 0: leaf
} node;

typedef struct place { // place in the preorder list
    double lo[3], hi[3];
    uint32_t skip;        // place to go on at when this one is not met
    uint32_t first, last; // boxes of a run; first = last: inner place
    uint32_t unused;
} place;

typedef struct tight { // current corners of a box: one line of memory
    double lo[3], hi[3], unused[2];
} tight;

typedef struct item { // box while the tree is built
    float c[3];
    uint32_t id;
} item;

/* The ways to search. */
enum { BY_LIST, BY_TREE, BY_PAIRS };

typedef struct bvh {
    const scree_host *host;
    const settings *config;
    scree_boxes boxes;
    uint32_t axes, n; // n: slots that nodes has room for
    uint32_t root, unused, n_leaves;
    uint32_t now, n_moved, n_strays;
    const uint32_t *moved; // moved boxes of this step; NULL: all
    int way, all;          // way: BY_*; all: all have moved
    int changed;           // the tree has changed since the list was laid out
    uint32_t n_places;
    int keeps;        // pairs of fat leaves are kept, complete but for those of dirty boxes
    double saved;     // [ns] what kept pairs would have saved; < 0: finding them failed before
    uint32_t n_dirty; // boxes whose leaves have changed since the kept pairs were found
    uint64_t n_pairs, pairs_room;

    node *nodes;       // [2 n] n leaves, then inner ones
    tight *tight;      // [n]
    uint32_t *stamp;   // [n] `now` of the last step in which a box moved
    int stale;         // tight: some are not current
    item *items;       // [n]
    uint32_t *strays;  // [n]
    uint32_t *ids;     // [n] boxes in order of the list
    double *corner[6]; // [n] corners in the same order: lo, hi per axis
    place *places;     // [2 n]
    uint8_t *is_dirty; // [n]
    uint32_t *dirty;   // [n_dirty]
    scree_pair *pairs; // [n_pairs] of fat leaves
    uint64_t room[8],
        m; // of nodes and tight, items, strays, ids, places, dirty boxes, stamps; of corner
} bvh;

/* Is there a box in slot i? */
static inline int scree_bvh_here(const bvh *t, uint32_t i)
{
    return i < t->boxes.n && !scree_box_empty(&t->boxes, i);
}

/** [step] Enters a leaf, which has its box and is not in the tree. */
void scree_bvh_insert(bvh *t, uint32_t leaf);

/** [step] Takes a leaf out of the tree. */
void scree_bvh_remove(bvh *t, uint32_t leaf);

/** [step] Sets a leaf's box from its slot's, grown by the margin. */
void scree_bvh_fatten(bvh *t, uint32_t i);

/** [step] Makes the tree again from all boxes (tree.c). */
void scree_bvh_build(bvh *t);

/** [step] Lays the tree out in preorder, with the boxes as they are or, `fat`, with the leaves
 * (list.c). */
int32_t scree_bvh_make_list(bvh *t, int fat);

/** [lane] Pairs of the places [first, last) with later ones (list.c). */
int32_t scree_bvh_search_list(const bvh *t, uint64_t first, uint64_t last, scree_pair_sink *sink);

/** [lane] Pairs of the moved boxes [first, last) of the step's list (list.c). */
int32_t scree_bvh_search_tree(const bvh *t, uint64_t first, uint64_t last, scree_pair_sink *sink);

/** [step] Pairs of all leaves, for which a list of fat boxes was made (list.c). */
int32_t scree_bvh_search_leaves(const bvh *t, scree_pair_sink *sink);

/** [step] Pairs of the leaves of dirty boxes (list.c). */
int32_t scree_bvh_search_dirty(const bvh *t, scree_pair_sink *sink);

/** [step] Marks a box whose leaf changes (kept.c). */
void scree_bvh_mark(bvh *t, uint32_t i);

/** [step] Drops the kept pairs; where finding them failed before, the wait goes on (kept.c). */
void scree_bvh_forget(bvh *t);

/** [step] Chooses the way to search; BY_PAIRS: the kept pairs are complete (kept.c). */
void scree_bvh_choose(bvh *t);

/** [lane] Those of the kept pairs [first PIECE, last PIECE) that overlap (kept.c). */
int32_t scree_bvh_search_kept(const bvh *t, uint64_t first, uint64_t last, scree_pair_sink *sink);

static inline int scree_bvh_are_apart(const double lo[3], const double hi[3],
                                      const double own_lo[3], const double own_hi[3])
{
    return (lo[0] > own_hi[0]) | (own_lo[0] > hi[0]) | (lo[1] > own_hi[1]) | (own_lo[1] > hi[1]) |
           (lo[2] > own_hi[2]) | (own_lo[2] > hi[2]);
}

#endif
