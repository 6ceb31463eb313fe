/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes sorted by counting into grids of cells, one grid per size (level), and searched there: what
 * gcd/grid and gcd/hgrid share. A plugin chooses the sizes (`choose`); all else is here. */
#ifndef SCREE_CELLS_H
#define SCREE_CELLS_H

#include <math.h>

#include <scree/draft/layout.h>
#include <scree/gcd_sdk.h>

#define BITS 17 /* units per cell: 2^BITS */
#define UNIT (1 << BITS)
#define FIELD ((uint64_t)0xfffff) /* 20 bits of a coordinate, modulo 8 cells */
#define EACH(v) ((uint64_t)(v) | (uint64_t)(v) << 21 | (uint64_t)(v) << 42)
#define GUARD EACH(1u << 20) /* takes the borrow of each field */
#define SIGN EACH(1u << 19)
#define FAR ((int64_t)1 << 50) /* [units] beyond this distance binning is meaningless */
#define CHUNK 64u              /* sorted boxes per pivot */
#define GRAIN 2048u            /* boxes per piece of parallel work */
#define CLASSES 1024           /* classes of size, four to an octave */
#define MAX_LEVELS 16
#define MAX_PARTS 4u /* parts of the boxes, sorted side by side */
#define SAMPLES 15
#define LONGEST 0x1p300 /* [m] longest side of a box in a cell: its cube is a finite number */
#define COARSE 16.0     /* units in a ball's unit: a ball's fields have 16 bits */
#define BROAD 15500     /* [COARSE units] a larger radius makes the balls of a level useless */
#define PAD 8u          /* entries read at a time; arrays and the room for pairs are longer by it */
#define PIECE 512u      /* entries of a run between two looks at the room */

typedef struct span { // box, folded into words
    uint64_t lo, hi;  // corners; hi with the guards set
} span;

typedef struct stats { // counted by one lane
    uint32_t count[CLASSES];
    double largest[CLASSES]; // [m] longest side of each class
    double lo[3], hi[3];     // [m] range of the lower corners
} stats;

typedef struct level {
    double reach;        // [m] the longest box of the level
    double scale;        // [units/m]
    double longest;      // [m] reach, or more where coordinates are too coarse
    int64_t units;       // [units] longest, rounded up
    int64_t first[3];    // [cells] number of the first cell
    uint32_t dim[3];     // [cells]
    uint32_t n_cells;    // product of dim
    uint32_t folded;     // 1: space does not fit and the grid is a torus
    uint32_t base;       // place of its first cell among all
    uint32_t begin, end; // sorted boxes
    uint32_t expected;   // boxes expected when the level was laid out
    uint32_t balls;      // 1: balls are compared within the level
} level;

struct cells;

/** Chooses levels for boxes of these sizes: sets n_levels, the ascending reaches [m] and the
 * expected numbers of boxes. Larger boxes will be oversized. */
typedef void (*cells_choose)(struct cells *g, const stats *s);

typedef struct cells {
    const scree_host *host;
    const void *config;
    cells_choose choose;
    double cell_reach; // side of a cell over the reach: 1, or 0.75 for a window
    uint32_t window;   // each box looks at the cells under its own window
    stats *lane;       // [host->lanes]
    scree_boxes boxes;
    uint32_t spheres; // 1: bounding spheres are compared
    uint32_t axes;    // 2 or 3

    double origin[3], bulk[3]; // [m] median of the lower corners, and the spread of most of them
    double least;              // [m] least reach that coordinates allow
    level level[MAX_LEVELS];
    uint32_t n_levels, n_cells, n_sorted, n_large;
    uint32_t parts;            // parts of the boxes in the sort
    uint32_t laid_out, age;    // step of the layout, and steps since
    uint32_t expected_large;   // oversized boxes expected by the layout
    int32_t beside[MAX_PARTS]; // 1: a box is outside its level's cells
    uint32_t broad[MAX_PARTS]; // bit l: a ball of level l is larger than BROAD

    uint32_t *pos;        // [boxes] cell, n_cells: oversized, n_cells + 1: empty
    uint32_t *start;      // [parts (n_cells + 2) + 1 + PAD] first entry of a cell, in the last part
    uint64_t *lo, *hi;    // [n_sorted] corners, as in a span
    uint64_t *balls;      // [n_sorted] four fields of 16 bits: centre, minus radius [COARSE units]
    uint32_t *ids, *cell; // [n_sorted]
    uint32_t *large;      // [n_large] oversized boxes, by lower end on x
    span *large_spans;    // [n_large] corners, in units of the whole domain
    uint64_t room[9];     // room of the arrays above
    uint8_t order[256][PAD]; // lanes of a mask of hits, in the order of storage
} cells;

/* ---- whole coordinates ---- */

/* The nearest whole number, by adding and subtracting 1.5 2^52: no branch, no conversion. It is
 * monotone, so boxes that touch still do. Far numbers stop at 2^51. */
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

/* First entries of the cells, counted over all levels. */
static inline const uint32_t *starts(const cells *g)
{
    return g->start + (uint64_t)(g->parts - 1) * (g->n_cells + 2);
}

/** [config] The caller keeps `config`. Returns SCREE_OK or the result of host->fail.
 * scree_cells_destroy frees the instance and accepts NULL. */
int32_t scree_cells_create(const scree_host *host, const void *config, cells_choose choose,
                           cells **out);
void scree_cells_destroy(void *instance);

/** [step] The functions init, step_init, find_neighbors, find_objects and bytes of
 * scree_gcd_ops. */
int32_t scree_cells_init(void *instance, const scree_boxes *boxes, uint32_t flags);
int32_t scree_cells_step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                              uint32_t n_moved, uint64_t *n_pivots);
int32_t scree_cells_find_neighbors(void *instance, uint64_t first, uint64_t last,
                                   scree_pair_sink *sink);
int32_t scree_cells_find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink);
uint64_t scree_cells_bytes(void *instance);
/** [any] get_extension of the descriptor: draft.layout/1 (show.c). */
const void *scree_cells_extension(const char *name);

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

/** Number of boxes up to `side` per unit of space [1/m^dim]. The space of `n` boxes whose cubes
 * have the volume `cubes` [m^dim] is that of a dense packing, or the bulk of the boxes where that
 * is smaller, for example long facets on one drum (layout.c). */
double scree_cells_density(const cells *g, double n, double cubes, double side);

/** self_cost: nanoseconds that a level takes for `n` boxes up to `side`, at `density` [1/m^dim].
 * The next function: nanoseconds of one box of side `wide` that looks at the level's boxes under it
 * (layout.c). */
double scree_cells_self_cost(const cells *g, double n, double side, double density);
double scree_cells_cross_cost(const cells *g, double wide, double side, double density);

#endif
