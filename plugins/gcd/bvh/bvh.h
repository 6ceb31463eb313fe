/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of gcd/bvh in common: its instance, the tree, the list. */
#ifndef SCREE_BVH_H
#define SCREE_BVH_H

#include <scree/gcd_sdk.h>

#define ABSENT 0xfffffffeu /* parent of a leaf that is not in the tree */
#define DEEPEST 256u       /* height that a stack serves */
#define RUN_HEIGHT 3u      /* of subtrees that become one run: at most 8 boxes */
#define RUN 8u
#define NEAR 256u    /* boxes gathered before they are compared */
#define GRAIN 1024u  /* places per piece of parallel work */
#define LINE 64u     /* bytes */
#define WAITING 128u /* nodes of a search of one box */
#define MANY 6u      /* more than one of so many moved: the list is searched */
#define UNEVEN 0.25  /* [-] a child so much smaller than its parent is not part of its run */
#define TOO_LARGE 4. /* [-] leaf over grown box: the box has shrunk */

typedef struct settings {
    double margin;  // [-] of the mean side
    double rebuild; // [-] share of strays
    int32_t rotate;
    int32_t unused;
} settings;

typedef struct node {
    double lo[3], hi[3]; // [m] of a leaf: fat
    uint32_t parent;     // SCREE_NONE: root
    uint32_t child[2];   // SCREE_NONE: leaf, its number is that of its box
    uint32_t height;     // 0: leaf
} node;

typedef struct place { // of the list in preorder
    double lo[3], hi[3];
    uint32_t skip;        // where to go on when it is not met
    uint32_t first, last; // boxes of a run; first = last: inner place
    uint32_t unused;
} place;

typedef struct tight { // a box as it is, for the search of single boxes: one line of memory
    double lo[3], hi[3];
    uint32_t stamp; // `now` of the last move
    uint32_t unused[3];
} tight;

typedef struct item { // of building
    float c[3];
    uint32_t id;
} item;

typedef struct bvh {
    const scree_host *host;
    const settings *config;
    scree_boxes boxes;
    uint32_t axes, n; // n: slots that nodes has room for
    uint32_t root, unused, n_leaves;
    uint32_t now, n_moved, n_strays;
    const uint32_t *moved; // of this step; NULL: all
    int listed, all;       // the list is searched; all moved
    int changed;           // tree since the list was laid out
    uint32_t n_places;

    node *nodes;         // [2 n] n leaves, then inner ones
    tight *tight;        // [n]
    int stale;           // tight: boxes have moved without a list
    item *items;         // [n]
    uint32_t *strays;    // [n]
    uint32_t *ids;       // [n] in order of the list
    double *corner[6];   // [n] in the same order: lo, hi per axis
    place *places;       // [2 n]
    uint64_t room[6], m; // of nodes and tight, items, strays, ids, places; of corner
} bvh;

/* Is there a box in slot i? */
static inline int scree_bvh_here(const bvh *t, uint32_t i)
{
    return i < t->boxes.n && !scree_box_empty(&t->boxes, i);
}

/** [step] Enters a leaf whose box is set; it is not in the tree. */
void scree_bvh_insert(bvh *t, uint32_t leaf);

/** [step] Takes out a leaf that is in the tree. */
void scree_bvh_remove(bvh *t, uint32_t leaf);

/** [step] Sets a leaf's box from its slot's, grown by the margin. */
void scree_bvh_fatten(bvh *t, uint32_t i);

/** [step] Makes the tree again from all boxes (tree.c). */
void scree_bvh_build(bvh *t);

/** [step] Lays the tree out in preorder, with the boxes as they are (list.c). */
int32_t scree_bvh_make_list(bvh *t);

/** [lane] Pairs of the places [first, last) with later ones (list.c). */
int32_t scree_bvh_search_list(const bvh *t, uint64_t first, uint64_t last, scree_pair_sink *sink);

/** [lane] Pairs of the moved boxes [first, last) of the step's list (list.c). */
int32_t scree_bvh_search_tree(const bvh *t, uint64_t first, uint64_t last, scree_pair_sink *sink);

#endif
