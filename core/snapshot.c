/* SPDX-License-Identifier: Apache-2.0 */
/* The state kept in memory, and put back: storage order, contacts by key, energies. */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

struct scree_snapshot {
    scree_world *world;
    scree_contact_store *contacts;
    double *global_field;
    uint64_t step;
    double lag, stored, lost, work, start_energy;
};

scree_snapshot *scree_snapshot_take(const scree_sim *sim)
{
    scree_snapshot *snapshot = g_new0(scree_snapshot, 1);
    snapshot->world = scree_world_copy(sim->world);
    snapshot->contacts = scree_contacts_export(sim);
    snapshot->global_field =
        g_memdup2(sim->global_field, (sim->n_global_fields + 1) * sizeof(double));
    snapshot->step = sim->step;
    snapshot->lag = sim->lag;
    snapshot->stored = sim->stored;
    snapshot->lost = sim->lost;
    snapshot->work = sim->work;
    snapshot->start_energy = sim->start_energy;
    return snapshot;
}

void scree_snapshot_restore(scree_sim *sim, const scree_snapshot *snapshot)
{
    scree_world_free(sim->world);
    sim->world = scree_world_copy(snapshot->world);
    if (sim->n_global_fields)
        memcpy(sim->global_field, snapshot->global_field, sim->n_global_fields * sizeof(double));
    sim->step = snapshot->step;
    sim->lag = snapshot->lag;
    sim->stored = snapshot->stored;
    sim->lost = snapshot->lost;
    sim->work = snapshot->work;
    sim->start_energy = snapshot->start_energy;
    sim->boxes.valid = sim->boxes.numbered = false;
    sim->stale = true;
    scree_sim_view(sim);
    scree_contacts_import(sim, snapshot->contacts);
    scree_record_clear(sim); // what was recorded is of another state
}

void scree_snapshot_free(scree_snapshot *snapshot)
{
    if (!snapshot)
        return;
    scree_world_free(snapshot->world);
    scree_contact_store_free(snapshot->contacts);
    g_free(snapshot->global_field);
    g_free(snapshot);
}
