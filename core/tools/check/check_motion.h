/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies for an integrator without an engine: stages are called as by the host, forces are
 * formulas. */
#ifndef CORE_CHECK_MOTION_H
#define CORE_CHECK_MOTION_H

#include "tools/check/check.h"

typedef struct scree_check_motion scree_check_motion;
/** Sets force and torque on body i from m->motion, m->strain, m->time. */
typedef void (*scree_check_force_fn)(scree_check_motion *m, uint32_t i, double *wrench);

struct scree_check_motion {
    scree_check *check;
    scree_instance *instance;
    scree_motion motion; /* the integrator's view */
    scree_check_force_fn force;
    void *user; /* argument of `force` and `begun` */
    /* Called after begin() of each step. False: the check has failed. NULL: nothing. */
    bool (*begun)(scree_check_motion *m);
    double time;           /* [s] of the current evaluation */
    double *strain[3];     /* [n] [m] sum of slips since the start, as a law with history has it */
    double *relaxation;    /* [n] [1/s] rate at which the strain fades */
    double *old_strain[3]; /* [n] committed */
    double *inv_mass, *inv_inertia[3], *wrench;
    uint8_t *isotropic, *fresh; /* fresh: in the first step */
    uint64_t *id;               /* of motion, [n]: 0, 1, .. */
    double *radius;             /* of motion, [n]: 1 */
    double **fields;            /* of motion, of bodies */
    double *global_fields;      /* of motion, [n_global] */
    uint32_t n_global;
    double committed;                   /* [s] time of the last accepted evaluation */
    uint32_t n_fields, pieces;          /* bodies in each call of move(); 0: all */
    uint32_t n_accepted, n_evaluations; /* number of evaluations */
    /* [m] largest difference between the slips and the way of a body */
    double off;
    GPtrArray *arrays; /* guarded ones */
};

/** Makes n bodies at rest in the origin: unit mass and inertia, round, without forces; the first
 * n_free are free. */
scree_check_motion *scree_check_motion_new(scree_check *check, scree_instance *instance, uint32_t n,
                                           uint32_t n_free, double dt, scree_check_force_fn force);
void scree_check_motion_free(scree_check_motion *m);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_check_motion, scree_check_motion_free)
/** Evaluates the forces before the first step. */
void scree_check_motion_start(scree_check_motion *m);
/** Makes steps. False: the check has failed. */
bool scree_check_motion_run(scree_check_motion *m, uint32_t n_steps);

#endif
