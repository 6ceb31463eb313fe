/* SPDX-License-Identifier: Apache-2.0 */
/* All that a run needs to continue bit for bit, without storage of lists, boxes and hints. */
#ifndef CORE_SNAPSHOT_H
#define CORE_SNAPSHOT_H

#include "engine/contacts.h"

typedef struct scree_snapshot scree_snapshot;

struct scree_snapshot {
    scree_world *world;                                        /* bodies in storage order */
    bool borrowed;                                             /* the world belongs to the sim */
    scree_contact_store *contacts;                             /* NULL: they belong to the sim */
    uint32_t n_contact_fields, n_pair_fields, n_global_fields; /* numbers of components */
    uint32_t n_hashed[SCREE_SCOPES]; /* by scope: number of leading components in the hash */
    GArray *fresh_from;              /* uint64_t: columns of bodies, then of the run */
    double *global_field;
    GPtrArray *states; /* scree_saved_state of plugins but observers, in their order */
    GError *fault;     /* why one of them is missing; NULL: none is */
    GArray *edited;    /* uint64_t: ids of bodies changed since the last accepted evaluation */
    uint64_t step;
    uint64_t step0;                     /* step at t0 */
    double t0, dt, lag;                 /* [s] */
    scree_exact_sum stored, lost, work; /* [J] */
    double start_energy;                /* [J] */
    double mechanical; /* [J] kinetic and gravity, with the gravity and masses at that time */
    uint64_t n_destroyed;
    uint64_t n_candidates, n_contacts, n_contacts_free; /* of the last evaluation */
};

/** Checks a snapshot. False with an error: a plugin failed to give its state. */
bool scree_snapshot_check(const scree_snapshot *snapshot, GError **error);
void scree_snapshot_free(scree_snapshot *snapshot);
/** Takes a snapshot, but the sim still owns the bodies and contacts: the snapshot is
 * valid only until the sim changes. */
scree_snapshot *scree_snapshot_borrow(const scree_sim *sim);
/** Returns the approximate size [bytes] of a snapshot with this number of bodies and contacts. */
double scree_snapshot_forecast(double n_bodies, double n_contacts, uint32_t n_fields);
/** Returns the size [bytes] of a snapshot of the current state. */
uint64_t scree_snapshot_bytes(const scree_sim *sim);
/** Copies the current state, into the memory of an older copy (which is overwritten) or new memory
 * (NULL). Cheap; scree_snapshot_sort must be called before it is read. */
scree_snapshot *scree_snapshot_quick(scree_snapshot *old, const scree_sim *sim);
void scree_snapshot_sort(scree_snapshot *snapshot);

#endif
