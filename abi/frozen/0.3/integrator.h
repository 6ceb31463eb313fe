/* SPDX-License-Identifier: MIT */
/* Integrators: move the free bodies; the host owns the loop and evaluates forces when asked. */
#ifndef SCREE_INTEGRATOR_H
#define SCREE_INTEGRATOR_H

#include "host.h"
#include "types.h"

/*
 * One step:   begin;  k = 0, 1, ...:  stage(k) ── EVALUATE ──> the host evaluates ──> stage(k + 1)
 *                                             └── DONE
 * Contact history is committed at an accepted evaluation only: one whose state (positions) is a
 * state of the trajectory. The single evaluation of velocity Verlet is accepted.
 * Runge-Kutta-Nyström has four: the one at the end of a step is accepted, and is the first of the
 * next step. Before the first step the host evaluates the initial state once (accepted), so that
 * the wrench is known.
 *
 * An evaluation may be at any time up to 8 steps before or after the start of this one: Forest and
 * Ruth's stages reach 1.35 dt and go back to -0.35 dt. Kinematic bodies are posed, and forces that
 * depend on time are taken, at the time of the evaluation. Slips are counted from the committed
 * state: `since` is negative for a trial state before it. Accepted evaluations are within the step,
 * each no earlier than the one before. A step has at most 64 stages: DONE comes by k = 63.
 *
 * An integrator that moves bodies of its own, as a file or a formula says, brings them by a source
 * with SCREE_CAP_BY_INTEGRATOR in the same file (source.h).
 */

#define SCREE_STAGE_EVALUATE 1u
#define SCREE_STAGE_DONE 2u

/** The state that an integrator may change. Arrays [n], 64-byte aligned; only [0, n_free) may be
 * written. The struct and its arrays are valid until the function returns: between two steps they
 * may move. */
typedef struct scree_motion {
    uint32_t size;
    uint32_t dimension;
    uint32_t n, n_free;
    uint64_t numbering;           /* of the bodies, as in scree_bodies */
    uint64_t step;                /* number of this step */
    double time;                  /* [s] at the start of the step */
    double dt;                    /* [s] */
    double *x[3];                 /* [m] */
    double *q[4];                 /* [-] unit quaternion */
    double *v[3];                 /* [m/s] */
    double *w[3];                 /* [rad/s] world axes */
    const double *inv_mass;       /* [1/kg] */
    const double *inv_inertia[3]; /* [1/(kg m^2)] principal, body axes */
    const uint8_t *isotropic; /* 1: three equal moments of inertia; the orientation has no effect (0
                                 for all bodies if a law asks for orientations) */
    const double
        *wrench; /* [8 n] force x y z [N], -, torque x y z [N m], -; of the last evaluation */
    /* With SCREE_CAP_DISPLACEMENT, written by the integrator before each EVALUATE: how far each
     * body has moved and turned since the committed state. Else NULL: the host takes v × since and
     * w × since, which must then be exact for the positions given (the host checks this for some
     * bodies). */
    double *displacement[3]; /* [m] */
    double *rotation[3];     /* [rad] rotation vector, world axes */
    double *const *fields;   /* body fields of the integrator, one array [n] per component */
    const uint64_t *id;      /* [n] persistent */
    const double *radius;    /* [n] [m] as in scree_bodies */
    /* [n] 1: the integrator has no memory of the body: the run begins, a swap has brought the
     * integrator (back), or the body was inserted, freed or moved by a modifier since the last
     * step. Its fields hold `initial` (or the start values that a source or the scene gave), and
     * its line in `wrench` may belong to an earlier state. NULL: no body. Valid in this step. */
    const uint8_t *fresh;
    double *global_fields; /* components of its GLOBAL fields; written in begin() and stage() */
    uint32_t global_fresh; /* 1: one of them holds `initial` */
    uint32_t reserved;     /* 0 */
} scree_motion;

typedef struct scree_stage {
    uint32_t size;
    uint32_t action;   /* out: SCREE_STAGE_* */
    uint32_t accepted; /* out, EVALUATE: 1: the state belongs to the trajectory */
    uint32_t reserved;
    double offset; /* out, EVALUATE: [s] time of this evaluation after the start of the step, -8 dt
                      to 8 dt; accepted: 0 to dt */
} scree_stage;

/** Some of the bodies: arguments of move(). */
typedef struct scree_move_range {
    uint32_t size;
    uint32_t lane;              /* for host->scratch */
    const scree_motion *motion; /* as it was at stage(); valid until move() returns */
    uint32_t stage;             /* k of that stage */
    uint32_t begin, end;        /* bodies [begin, end) */
    uint32_t reserved;          /* 0 */
} scree_move_range;

typedef struct scree_integrator_ops {
    /* The head (abi.h). */
    uint32_t size;     /* sizeof(scree_integrator_ops) */
    uint32_t reserved; /* 0 */
    int32_t (*create)(const scree_host *host, const void *config, void **instance);
    void (*destroy)(void *instance);
    uint64_t (*bytes)(void *instance);
    int32_t (*narrow)(void *instance, scree_demands *demands);

    /** [step] Before stage(0) of each step. Body numbers and count may differ from the previous
     * step. An integrator with `move` must not read the bodies here: the last move of the previous
     * step may still be due. */
    int32_t (*begin)(void *instance, const scree_motion *motion);

    /** [step] k = 0, 1, ... Moves the bodies, or leaves that to `move`, and sets *out: evaluate, or
     * the step is done. The work on a body depends only on that body; an integrator that brings its
     * own bodies may work on all of them here. */
    int32_t (*stage)(void *instance, const scree_motion *motion, uint32_t k, scree_stage *out);

    /** [lane] Does the work of stage(k) on the bodies [begin, end), a few at a time, after stage(k)
     * and before the evaluation that it asked for. The host runs move() and its own loops over the
     * same bodies together. If nothing reads the bodies between two steps, it also runs the last
     * move() of one step and the first move() of the next together. Optional: without it stage does
     * the work. */
    int32_t (*move)(void *instance, const scree_move_range *range);
} scree_integrator_ops;

/** Extension "scree.order/1" of a descriptor: orders that the integrator claims; `scree check`
 * measures them. Order p: the error at a time falls as dt^p. 0: no claim. */
#define SCREE_EXTENSION_ORDER "scree.order/1"
typedef struct scree_order {
    uint32_t size;
    uint32_t smooth;     /* order with forces that depend on positions, also through summed slips */
    uint32_t damped;     /* order with forces that depend on velocities too */
    uint32_t turning;    /* order of orientation and spin of bodies that are not round */
    uint32_t reversible; /* 1: with forces that depend only on positions, bodies go back along their
                          paths when all velocities are reversed */
    uint32_t reserved;   /* 0 */
    /** [any] Changes *claim, which holds the values above, to the claim for this config. Optional.
     */
    void (*with)(const void *config, struct scree_order *claim);
} scree_order;

/** Extension "scree.stability/1" of a descriptor: how large a step the scheme allows; `scree check`
 * measures it. */
#define SCREE_EXTENSION_STABILITY "scree.stability/1"
#define SCREE_STABILITY_GROWTH 1e-4 /* [-] per step: less counts as stable */
typedef struct scree_stability {
    uint32_t size;
    uint32_t reserved; /* 0 */
    /** [any] The largest omega dt [-] of x'' + 2 zeta omega x' + omega^2 x = 0 with which, and with
     * all smaller ones, the amplitude grows by no more than SCREE_STABILITY_GROWTH of itself per
     * step. zeta >= 0 [-]: damping ratio. `config`: the config struct as create() gets it. */
    double (*limit)(const void *config, double zeta);
} scree_stability;

#endif
