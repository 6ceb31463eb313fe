/* SPDX-License-Identifier: Apache-2.0 */
/* A solid in `dfr3d`: cells, facets in cells, maps that find the cell of a point. */
#ifndef RESOLVER_DFR3D_H
#define RESOLVER_DFR3D_H

#include "../../cubes.h"
#include "vectors.h"

/* Most cells along one axis: three ordinates are 30 bits of a feature. */
#define DFR_MOST_CELLS 1023u
/* Most facets of a cell whose planes decide what is inside. */
#define DFR_PLANES 4
/* Codes of the stencil that are not the number of a cell with facets. */
#define DFR_INTERNAL CUBES_INSIDE
#define DFR_EXTERNAL CUBES_OUTSIDE

/** Offset and run length, and the start of the run in the next map or in the stencil. */
typedef struct dfr_orl {
    int32_t first, n;
    uint32_t at;
} dfr_orl;

typedef struct dfr_edge {
    uint32_t vertex[2]; // ascending
    uint32_t facet[2];  // ascending: the first one owns it
} dfr_edge;

/** A flat part of the surface that has a vertex in its middle, and the corners that carry it. */
typedef struct dfr_face {
    uint32_t n;         // 3 or more
    uint32_t vertex[8]; // corners of its convex hull, counterclockwise about the normal
} dfr_face;

typedef struct dfr_node {
    double lo[3], hi[3];
    uint32_t first, n; // facets tree_facet[first ..]; n == 0: children `first` and first + 1
} dfr_node;

typedef struct dfr_body {
    cubes_grid grid;
    double offset[3], inverse[3]; // d [cells] and 1/c of (3.6)
    dfr_orl slices;               // 1
    dfr_orl *prisms;              // [slices.n]
    dfr_orl *cells;               // [all prisms]
    int32_t *stencil;             // [all cells of the runs]
    uint64_t n_prisms, n_stencil; //
    uint32_t n_cells;             // number of cells with facets
    uint32_t *first;              // [n_cells + 1] facets of a cell
    uint8_t *corners;             // [n_cells] bit c: corner x + 2 y + 4 z is inside
    uint8_t *bent; // [n_cells] DFR_OUTWARD or DFR_INWARD when few facets all bend that way; else 0
    double (*planes)[4][DFR_PLANES]; // [n_cells] normals, and their products with a vertex
    uint16_t (*at)[3];               // [n_cells] ordinates
    uint32_t n_vertices, n_facets, n_edges, n_groups, n_faces, n_nodes;
    double (*vertex)[3];         // [n_vertices] [m]
    uint32_t (*facet)[3];        // [n_facets] counterclockwise from outside
    uint32_t (*facet_edge)[3];   // [n_facets] edge k from vertex k to k + 1
    uint32_t *facet_cell;        // [n_facets]
    double (*normal)[3];         // [n_facets]
    dfr_edge *edge;              // [n_edges] by facet[0]
    uint8_t *bend;               // [n_edges] DFR_FLAT, ...
    uint32_t *edge_first;        // [n_facets + 1] edges that a facet owns
    uint32_t *ring_first, *ring; // [n_vertices + 1] neighbours of each vertex
    uint32_t *fan_first, *fan;   // [n_vertices + 1] facets around each vertex
    uint32_t *group;             // [n_facets] group of coplanar, connected facets
    uint32_t *lead;              // [n_groups] lowest facet of the group
    uint32_t *group_face;        // [n_groups] SCREE_NONE: not a face
    uint8_t *hollow; // [n_groups] 1: a DFR_CORNER bounds it; 2: it is also a strip along one
    dfr_face *face;  // [n_faces]
    dfr_node *node;
    uint32_t *tree_facet; // [n_facets]
    double lo[3], hi[3];  // [m] bounds of the vertices
    double radius;        // [m] radius about the origin
    double volume, size;  // [m^3] [m] longest side of the box
    int convex;
} dfr_body;

enum {
    DFR_FLAT,
    DFR_CONVEX,
    DFR_CONCAVE,
    DFR_CORNER,
    DFR_TOOTH
}; // CORNER: concave by more than 30 degrees

enum { DFR_OUTWARD = 1, DFR_INWARD };

/* ---- mesh.c, maps.c, tree.c ---- */

/** Makes cells and facets by marching cubes, and the maps. SCREE_OK, SCREE_E_MEMORY, or
 * SCREE_E_CONFIG when no corner is inside or one on the border of the grid is. */
int32_t dfr_body_make(dfr_body *b, const cubes_grid *grid, const cubes_field *field);
void dfr_body_clear(dfr_body *b);
uint64_t dfr_body_bytes(const dfr_body *b);
/** Makes neighbours, edges, groups and faces. 0: no memory. */
int dfr_mesh_finish(dfr_body *b);
/** Makes the tree of boxes around facets. 0: no memory. */
int dfr_tree_make(dfr_body *b);
/** Makes the maps from the code of each cell: its number, DFR_INTERNAL or DFR_EXTERNAL. 0: no
 * memory. */
int dfr_maps_make(dfr_body *b, const int32_t *code);

/** Code of the cell w, (3.7). */
static inline int32_t dfr_code(const dfr_body *b, const int32_t w[3])
{
    const uint32_t slice = (uint32_t)(w[2] - b->slices.first);
    if (slice >= (uint32_t)b->slices.n)
        return DFR_EXTERNAL;
    const dfr_orl *prisms = &b->prisms[slice];
    const uint32_t prism = (uint32_t)(w[1] - prisms->first);
    if (prism >= (uint32_t)prisms->n)
        return DFR_EXTERNAL;
    const dfr_orl *cells = &b->cells[prisms->at + prism];
    const uint32_t cell = (uint32_t)(w[0] - cells->first);
    return cell < (uint32_t)cells->n ? b->stencil[cells->at + cell] : DFR_EXTERNAL;
}

/** An ordinate (3.6), for coordinates in or near the grid. */
static inline int32_t dfr_ordinate(double u)
{
    const int32_t w = (int32_t)u;
    return w - (u < (double)w);
}

/** Is a point [m] in the body's frame inside? */
int dfr_inside(const dfr_body *b, const double x[3]);
/** The same for a point of a cell with facets. */
int dfr_inside_cell(const dfr_body *b, uint32_t cell, const double x[3]);
/** 34 bits: cell and place of a facet in it; in a flat face those of its lowest facet. */
uint64_t dfr_key(const dfr_body *b, uint32_t facet);
uint32_t dfr_facet_of_key(const dfr_body *b, uint64_t key);

/** Finds the point of the surface that is closest to x, if its squared distance is at most *least,
 * which becomes this square. *facet: the lowest number of a facet that is so near. 0: none. */
int dfr_closest(const dfr_body *b, const double x[3], double *least, double point[3],
                uint32_t *facet);
/** Facets whose boxes reach within `far` of x, ascending, at most `room`; returns their number. */
uint32_t dfr_gather(const dfr_body *b, const double x[3], double far, uint32_t room, uint32_t *out);

/* ---- fields (field.c) ---- */

/** A solid by the winding numbers of a closed mesh. NULL: no memory. dfr_field_free() frees it. */
int dfr_field_mesh(cubes_field *field, const scree_mesh *view, const cubes_grid *grid);
void dfr_field_free(cubes_field *field);
/** [-] Winding number of a point, by the solid angles of all facets. For tests and measures. */
double dfr_winding(const scree_mesh *mesh, const double x[3]);

#endif
