/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of gcd/grid share: its instance, whole coordinates, runs of entries. */
#ifndef SCREE_GRID_H
#define SCREE_GRID_H

#include <math.h>

#include <scree/sdk.h>

#define BITS 12 /* units per cell: 2^BITS */
#define UNIT (1 << BITS)
#define FIELD ((uint64_t)0xfffff) /* 20 bits of a coordinate, modulo 2^20 units */
#define EACH(v) ((uint64_t)(v) | (uint64_t)(v) << 21 | (uint64_t)(v) << 42)
#define GUARD EACH(1u << 20) /* takes the borrow of a field */
#define SIGN EACH(1u << 19)
#define FAR ((int64_t)1 << 50) /* [units] beyond: binning has lost its meaning */
#define CHUNK 64u              /* boxes per pivot */
#define GRAIN 2048u            /* boxes per piece of parallel work */
#define CLASSES 1024           /* of size, four to an octave */
#define SAMPLES 15
#define NEARBY 256u       /* boxes that a cell looks at from a copy */
#define PAD 8u            /* entries copied at a time; the arrays end later */
#define HITS 256u         /* pairs before the second look */
#define EMPTY 0xffffffffu /* in pos: an empty slot, an oversized box */
#define OVERSIZED 0xfffffffeu

#define SEARCH_STENCIL 0
#define SEARCH_WINDOW 1
#define LAMBDA 1.5 /* [-] Mio's cell size in radii */

typedef struct settings {
    int32_t search; // SEARCH_*
    int32_t unused;
    double cell; // [m] 0: chosen from the sizes
} settings;

typedef struct span { // box, folded into words
    uint64_t lo, hi;  // hi with the guards set
} span;

typedef struct stats { // of one lane
    uint32_t count[CLASSES];
    double largest[CLASSES]; // [m] side
    double lo[3], hi[3];     // [m] of the lower corners
} stats;

typedef struct grid {
    const scree_host *host;
    const settings *config;
    stats *lane; // [host->lanes]
    scree_boxes boxes;
    uint32_t spheres; // honour them
    uint32_t axes;    // 2 or 3

    double origin[3], scale;   // [m] [units/m]
    int64_t reach;             // [units] no binned box is longer
    int64_t first[3], last[3]; // [cells] that hold binned boxes lie between
    uint32_t dim[3];           // [cells] of the torus
    uint32_t n_cells, n_sorted, n_large;

    uint32_t *pos;   // [boxes] cell, later place among the sorted
    uint32_t *start; // [n_cells + 2] first entry of a cell
    span *spans;     // [n_sorted], as the next three
    uint64_t *centres;
    uint32_t *radii; // [units]
    uint32_t *ids;
    uint32_t *large;   // [n_large] oversized boxes, by lower end on x
    span *large_spans; // [n_large] in units of the whole domain
    uint64_t room[8];  // of the eight arrays above
} grid;

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

static inline uint64_t pack(const int64_t q[3])
{
    return ((uint64_t)q[0] & FIELD) | ((uint64_t)q[1] & FIELD) << 21 |
           ((uint64_t)q[2] & FIELD) << 42;
}

/* Field k of a difference of two words, the first with guards: a signed number of 20 bits. */
static inline int32_t field(uint64_t d, uint32_t k)
{
    return (int32_t)((uint32_t)(d >> (21 * k)) << 12) >> 12;
}

static inline uint32_t fold(const grid *g, int64_t cell, uint32_t k)
{
    uint64_t at = (uint64_t)(cell - g->first[k]);
    return (uint32_t)(at < g->dim[k] ? at : at % g->dim[k]);
}

/* Sets lower and upper corner; 1 when the box is to be binned, 0 when it is oversized. */
static inline int box_units(const grid *g, uint32_t i, int64_t lo[3], int64_t hi[3])
{
    int small = 1;
    lo[2] = hi[2] = 0;
    for (uint32_t k = 0; k < g->axes; k++) {
        lo[k] = to_units(g->boxes.lo[k][i], g->origin[k], g->scale);
        hi[k] = to_units(g->boxes.hi[k][i], g->origin[k], g->scale);
        small &= (hi[k] - lo[k] <= g->reach) & (lo[k] > -FAR) & (hi[k] < FAR);
    }
    return small;
}

/* ---- where pairs go ---- */

typedef struct output {
    const grid *grid;
    scree_pair_sink *sink;
    scree_pair *out;
    uint64_t used, room;
    uint32_t n_hits;
    scree_pair hits[2 * HITS]; // places of pairs whose boxes overlap
} output;

static inline int32_t make_room(output *o, uint64_t n)
{
    int32_t status = SCREE_OK;
    if (o->room - o->used >= n)
        return SCREE_OK;
    if (o->used)
        status = o->sink->commit(o->sink, o->used);
    o->used = 0;
    o->room = n > 4096 ? n : 4096;
    return status == SCREE_OK ? o->sink->reserve(o->sink, o->room, &o->out) : status;
}

/* ---- entries to look at ---- */

/* Appends (p, j) for each entry j of [first, last) whose box overlaps the box `own` of p. */
static inline uint32_t scan_run(const span *SCREE_RESTRICT spans, span own, uint32_t p,
                                uint32_t first, uint32_t last, scree_pair *SCREE_RESTRICT hits,
                                uint32_t n)
{
    for (uint32_t j = first; j < last; j++) {
        uint64_t apart = ((own.hi - spans[j].lo) | (spans[j].hi - own.lo)) & SIGN;
        hits[n] = (scree_pair){p, j};
        n += apart == 0;
    }
    return n;
}

/* Runs of entries that a cell or a box looks at. */
typedef struct runs {
    uint32_t n;
    uint32_t first[64], last[64];
} runs;

/* Adds cells from x + a to x + b of a row; both less than a turn of the torus away. */
static inline void add_row(const grid *g, runs *r, uint32_t row, int32_t x, int32_t a, int32_t b)
{
    const int32_t m = (int32_t)g->dim[0];
    const uint32_t *start = g->start + (uint64_t)row * g->dim[0];
    int32_t first = x + a, last = x + b;
    if (first < 0) {
        r->first[r->n] = start[first + m];
        r->last[r->n++] = start[m];
        first = 0;
    }
    if (last >= m) {
        r->first[r->n] = start[0];
        r->last[r->n++] = start[last - m + 1];
        last = m - 1;
    }
    r->first[r->n] = start[first];
    r->last[r->n++] = start[last + 1];
}

/** [step] Sorts the boxes into cells (build.c). */
int32_t scree_grid_build(grid *g);

/** [lane] Pairs of the sorted boxes [first, last) with later ones (search.c). */
int32_t scree_grid_search(output *o, uint32_t first, uint32_t last);

#endif
