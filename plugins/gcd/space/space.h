/* SPDX-License-Identifier: Apache-2.0 */
/* Space cut into cells that hold the boxes they meet: shared by gcd/cell_space, orthtree,
 * adaptive_grid and bsp. */
#ifndef SCREE_SPACE_H
#define SCREE_SPACE_H

#include <scree/draft/conformal.h>
#include <scree/draft/layout.h>
#include <scree/gcd_sdk.h>

/*
 * A cell is a leaf, which holds entries, or is split: into a grid, by cuts across the axes, or by
 * one plane of any direction. The outermost cells of a split reach to infinity, so that the leaves
 * fill space. Rounding is monotone, so a box lies in the leaf of each of its points.
 *
 * Each pair belongs to the leaf of its reference point, the larger of the two lower corners, axis
 * by axis. On each axis that is the lower end of one of the two: the pair belongs to the leaf
 * unless both boxes begin before it on some axis. An entry therefore knows the axes on which its
 * box begins before the leaf (`mask`), and the test is that two masks share no bit. Planes of any
 * direction have no such corner. There a pair belongs to the leaf on side 0 of every plane that
 * cuts both boxes. (Every other plane leaves one of the boxes on a single side, and the leaf is on
 * that side.) The mask has a bit per level: the box is on both sides, the leaf on side 1.
 *
 * Entries of a leaf lie side by side, one array per coordinate, so that a search is one pass over
 * memory that vectorises. A moved box is taken out of the leaves of its old corners, which are kept
 * per slot, and entered into those of its new ones.
 *
 * Surfaces (draft.conformal/1) are not entered into a leaf that they do not come near. The overlap
 * of two boxes begins at their reference point and is no longer than the smaller of them. `reach`
 * is the side of the largest box that is not a surface. A surface that meets the other box does so
 * within `reach` of the leaf that owns the pair: the leaves within `reach` are enough. find_objects
 * asks each surface. No cell counts their centroids.
 */

#define SPACE_DEEPEST 48u
#define SPACE_PLANES 32u /* planes above one another, at most: each has a bit of a mask */

/** Asks for memory that is soon needed. */
#if defined(__GNUC__)
#define SCREE_SPACE_FETCH(p) __builtin_prefetch(p)
#else
#define SCREE_SPACE_FETCH(p) (void)(p)
#endif

#define SPACE_GRID 0u
#define SPACE_CUTS 1u
#define SPACE_PLANE 2u

typedef struct space_split {
    uint32_t kind;        // SPACE_*
    uint32_t first;       // first child; child (x, y, z) is first + x + n[0] (y + n[1] z)
    uint32_t n[3];        // children per axis; PLANE: 2 1 1
    uint32_t cuts[3];     // CUTS: start of the n[k] - 1 cuts of axis k in space.cuts
    double x0[3], inv[3]; // GRID: [m] origin, [1/m] 1 / side of a child
    double normal[3];     // PLANE: child 1 is where normal·x >= offset
    double offset;
} space_split;

typedef struct space_cell {
    uint64_t start;       // first entry of the cell
    uint32_t count, room; // entries
    uint32_t split;       // SCREE_NONE: leaf
    uint32_t up;          // the parent cell; SCREE_NONE: the root, or a freed cell
    uint32_t depth;
    uint32_t centroids; // centroids of boxes in it; kept when the method counts
    double fill;        // volumes of these boxes over the cell's, each at most 1
} space_cell;

typedef struct space space;

/** Methods in which the plugins differ. */
typedef struct space_method {
    const char *id;
    int counts; // 1: cells count centroids, and may be refined and merged in any step
    /** [step] Must the partition be made again? Called before boxes are mapped, or afterwards when
     * the method counts. */
    int (*outdated)(space *s);
    /** [step] May split the root, which is a leaf without entries. NULL: the root is refined like
     * any other leaf, once boxes are in it. */
    int32_t (*build)(space *s);
    /** [step] May a leaf be split, and how? NULL: never. */
    int (*refine)(space *s, uint32_t cell, space_split *how);
    /** [step] Should a split cell become a leaf again? NULL: never. */
    int (*merge)(const space *s, uint32_t cell);
} space_method;

/** How far boxes may move before the partition is made again. It is the first member of a method's
 * settings when its `outdated` is scree_space_outdated. */
typedef struct space_drift {
    double threshold; // [-] motion that counts, over the mean side
    double share;     // [-] share of the boxes
} space_drift;

typedef struct space_visit {
    uint64_t key; // key of the entry
    uint32_t cell, is_new;
} space_visit;

struct space {
    const scree_host *host;
    const void *config;
    const space_method *method;
    scree_boxes boxes; // boxes of the last step_init
    uint32_t axes, width;
    uint32_t present, built; // number of boxes now, and when the partition was made
    uint32_t outside, outside_built;
    uint32_t strays;     // boxes that are far from their place at that time
    double lo[3], hi[3]; // [m] domain
    double mean_side;    // [m] mean side of the boxes at that time
    uint32_t now, n_moved;
    const uint32_t *moved; // moved boxes of this step; NULL: all
    int listed;            // 1: pivots are cells
    int visited;           // otherwise 1: pivots are visits, which are still valid; 0: moved boxes
    uint32_t slots;        // number of slots that the arrays by slot have

    uint32_t n_cells, n_splits, n_cuts, n_touched, dead;
    uint64_t n_visits, used, garbage; // entries
    space_cell *cells;
    space_split *splits;
    double *cuts;
    uint32_t *touched;   // cells that may be refined or merged
    space_visit *visits; // visits of all boxes, or of the moved ones
    double *data;        // [width] rows per leaf: lo x y (z), hi x y (z)
    uint64_t *keys;      // mask << 32 | slot
    double *was[6];      // [slots] corners when mapped
    double *ref[3];      // [slots] [m] centres when the partition was made; only without counts
    uint8_t *stray;      // [slots]
    uint32_t *stamp;     // [slots] `now` of the last step in which it moved
    uint64_t room[12];   // cells splits cuts touched visits data keys was ref stray stamp work
    double *work;        // memory for a build

    const scree_conformal *service; // NULL: not asked for, or not offered
    int conformal;                  // 1: the service knows these boxes
    uint32_t n_surfaces;
    double reach;     // [m]
    uint8_t *surface; // [slots] 1: mapped as a surface; room[9], as for `stray`
};

/* ---- walks ---- */

typedef struct space_frame {
    const space_split *split;
    uint32_t a[3], b[3], at[3];
    uint32_t mask, bit;
} space_frame;

/** A walk over the leaves that a window meets. */
typedef struct space_walk {
    const space *s;
    double lo[3], hi[3];
    uint32_t cell, mask; // result of scree_space_next
    uint32_t top;
    int root; // the root is a leaf, and comes next
    space_frame frame[SPACE_DEEPEST];
} space_walk;

void scree_space_enter(space_walk *w, const space *s, const double lo[3], const double hi[3]);
/** 0: no more follow. */
int scree_space_next(space_walk *w);
/** The leaf of a point. */
uint32_t scree_space_home(const space *s, const double x[3]);
/** Children of a split that a window meets: [a, b] per axis. */
void scree_space_range(const space *s, const space_split *split, const double lo[3],
                       const double hi[3], uint32_t a[3], uint32_t b[3]);

/* ---- entries ---- */

static inline double *scree_space_row(const space *s, const space_cell *c, uint32_t row)
{
    return s->data + c->start * s->width + (uint64_t)row * c->room;
}

/** Asks for the entries of a leaf, two lines of each array. */
static inline void scree_space_fetch(const space *s, uint32_t cell)
{
    const space_cell *c = &s->cells[cell];
    for (uint32_t k = 0; k < s->width; k++) {
        SCREE_SPACE_FETCH(scree_space_row(s, c, k));
        SCREE_SPACE_FETCH(scree_space_row(s, c, k) + 8);
    }
    SCREE_SPACE_FETCH(s->keys + c->start);
    SCREE_SPACE_FETCH(s->keys + c->start + 8);
}

static inline int32_t scree_space_no_memory(const space *s)
{
    return scree_failf(s->host, SCREE_E_MEMORY, "%s: out of memory for %u boxes", s->method->id,
                       s->boxes.n);
}

/** [step] One leaf, without entries. */
int32_t scree_space_clear(space *s);
/** [step] Maps all boxes into the current leaves. */
int32_t scree_space_map_all(space *s);
/** [step] Maps only the moved boxes. */
int32_t scree_space_map_moved(space *s);
/** [step] Splits a leaf; its entries go to the children. */
int32_t scree_space_cut(space *s, uint32_t cell, const space_split *how);
/** [step] Makes a split cell a leaf again. */
int32_t scree_space_merge(space *s, uint32_t cell);
/** [step] Closes the gaps between leaves. Entries must be in the order of the cells: since all
 * boxes were mapped, cells were only split, in that order. */
void scree_space_compact(space *s);
/** [step] Gets the corners of an entry. */
void scree_space_entry(const space *s, const space_cell *c, uint32_t at, double lo[3],
                       double hi[3]);

/* ---- surfaces, where all splits are grids ---- */

/** [step] Sets the reach by the current boxes, and marks the surfaces among them. */
void scree_space_mark_surfaces(space *s);
/** [step] Marks one slot, with the current reach. */
void scree_space_mark_surface(space *s, uint32_t i);
/** [step] 1: a moved box is larger than the reach, so all must be mapped again. */
int scree_space_outreached(const space *s);
typedef int32_t (*space_take_fn)(void *user, uint32_t leaf, uint32_t mask);
/** [step] Visits the leaves at or below a cell that surface i, with this box, comes near; ends at
 * the first failure of `take`. */
int32_t scree_space_each_near(const space *s, uint32_t i, const double lo[3], const double hi[3],
                              uint32_t cell, space_take_fn take, void *user);
/** Axes on which a box begins before a cell. */
uint32_t scree_space_mask(const space *s, uint32_t cell, const double lo[3], const double hi[3]);

/* ---- building ---- */

/** [step] Sets domain and mean side by the boxes; a few outliers are outside. */
int32_t scree_space_measure(space *s);
/** A grid of n cells over the domain of the space. */
void scree_space_grid(const space *s, const uint32_t n[3], space_split *how);
/** A grid of n children per axis over a cell that is itself part of a grid. */
void scree_space_regrid(const space *s, uint32_t cell, uint32_t n, space_split *how);
/** [step] 1: since the partition was made, more than `share` of the boxes have moved their centre
 * by more than `reach` [m], or have come. */
int scree_space_strayed(space *s, double reach, double share);
/** [step] Decides by the space_drift of the settings. */
int scree_space_outdated(space *s);
/** [step] Stores the current centres for scree_space_outdated. */
void scree_space_refer(space *s);
/** [step] Sorts n numbers, ascending. */
void scree_space_sort(double *v, uint32_t n);

/* ---- the functions of scree_gcd_ops ---- */

int32_t scree_space_create(const scree_host *host, const void *config, const space_method *method,
                           void **instance);
void scree_space_destroy(void *instance);
int32_t scree_space_init(void *instance, const scree_boxes *boxes, uint32_t flags);
int32_t scree_space_step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                              uint32_t n_moved, uint64_t *n_pivots);
int32_t scree_space_find_neighbors(void *instance, uint64_t first, uint64_t last,
                                   scree_pair_sink *sink);
int32_t scree_space_find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink);
uint64_t scree_space_bytes(void *instance);
/** [any] get_extension of a descriptor whose splits are grids or cuts: draft.layout/1 (show.c). */
const void *scree_space_extension(const char *name);

#endif
