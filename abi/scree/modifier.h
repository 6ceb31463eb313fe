/* SPDX-License-Identifier: MIT */
/* Modifiers: add forces at each evaluation, edit the bodies between steps. */
#ifndef SCREE_MODIFIER_H
#define SCREE_MODIFIER_H

#include "host.h"
#include "types.h"

/** A body to insert. */
typedef struct scree_body_spec {
    uint32_t size;
    uint32_t shape;    /* index of a shape */
    uint32_t material; /* index of a material */
    uint32_t motion;   /* SCREE_MOTION_FREE ... */
    double scale;      /* [-] of the shape */
    double x[3];       /* [m] */
    double q[4];       /* [-] */
    double v[3];       /* [m/s] */
    double w[3];       /* [rad/s] */
} scree_body_spec;

/** Force and torque of the contacts on a body that is fixed or kinematic, at the last accepted
 * evaluation.
 */
typedef struct scree_load {
    uint32_t size;
    uint32_t contacts;         /* that exert a force */
    double force[3];           /* [N] on the body; sums in a fixed order */
    double torque[3];          /* [N m] about its x, world axes */
    double stiffness, damping; /* [N/m] [N s/m] normal tangents that the laws' stiffness() gives,
                                  summed over the contacts: of their mean radius and force, by
                                  material. 0: no law says */
} scree_load;

/** Changes are collected and applied at the end of the step in the order of ids: removals, changes,
 * then insertions in the order of the calls. The energy that they add is booked as work. An
 * inserted body's group is the modifier's name. */
typedef struct scree_edits {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [step] *id: the body's future id. SCREE_E_CONFIG: a shape whose type no body of the scene
     * and none of its named shapes has, a body of facets that would be free, a quaternion that is
     * not a unit, a number out of range, or in 2D what leaves the plane. */
    int32_t (*insert)(void *ctx, const scree_body_spec *spec, uint64_t *id);
    /** [step] SCREE_E_CONFIG: no such body. */
    int32_t (*remove)(void *ctx, uint64_t id);
    /** [step] New position, orientation, velocity, angular velocity; NULL leaves as is.
     * SCREE_E_CONFIG: no such body, a number that is not finite, a quaternion that is not a unit,
     * velocities of a fixed body, in 2D what leaves the plane. */
    int32_t (*set)(void *ctx, uint64_t id, const double *x, const double *q, const double *v,
                   const double *w);
    /* The modifier's own fields, to be written at once: body fields, one array [n] per component,
     * and the components of its global fields. */
    double *const *body_fields;
    double *global_fields;
    /** [step] [kg] Mass of a free body of this shape, material and scale. */
    double (*mass)(void *ctx, uint32_t shape, uint32_t material, double scale);
    /** [step] Looks up what lies around a box, for is_free: all bodies, walls and planes with their
     * periodic images, where they are now and where edits of this step have put them. `reach`: the
     * largest radius that will be asked for. SCREE_E_CONFIG: a number out of range. */
    int32_t (*survey)(void *ctx, const double lo[3], const double hi[3], double reach);
    /** [step] 1 when a ball (2D: a disc) whose centre lies in the box of the last survey of this
     * call overlaps nothing, 0 when it does; touching is not overlap. Bodies that this
     * modifier has inserted since count; bodies that are removed in this step are still in the way.
     */
    int32_t (*is_free)(void *ctx, const double x[3], double radius);
    /** [step] A fixed or kinematic sphere or disc becomes free, with the velocity that it has.
     * SCREE_E_CONFIG: no such body, or a body of facets or a plane, which has no mass. */
    int32_t (*release)(void *ctx, uint64_t id);
    /** [step] Fills *out of a body that is not free. For plugins with SCREE_CAP_READS_LOADS.
     * SCREE_E_CONFIG: no such body, or a free one; a plugin without the flag. */
    int32_t (*load)(void *ctx, uint64_t id, scree_load *out);
    /** [step] Bonds two bodies by the first force law of the scene that makes bonds
     * (scree.bonds/1), at their nearest images, at the end of the step, after all other edits:
     * bodies inserted in this step may be bonded too. A pair that cannot be bonded then is counted
     * as the event bond_refused: mode apart (farther than the law bonds; of facets: not touching),
     * not_free (neither is), gone. SCREE_E_CONFIG: no such body, a body and itself, no law that
     * makes bonds. A step with bonds sorts all contacts again. */
    int32_t (*bond)(void *ctx, uint64_t id_a, uint64_t id_b);
} scree_edits;

/** Where kinematic bodies are. Arrays [n], by body number; only what belongs to bodies whose motion
 * is SCREE_MOTION_KINEMATIC may be written. */
typedef struct scree_poses {
    uint32_t size;
    uint32_t reserved;
    double *x[3];       /* [m] */
    double *q[4];       /* [-] unit quaternion */
    double *v[3];       /* [m/s] */
    double *w[3];       /* [rad/s] world axes */
    double *surface[3]; /* [m/s] world axes: velocity of the surface against the body, as of a belt.
                           At each contact the host takes its part in the plane of contact */
} scree_poses;

typedef struct scree_modifier_ops {
    uint32_t size; /* sizeof(scree_modifier_ops) */
    uint32_t reserved;

    /** [config] */
    int32_t (*create)(const scree_host *host, const void *config, void **instance);
    /** [config] Accepts NULL. */
    void (*destroy)(void *instance);

    /** [step] At every evaluation, accepted or not, after contacts, in config order, those with
     * SCREE_CAP_ACTS_LAST after all others: adds to
     * `wrench` (force in 0-2, stored energy in 3, torque in 4-6, power lost in 7 of each body's 8)
     * and to *power [W], the work done on bodies that is neither stored nor lost. Velocities are
     * those of the evaluation: with velocity_verlet of the half step, while the places and the
     * time are those of the end of the step. Optional. */
    int32_t (*forces)(void *instance, const scree_bodies *bodies, double time, double *wrench,
                      double *power);

    /** [step] After an accepted step (each, or as `every_steps` or `every_time` of the scene say),
     * before wrapping and renumbering. Velocities are those of the whole step. Optional. */
    int32_t (*after_step)(void *instance, const scree_bodies *bodies, uint64_t step, double time,
                          const scree_edits *edits);

    /** [step] Bytes that the instance holds. Optional. */
    uint64_t (*bytes)(void *instance);

    /** [step] Bodies were renumbered, inserted or removed: now there are n, and body i was number
     * old_of_new[i], or is new (SCREE_NONE). The instance renumbers what it keeps by body number
     * outside its fields. Optional. */
    int32_t (*resized)(void *instance, uint32_t n, const uint32_t *old_of_new);

    /** [step] Before every evaluation, at its time, and at the end of each step, in config order:
     * moves kinematic bodies on. On entry they are where their own constant velocity and spin (of
     * the scene, or the last edit) have brought them, moved on by the modifiers before this one;
     * surfaces start at 0. The added motion must be a function only of `time`, and v and w
     * its derivatives: the host asks for times in any order, and a checkpoint holds none of it.
     * Optional. */
    int32_t (*pose)(void *instance, const scree_bodies *bodies, double time,
                    const scree_poses *poses);

    /** [step] Before the first evaluation of a run, and before the first one after bodies were
     * inserted or plugins swapped: some bodies' fields may hold `initial`. Sets what they start
     * from, and leaves what it has set before (let a field say which). Arrays as in scree_edits.
     * Optional. */
    int32_t (*enter)(void *instance, const scree_bodies *bodies, double time,
                     double *const *body_fields, double *global_fields);
} scree_modifier_ops;

#endif
