/* SPDX-License-Identifier: Apache-2.0 */
/* All that a run needs to go on bit for bit, apart from storage of lists, boxes and hints. */
#ifndef CORE_SNAPSHOT_H
#define CORE_SNAPSHOT_H

#include "engine/contacts.h"

typedef struct scree_snapshot scree_snapshot;

struct scree_snapshot {
    scree_world *world;                                        /* bodies in storage order */
    bool borrowed;                                             /* the world is the sim's own */
    scree_contact_store *contacts;                             /* NULL: they are the sim's own */
    uint32_t n_contact_fields, n_pair_fields, n_global_fields; /* components */
    uint32_t n_hashed[SCREE_SCOPES]; /* by scope: the first so many components are in the hash */
    GArray *fresh_from; /* of uint64_t: of the columns of bodies, then of those of the run */
    double *global_field;
    GPtrArray
        *states;    /* of scree_saved_state: of plugins but observers, in the order of their list */
    GError *fault;  /* why one of them is missing; NULL: none is */
    GArray *edited; /* of uint64_t: ids of bodies changed since the last accepted evaluation */
    uint64_t step;
    uint64_t step0;                          /* that of t0 */
    double t0, dt, lag;                      /* [s] */
    double stored, lost, work, start_energy; /* [J] */
    double mechanical; /* [J] kinetic and gravity, with the gravity and masses of that time */
    uint64_t n_destroyed;
    uint64_t n_candidates, n_contacts, n_contacts_free; /* of the last evaluation */
};

scree_snapshot *scree_snapshot_take(const scree_sim *sim);
/** False when a plugin failed to give its state. */
bool scree_snapshot_check(const scree_snapshot *snapshot, GError **error);
/** Into the sim; the states of its plugins are not touched: new instances go on from them. */
void scree_snapshot_restore(scree_sim *sim, const scree_snapshot *snapshot);
void scree_snapshot_free(scree_snapshot *snapshot);
/** As scree_snapshot_take, but bodies and contacts are the sim's own: to be used at once. */
scree_snapshot *scree_snapshot_borrow(const scree_sim *sim);
/** [bytes] About what a snapshot of so many bodies and contacts takes. */
double scree_snapshot_forecast(double n_bodies, double n_contacts, uint32_t n_fields);
/** [bytes] The same of the present state. */
uint64_t scree_snapshot_bytes(const scree_sim *sim);
/** A copy of the current state, in the memory of an older copy (which is overwritten) or NULL.
 * Cheap to make; call scree_snapshot_sort before it is read. */
scree_snapshot *scree_snapshot_quick(scree_snapshot *old, const scree_sim *sim);
void scree_snapshot_sort(scree_snapshot *snapshot);

#endif
