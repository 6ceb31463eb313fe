/* SPDX-License-Identifier: MIT */
/* The world as plugins see it: bodies, shapes, boxes; signs and directions. */
#ifndef SCREE_TYPES_H
#define SCREE_TYPES_H

#include "params.h"

/*
 * Directions and signs
 *
 *        a ──────── n ────────> b          n      unit normal at the contact, from a to b
 *      (x_a)   ^point^       (x_b + shift) d      x_b - x_a + shift; shift: the sum of s[k]
 *                                                 vector[k] of the cell, s whole
 *         └─arm─┘                          arm    contact point - x_a;  arm_b = arm - d
 *                                          depth  > 0 overlap, < 0 gap
 *   point: the middle of the overlap or gap on the line along n. From the centre of a ball a it is
 *       at radius - depth / 2, whether b is a ball, a facet or a plane
 *   v = (v_a + w_a × arm) - (v_b + the sum of s[k] rate[k] + w_b × arm_b): velocity of a's contact
 *       point as seen from b's. d(depth)/dt = v · n, approach is positive
 *   f   force on a; b gets -f. Pushing apart: f · n < 0
 *
 * The radius of a body, in candidates, contacts and queries, depends on its shape. Ball (2D: disc):
 * the radius of the ball. Balls fixed together: the radius of the ball that touches. Another solid:
 * the radius of a ball about its origin that encloses it. Facets and planes, which are flat: 0.
 *
 * Body a is the one whose shape type has the lower code; with equal codes, the one with the lower
 * id. In 2D bodies move in the x-y plane and turn about z; z is 0. Quaternion (w, x, y, z), body to
 * world. Angular velocity and torque in world axes, inertia principal, in body axes. Fixed and
 * kinematic bodies have inverse mass and inertia 0.
 */

/* How a body moves. */
#define SCREE_MOTION_FREE 0u
#define SCREE_MOTION_KINEMATIC 1u /* prescribed */
#define SCREE_MOTION_FIXED 2u

#define SCREE_NONE 0xffffffffu

#define SCREE_MAX_TYPES 32 /* types of shapes in a scene */

/** A pair of indices. The struct never changes. */
typedef struct scree_pair {
    uint32_t a, b;
} scree_pair;

struct scree_plugin;
struct scree_mesh;
struct scree_balls;

/** The region of the bodies, and how space repeats. x and x + the sum of s[k] vector[k], with
 * integers s, are the same place. A vector may have any direction, and may change in a run: never
 * use hi - lo as a period (use scree_shift, scree_unwrapped, scree_nearest of cell_sdk.h). At the
 * end of a step free bodies are in the brick lo..hi along repeating axes: the brick holds each
 * place once. */
typedef struct scree_cell {
    uint32_t size;
    uint32_t repeats;    /* bit k: space repeats along vector[k] */
    double lo[3], hi[3]; /* [m] brick; without a region infinite; 2D: lo[2] = hi[2] = 0 */
    double vector[3][3]; /* [m] x y z of vector k; 0 0 0 where space does not repeat */
    double rate[3][3];   /* [m/s] rate of change of vector[][] at the time of the call */
} scree_cell;

/** Geometry that bodies share, in body axes at scale 1. Constant once given. */
typedef struct scree_shape {
    uint32_t size;
    uint32_t type;                     /* code of its type: index into scree_bodies.types */
    uint32_t flags;                    /* SCREE_CAP_ROUND, BALLS, WALL, INFINITE, or 0: a solid */
    uint32_t n_parts;                  /* parts of a body; INFINITE: 0 */
    uint32_t flat;                     /* 1: bodies are as thick as the scene (2D) */
    uint32_t reserved;                 /* 0 */
    const struct scree_plugin *plugin; /* plugin of its type; NULL: the host's own sphere or disc */
    double radius;                     /* [m] ROUND: radius of the ball; else of a ball about the
                                          origin that encloses the shape; INFINITE: 0 */
    double volume;                     /* [m^3], flat: its area [m^2]; walls: 0 */
    double inertia[3];                 /* [m^2] principal moments per mass; walls: 0 */
    double normal[3];                  /* INFINITE: unit, pointing out of the solid; else 0 */
    const struct scree_mesh *mesh;     /* exact view, NULL: it has none */
    const struct scree_balls *balls;   /* BALLS: exact view; else NULL */
    /** [config][step] Returns a view by its name (shape.h); NULL: the shape has no such view. Valid
     * until the instances that got the shape are destroyed. The function is never NULL. */
    const void *(*view)(const struct scree_shape *shape, const char *name, double tolerance);
    const void *ctx; /* the host's */
} scree_shape;

/** A type of shapes. The host assigns codes per run, in this order: ROUND ones (sphere, disc,
 * others by name), BALLS by name, solids by name, all WALL types together ("mesh"), all INFINITE
 * types together ("plane"). Codes decide which body of a contact is a. */
typedef struct scree_shape_type {
    uint32_t size;
    uint32_t code;
    uint32_t flags; /* of its shapes */
    uint32_t n_shapes;
    const char *name;                 /* id of the plugin, "mesh", "plane" */
    const scree_shape *const *shapes; /* [n_shapes] those of the scene */
} scree_shape_type;

/** All bodies, by storage number: free ones first, then kinematic, fixed, planes. Numbers change
 * only between steps. Read only. Arrays [n], 64-byte aligned. */
typedef struct scree_bodies {
    uint32_t size;
    uint32_t dimension; /* 2 or 3 */
    uint32_t n, n_free;
    uint32_t n_shapes, n_materials;
    /* While this value stays the same, a number means the same body. An instance that keeps values
     * by number compares it with the previous value, and finds its bodies again by id when the
     * value differs. */
    uint64_t numbering;
    const uint64_t *id;           /* persistent, grows, never reused */
    const uint32_t *shape;        /* index into shapes: 0 a unit sphere, 1 a unit disc, then the
                                     shapes of the scene in their order */
    const uint32_t *material;     /* index of a material */
    const uint32_t *motion;       /* SCREE_MOTION_FREE ... */
    const double *x[3];           /* [m] centre of mass */
    const double *q[4];           /* [-] orientation */
    const double *v[3];           /* [m/s] */
    const double *w[3];           /* [rad/s] */
    const double *scale;          /* [-] of the shape */
    const double *radius;         /* [m] scaled. ROUND: radius of the ball; else of a ball about x
                                     that encloses the body; INFINITE: 0 */
    const double *inv_mass;       /* [1/kg] */
    const double *inv_inertia[3]; /* [1/(kg m^2)] */
    const int32_t *image[3]; /* [-] how often the body has been moved by -vector[k] of the cell:
                                     x + the sum of image[k] vector[k] is its unwrapped place */
    const double *wrench;    /* [8 n] per body: force [N] x y z, stored energy [J], torque [N m] x y
                             z, power lost [W]; of the last evaluation, with gravity */
    const scree_shape *const *shapes; /* [n_shapes] */
    double gravity[3];                /* [m/s^2] */
    const scree_cell *cell;           /* never NULL */
    /* Body fields of the modifier that is called (NULL elsewhere), one array [n] per component
     * in the order of its descriptor, and the components of its global fields. */
    const double *const *fields;
    const double *global_fields;
    const uint32_t *group; /* index of the group of `bodies` or `generate` that made the body;
                              "scree.names/1" of host.h gives its name */
    double thickness;      /* [m] 2D: thickness of the scene; 3D: 0 */
    const scree_shape_type *const *types; /* [n_types] by code */
    uint32_t n_types;
    /* 1: a global field of the modifier that is called holds `initial`: the run begins, or a swap
     * has brought the modifier (back), and no enter() or after_step() has set it yet. */
    uint32_t global_fresh;
    /* [n] 1: a body field of the modifier that is called holds `initial`, for the same reasons, or
     * because the body was inserted in the meantime. NULL: no body field holds it. */
    const uint8_t *fresh;
    const double *density; /* [n] [kg/m^3] density that an edit has set; 0: density of the
                              material */
    /* On several ranks n and n_free count the bodies of this rank. Every array, also of a used
     * field, continues with the ghosts [n, n + n_ghosts): bodies of other ranks that may meet
     * these. Ghosts may be read. On one rank n_ghosts is 0. */
    uint32_t n_ghosts;
    uint32_t n_used;
    uint64_t n_total;      /* bodies of all ranks */
    uint64_t n_free_total; /* free bodies of all ranks */
    /* [n] Number of a body over all ranks; sums over bodies use its order. Numbers of bodies that
     * follow each other in storage ascend, and some are left out. */
    const uint64_t *number;
    /* [n_used] fields of other plugins that the called plugin uses (params.h). NULL: none. */
    const scree_used_field *const *used;
    const double *material_density; /* [n_materials] [kg/m^3] */
} scree_bodies;

/** Load on a body at the last accepted evaluation. On a fixed or kinematic body: the load of its
 * contacts. On a free body (only observers ask for it): the load of contacts and modifiers, without
 * gravity. */
typedef struct scree_load {
    uint32_t size;     /* in: size of the plugin's struct; the host writes no further, and asks the
                          laws only if the struct holds `stiffness` and `damping` */
    uint32_t contacts; /* contacts that exert a force or torque; 0: none, or the body is free */
    double force[3];   /* [N] on the body; sums in a fixed order */
    double torque[3];  /* [N m] about x of the body, world axes */
    double stiffness, damping; /* [N/m] [N s/m] kn and cn of the laws' stiffness(), summed over the
                                  contacts. The host asks once per material of the other bodies,
                                  with their mean radius, mass and normal force; an answer that is
                                  not finite, or below 0, ends the run. 0: no law has stiffness(),
                                  or the body is free */
} scree_load;

/* ---- new bodies ---- */

/** Start values of a body field, by its name. */
typedef struct scree_start_field {
    uint32_t size;
    uint32_t components;
    const char *name;       /* "NAME" or "SLOT/NAME" of a body field of the scene */
    const double *const *v; /* [components] arrays [n] */
} scree_start_field;

/* Frames of new bodies. */
#define SCREE_FRAME_PRINCIPAL 0u /* x is the centre of mass, q turns the principal frame */
#define SCREE_FRAME_OF_SHAPE 1u  /* x and q are of the user's frame (shape.h) */

#define SCREE_NO_BODY UINT64_MAX

/** New bodies: a source adds them (source.h), or a modifier inserts them (modifier.h).
 * scree.query/1 takes them as trials: it looks for room for them (query.h), and reads only the
 * members up to q and `instead`. Arrays [n], read before the function returns. A member that may be
 * NULL says so. */
typedef struct scree_new_bodies {
    uint32_t size;
    uint32_t n;
    uint32_t frame; /* SCREE_FRAME_* of x and q */
    /* For sources. 1: the source has asked scree.query/1 about each body, or wants them to overlap;
     * 0: in mid-run the owner of the source asks, about bodies that have a volume. Before the first
     * step nobody asks. */
    uint32_t has_room;
    const uint32_t *shape;    /* index of a shape; for trials, of one with a volume */
    const double *scale;      /* [-] > 0, of the shape */
    const double *x[3];       /* [m] see `frame`; 2D: x[2] is not read */
    const double *q[4];       /* [-] unit quaternion, see `frame`; q[0] NULL: (1, 0, 0, 0) */
    const uint32_t *material; /* index of a material */
    const uint32_t *motion;   /* SCREE_MOTION_FREE ..; NULL: all free */
    const double *v[3];       /* [m/s]; v[0] NULL: at rest */
    const double *w[3];       /* [rad/s]; w[0] NULL: at rest */
    const uint64_t *id;       /* ids of the bodies, which only a source before the first step may
                                 give; NULL: the host gives the next ids */
    /* For trials: id of a body that does not block the trial, because this body will be replaced,
     * moves or grows. SCREE_NO_BODY: no such body; NULL: no such body for any trial. */
    const uint64_t *instead;
    const scree_start_field *const *fields; /* [n_fields] */
    uint32_t n_fields;
    uint32_t reserved; /* 0 */
    /* File and lines of the bodies, for messages; file NULL: no file. */
    const char *file;
    const uint32_t *line; /* [n] */
} scree_new_bodies;

/** Axis-aligned boxes, one per (body, part, image); all closed. Slots are stable: an empty slot has
 * lo = +inf, hi = -inf, centre 0, radius 0 and belongs to no pair. Arrays [n], 64-byte aligned. The
 * struct and its arrays are valid in step_init() and in each call of find_neighbors() and
 * find_objects() until the next step_init() or init(): a GCD may keep the pointer. Between these
 * calls the host may use the memory of the arrays. */
typedef struct scree_boxes {
    uint32_t size;
    uint32_t dimension;          /* 2: lo[2] = hi[2] = 0 */
    uint32_t n;                  /* slots, empty ones included */
    uint32_t reserved;           /* 0 */
    const double *lo[3], *hi[3]; /* [m] */
    const double *centre[3];     /* [m] of the bounding sphere; inside the box */
    const double *radius;        /* [m] of the bounding sphere, grown like the box */
} scree_boxes;

#endif
