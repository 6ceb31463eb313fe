/* SPDX-License-Identifier: MIT */
/* Modifiers: add forces at each evaluation, edit the bodies between steps. */
#ifndef SCREE_MODIFIER_H
#define SCREE_MODIFIER_H

#include "host.h"
#include "types.h"

/** New values of a body; NULL: no change. */
typedef struct scree_body_change {
    uint32_t size;
    uint32_t reserved; /* 0 */
    uint64_t id;
    const double *x; /* [3] [m] */
    const double *q; /* [4] unit quaternion */
    const double *v; /* [3] [m/s] */
    const double *w; /* [3] [rad/s] world axes */
    /* Growth, wear, breakage. Mass and inertia follow; centre and velocities stay. The host books
     * the energy that the change adds, the energy of springs included, as work. To measure this
     * energy, it evaluates the contacts once more at the end of such a step. A body with another
     * shape begins its contacts again, bonds too; else their fields stay. */
    const double *scale;      /* [-] > 0, of the shape */
    const double *density;    /* [kg/m^3] > 0 */
    const uint32_t *material; /* index; without `density` the body takes its density */
    const uint32_t *shape;    /* index; with its density and scale */
    /* SCREE_MOTION_FREE: a fixed or kinematic body becomes free, with the velocities that this
     * change gives, or with its present velocities; a free body stays free. Other values are not
     * possible yet. */
    const uint32_t *motion;
} scree_body_change;

/** Edits of the bodies, for after_step() and only while it lasts: a call after its return is a
 * fault. Changes are collected and applied at the end of the step in the order of ids: removals,
 * changes, then insertions in the order of the calls, then bonds. The energy that they add is
 * booked as work. scree.query/1 finds room for a body (query.h). An inserted body's group is the
 * modifier's name. Each struct and array that a plugin hands over is read before the function
 * returns. A modifier inserts at most 10^7 bodies in a step; a modifier that goes on after more
 * than 10^6 refused edits in a call ends the run.
 *
 * Ranks: insert() is collective. On several ranks all call it, equally often, with n = 0 where a
 * rank has nothing to insert; ids follow ranks, then the order in the call. Other edits may name
 * any body: the host brings them to its rank. A body that does not exist gives SCREE_E_CONFIG where
 * the host knows it at once, else the event edit_refused at the end of the step. */
typedef struct scree_edits {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [step] Inserts all of the bodies (types.h), or none. id [n], or NULL: their future ids; on
     * several ranks SCREE_NO_BODY: the id is known later. Start values of body fields may be given
     * by name; other fields start with `initial`. A rank has fewer than 2^31 bodies.
     * SCREE_E_CONFIG: a shape has a type that no body and no named shape of the scene has; a free
     * body is made of facets, or no force could move it; a q is not a unit quaternion; a number is
     * out of range; in 2D a value leaves the plane; a named field does not exist in the scene. */
    int32_t (*insert)(void *ctx, const scree_new_bodies *bodies, uint64_t *id);
    /** [step] SCREE_E_CONFIG: no such body. */
    int32_t (*remove)(void *ctx, uint64_t id);
    /** [step] Changes a body. SCREE_E_CONFIG: the body, the material or the shape does not exist; a
     * number is not finite; q is not a unit quaternion; a fixed body would get velocities; in 2D a
     * value leaves the plane; a scale or density is not above 0; the mass would not be finite; the
     * new shape is made of facets, is a plane, or has a type that no body and no named shape of the
     * scene has; a body of facets or a plane would get a scale, density or shape, or become free
     * (it has no mass); the motion is not SCREE_MOTION_FREE. */
    int32_t (*set)(void *ctx, const scree_body_change *change);
    /** [step] Bonds the bodies a[k] and b[k] by the first force law of the scene that makes bonds
     * (scree.bonds/1), at their nearest images, at the end of the step, after all other edits:
     * bodies inserted in this step may be bonded too. A pair that cannot be bonded then is counted
     * as the event bond_refused: mode apart (farther than the law bonds; of facets: not touching),
     * not_free (neither is), gone, not_between (the scene's `between` leaves their shapes out).
     * SCREE_E_CONFIG, and none of the pairs is bonded: a body does not exist, a pair names the same
     * body twice, or the scene has no law that makes bonds. A step with bonds sorts all contacts
     * again. */
    int32_t (*bond)(void *ctx, uint32_t n, const uint64_t *a, const uint64_t *b);
    /** [step] Fills *out with the load on a body that is not free. For plugins with
     * SCREE_WANTS_LOADS. SCREE_E_CONFIG: the body does not exist or is free, or the plugin has no
     * SCREE_WANTS_LOADS. */
    int32_t (*load)(void *ctx, uint64_t id, scree_load *out);
} scree_edits;

/* Arguments of the functions of a modifier. They, and all that they point to, are valid until the
 * function returns. `bodies` are the current ones: bodies->n may differ from call to
 * call. */

/** An evaluation: arguments of forces(). */
typedef struct scree_forces {
    uint32_t size;
    uint32_t accepted; /* 1: the state of this evaluation will be kept; 0: it is a trial, or the
                          host asks for the energy that the modifier stores */
    const scree_bodies *bodies;
    uint64_t step;  /* as after_step() will count it: steps that are complete at `time`, the
                       current one included if `time` is after its start */
    double time;    /* [s] of this evaluation */
    double dt;      /* [s] time step of the scene */
    double *wrench; /* [8 n] per body: force [N] x y z, stored energy [J], torque [N m] x y z, power
                       lost [W]; on entry the sum of weight, contacts and the modifiers before this
                       one */
    double *power;  /* [n] [W] per body: work done on the body that is neither stored nor lost; on
                       entry the sum over the modifiers before this one. The host sums it over the
                       free bodies */
} scree_forces;

/** The end of a step: arguments of after_step(). */
typedef struct scree_step {
    uint32_t size;
    uint32_t reserved; /* 0 */
    const scree_bodies *bodies;
    const scree_edits *edits;
    uint64_t step; /* complete steps, this one included */
    double time;   /* [s] at its end */
    double dt;     /* [s] time step of the scene */
    /* The modifier's own fields, to be read and written: body fields, one array [n] per component
     * in the order of its descriptor, and the components of its global fields. */
    double *const *body_fields;
    double *global_fields;
} scree_step;

/** Bodies that are new to the modifier: arguments of enter(). */
typedef struct scree_entry {
    uint32_t size;
    uint32_t reserved; /* 0 */
    const scree_bodies *bodies;
    double time;                /* [s] of the state */
    double dt;                  /* [s] time step of the scene */
    double *const *body_fields; /* as in scree_step */
    double *global_fields;
} scree_entry;

/** Where kinematic bodies are at a time: arguments of pose(). Arrays [n], by body number; only what
 * belongs to bodies whose motion is SCREE_MOTION_KINEMATIC may be written. */
typedef struct scree_poses {
    uint32_t size;
    uint32_t reserved; /* 0 */
    const scree_bodies *bodies;
    double time;        /* [s] */
    double dt;          /* [s] time step of the scene */
    double *x[3];       /* [m] */
    double *q[4];       /* [-] unit quaternion */
    double *v[3];       /* [m/s] */
    double *w[3];       /* [rad/s] world axes */
    double *surface[3]; /* [m/s] world axes: velocity of the surface against the body, as of a belt.
                           At each contact the host takes its part in the plane of contact */
} scree_poses;

typedef struct scree_modifier_ops {
    /* The head (abi.h). */
    uint32_t size;     /* sizeof(scree_modifier_ops) */
    uint32_t reserved; /* 0 */
    int32_t (*create)(const scree_host *host, const void *config, void **instance);
    void (*destroy)(void *instance);
    uint64_t (*bytes)(void *instance);
    int32_t (*narrow)(void *instance, scree_demands *demands);

    /** [step] At every evaluation, accepted or not, after contacts, in config order; modifiers with
     * SCREE_CAP_ACTS_LAST come after all others. Adds to `wrench` and `power` in the lines of free
     * bodies (the host does not read the others). The same state gets the same forces, accepted or
     * not: they depend only on config, fields and the state in the arguments. With velocity_verlet
     * the velocities belong to the half step, while positions and time belong to the end of the
     * step. Optional. */
    int32_t (*forces)(void *instance, const scree_forces *args);

    /** [step] After an accepted step (each, or as `every_steps` or `every_time` of the scene say),
     * before wrapping and renumbering. Velocities belong to the end of the step, as positions do.
     * Optional. */
    int32_t (*after_step)(void *instance, const scree_step *args);

    /** [step] Before every evaluation, at its time, and at the end of each step, in config order:
     * moves kinematic bodies on. On entry they are where their own constant velocity and spin (from
     * the scene or the last edit) and the modifiers before this one have moved them; surface
     * velocities are 0. The added motion must be a function only of `time`, and v and w its
     * derivatives: the host asks for times in any order, and a checkpoint holds none of it.
     * Optional. */
    int32_t (*pose)(void *instance, const scree_poses *args);

    /** [step] Before the first evaluation of a run, before the first step after a restart, and
     * before the first evaluation after bodies were inserted or plugins swapped: some bodies'
     * fields may hold `initial`. Sets their start values. It does not change values that it has set
     * before (let a field mark them). Optional. */
    int32_t (*enter)(void *instance, const scree_entry *args);
} scree_modifier_ops;

#endif
