/* SPDX-License-Identifier: MIT */
/* A draft (README.md): how a GCD divides space or groups boxes, for pictures and tables. */
#ifndef SCREE_DRAFT_LAYOUT_H
#define SCREE_DRAFT_LAYOUT_H

#include "../gcd.h"

/* Kinds of cells. */
#define SCREE_LAYOUT_CELL 1u /* a part of space; boxes are entered into it */
#define SCREE_LAYOUT_NODE 2u /* a box around all boxes that belong to it */

/** A cell or node of a search structure. The struct never changes. */
typedef struct scree_layout_cell {
    double lo[3], hi[3]; /* [m] corners; a CELL may have infinite ones; 2D: lo[2] = hi[2] = 0 */
    uint64_t n;          /* CELL: boxes that are entered into it; NODE: boxes that it is around */
    uint32_t kind;       /* SCREE_LAYOUT_* */
    uint32_t level;      /* 0: the coarsest cells, the root; else the number of its level */
} scree_layout_cell;

/** Where cells go. Valid until cells() returns. */
typedef struct scree_layout_sink {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [step] Takes the next `n` cells. cells() returns an answer below 0 at once. */
    int32_t (*put)(void *ctx, const scree_layout_cell *cells, uint64_t n);
} scree_layout_sink;

/** Extension "draft.layout/1" of a GCD's descriptor: puts the cells or nodes of its structure.
 * Observers that own a GCD draw them. */
#define SCREE_DRAFT_LAYOUT "draft.layout/1"
typedef struct scree_layout {
    uint32_t size;     /* sizeof(scree_layout) */
    uint32_t reserved; /* 0 */
    /** [step] Puts each cell and node that holds a box, in any order, as they are after the last
     * step_init. Empty ones may be left out, and so may boxes that the GCD keeps apart. It changes
     * nothing. */
    int32_t (*cells)(void *instance, const scree_layout_sink *sink);
} scree_layout;

#endif
