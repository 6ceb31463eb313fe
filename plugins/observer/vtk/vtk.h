// SPDX-License-Identifier: Apache-2.0
// Shared by the files of observer `vtk`: a frame, its arrays, where their bytes go.
#ifndef OBSERVER_VTK_H
#define OBSERVER_VTK_H

#include "scree/sdk.h"

#include "scree/draft/pieces.h"

#include "../detection.h"
#include "../hull.h"
#include "../solid_cells.h"

enum { SINK_BUFFER = 1 << 16 };

/** Takes the bytes of a file: a buffer in front of a descriptor, raw or as base64. */
typedef struct sink {
    int32_t fd;
    int error; // errno of the first write that failed, 0
    uint32_t used, n_carry;
    int32_t base64;   // put() writes its bytes as base64
    uint64_t put;     // bytes given to put() since start_array
    uint8_t carry[3]; // bytes of an incomplete group of three
    uint8_t buffer[SINK_BUFFER];
} sink;

/** The surface of the solids of a shape, at scale 1 in its frame: a mesh in 3D, an outline in 2D. */
typedef struct vtk_surface {
    const scree_mesh *mesh;
    const scree_outline *outline;
    hull *hull; // owns them; NULL: the shape does
} vtk_surface;

/** A point of part bodies: a body, or a ball of a clump. */
typedef struct row {
    uint32_t body, ball;
} row;

/** A body that is drawn as polygons, or in 2D as segments. */
typedef struct wall {
    uint32_t body;
    uint32_t n_points, n_cells, n_corners;
    double force[3];      // [N] of the contacts, on the body
    double (*outline)[3]; // a plane: its corners [m], in the frame's `outlines`; else NULL
} wall;

enum { MOST_CORNERS = 10 }; // corners of a quad cut by the six faces of a box

/** All data of a part of a frame; filled once, read by the arrays. */
typedef struct frame {
    const scree_view *view;
    const scree_piece *piece;    // of the state, that this rank shows; NULL: all bodies
    const int32_t *group;        // [bodies->n]
    const int32_t *coordination; // [bodies->n] contacts with depth >= 0; of part bodies
    const row *rows;             // [n_points] of part bodies
    const vtk_surface *surfaces; // [bodies->n_shapes]
    const wall *walls;           // [n_walls] of parts walls and solids
    uint64_t n_walls;
    const detection *detected;      // of parts detection and candidates
    const solid_cells *cut;         // of part cells
    const char *const *group_names; // [n_groups]
    uint32_t n_groups;
    uint64_t n_points, n_cells, n_corners;
} frame;

/** Number of bodies that this rank writes. */
static inline uint32_t count_shown(const frame *f)
{
    return f->piece ? f->piece->n_bodies : f->view->bodies->n;
}
/** Body number k of them. */
static inline uint32_t shown_body(const frame *f, uint32_t k)
{
    return f->piece ? f->piece->bodies[k] : k;
}

/** An array of a file; emit() puts the values of all its tuples. */
typedef struct array {
    const char *name;
    const char *type; // "Float64", "Int64", "Int32"
    uint32_t components;
    void (*emit)(const frame *f, sink *s);
} array;

/** A kind of file: its arrays by place. Each list ends with a name that is NULL. */
typedef struct part {
    const char *name;
    const array *point_data, *cell_data;
    array points, connectivity, offsets;
} part;

/** Appends bytes to the array under way. */
void sink_put(sink *s, const void *bytes, size_t n);
static inline void put_reals(sink *s, const double *v, uint32_t n)
{
    sink_put(s, v, n * sizeof *v);
}
static inline void put_int32(sink *s, int32_t v)
{
    sink_put(s, &v, sizeof v);
}
static inline void put_int64(sink *s, uint64_t v)
{
    sink_put(s, &v, sizeof v);
}
/** The components of vector i. */
static inline void put_vector(sink *s, const double *const v[3], uint64_t i)
{
    put_reals(s, (double[3]){v[0][i], v[1][i], v[2][i]}, 3);
}

/** Puts text into the file, unchanged. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void sink_print(sink *s, const char *format, ...);
/** Writes the contents of the buffer. */
void sink_flush(sink *s);

/** Writes a frame of a part as a .vtp file; `cells` is "Verts", "Lines" or "Polys". s->error has
 * the first error; returns SCREE_E_INTERNAL when an array had a wrong length. */
int32_t write_vtp(sink *s, const part *p, const frame *f, const char *cells, int32_t base64);

/** Writes the list of the pieces of a frame, a .pvtp file; `stem`: the name of the frame. */
void write_pvtp(sink *s, const part *p, const frame *f, const char *stem);

/** walls.c: finds the walls of a frame. SCREE_E_MEMORY, or the code of view->load. */
typedef struct wall_memory {
    wall *walls;
    double (*outlines)[MOST_CORNERS][3];
    uint64_t wall_capacity, outline_capacity;
} wall_memory;
int32_t find_walls(wall_memory *memory, frame *f);

/** Does a body consist of facets or a plane? */
static inline int is_wall(const scree_bodies *b, uint32_t i)
{
    return (b->shapes[b->shape[i]]->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE)) != 0;
}

/** Place [m] of a point of the shape of body `i`. */
void place_point(const scree_bodies *b, uint32_t i, double x, double y, double z, double at[3]);

/** solids.c: finds surfaces of new shapes of solids. 0: out of memory. */
typedef struct surface_memory {
    vtk_surface *surfaces;
    uint64_t n, capacity;
} surface_memory;
void free_surfaces(surface_memory *memory);
int find_surfaces(surface_memory *memory, const scree_host *host, const scree_bodies *b,
                  double tolerance);
/** Do solids of a shape have a surface, given or not? Balls, clumps and walls do not. */
int is_solid(const scree_shape *shape);
/** Finds the solids of a frame, as find_walls does. */
int32_t find_solids(wall_memory *memory, frame *f);

/** bodies.c: finds the points of a frame. 0: out of memory. */
typedef struct body_memory {
    row *rows;
    int32_t *coordination;
    uint64_t row_capacity, coordination_capacity;
} body_memory;
int find_bodies(body_memory *memory, frame *f);

/** detected.c: counts points and cells of parts detection and candidates. */
void count_detected(frame *f);
void count_candidates(frame *f);

/** Corners of the sides of a cuboid (bit k: the upper one along axis k), counterclockwise from outside. */
extern const uint8_t cuboid_sides[6][4];

/** cut.c: counts points and cells of part cells. */
void count_cut(frame *f);

extern const part bodies_part, walls_part, solids_part, detection_part, candidates_part, cut_part;

#endif
