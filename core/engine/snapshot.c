/* SPDX-License-Identifier: Apache-2.0 */
/* Saves the state in memory and restores it: storage order, contacts by key, energies. */
#include "engine/snapshot.h"

#include <string.h>

#include "base/shortage.h"
#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/energy.h"
#include "engine/observer_view.h"
#include "engine/sim_plugins.h"

/** Takes all but bodies and contacts. */
static scree_snapshot *take_rest(const scree_sim *sim)
{
    scree_snapshot *snapshot = g_new0(scree_snapshot, 1);
    scree_working_on("a copy of the state");
    snapshot->n_contact_fields = sim->plugins.contact.n_fields;
    snapshot->n_pair_fields = sim->plugins.contact.n_pair_fields;
    snapshot->n_global_fields = sim->plugins.body.n_global_fields;
    for (uint32_t scope = 1; scope < SCREE_SCOPES; scope++)
        snapshot->n_hashed[scope] = scree_columns_count(sim, scope);
    snapshot->fresh_from = scree_columns_fresh(sim->plugins.columns);
    snapshot->global_field = g_memdup2(sim->plugins.body.global_field,
                                       (size_t)sim->plugins.body.n_global_fields * sizeof(double));
    snapshot->states = scree_states_of(sim, &snapshot->fault);
    snapshot->edited = g_array_copy(sim->edits.edited);
    snapshot->step = sim->step;
    snapshot->step0 = sim->step0;
    snapshot->t0 = sim->t0;
    snapshot->dt = sim->dt;
    snapshot->lag = sim->lag;
    snapshot->stored = sim->account.stored;
    snapshot->lost = sim->account.lost;
    snapshot->work = sim->account.work;
    snapshot->start_energy = sim->account.start;
    scree_energy energy;
    scree_energy_now(sim, &energy);
    snapshot->mechanical = energy.kinetic + energy.gravity;
    snapshot->n_destroyed = sim->counters.destroyed;
    snapshot->n_candidates = sim->contacts.n_candidates;
    snapshot->n_contacts = sim->counters.contacts;
    snapshot->n_contacts_free = sim->counters.contacts_free;
    return snapshot;
}

double scree_snapshot_forecast(double n_bodies, double n_contacts, uint32_t n_fields)
{
    // columns that are not 0 (world.c), wrench, number
    const double of_body = 25.0 * sizeof(double), key = sizeof(scree_contact_key);
    return n_bodies * of_body + n_contacts * (key + 1.0 + (1.0 + n_fields) * sizeof(double));
}

uint64_t scree_snapshot_bytes(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    uint64_t n_contacts, n_pairs;
    scree_contacts_count(sim, &n_contacts, &n_pairs);
    return (uint64_t)scree_snapshot_forecast(w->n, (double)n_contacts,
                                             sim->plugins.contact.n_fields) +
           w->n * w->n_fields * sizeof(double) +
           n_pairs *
               (sizeof(scree_contact_key) + sim->plugins.contact.n_pair_fields * sizeof(double));
}

scree_snapshot *scree_snapshot_borrow(const scree_sim *sim)
{
    scree_snapshot *snapshot = take_rest(sim);
    snapshot->world = sim->world;
    snapshot->borrowed = true;
    return snapshot;
}

scree_snapshot *scree_snapshot_quick(scree_snapshot *old, const scree_sim *sim)
{
    scree_snapshot *snapshot = take_rest(sim);
    snapshot->world = scree_world_copy_again(old ? g_steal_pointer(&old->world) : NULL, sim->world);
    scree_snapshot_free(old); // frees memory before the new contacts take some
    snapshot->contacts = scree_contacts_collect(sim);
    return snapshot;
}

void scree_snapshot_sort(scree_snapshot *snapshot)
{
    scree_contact_store_sort(snapshot->contacts, snapshot->n_contact_fields,
                             snapshot->n_pair_fields);
}

bool scree_snapshot_check(const scree_snapshot *snapshot, GError **error)
{
    if (!snapshot->fault)
        return true;
    g_propagate_error(error, g_error_copy(snapshot->fault));
    return false;
}

void scree_snapshot_free(scree_snapshot *snapshot)
{
    if (!snapshot)
        return;
    if (!snapshot->borrowed)
        scree_world_free(snapshot->world);
    scree_contact_store_free(snapshot->contacts);
    g_free(snapshot->global_field);
    g_clear_pointer(&snapshot->states, g_ptr_array_unref);
    g_clear_error(&snapshot->fault);
    g_array_unref(snapshot->edited);
    g_array_unref(snapshot->fresh_from);
    g_free(snapshot);
}
