/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces of solids by marching cubes, for the shapes and resolvers of this tree. */
#ifndef PLUGINS_CUBES_H
#define PLUGINS_CUBES_H

#include "scree/sdk.h"

/** Most cells along one axis. */
#define CUBES_MOST 4095u
/** Part of a cell: cubes_grid_around() puts the first and the last corner that can be inside so far
 * within the box. */
#define CUBES_INSET 0x1p-10
/** Part of a cell: a vertex is at least so far from both ends of its edge of a cell. */
#define CUBES_SNAP 0x1p-20
/* Codes of cells that no facet is in. */
#define CUBES_INSIDE (-1)
#define CUBES_OUTSIDE (-2)

/** Cells: n along each axis, from `origin`. */
typedef struct cubes_grid {
    double origin[3], cell[3]; /* [m] */
    uint32_t n[3];
} cubes_grid;

/** The solid at the corners of cells. */
typedef struct cubes_field {
    void *ctx;
    /** inside[i]: 1 where corner i of the row along axis 0 with the other ordinates j, k is inside. */
    void (*row)(void *ctx, const cubes_grid *grid, uint32_t j, uint32_t k, uint8_t *inside);
    /** [-] 0 to 1: place where the surface crosses the edge from corner `at` along an axis;
     * `inside`: `at` is inside. */
    double (*crossing)(void *ctx, const cubes_grid *grid, const uint32_t at[3], int axis,
                       int inside);
} cubes_field;

/** The surface, cell by cell. Cells follow each other on axis 0, rows on axis 1, layers on axis 2. */
typedef struct cubes {
    uint32_t n_vertices, n_facets;
    uint32_t n_cells;     /* with facets */
    double (*vertex)[3];  /* [n_vertices] [m] */
    uint32_t (*facet)[3]; /* [n_facets] counterclockwise from outside */
    uint32_t *facet_cell; /* [n_facets] */
    uint32_t *first;      /* [n_cells + 1] facets of a cell */
    uint8_t *corners;     /* [n_cells] bit c: corner x + 2 y + 4 z is inside */
    uint16_t (*at)[3];    /* [n_cells] ordinates */
    int32_t *code;        /* [all cells] number among those with facets, or CUBES_* */
} cubes;

/** Fills inside[corners of the grid], axis 0 fastest. Counts the corners inside, and those of them on
 * the border of the grid. */
void cubes_sample(const cubes_grid *grid, const cubes_field *field, uint8_t *inside,
                  uint64_t *n_inside, uint64_t *n_border);
/** Makes the surface. SCREE_OK, SCREE_E_MEMORY, or SCREE_E_CONFIG when no corner is inside or one on
 * the border of the grid is. */
int32_t cubes_make(cubes *out, const cubes_grid *grid, const cubes_field *field);
void cubes_clear(cubes *c);
/** A solid by a function that is negative inside; it borrows the view. */
void cubes_field_function(cubes_field *field, const scree_implicit *view);
/** Sets cells around a box: `cells` along its longest side, or cells of at most the size `cell` if
 * that is not 0. */
void cubes_grid_around(cubes_grid *grid, const double lo[3], const double hi[3], uint32_t cells,
                       double cell);

/** A view of solids that marching cubes made, for resolvers that cut them into cells again: along
 * these axes, with as many cells around this box, they find the same facets. */
#define CUBES_AXES_VIEW "plugins.axes/1"
typedef struct cubes_axes {
    uint32_t size;
    uint32_t reserved;           /* 0 */
    double turn[3][3], shift[3]; /* [-] [m] a point p of the shape's frame is at turn p + shift */
    double lo[3], hi[3];         /* [m] */
} cubes_axes;

#endif
