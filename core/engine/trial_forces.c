/* SPDX-License-Identifier: Apache-2.0 */
/* Forces and contacts of the current state, evaluated without accepting them. */
#include "engine/trial_forces.h"

#include <math.h>
#include <string.h>

#include "engine/energy.h"
#include "engine/evaluate.h"

/** [s] Time after committed history in a trial of the energy: a share of dt in which springs
 * may slide, too short for other losses. */
#define MOMENT 1e-6

/** Evaluates the current state. `wrench`, `stored`, `energy` (with losses) may each be NULL. */
static bool evaluate_trial(scree_sim *sim, double since, double *wrench, double *stored,
                           double *energy, GError **error)
{
    size_t bytes = (size_t)sim->world->n * SCREE_WRENCH * sizeof(double);
    double *own = g_malloc(bytes + 1);
    const scree_counters kept = sim->counters; // counts of the trial are dropped
    memcpy(own, sim->world->wrench, bytes);
    for (int k = 0; k < 3 && sim->displacements.current && sim->lag == 0.0; k++) {
        // nothing has moved since history was committed
        memset(sim->displacements.moved[k], 0, sim->world->n * sizeof(double));
        memset(sim->displacements.turned[k], 0, sim->world->n * sizeof(double));
    }
    sim->checks.samples = false; // it may run within a step, after a failure
    sim->account.momentary = energy != NULL;
    bool done = scree_evaluate(sim, 0.0, since, false, error);
    sim->account.momentary = false;
    sim->account.loads_in = 1 - sim->contacts.committed; // the current loads belong to this table
    if (stored)
        *stored = done ? scree_energy_stored(sim) : 0.0;
    if (energy)
        *energy = done ? scree_energy_bound(sim, since) : 0.0;
    if (wrench)
        memcpy(wrench, sim->world->wrench, bytes);
    memcpy(sim->world->wrench, own, bytes);
    g_free(own);
    sim->counters = kept;
    return done;
}

bool scree_trial_forces(scree_sim *sim, double *wrench, double *stored, GError **error)
{
    return evaluate_trial(sim, sim->lag, wrench, stored, NULL, error);
}

bool scree_trial_energy(scree_sim *sim, double *energy, GError **error)
{
    return evaluate_trial(sim, fmax(sim->lag, MOMENT * sim->dt), NULL, NULL, energy, error);
}

bool scree_trial_contacts(scree_sim *sim, GError **error)
{
    bool recorded = sim->records.contacts;
    sim->records.contacts = sim->records.always = true;
    bool done = evaluate_trial(sim, sim->lag, NULL, NULL, NULL, error);
    sim->records.contacts = recorded;
    sim->records.always = false;
    return done;
}

/** Returns whether contact k of a table comes before contact c of another, in table order. */
static bool is_before(const scree_table *a, uint64_t k, const scree_table *b, uint64_t c)
{
    return a->pair[k] < b->pair[c] ||
           (a->pair[k] == b->pair[c] && b->feature && a->feature[k] < b->feature[c]);
}

/** Copies stored energies of an evaluation that was not accepted to the committed contacts; 0 for
 * contacts that it did not find. */
static void take_stored(const scree_sim *sim, scree_segment *s)
{
    scree_table *old = &s->table[sim->contacts.committed];
    const scree_table *now = &s->table[1 - sim->contacts.committed];
    uint64_t k = 0;
    for (uint64_t c = 0; old->stored && c < old->n; c++) {
        while (k < now->n && is_before(now, k, old, c))
            k++;
        bool same = k < now->n && now->pair[k] == old->pair[c] &&
                    (!old->feature || now->feature[k] == old->feature[c]);
        old->stored[c] = same ? now->stored[k] : 0.0;
    }
}

void scree_trial_take_stored(const scree_sim *sim)
{
    for (uint32_t k = 0; k < scree_segment_count(sim); k++)
        take_stored(sim, scree_segment_at(sim, k));
}
