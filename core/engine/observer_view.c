/* SPDX-License-Identifier: Apache-2.0 */
/* The observers' view of a state: bodies, energies, contacts in canonical order. */
#include "engine/observer_view.h"

#include "engine/contact_list.h"
#include "engine/energy.h"
#include "engine/lane.h"
#include "engine/loads.h"

void scree_record_take(scree_sim *sim)
{
    scree_records *to = &sim->records;
    scree_loads_take(sim);
    const bool contacts = to->contacts || to->piece_contacts;
    to->has_figures = to->figures;
    to->has_contacts = contacts;
    if (to->figures)
        to->sums = (scree_contact_sums){.n = 0};
    for (uint32_t k = 0; to->figures && k < scree_pool_lanes(sim->runtime.pool); k++)
        scree_contact_sums_merge(&to->sums, &sim->plugins.contact.lanes[k].sums);
    if (contacts)
        scree_contact_copy_make(sim, &to->kept);
}

scree_contact_copy *scree_record_contacts(const scree_sim *sim)
{
    return sim->records.has_contacts ? sim->records.kept : NULL;
}

bool scree_record_list(scree_sim *sim, scree_contact_list *list)
{
    if (sim->records.has_contacts)
        scree_contact_copy_list(sim, sim->records.kept, list);
    return sim->records.has_contacts;
}

const scree_contact_sums *scree_record_sums(const scree_sim *sim)
{
    return sim->records.has_figures ? &sim->records.sums : NULL;
}

void scree_record_clear(scree_records *records)
{
    records->has_figures = records->has_contacts = false;
    g_clear_pointer(&records->kept, scree_contact_copy_free);
    g_clear_pointer(&records->loads, scree_loads_free);
    g_clear_pointer(&records->list_arrays, g_ptr_array_unref);
}

static int32_t find_load(const scree_view *view, uint32_t i, scree_load *out)
{
    scree_sim *sim = view->ctx;
    const scree_instance *caller = scree_guard_here()->now.instance;
    int32_t code = view->due ? SCREE_E_CONFIG : SCREE_E_UNSUPPORTED;
    g_autoptr(GError) error = NULL;
    g_autofree char *why = NULL;
    if (!view->due)
        why = g_strdup("load: only with `due` of the view");
    else if (i >= sim->world->n)
        why = g_strdup_printf("load: expected a body from 0 to %u, got %u", sim->world->n - 1, i);
    else if (!scree_loads_of(sim, i, out, &error))
        why = g_strdup_printf("load: %s", error->message);
    else
        return SCREE_OK;
    return caller ? caller->host.fail(caller->host.ctx, code, why) : code; // NULL: of no call
}

void scree_view_state(scree_sim *sim, scree_view *view)
{
    *view = (scree_view){.size = sizeof *view,
                         .step = sim->step,
                         .time = scree_sim_time(sim),
                         .dt = sim->dt,
                         .bodies = &sim->view,
                         .n_contacts = sim->counters.contacts,
                         .load = find_load,
                         .ctx = sim};
}

void scree_view_fill(scree_sim *sim, scree_view *view, scree_energy *energy)
{
    scree_view_state(sim, view);
    view->due = 1;
    view->energy = energy;
    if (!energy)
        return;
    scree_energy_now(sim, energy);
    scree_momentum(sim, view->momentum, view->angular_momentum);
}
