/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies for an integrator without an engine: its stages are driven as the host does, forces are
 * formulas. */
#ifndef CORE_CHECK_MOTION_H
#define CORE_CHECK_MOTION_H

#include "tools/check/check.h"

typedef struct scree_check_motion scree_check_motion;
/** Force and torque on body i, now: m->motion, m->strain, m->time. */
typedef void (*scree_check_force_fn)(scree_check_motion *m, uint32_t i, double *wrench);

struct scree_check_motion {
    scree_check *check;
    scree_instance *instance;
    scree_motion motion; /* what the integrator is given */
    scree_check_force_fn force;
    void *user; /* of the force, or of `begun` */
    /* After begin() of each step; false: the check has failed. NULL: nothing. */
    bool (*begun)(scree_check_motion *m);
    double time;           /* [s] of the evaluation at work */
    double *strain[3];     /* [n] [m] slips added up since the start, as a law with history does */
    double *relaxation;    /* [n] [1/s] at which the strain fades */
    double *old_strain[3]; /* [n] committed */
    double *inv_mass, *inv_inertia[3], *wrench;
    uint8_t *isotropic, *fresh; /* fresh: in the first step */
    uint64_t *id;               /* of motion, [n]: 0, 1, .. */
    double *radius;             /* of motion, [n]: 1 */
    double **fields;            /* of motion, of bodies */
    double *global_fields;      /* of motion, [n_global] */
    uint32_t n_global;
    double committed;                   /* [s] time of the last accepted evaluation */
    uint32_t n_fields, pieces;          /* pieces: bodies to a call of move(), 0: all */
    bool strict;                        /* inputs are protected while the integrator is called */
    uint32_t n_accepted, n_evaluations; /* so far */
    /* largest distance [m] of what slip says from where a body is */
    double off;
    GPtrArray *arrays; /* guarded ones */
};

/** n bodies at rest in the origin, unit mass and inertia, round, without forces; the first n_free
 * are free. */
scree_check_motion *scree_check_motion_new(scree_check *check, scree_instance *instance, uint32_t n,
                                           uint32_t n_free, double dt, scree_check_force_fn force);
void scree_check_motion_free(scree_check_motion *m);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_check_motion, scree_check_motion_free)
/** Evaluates where the bodies are: before the first step. */
void scree_check_motion_start(scree_check_motion *m);
/** Steps; false: the check has failed. */
bool scree_check_motion_run(scree_check_motion *m, uint32_t n_steps);
/** Adds all that the integrator may write to `bits`. */
void scree_check_motion_digest(const scree_check_motion *m, GChecksum *bits);

#endif
