/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that the engine moves by the integrator under test, far from each other: their forces are
 * formulas. */
#ifndef CORE_CHECK_MOTION_H
#define CORE_CHECK_MOTION_H

#include "engine/state.h"
#include "tools/check/check.h"

typedef struct scree_check_motion scree_check_motion;
/** Sets force and torque on body i from m->motion, m->strain, m->time. */
typedef void (*scree_check_force_fn)(scree_check_motion *m, uint32_t i, double *wrench);

struct scree_check_motion {
    scree_check *check;
    scree_sim *sim;      /* NULL: not started, or the check has failed */
    scree_motion motion; /* bodies by their id; places from where each began */
    scree_check_force_fn force;
    void *user; /* argument of `force`, `fill` and `rates` */
    /* Sets the start values of two fields, "temperature" and "moisture", and their rates at each
     * evaluation. NULL: the scene has no such fields. */
    void (*fill)(scree_check_motion *m, const scree_entry *args);
    void (*rates)(scree_check_motion *m, const scree_forces *args);
    double time;           /* [s] of the current evaluation */
    double *strain[3];     /* [n] [m] sum of slips since the start, as a law with history has it */
    double *relaxation;    /* [n] [1/s] rate at which the strain fades */
    double *old_strain[3]; /* [n] committed */
    double *inv_mass, *inv_inertia[3];
    GPtrArray *arrays; /* all of these */
    uint8_t *isotropic;
    uint32_t *at;                       /* [n] storage number */
    double committed;                   /* [s] time of the last accepted evaluation */
    uint32_t n_accepted, n_evaluations; /* number of evaluations */
    double off;     /* [m] largest difference between the slips and the way of a body */
    bool runs_away; /* a body was too far or too fast for the engine */
};

/** Makes n bodies at rest: unit mass and inertia, round, without forces; the first n_free are free,
 * the others kinematic. The instance gives the dimension; the engine makes another one with the
 * same settings. */
scree_check_motion *scree_check_motion_new(scree_check *check, scree_instance *instance, uint32_t n,
                                           uint32_t n_free, double dt, scree_check_force_fn force);
void scree_check_motion_free(scree_check_motion *m);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_check_motion, scree_check_motion_free)
/** Hands the bodies to the engine, which evaluates the forces before the first step. */
void scree_check_motion_start(scree_check_motion *m);
/** Makes steps. False: the check has failed. */
bool scree_check_motion_run(scree_check_motion *m, uint32_t n_steps);
/** Turns all velocities round. */
void scree_check_motion_turn_round(scree_check_motion *m);

#endif
