/* SPDX-License-Identifier: Apache-2.0 */
/* Forces and contacts of the current state, evaluated without accepting them. */
#include "engine/trial_forces.h"

#include <string.h>

#include "engine/energy.h"
#include "engine/evaluate.h"

bool scree_trial_forces(scree_sim *sim, double *wrench, double *stored, GError **error)
{
    size_t bytes = (size_t)sim->world->n * SCREE_WRENCH * sizeof(double);
    double *own = g_malloc(bytes + 1);
    const scree_counters kept = sim->counters; // those of the trial do not count
    memcpy(own, sim->world->wrench, bytes);
    for (int k = 0; k < 3 && sim->displacements.current && sim->lag == 0.0; k++) {
        // Nothing has moved since history was committed.
        memset(sim->displacements.moved[k], 0, sim->world->n * sizeof(double));
        memset(sim->displacements.turned[k], 0, sim->world->n * sizeof(double));
    }
    bool done = scree_evaluate(sim, 0.0, sim->lag, false, error);
    sim->account.loads_in = 1 - sim->contacts.committed; // the current loads belong to that table
    *stored = done ? scree_energy_stored(sim) : 0.0;
    memcpy(wrench, sim->world->wrench, bytes);
    memcpy(sim->world->wrench, own, bytes);
    g_free(own);
    sim->counters = kept;
    return done;
}

bool scree_trial_contacts(scree_sim *sim, GError **error)
{
    double stored;
    g_autofree double *wrench = g_new(double, (size_t)sim->world->n *SCREE_WRENCH + 1);
    bool recorded = sim->records.contacts;
    sim->records.contacts = sim->records.always = true;
    bool done = scree_trial_forces(sim, wrench, &stored, error);
    sim->records.contacts = recorded;
    sim->records.always = false;
    return done;
}
