/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts for a force law without an engine: pairs of bodies that touch, in batches on guarded
 * arrays. */
#ifndef CORE_CHECK_CONTACTS_H
#define CORE_CHECK_CONTACTS_H

#include "tools/check/check.h"

/** Two balls at a contact, or a ball (a) at a flat wall or an edge of it (b): all that a law may ask
 * for follows. */
typedef struct scree_check_touch {
    double radius[2], mass[2]; /* [m] [kg] of a wall 0 and infinite */
    uint32_t material[2];
    bool edge;                /* the wall is felt at one point of its edge: the normal turns */
    double normal[3], depth;  /* [-] [m] */
    double v[2][3], w[2][3];  /* [m/s] [rad/s] */
    double q[2][4];           /* [-] how they are turned; all 0: not at all */
    double from[3], drift[3]; /* [m] [m/s] added to places and velocities of both */
    double used[2];           /* body fields of others */
} scree_check_touch;

/* Outputs of a law, as columns of results: the host's, then a column per component of a field, then
 * two, of a and of b, per component of the rates to which it adds. */
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

/** Contacts of one instance with their history; results of the newest evaluation. */
typedef struct scree_check_contacts {
    scree_check *check;
    scree_instance *instance;
    uint64_t needs, provides; /* of this instance */
    uint32_t n, n_columns, n_contact_fields;
    uint32_t n_fields, n_reads, n_adds; /* components; of body fields of others */
    uint32_t first_absent, end_absent;  /* of n_reads: those whose field is not there */
    bool bonds;    /* the law makes bonds: every other contact is one from the start */
    uint32_t lane; /* that calls */
    bool parted;   /* the batch is of contacts that have ended (force.h) */
    bool strict;   /* inputs are protected, outputs hold the pattern before a call; else 0 */
    double since,
        time; /* [s] of the next evaluation; the first is at 0, and nothing is before it */
    scree_check_touch *touch;                 /* [n] */
    double *result[SCREE_CHECK_MOST_COLUMNS]; /* [n] what the law does not provide is 0 */
    double *history[SCREE_CHECK_MOST_FIELDS]; /* [n] committed */
    uint8_t *fresh, *keep;                    /* [n] */
    double initial[SCREE_CHECK_MOST_FIELDS];
    uint32_t n_global;          /* components of global fields */
    double *global_fields;      /* [n_global] */
    const scree_bodies *bodies; /* of the contacts, two each */
    bool global_fresh;
    scree_check_rig *rig; /* arrays of a batch, and the bodies */
} scree_check_contacts;

/** `n` fresh contacts, touches all 0. NULL: the law has more fields than are checked; said. */
scree_check_contacts *scree_check_contacts_new(scree_check *check, scree_instance *instance,
                                               uint32_t n);
void scree_check_contacts_free(scree_check_contacts *contacts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_check_contacts, scree_check_contacts_free)
/** All contacts are fresh again. */
void scree_check_contacts_restart(scree_check_contacts *contacts);

/** Evaluates the contacts order[0 .. n-1] (NULL: 0 .. n-1) in one batch of at most
 * SCREE_CHECK_BATCH. False: the law failed, and the check with it. */
bool scree_check_evaluate(scree_check_contacts *contacts, const uint32_t *order, uint32_t n);
/** All contacts, in batches; what they wrote is history from then on. */
bool scree_check_advance(scree_check_contacts *contacts);

/** "f x", "stored", "shear_spring[2]": new string. */
char *scree_check_column_name(const scree_check_contacts *contacts, uint32_t column);
/** Largest magnitude in columns [first, first + n), over all contacts. */
double scree_check_largest(const scree_check_contacts *contacts, uint32_t first, uint32_t n);

#endif
