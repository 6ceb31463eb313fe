/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies of a run: structure of arrays by storage number, with mirrors for the hot loops. */
#ifndef CORE_WORLD_H
#define CORE_WORLD_H

#include "base/arrays.h"
#include "base/rotation.h"
#include "base/scratch.h"
#include "engine/shift.h"
#include "scene/scene_data.h"
#include "scree/cell_sdk.h"
#include "shape/plugin_shape.h"

#define SCREE_WRENCH 8 /* doubles per body: fx fy fz stored tx ty tz lost: one cache line */
#define SCREE_BALL 4   /* doubles per body: x y z radius */
#define SCREE_TWIST 8  /* doubles per body: vx vy vz 1/m wx wy wz - */

/** Bodies that follow each other in storage; see number below. */
typedef struct scree_leaf {
    uint64_t code;  /* Morton code of its first body when it was made; leaves ascend by it */
    uint64_t slots; /* number of slots given, holes included */
} scree_leaf;

/** All arrays have `capacity` elements and are 64-byte aligned. Bodies are sorted by motion (free,
 * kinematic, fixed, planes), then by the order of the last renumbering, then by id. */
typedef struct scree_world {
    uint32_t dimension;
    uint32_t n, n_free, n_kinematic, n_planes, capacity;
    uint32_t first_fixed; /* kinematic bodies are before it, except planes */
    uint64_t next_id;

    uint64_t *id;
    uint32_t *shape, *material, *motion, *group;
    double *x[3], *q[4], *v[3], *w[3];
    double *scale, *radius, *mass, *inv_mass;
    double *own_density;    /* [kg/m^3] set by an edit; 0: density of the material */
    double *inv_inertia[3]; /* principal moments; one array, unless `axes` */
    bool axes;              /* some shape has unequal moments: each axis has its own array */
    int32_t *image[3];
    uint8_t *isotropic;  /* 1: round, its orientation has no effect */
    double *wrench;      /* [8 capacity] */
    double *anchor[13];  /* kinematic: pose (x, q) at anchor_time, from which own v, w continue */
    double *anchor_time; /* [s] */
    double posed; /* [s] time of the poses of kinematic bodies; NAN: they must be made (pose.c) */
    bool drifts;  /* some kinematic body has a motion of its own */
    uint32_t n_fields;     /* number of components of all body fields */
    double **field;        /* [n_fields][capacity] */
    double *field_initial; /* [n_fields] initial value of a body */

    /* [capacity] class << 62 | leaf << 32 | slot: the order of storage. Consecutive free bodies are
     * leaves of SCREE_SUM_LEAF after a renumbering. From then on a body of a leaf's place enters it
     * with its next slot, and one that leaves it leaves a hole. */
    uint64_t *number;
    scree_leaf *leaf; /* [n_leaves] of free bodies; NULL: numbers are those of the first order */
    uint32_t n_leaves;
    uint32_t n_entered[4]; /* by class: slots of bodies that are not free */
    double leaf_cell;      /* [m] side of the cells of places; 0: each body enters the last leaf */
    bool crowded;          /* a leaf has so many bodies that all must be renumbered */

    double *ball, *twist; /* mirrors of x, radius, v, w, written before each evaluation */
    bool mirrored;        /* those of fixed bodies need not be written */

    double gravity[3];
    scree_cell cell;
    double slant;   /* [m] largest part of a shift to a neighbour in a tilted cell; 0: a brick */
    double largest; /* [m] from scree_world_largest; below 0: sizes or bodies have changed */
    uint64_t numbering; /* grows when numbers get other bodies */
    double thickness;
    uint32_t n_shapes, n_materials;
    const scree_shape **shapes;
    uint32_t n_types;
    const scree_shape_type *const *types; /* [n_types] in the scene */
    const double *density;                /* [n_materials] */
} scree_world;

/** Body fields that were saved; valid while the capacity of the world does not change. */
typedef struct scree_body_fields {
    uint32_t n;
    double **field;  /* [n][capacity] */
    double *initial; /* [n] */
} scree_body_fields;
/** Returns new fields for the current bodies: copies of the components from[k] of `before`;
 * initial[k] if from[k] is negative. */
scree_body_fields scree_world_fields_new(const scree_world *world, const scree_body_fields *before,
                                         uint32_t n, const int32_t *from, const double *initial);
/** Exchanges the world's fields with these. */
void scree_world_fields_exchange(scree_world *world, scree_body_fields *fields);
void scree_body_fields_clear(scree_body_fields *fields);

scree_world *scree_world_new(const scree_scene *scene, uint32_t n_fields);
void scree_world_free(scree_world *world);
/** Updates an older copy of a world to the state of `from`; memory is reused if it is large
 * enough. */
scree_world *scree_world_copy_again(scree_world *to, const scree_world *from);
scree_world *scree_world_copy(const scree_world *world);
/** Makes room for exactly n bodies. */
void scree_world_reserve(scree_world *world, uint32_t n);
/** Appends a body, unsorted: scree_world_sort must be called before it is used. */
void scree_world_add(scree_world *world, const scree_body *body, double time);
/** Returns body i in the form of a scene. */
scree_body scree_world_body(const scree_world *world, uint32_t i);
/** Returns the first storage number of the planes; they end the arrays. */
static inline uint32_t scree_world_first_plane(const scree_world *world)
{
    return world->n - world->n_planes;
}
/** Reorders storage: by motion, then by Morton cell (`cell` > 0) and id, with new leaves, or by
 * number. Bodies with dead[i] != 0 are dropped (`dead` may be NULL). new_of_old, or NULL: the new
 * number of each previous body, SCREE_NONE for dropped ones. Returns whether anything changed. */
bool scree_world_sort(scree_world *world, double cell, const uint8_t *dead, uint32_t *new_of_old,
                      scree_scratch *scratch);
/** Lends the mirrors until scree_scratch_end: enough memory for a sort. */
void scree_world_lend(scree_world *world, scree_scratch *scratch);
/** Returns the place of body i in the order of storage: 0 free, 1 kinematic, 2 fixed, 3 planes. */
static inline uint32_t scree_world_class(const scree_world *w, uint32_t i)
{
    return w->shapes[w->shape[i]]->flags & SCREE_CAP_INFINITE ? 3 : w->motion[i];
}
/** Returns the density [kg/m^3] of body i. */
static inline double scree_world_density(const scree_world *w, uint32_t i)
{
    return w->own_density[i] > 0.0 ? w->own_density[i] : w->density[w->material[i]];
}
/** Sets radius, mass and moments of body i, from its shape, scale, material and density. */
void scree_world_measure(scree_world *world, uint32_t i);
/** Writes the principal moments [kg m^2] of body i, from its shape, size and density; in 2D all
 * three are that about z. */
void scree_world_inertia(const scree_world *world, uint32_t i, double inertia[3]);
/** Gives body i the inverse moments of a free body. */
void scree_world_free_inertia(scree_world *world, uint32_t i);
/** Lets the own motion of a kinematic body continue from its pose and velocities at `time`. */
void scree_world_anchor(scree_world *world, uint32_t i, double time);
/** After a change of bodies that are not free: their poses and mirrors are made again. */
void scree_world_changed(scree_world *world);
/** Returns the space [m^3], in 2D [m^2], around the balls of the free bodies; along an axis that
 * repeats, a period. */
double scree_world_space(const scree_world *world);
/** Returns the largest radius of the free bodies. */
double scree_world_largest(scree_world *world);
/** Returns the fastest free body, that with the lowest id of several; 0: none is free. *speed: its
 * speed [m/s]. */
uint32_t scree_world_fastest(const scree_world *world, double *speed);
/** Fills the plugins' view of the bodies. */
void scree_world_view(const scree_world *world, scree_bodies *view);

/** Writes the shift [m] by whole cells, with the bits of scree_shift: vectors have no parts that
 * the host does not set. */
static inline void scree_world_shift(const scree_world *w, const int32_t s[3], double by[3])
{
    const double(*v)[3] = w->cell.vector;
    for (int k = 0; k < 3; k++)
        by[k] = s[k] * v[k][k];
    if (w->slant > 0.0) {
        by[0] = (by[0] + s[1] * v[1][0]) + s[2] * v[2][0];
        by[1] += s[2] * v[2][1];
    }
}

/** Writes the place [m] of body i on its path through the cells. */
static inline void scree_world_unwrapped(const scree_world *w, uint32_t i, double at[3])
{
    const int32_t s[3] = {w->image[0][i], w->image[1][i], w->image[2][i]};
    scree_world_shift(w, s, at);
    for (int k = 0; k < 3; k++)
        at[k] += w->x[k][i];
}

/** Turns a vector from the axes of body i to those of the world, and back. */
static inline void scree_world_turn(const scree_world *w, uint32_t i, const double v[3],
                                    double out[3])
{
    scree_rotate((const double[4]){w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]}, v, out);
}
static inline void scree_world_turn_back(const scree_world *w, uint32_t i, const double v[3],
                                         double out[3])
{
    scree_rotate_back((const double[4]){w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]}, v, out);
}

/** The arrays of a world; body fields are further ones. */
extern const scree_arrays scree_world_arrays;
/** Finds the whole cells s that bring body i into the brick, along z, then y, then x, and their
 * shift [m]. False: it is too far away. */
bool scree_world_wrap(const scree_world *world, uint32_t i, int32_t s[3], double by[3]);
/** Returns the bytes of one free ball, without columns that are zero for most bodies. */
uint64_t scree_world_body_bytes(void);

/** Returns the size [m] of a body in warnings (scree_shape_size). */
static inline double scree_world_size(const scree_world *w, uint32_t i)
{
    const scree_shape *shape = w->shapes[w->shape[i]];
    return scree_shape_is_round(shape) ? w->radius[i] : w->scale[i] * scree_shape_size(shape);
}

/** Returns the radius [m] of a body as contacts see it; 0: flat (types.h of the ABI). */
static inline double scree_world_radius(const scree_world *w, uint32_t i)
{
    const uint32_t flat = SCREE_CAP_WALL | SCREE_CAP_INFINITE;
    return w->shapes[w->shape[i]]->flags & flat ? 0.0 : w->radius[i];
}

#endif
