/* SPDX-License-Identifier: Apache-2.0 */
/* The cells in which a resolver that the observer owns has cut the solids of a scene. Shared by
 * observer/image and observer/vtk. */
#ifndef OBSERVER_SOLID_CELLS_H
#define OBSERVER_SOLID_CELLS_H

#include <scree/draft/solid.h>
#include <scree/sdk.h>

/* The cells of a shape. */
typedef struct shape_cells {
    scree_solid_grid grid;
    uint64_t n;     // cells; 0: the resolver has none for it
    uint8_t *class; // [n] SCREE_SOLID_*
} shape_cells;

/* A box of cells of a body in which they are looked at, with a neighbour. */
typedef struct cell_zone {
    uint32_t body;
    int32_t lo[3], hi[3];
} cell_zone;

/* A cell of a body. */
typedef struct body_cell {
    uint32_t body, in_zone;
    uint16_t at[3];
    uint8_t class,
        sides; // sides: bit 2 k + s: the next cell along axis k, down (s 0) or up, is not shown
} body_cell;

typedef struct solid_cells {
    const scree_host *host;
    const scree_resolver_ops *ops;
    void *self;
    const scree_solid *solid;
    uint32_t shown;      // bit SCREE_SOLID_*: these classes are shown
    shape_cells *shapes; // [n_shapes] that were prepared
    uint64_t n_shapes;
    /* The state of the last solid_cells_find. */
    cell_zone *zones; // [n_zones] by body
    body_cell *cells; // [n_cells] shown, by body
    uint64_t n_zones, n_cells, room[4];
    uint8_t *mask; // [cells of a shape] 1: in a zone; 2: shown
} solid_cells;

/* Which cells a caller wants beyond their class: NULL: all. */
typedef int (*cell_filter)(const void *ctx, const double middle[3]);

/** [config] Makes the instance of the resolver; NULL after host->fail in *out when that fails. `words`: names
 * of classes; none: inside and border. */
int32_t solid_cells_make(solid_cells **out, const scree_host *host, const scree_plugin_ref *ref,
                         const scree_strings *words);
/** Accepts NULL. */
void solid_cells_free(solid_cells *c);
/** [step] Finds the zones and the cells of a state. */
int32_t solid_cells_find(solid_cells *c, const scree_bodies *b, cell_filter filter,
                         const void *ctx);
/** Does the resolver have cells for a shape? After solid_cells_find(). */
int solid_cells_has(const solid_cells *c, uint32_t shape);
/** Place [m] of a point of a body's grid: `at` in cells from its corner. */
void solid_cells_place(const solid_cells *c, const scree_bodies *b, uint32_t body,
                       const double at[3], double x[3]);
/** Corner `number` (bit k: the upper one along axis k) of a cell [m]. */
void solid_cells_corner(const solid_cells *c, const scree_bodies *b, const body_cell *cell,
                        uint32_t number, double x[3]);

/* The parameters `cells` and `cell_classes` of an observer. */
#define SOLID_CELLS_PARAMS(config_type)                                                            \
    SCREE_PLUGIN_PARAM(                                                                            \
        config_type, cells, RESOLVER, SCREE_PARAM_OPTIONAL, NULL,                                  \
        "a resolver of its own that cuts solids into cells, dfr3d; these cells are "               \
        "shown");                                                                                  \
    SCREE_STRINGS_PARAM(config_type, cell_classes, 0, SCREE_PARAM_OPTIONAL,                        \
                        "with `cells`: which of outside, inside, border are shown; absent: "       \
                        "inside and border")

#endif
