/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts for a force law without an engine: pairs of touching bodies, in batches on guarded
 * arrays. */
#ifndef CORE_CHECK_CONTACTS_H
#define CORE_CHECK_CONTACTS_H

#include "tools/check/check.h"

/** Two balls in contact, or a ball (a) at a flat wall or at its edge (b): the inputs of a law
 * follow from it. */
typedef struct scree_check_touch {
    double radius[2], mass[2]; /* [m] [kg]; of a wall 0 and infinite */
    uint32_t material[2];
    bool edge;                /* contact with one point of the wall's edge: the normal turns */
    double normal[3], depth;  /* [-] [m] */
    double aside[3];          /* [m] of a wall: its origin from the foot of the ball's centre */
    double v[2][3], w[2][3];  /* [m/s] [rad/s] */
    double q[2][4];           /* [-] orientations; all 0: unturned */
    double from[3], drift[3]; /* [m] [m/s] added to position and velocity of both */
    double used[2];           /* body fields of others */
} scree_check_touch;

/* Outputs of a law as columns: those of the host, then each component of each field, then two for
 * each component of rates, for a and for b. */
enum {
    SCREE_CHECK_FORCE,
    SCREE_CHECK_COUPLE = 3,
    SCREE_CHECK_COUPLE_B = 6,
    SCREE_CHECK_STORED = 9,
    SCREE_CHECK_LOST,
    SCREE_CHECK_HEAT,
    SCREE_CHECK_KEEP,
    SCREE_CHECK_FIELDS,
    SCREE_CHECK_MOST_FIELDS = 32,
    SCREE_CHECK_MOST_COLUMNS = SCREE_CHECK_FIELDS + SCREE_CHECK_MOST_FIELDS,
    SCREE_CHECK_BATCH = 1024 /* most contacts of a batch */
};

typedef struct scree_check_rig scree_check_rig;

/** Contacts of an instance with their history, and results of the newest evaluation. */
typedef struct scree_check_contacts {
    scree_check *check;
    scree_instance *instance;
    uint64_t needs, provides; /* of the instance */
    uint32_t n, n_columns, n_contact_fields;
    uint32_t n_fields, n_reads, n_adds; /* number of components of others' body fields */
    uint32_t first_absent, end_absent;  /* number of them without a field */
    bool bonds;                         /* the law makes bonds: each second contact begins as one */
    uint32_t lane;                      /* lane that calls */
    bool parted;                        /* the batch has contacts that have ended (force.h) */
    bool strict;              /* not 0: inputs are protected, outputs filled before a call */
    double since, time;       /* [s] of the next evaluation; the first is at 0 */
    scree_check_touch *touch; /* [n] */
    double *result[SCREE_CHECK_MOST_COLUMNS]; /* [n] 0 where the law provides nothing */
    double *history[SCREE_CHECK_MOST_FIELDS]; /* [n] committed */
    uint8_t *fresh, *keep;                    /* [n] */
    double initial[SCREE_CHECK_MOST_FIELDS];
    uint32_t n_global;          /* number of components of global fields */
    double *global_fields;      /* [n_global] */
    const scree_bodies *bodies; /* of the contacts, two for each */
    bool global_fresh;
    scree_check_rig *rig; /* arrays of a batch, and the bodies */
} scree_check_contacts;

/** Makes `n` fresh contacts, touches all 0. NULL: the law has more fields than the check allows,
 * which is reported. */
scree_check_contacts *scree_check_contacts_new(scree_check *check, scree_instance *instance,
                                               uint32_t n);
void scree_check_contacts_free(scree_check_contacts *contacts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_check_contacts, scree_check_contacts_free)
/** Makes all contacts fresh again. */
void scree_check_contacts_restart(scree_check_contacts *contacts);

/** Evaluates contacts order[0 .. n-1] (NULL: 0 .. n-1) in one batch of at most SCREE_CHECK_BATCH.
 * False: the law and the check have failed. */
bool scree_check_evaluate(scree_check_contacts *contacts, const uint32_t *order, uint32_t n);
/** Evaluates all contacts in batches; their results become history. */
bool scree_check_advance(scree_check_contacts *contacts);

/** "f x", "stored", "shear_spring[2]": name of a column. New string. */
char *scree_check_column_name(const scree_check_contacts *contacts, uint32_t column);
/** Largest magnitude of all contacts in columns [first, first + n). */
double scree_check_largest(const scree_check_contacts *contacts, uint32_t first, uint32_t n);

#endif
