// SPDX-License-Identifier: Apache-2.0
// Shared by the files of observer `field`: the grid, the kernel, a sample, the averages, their files.
#ifndef OBSERVER_FIELD_H
#define OBSERVER_FIELD_H

#include <inttypes.h>

#include "scree/sdk.h"

enum { BOX, CYLINDER };
enum { CELLS, POINTS };
enum { GAUSS, LUCY };
enum { LEAST_NODES = 3, MOST_NODES = 6 };

/* Sums of a cell: extensive while a sample is taken, then densities. A symmetric tensor has the
 * order xx xy xz yy yz zz; in one of 9 the force's (the couple's) component comes first, the
 * branch's second. */
enum {
    SUM_VOLUME,                     // [m^3]
    SUM_MASS,                       // [kg]
    SUM_MOMENTUM,                   // 3 [kg m/s]
    SUM_KINETIC = SUM_MOMENTUM + 3, // 6 [J]
    SUM_CONTACT = SUM_KINETIC + 6,  // 9 [J]
    SUM_COUPLE = SUM_CONTACT + 9,   // 9 [J m]
    SUM_NUMBER = SUM_COUPLE + 9,    // [-]
    SUM_FABRIC = SUM_NUMBER + 1,    // 6 [-]
    SUM_BOUNDARY = SUM_FABRIC + 6,  // 3 [N]
    SUM_FIELDS = SUM_BOUNDARY + 3   // the components of body fields, in their unit times kg
};

typedef struct field_config {
    const char *file;
    scree_reals min, max, point, axis; // [m]
    scree_ints cells;
    scree_strings groups, fields;
    double radius, inner, height; // [m] of the cylinder; NaN: not given
    double width, cutoff;         // [m], [-] of the kernel
    double window;                // [s]; NaN: the whole run
    int64_t block;                // samples of a block
    int32_t grid, kind, kernel, vtk;
} field_config;

/** Cells (i, j, k), number i + n0 (j + n1 k). Coordinates: x, y, z of the world, or r, phi, z of the
 * cylinder, whose origin and axes are given. */
typedef struct field_grid {
    int32_t shape, kind;
    uint32_t dimension, cut; // cut: the axis along which threads share the cells
    uint32_t n[3];
    uint64_t n_cells;
    double lo[3], hi[3];
    double origin[3], frame[3][3]; // rows: the axes of the cylinder
    double *borders;               // [n1 + 1][2] cosine and sine of the borders of sectors
    double box_lo[3], box_hi[3];   // [m] of the world: all cells are within
    // rules on [0, 1] of 3 to 6 nodes, for integrands with a root at either end
    double node[MOST_NODES + 1][MOST_NODES], weight[MOST_NODES + 1][MOST_NODES];
} field_grid;

/** Points first to first + n of a row, at start + size (number + 1/2) along it, and a segment from
 * `from`, 0 <= s <= length, whose unit vector has the component `unit` along the row. Across the
 * row the points are sqrt(across2) from its start; foot is the part of (point - start) . unit
 * across the row. */
typedef struct field_row {
    double start, size, from, across2, foot, unit, length; // [m], [m^2]
    uint32_t first, n;
} field_row;

struct field_kernel;
/** [row->n] Weights of a row; the tables are parameters, so that the compiler knows that w does not
 * overlap them. */
typedef void (*row_fn)(const struct field_kernel *k, const field_row *row,
                       const double *restrict bell, const double *restrict area,
                       const double *restrict slope, double *restrict w);

/** W(r) is norm times a function of r that is 0 from `reach` on. */
typedef struct field_kernel {
    row_fn places, means;      // W at a place; its mean along a segment
    double width, reach, norm; // [m], [m], [1/m^3]
    double per_width;          // [1/m]
    // GAUSS: tables of exp(-u), of the integral of exp(-t^2 / 2) and of its slope
    double *bell, *area, *slope;
} field_kernel;

/** The part of a body or a branch in one cell. */
typedef struct field_share {
    uint64_t cell;
    double part;  // share of the whole
    double at[3]; // [m] a branch: the middle of the piece, in the world
} field_share;

/** Room of a lane. */
typedef struct field_room {
    field_share *shares;
    uint64_t n, capacity;
    double *cuts, *corners;
    struct round_arc *arcs; // see round.c
    uint64_t cut_capacity, corner_capacity, arc_capacity;
} field_room;

/** A ball of a body that counts, and a path along which a contact acts. */
typedef struct field_ball {
    double x[3], radius, weight; // weight: share of the body's volume
    uint32_t body;
    uint32_t reserved;
} field_ball;
typedef struct field_path {
    double from[3], branch[3];  // [m]
    double force[3], couple[3]; // [N] on the body at `from`, [N m] across the middle of the path
    double normal[3], unit[3], length; // of the branch; with length 0 unit is 0
    int32_t touches,
        boundary; // boundary: the path ends at the contact point with a body that does not count
} field_path;

/** A sample under way: its balls, paths and sums. */
typedef struct field_scene {
    const scree_host *host;
    const field_grid *grid;
    const field_kernel *kernel;
    const scree_view *view;
    const field_config *config;
    const scree_names *names;
    uint8_t *counted; // [bodies]
    field_ball *balls;
    field_path *paths;
    uint64_t n_balls, n_paths, counted_capacity, ball_capacity, path_capacity;
    double shift[3];  // [m/s] subtracted from velocities in sums
    double *sum;      // [n_cells][n_sums]
    uint32_t n_sums;  // SUM_FIELDS plus the components of body fields
    uint32_t n_rooms; // lanes
    field_room *rooms;
} field_scene;

/** grid.c */
int32_t grid_make(field_grid *g, const field_config *c, const scree_host *host);
double grid_edge(const field_grid *g, int axis, uint32_t k);
double grid_volume(const field_grid *g, uint64_t cell, double thickness);
void grid_centre(const field_grid *g, uint64_t cell, double at[3]);
void grid_place(const field_grid *g, const double at[3], double x[3]);
/** Number of the cell that holds a point of the world; UINT64_MAX: none. */
uint64_t grid_locate(const field_grid *g, const double x[3]);
void grid_index(const field_grid *g, uint64_t cell, uint32_t index[3]);
/** Unit vectors in which components are given at a point of the world, as rows. */
void grid_basis(const field_grid *g, const double x[3], double basis[3][3]);
/** Coordinates in the cylinder's axes, Cartesian. */
void grid_local(const field_grid *g, const double x[3], double out[3]);

/** split.c, round.c: computes shares of the cells; 0: out of memory. Cells of another chunk [begin,
 * end) along the axis `cut` may be left out. */
int split_segment(const field_grid *g, field_room *r, const double from[3], const double branch[3]);
int split_ball(const field_grid *g, field_room *r, const double x[3], double radius, uint32_t begin,
               uint32_t end);
int split_ball_round(const field_grid *g, field_room *r, const double x[3], double radius);
field_share *room_add(field_room *r);

/** kernel.c */
int kernel_make(field_kernel *k, const field_config *c, uint32_t dimension, double thickness);
/** [n] Means of W along the segment; for length 0 values of W. */
void kernel_row(const field_kernel *k, const field_row *row, double *w);

/** gather.c, deposit.c: takes a sample, as densities in scene->sum. */
int32_t gather(field_scene *s);
int32_t deposit(field_scene *s);

/** average.c */
typedef struct field_head {
    uint64_t version, n_cells, n_sums;
    uint64_t window; // number of the current window
    uint64_t samples, in_block, blocks;
    double first, last; // [s] times of its samples
    double recipe[24];  // from the config: sums of another config are not continued
} field_head;

typedef struct field_average {
    field_head head;
    uint32_t n_values, reserved;
    double *total, *block; // [n_cells][n_sums] of the samples of the window, and of the block
    double *mean, *spread; // [n_cells][n_values] of the blocks: mean, sum of squares about it
    double *counts;        // [n_cells][2] blocks with mass, with contacts
} field_average;

typedef struct field_value {
    const char *name, *unit;
    uint32_t components, needs; // needs: 0 nothing, 1 mass, 2 contacts
} field_value;
enum { N_VALUES = 12 };
extern const field_value field_values[N_VALUES];
uint32_t values_count(uint32_t n_sums);
/** Values of a cell from sums over n samples. */
void values_of(const double *sums, uint32_t n_sums, double n, uint32_t dimension, double *out);
/** 1 where a value is defined for the sums: needs of column c. */
uint32_t values_need(uint32_t column);
int average_allocate(field_average *a, uint64_t n_cells, uint32_t n_sums);
void average_free(field_average *a);
/** `values`: room for n_values. */
void average_add(field_average *a, const double *sample, uint32_t dimension, uint64_t block,
                 double *values);
void average_reset(field_average *a);
/** [column] standard error of a value; NaN: fewer than two blocks. */
double average_error(const field_average *a, uint64_t cell, uint32_t column);

/** table.c, vtk.c: write a window into the files. `values` is [n_cells][n_values]. */
typedef struct field_frame {
    const field_grid *grid;
    const field_average *average;
    const scree_used_field *const *used; // [n_used] body fields
    const char *const *names;            // [n_used] as the scene names them
    const double *values;
    uint64_t n_used;
    double thickness;
} field_frame;
void table_head(FILE *file, const field_frame *f);
void table_rows(FILE *file, const field_frame *f);
void table_script(FILE *file, const field_grid *g, const char *name);
/** Suffix of the file of a frame: ".vti" or ".vts". */
const char *vtk_suffix(const field_grid *g);
void vtk_write(FILE *file, const field_frame *f);

#endif
