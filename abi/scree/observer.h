/* SPDX-License-Identifier: MIT */
/* Observers: read the state at intervals and write results; they change nothing. */
#ifndef SCREE_OBSERVER_H
#define SCREE_OBSERVER_H

#include "host.h"
#include "types.h"

/** Contacts of the last accepted evaluation, in canonical order. Arrays [n]. */
typedef struct scree_contact_list {
    uint32_t size;
    uint32_t reserved;
    uint64_t n;
    const uint32_t *a, *b;   /* bodies */
    const int32_t *image[3]; /* how often vector[k] of the cell is added to x_b */
    const uint64_t *feature;
    const double *normal[3];   /* [-] */
    const double *depth;       /* [m] */
    const double *arm[3];      /* [m] contact point - x_a */
    const double *f[3];        /* [N] on a, all laws */
    const double *couple[3];   /* [N m] on a, without arm × f */
    const double *couple_b[3]; /* [N m] on b, without arm_b × -f */
    const double *branch[3];   /* [m] from x_a to x_b, of the image that touches */
    const uint32_t *part[2];   /* of a and b, see resolver.h; 0 where the resolver gives none */
    const double *stored;      /* [J] */
    const double *lost;        /* [J] heat of the contact in the last step; see lost_ended */
    uint32_t n_laws;           /* 0 without SCREE_WANTS_LAWS */
    uint32_t n_used;
    const struct scree_contact_law *const *laws; /* [n_laws] in config order */
    const scree_used_field *const *used; /* [n_used] of the uses[] with scope CONTACT or PAIR */
    /* [J] heat of contacts that the list has lost: in the last step they ended, or one of their
     * bodies was removed. The sum of `lost` and this is the heat that the step has added to
     * energy->lost. */
    double lost_ended;
} scree_contact_list;

/** Forces and fields of one law of the scene at the contacts. Arrays [n] of the list; where the law
 * has no part in a contact, forces and energies are 0, and fields hold `initial`. */
typedef struct scree_contact_law {
    uint32_t size;
    uint32_t n_fields;                            /* components of its contact fields */
    const char *id;                               /* of its plugin */
    const char *slot;                             /* "force[0]" */
    const double *f[3], *couple[3], *couple_b[3]; /* as above */
    const double *stored, *lost;                  /* as above */
    const double *const *fields;                  /* [n_fields] */
} scree_contact_law;

typedef struct scree_energy {
    uint32_t size;
    uint32_t reserved;
    /* [J]; kinetic + gravity + stored + lost - work = start + residual */
    double kinetic, gravity, stored, lost, work, start, residual;
} scree_energy;

/** The state as an observer sees it. Valid, with all that it points to, until the function
 * returns. */
typedef struct scree_view {
    uint32_t size;
    uint32_t due; /* 1: at the interval of the scene, or the run ends; 0: only because the observer
                     needs SCREE_WANTS_EVERY_STEP: energy is NULL, the momenta are 0 */
    uint32_t again;    /* 1: the observer has seen this state before: do not count it again */
    uint32_t reserved; /* 0 */
    uint64_t step;
    double time, dt; /* [s] */
    const scree_bodies *bodies;
    const scree_energy *energy;
    uint64_t n_contacts;                /* depth >= 0 */
    const scree_contact_list *contacts; /* NULL without SCREE_WANTS_CONTACTS or _LAWS, and at the
                                           state that a run continues from */
    double momentum[3];                 /* [kg m/s] of the free bodies */
    double angular_momentum[3];         /* [kg m^2/s] about the origin */
    /** [step] Fills *out, whose size is set, with the load on body `i`. SCREE_E_UNSUPPORTED: `due`
     * is 0. SCREE_E_CONFIG: the body does not exist, a law fails, or the struct is too short. The
     * host has called fail() with a text then. */
    int32_t (*load)(const struct scree_view *view, uint32_t i, scree_load *out);
    void *ctx; /* the host's */
} scree_view;

typedef struct scree_observer_ops {
    /* The head (abi.h). */
    uint32_t size;     /* sizeof(scree_observer_ops) */
    uint32_t reserved; /* 0 */
    int32_t (*create)(const scree_host *host, const void *config, void **instance);
    /** After finish, or after a failure. */
    void (*destroy)(void *instance);
    uint64_t (*bytes)(void *instance);
    int32_t (*narrow)(void *instance, scree_demands *demands);

    /** [step] Shows a state: at the start, at the interval of the scene and at the end of the run,
     * with `due` 1; with SCREE_WANTS_EVERY_STEP also after every other step, with `due` 0.
     * Velocities belong to the end of the step, contacts and loads to its last evaluation. A state
     * may come twice: with `due` 0, and with `due` 1 when the run ends there; and at the start of a
     * run that continues from a checkpoint, with `due` 0, because an observer that compares steps
     * needs the places of the bodies. `again` is 1 then. An observer without SCREE_WANTS_EVERY_STEP
     * does not see the state that a run continues from. SCREE_WANTS_EVERY_STEP costs time: the
     * integrator's last move cannot be joined with the next one, and with SCREE_WANTS_CONTACTS the
     * contacts are listed after every step. SCREE_OK, or a negative code after host->fail. */
    int32_t (*observe)(void *instance, const scree_view *view);

    /** [step] The run is over, or a swap takes the observer out: close files. The view has `due` 0
     * and no contacts. No other call but destroy() follows. */
    int32_t (*finish)(void *instance, const scree_view *view);
} scree_observer_ops;

/** Extension "scree.scalars/1" of an observer's descriptor: columns with one number per state.
 * Conditions of a scene read them by name, "flow.rate < 1e-3", at their own interval, which need
 * not be that of observe(). */
#define SCREE_EXTENSION_SCALARS "scree.scalars/1"
#define SCREE_MAX_SCALARS 10000   /* of an instance */
#define SCREE_MAX_SCALAR_NAME 127 /* letters */
/* Flags of a scalar. */
#define SCREE_SCALAR_RATE                                                                          \
    1u /* read() gives a total; a condition sees its change per time since its previous check */
typedef struct scree_scalar {
    uint32_t size;
    uint32_t flags;   /* SCREE_SCALAR_* */
    const char *name; /* "mass": letters, digits, _ - * and dots between them; each once */
    const char *unit; /* SI, "kg/s"; "-": none */
} scree_scalar;
typedef struct scree_scalars {
    uint32_t size;
    uint32_t reserved;
    /** [config] Scalar number k, from 0; NULL: k is too large. Called after create(); the answer
     * stays the same, and valid, until destroy(). */
    const scree_scalar *(*scalar)(void *instance, uint32_t k);
    /** [step] Writes value[k] of each scalar in this state, as in a row of the table. The view has
     * `due` 1. NaN: the scalar has no value in this state, and fulfils no condition. read() is
     * called after observe() of the state if the observer sees it; at any interval, or never. It
     * writes nothing and changes nothing that observe() or save() see. SCREE_OK, or a negative code
     * after host->fail. */
    int32_t (*read)(void *instance, const scree_view *view, double *value);
} scree_scalars;

#endif
