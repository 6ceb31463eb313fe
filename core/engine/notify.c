/* SPDX-License-Identifier: Apache-2.0 */
/* Lends modifiers their fields, and lets them set those of bodies that enter. */
#include "engine/notify.h"

#include <inttypes.h>
#include <math.h>

#include "engine/columns.h"
#include "engine/motion.h"
#include "engine/shared_fields.h"
#include "engine/state.h"
#include "plugin/call.h"
#include "plugin/instance.h"
#include "scene/query_service.h"

void scree_modifier_lend_fields(scree_sim *sim, const scree_instance *modifier)
{
    sim->view.fields = (const double *const *)sim->world->field + modifier->first_body_field;
    sim->view.global_fields = sim->plugins.body.global_field + modifier->first_global_field;
    scree_fresh_show(sim, modifier);
    scree_shared_fields_show(sim, modifier, &sim->shared, &sim->view);
}

void scree_modifier_take_fields(scree_bodies *view)
{
    view->fields = NULL;
    view->global_fields = NULL;
    view->fresh = NULL;
    view->global_fresh = 0;
    scree_shared_fields_hide(view);
}

/** Blames a modifier that moved a body, or wrote a field that is not finite. */
static bool check_entered(const scree_sim *sim, const scree_instance *instance, GError **error)
{
    const scree_world *w = sim->world;
    uint32_t i = scree_motion_changed(sim, &sim->checks.copy_free, 0);
    if (!scree_motion_check_writes(sim, instance, "enter", i, error))
        return false;
    uint32_t field = instance->first_body_field;
    for (uint32_t f = 0; f < instance->plugin->n_fields; f++) {
        const scree_field *one = instance->plugin->fields[f];
        for (uint32_t k = 0; one->scope == SCREE_SCOPE_BODY && k < one->components; k++, field++)
            for (i = 0; i < w->n; i++)
                if (!isfinite(w->field[field][i]))
                    return scree_call_blame(instance, "enter", SCREE_EXIT_PLUGIN, error,
                                            "it set field %s[%u] of body %" PRIu64 " to %g",
                                            one->name, k, w->id[i], w->field[field][i]);
    }
    return true;
}

bool scree_modifiers_enter(scree_sim *sim, GError **error)
{
    const bool all = sim->edits.entrants;
    sim->edits.newcomers = sim->edits.entrants = false;
    scree_query_service_forget(sim->asked.service);
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        scree_instance *instance = sim->plugins.body.modifiers->pdata[m];
        const scree_modifier_ops *ops = instance->ops;
        if (!SCREE_HAS(ops, enter))
            continue;
        const scree_entry entry = {.size = sizeof entry,
                                   .bodies = &sim->view,
                                   .time = scree_sim_time(sim),
                                   .dt = sim->dt,
                                   .body_fields = sim->world->field + instance->first_body_field,
                                   .global_fields = sim->plugins.body.global_field +
                                                    instance->first_global_field};
        if (all)
            scree_motion_keep(sim, &sim->checks.copy_free, 0, sim->world->n);
        else
            scree_motion_keep_some(sim, &sim->checks.copy_free);
        scree_modifier_lend_fields(sim, instance);
        scree_query_service_open(sim->asked.service, sim->plugins.contact.resolvers);
        scree_call call = scree_call_begin(instance, SCREE_CALL_STEP, "enter");
        int32_t code = ops->enter(instance->self, &entry);
        code = scree_call_end(&call, code, SCREE_OK, error);
        scree_modifier_take_fields(&sim->view);
        if (scree_query_service_close(sim->asked.service, code < 0 ? NULL : error))
            return false;
        scree_fresh_seen(sim, instance);
        if (code == SCREE_E_CONFIG && sim->step == 0)
            scree_instance_blame_scene(instance, error);
        if (code < 0)
            return false;
        if (!check_entered(sim, instance, error))
            return false;
    }
    if (all)
        scree_motion_forget(&sim->checks.copy_free);
    scree_query_service_forget(sim->asked.service);
    return true;
}
