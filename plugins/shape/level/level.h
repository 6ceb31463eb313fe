/* SPDX-License-Identifier: Apache-2.0 */
/* Solids where a function is negative: their surface by marching cubes, and solids that are put
 * together from others. */
#ifndef PLUGINS_SHAPE_LEVEL_H
#define PLUGINS_SHAPE_LEVEL_H

#include "../../cubes.h"
#include "../polyhedron/polyhedron.h"

/* ---- surfaces (surface.c) ---- */

/** Most cells along the longest side. */
#define LEVEL_MOST_CELLS 512
#define LEVEL_PIECES_LARGEST 0
#define LEVEL_PIECES_ALL 1

/** Moves the vertices from the frame of the cells to that of the solid; it may mirror them. 0 with a
 * problem. */
typedef struct level_move {
    int (*fn)(void *ctx, uint32_t n, double (*vertex)[3], mesh_notes *notes);
    void *ctx;
} level_move;

/** The closed surface of a field. Pieces that no edge of a cell joins to the largest are left out,
 * with a note, unless `pieces` is LEVEL_PIECES_ALL. `move` may be NULL. NULL with problems. */
mesh_surface *level_surface(const cubes_grid *grid, const cubes_field *field, int32_t pieces,
                            const level_move *move, mesh_notes *notes);

/* ---- solids by a function (level.c) ---- */

/** A view for shapes of this tree: a scree_implicit without a gradient, which place() ends. */
#define LEVEL_VIEW "plugins.level/1"

/** A function, negative inside, and what it needs. */
typedef struct level {
    scree_implicit view; /* its `value` ignores `gradient`; ctx is `form` */
    double lo[3], hi[3]; /* [m] a box that holds the solid */
    int tight;           /* 1: the solid touches all faces of the box, and cells begin there */
    void *form;          /* owned */
    void (*free_form)(void *form);
    uint64_t bytes; /* of the form */
} level;

/** Cells of the surface, as a scene gives them. */
typedef struct level_cells {
    int64_t cells; /* along the longest side */
    double cell;   /* [m] the largest side of a cell; NaN: not given */
    int32_t pieces;
} level_cells;

/** create() of a type: makes an instance of polyhedron/instance.c that owns the form of the level,
 * which it frees in any case. */
int32_t level_new(const scree_host *host, const level *level, const level_cells *cells,
                  void **instance);

/* ---- parts (parts.c, parts_read.c) ---- */

/** Parameters of shapes that are put together from others. */
typedef struct parts_config {
    const scree_plugin_ref *first, *second, *third, *fourth;
    const scree_real_rows *places, *turns;
    scree_ints of;
    scree_reals scales, strengths;
    const char *file;
    scree_strings columns;
    double decay, cell;
    int64_t cells;
    int32_t pieces;
} parts_config;

enum { PARTS_KINDS = 4 };

/** A nested shape. */
typedef struct parts_kind {
    const scree_shape_ops *ops;
    void *instance;
    const scree_implicit *view;
    double depth;  /* [m] of its origin below its surface, by its function */
    double reach;  /* [m] radius of the ball about its origin that holds it */
    double equal;  /* [m] radius of the ball of its volume */
    double spread; /* [-] its part of the field ends so many reaches from its origin */
} parts_kind;

/** One part: a nested shape, moved. */
typedef struct part {
    double centre[3];  /* [m] */
    double turn[3][3]; /* from the frame of the solid to that of the part */
    double scale;      /* [-] */
    double strength;   /* [-] */
    double influence;  /* [m] its part of the field ends at this distance */
    uint32_t kind;
} part;

typedef struct parts {
    const scree_host *host;
    parts_kind kind[PARTS_KINDS];
    part *v; /* [n] */
    uint64_t n, room;
    double decay;      /* [-] NaN: the parts are joined without a blend */
    double unit;       /* [m] the least depth of a part */
    double lo[3], bin; /* [m] bins of equal sides from lo on */
    uint32_t bins[3];
    uint32_t *first, *list; /* [bins + 1], [first[bins]] parts whose influence meets a bin */
} parts;

/** Makes the nested shape of a parameter `name`; fails with the host. */
int32_t parts_take_kind(const scree_host *host, const scree_plugin_ref *ref, const char *name,
                        parts_kind *out);
/** Frees what the kind holds, not *kind. */
void parts_free_kind(parts_kind *kind);
/** Reads the places of the parts, whose nested shapes are made; fails with the host. */
int32_t parts_read(parts *p, const parts_config *config);
/** Makes the parts with their nested shapes; fails with the host. */
int32_t parts_new(const scree_host *host, const parts_config *config, parts **out);
/** Frees parts; NULL: nothing. */
void parts_free(void *parts);
/** Returns the bytes that parts hold. */
uint64_t parts_bytes(const parts *parts);
/** [m] Values at n points: negative in a part, or where the blended field is above its level. */
void parts_value(const parts *parts, uint32_t n, const double *const x[3], double *value);
/** [m] A box around the solid. */
void parts_box(const parts *parts, double lo[3], double hi[3]);

static inline level_cells parts_cells(const parts_config *config)
{
    return (level_cells){config->cells, config->cell, config->pieces};
}

#endif
