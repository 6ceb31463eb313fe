/* SPDX-License-Identifier: Apache-2.0 */
/* Puts a snapshot back into a run. */
#include "tools/restart/snapshot_restore.h"

#include <string.h>

#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/observer_view.h"

void scree_columns_set_fresh(GPtrArray *const *columns, const GArray *from)
{
    scree_column *column = NULL;
    for (guint k = 0; k < from->len; k++) {
        uint32_t scope = SCREE_SCOPE_BODY;
        if (!(column = scree_columns_at(columns, &scope, k)))
            return;
        column->fresh_from = g_array_index(from, uint64_t, k);
    }
}

void scree_snapshot_restore(scree_sim *sim, const scree_snapshot *snapshot)
{
    const uint64_t numbering = sim->world->numbering;
    scree_world_free(sim->world);
    sim->world = scree_world_copy(snapshot->world);
    sim->world->numbering = numbering + 1;
    if (sim->plugins.body.n_global_fields)
        memcpy(sim->plugins.body.global_field, snapshot->global_field,
               sim->plugins.body.n_global_fields * sizeof(double));
    g_array_set_size(sim->edits.edited, 0);
    g_array_append_vals(sim->edits.edited, snapshot->edited->data, snapshot->edited->len);
    scree_columns_set_fresh(sim->plugins.columns, snapshot->fresh_from);
    sim->step = snapshot->step;
    sim->step0 = snapshot->step0;
    sim->t0 = snapshot->t0;
    sim->dt = snapshot->dt;
    sim->lag = snapshot->lag;
    sim->account.stored = snapshot->stored;
    sim->account.lost = snapshot->lost;
    sim->account.work = snapshot->work;
    sim->account.start = snapshot->start_energy;
    sim->counters.destroyed = snapshot->n_destroyed;
    sim->contacts.n_candidates = snapshot->n_candidates;
    sim->counters.contacts = snapshot->n_contacts;
    sim->counters.contacts_free = snapshot->n_contacts_free;
    sim->moves.n = 0; // pending moves belong to another state
    sim->boxes.valid = sim->boxes.numbered = false;
    sim->contacts.stale = true;
    sim->plugins.contact.reach_known = false; // other bodies
    scree_world_view(sim->world, &sim->view);
    scree_contacts_import(sim, snapshot->contacts);
    scree_record_clear(&sim->records); // records belong to another state
}
