/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a step for laws; global fields of laws and integrators. */
#include "engine/law_steps.h"

#include <math.h>

#include "engine/columns.h"
#include "engine/shared_fields.h"
#include "plugin/call.h"
#include "plugin/events.h"

double *scree_global_fields(const scree_sim *sim, const scree_instance *instance)
{
    for (uint32_t f = 0; f < instance->plugin->n_fields; f++)
        if (instance->plugin->fields[f]->scope == SCREE_SCOPE_GLOBAL)
            return sim->plugins.body.global_field + instance->first_global_field;
    return NULL;
}

bool scree_global_fields_check(const scree_sim *sim, const scree_instance *instance,
                               const char *call, GError **error)
{
    const double *at = scree_global_fields(sim, instance);
    for (uint32_t f = 0; at && f < instance->plugin->n_fields; f++) {
        const scree_field *field = instance->plugin->fields[f];
        const uint32_t n = field->scope == SCREE_SCOPE_GLOBAL ? field->components : 0;
        for (uint32_t k = 0; k < n; k++, at++)
            if (!isfinite(*at))
                return scree_call_blame(instance, call, SCREE_EXIT_PLUGIN, error,
                                        "it set field %s[%u] to %g", field->name, k, *at);
    }
    return true;
}

static bool call_after_step(const scree_sim *sim, scree_law *law, GError **error)
{
    scree_bodies view = sim->view;
    scree_shared_fields_show(sim, law->instance, &law->shared, &view);
    const scree_law_step step = {.size = sizeof step,
                                 .global_fresh = scree_fresh_global(sim, law->instance),
                                 .bodies = &view,
                                 .step = sim->step,
                                 .time = scree_sim_time(sim),
                                 .dt = sim->dt,
                                 .global_fields = scree_global_fields(sim, law->instance)};
    scree_event_log_open(sim->runtime.events);
    scree_call call = scree_call_begin(law->instance, SCREE_CALL_STEP, "after_step");
    int32_t code = law->ops->after_step(law->instance->self, &step);
    code = scree_call_end(&call, code, SCREE_OK, error);
    scree_fresh_seen(sim, law->instance);
    if (code < 0) {
        scree_event_log_drop(sim->runtime.events);
        return false;
    }
    return scree_event_log_take(sim->runtime.events, sim->step, scree_sim_time(sim),
                                sim->runtime.output_dir, error) &&
           scree_global_fields_check(sim, law->instance, "after_step", error);
}

bool scree_laws_after_step(const scree_sim *sim, GError **error)
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        if (SCREE_HAS(sim->plugins.contact.laws[l].ops, after_step) &&
            !call_after_step(sim, &sim->plugins.contact.laws[l], error))
            return false;
    return true;
}
