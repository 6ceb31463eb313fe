/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes sorted by counting into grids of cells, one grid per size (level), and the search in them:
 * what gcd/grid and gcd/hgrid share. A plugin chooses the sizes (`choose`); all else is here. */
#ifndef SCREE_CELLS_H
#define SCREE_CELLS_H

#include <math.h>

#include <scree/sdk.h>

#define BITS 17 /* units per cell: 2^BITS */
#define UNIT (1 << BITS)
#define FIELD ((uint64_t)0xfffff) /* 20 bits of a coordinate, modulo 8 cells */
#define EACH(v) ((uint64_t)(v) | (uint64_t)(v) << 21 | (uint64_t)(v) << 42)
#define GUARD EACH(1u << 20) /* takes the borrow of a field */
#define SIGN EACH(1u << 19)
#define FAR ((int64_t)1 << 50) /* [units] beyond: binning has lost its meaning */
#define CHUNK 64u              /* sorted boxes per pivot */
#define GRAIN 2048u            /* boxes per piece of parallel work */
#define CLASSES 1024           /* of size, four to an octave */
#define MAX_LEVELS 16
#define MAX_PARTS 4u /* of the boxes, sorted side by side */
#define SAMPLES 15
#define LONGEST 0x1p300 /* [m] of a box in a cell: its cube is a finite number */
#define COARSE 16.0     /* units in one of a ball's, whose fields have 16 bits */
#define BROAD 15500     /* [COARSE units] with a larger radius the balls of a level say nothing */
#define PAD 8u          /* entries read at a time: arrays end later, room for pairs too */
#define PIECE 512u      /* entries of a run between two looks at the room */

typedef struct span { // box, folded into words
    uint64_t lo, hi;  // hi with the guards set
} span;

typedef struct stats { // of one lane
    uint32_t count[CLASSES];
    double largest[CLASSES]; // [m] side
    double lo[3], hi[3];     // [m] of the lower corners
} stats;

typedef struct level {
    double reach;        // [m] no box of it is longer
    double scale;        // [units/m]
    double longest;      // [m] reach, or more where coordinates are too rough for it
    int64_t units;       // [units] longest, rounded up
    int64_t first[3];    // [cells] number of the first one
    uint32_t dim[3];     // [cells]
    uint32_t n_cells;    // their product
    uint32_t folded;     // space does not fit: the grid is a torus
    uint32_t base;       // place of its first cell among all
    uint32_t begin, end; // sorted boxes
    uint32_t expected;   // boxes, as it is laid out
    uint32_t balls;      // are honoured within it
} level;

struct cells;

/** Sets n_levels, the reaches of the levels [m], ascending, and the numbers of boxes expected in
 * them, for boxes of these sizes; larger boxes will be oversized. */
typedef void (*cells_choose)(struct cells *g, const stats *s);

typedef struct cells {
    const scree_host *host;
    const void *config;
    cells_choose choose;
    double cell_reach; // side of a cell over the reach: 1; for a window 0.75
    uint32_t window;   // each box looks at the cells under its own window
    stats *lane;       // [host->lanes]
    scree_boxes boxes;
    uint32_t spheres; // honour them
    uint32_t axes;    // 2 or 3

    double origin[3], bulk[3]; // [m] median of the lower corners, and the spread of most of them
    double least;              // [m] reach that coordinates allow
    level level[MAX_LEVELS];
    uint32_t n_levels, n_cells, n_sorted, n_large;
    uint32_t parts;            // of the boxes, in the sort
    uint32_t laid_out, age;    // steps since
    uint32_t expected_large;   // when it was
    int32_t beside[MAX_PARTS]; // a box is outside its level's cells
    uint32_t broad[MAX_PARTS]; // bit l: a ball of level l is larger than BROAD

    uint32_t *pos;        // [boxes] cell, n_cells: oversized, n_cells + 1: empty
    uint32_t *start;      // [parts (n_cells + 2) + 1 + PAD] of the last part: first entry of a cell
    uint64_t *lo, *hi;    // [n_sorted] corners, as in a span
    uint64_t *balls;      // [n_sorted] four fields of 16 bits: centre, minus radius [COARSE units]
    uint32_t *ids, *cell; // [n_sorted]
    uint32_t *large;      // [n_large] oversized boxes, by lower end on x
    span *large_spans;    // [n_large] in units of the whole domain
    uint64_t room[9];     // of the arrays above
    uint8_t order[256][PAD]; // the lanes of a mask of hits, in the order in which they are stored
} cells;

/* ---- whole coordinates ---- */

/* The nearest whole number, by adding and taking away 1.5 2^52: no branch, no conversion, and
 * monotone, so that boxes which touch still do. Far numbers stop at 2^51. */
static inline int64_t to_units(double x, double origin, double scale)
{
    const double limit = 0x1p51, magic = 0x1.8p52;
    double t = (x - origin) * scale;
    t = t < limit ? t : limit;
    t = t > -limit ? t : -limit;
    t += magic;
    int64_t q, zero;
    memcpy(&q, &t, sizeof q);
    memcpy(&zero, &magic, sizeof zero);
    return q - zero;
}

static inline uint64_t pack(int64_t x, int64_t y, int64_t z)
{
    return ((uint64_t)x & FIELD) | ((uint64_t)y & FIELD) << 21 | ((uint64_t)z & FIELD) << 42;
}

/* Field k of a difference of two words, the first with guards: a signed number of 20 bits. */
static inline int32_t field(uint64_t d, uint32_t k)
{
    return (int32_t)((uint32_t)(d >> (21 * k)) << 12) >> 12;
}

static inline uint64_t pivots_of(uint32_t n_sorted)
{
    return ((uint64_t)n_sorted + CHUNK - 1) / CHUNK;
}

/* The first entry of a cell, counted over all levels. */
static inline const uint32_t *starts(const cells *g)
{
    return g->start + (uint64_t)(g->parts - 1) * (g->n_cells + 2);
}

/** [config] `config` stays the caller's; SCREE_OK or what host->fail returned. Freed by
 * scree_cells_destroy, which accepts NULL. */
int32_t scree_cells_create(const scree_host *host, const void *config, cells_choose choose,
                           cells **out);
void scree_cells_destroy(void *instance);

/** [step] As scree_gcd_ops.init, step_init, find_neighbors, find_objects and bytes. */
int32_t scree_cells_init(void *instance, const scree_boxes *boxes, uint32_t flags);
int32_t scree_cells_step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                              uint32_t n_moved, uint64_t *n_pivots);
int32_t scree_cells_find_neighbors(void *instance, uint64_t first, uint64_t last,
                                   scree_pair_sink *sink);
int32_t scree_cells_find_objects(void *instance, const scree_region *region,
                                 scree_index_sink *sink);
uint64_t scree_cells_bytes(void *instance);

/** Fills the table of scan (search.c). */
void scree_cells_order(uint8_t order[256][PAD]);

/** [step] Sets origin and bulk by samples (layout.c). */
void scree_cells_look(cells *g);

/** [step] Cells of the levels, whose reaches are chosen (layout.c). */
void scree_cells_lay_out(cells *g, const stats *s);

/* A side to the power of the dimension. */
static inline double scree_cells_power(const cells *g, double side)
{
    return g->axes == 2 ? side * side : side * side * side;
}

/** Boxes up to `side` in a unit of space [1/m^dim]: `n` boxes whose cubes have the volume `cubes`
 * [m^dim] fill it as in a dense packing, or the bulk of the boxes when that is smaller, as where long
 * facets are on one drum (layout.c). */
double scree_cells_density(const cells *g, double n, double cubes, double side);

/** Nanoseconds that a level takes for `n` boxes up to `side`, `density` [1/m^dim] of them in space;
 * and for one box of side `wide` that looks at the level's boxes under it (layout.c). */
double scree_cells_self_cost(const cells *g, double n, double side, double density);
double scree_cells_cross_cost(const cells *g, double wide, double side, double density);

#endif
