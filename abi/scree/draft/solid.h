/* SPDX-License-Identifier: MIT */
/* A draft (README.md): how a resolver represents a solid, for pictures, tables and counts. */
#ifndef SCREE_DRAFT_SOLID_H
#define SCREE_DRAFT_SOLID_H

#include "../resolver.h"

/* Classes of cells. */
#define SCREE_SOLID_OUTSIDE 0u /* no part of the solid is in it */
#define SCREE_SOLID_INSIDE 1u  /* all of it is in the solid */
#define SCREE_SOLID_BORDER 2u  /* the surface goes through it */

/** The cells of a solid, in the frame of its shape at scale 1. The struct never changes. */
typedef struct scree_solid_grid {
    uint32_t n[3]; /* cells along each axis */
    uint32_t reserved;
    double origin[3];  /* [m] the corner of cell (0, 0, 0) from which the axes go */
    double axis[3][3]; /* [m] axis[k]: from a cell to the next one along axis k */
} scree_solid_grid;

/** A number of a representation. The struct never changes. */
typedef struct scree_solid_number {
    const char *name; /* a word of letters and _, static */
    double value;
} scree_solid_number;

/** Extension "draft.solid/1" of a resolver's descriptor. Observers and tools that own such a
 * resolver, and have called its prepare(), read what it has made of each shape. The functions
 * change nothing. */
#define SCREE_DRAFT_SOLID "draft.solid/1"
typedef struct scree_solid {
    uint32_t size;     /* sizeof(scree_solid) */
    uint32_t reserved; /* 0 */
    /** [config][step] Sets *out to the cells of the shape of that index; 0: it has none, else 1. */
    int32_t (*grid)(void *instance, uint32_t shape, scree_solid_grid *out);
    /** [config][step] Sets the classes of all n[0] n[1] n[2] cells, axis 0 fastest. */
    void (*classes)(void *instance, uint32_t shape, uint8_t *out);
    /** [config][step] Sets the first `room` numbers of the shape; returns how many it has. */
    uint32_t (*numbers)(void *instance, uint32_t shape, uint32_t room, scree_solid_number *out);
    /** [step] The cells of a (0) and b (1) of the first pair that are looked at for contacts: those
     * from lo to hi, both included, along each axis. Returns 0: none, else 1. */
    int32_t (*zone)(void *instance, const scree_candidates *pair, int32_t lo[2][3],
                    int32_t hi[2][3]);
} scree_solid;

#endif
