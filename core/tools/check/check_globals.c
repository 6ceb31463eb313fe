/* SPDX-License-Identifier: Apache-2.0 */
/* Global fields of laws and integrators, and the end of a step as laws see it. */
#include "tools/check/check_globals.h"

#include <math.h>

#include "tools/check/check_report.h"

uint32_t scree_check_globals_count(const scree_plugin *plugin)
{
    uint32_t n = 0;
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        n += plugin->fields[f]->scope == SCREE_SCOPE_GLOBAL ? plugin->fields[f]->components : 0;
    return n;
}

void scree_check_globals_start(const scree_plugin *plugin, double *values)
{
    for (uint32_t f = 0; f < plugin->n_fields; f++) {
        const scree_field *field = plugin->fields[f];
        const uint32_t n = field->scope == SCREE_SCOPE_GLOBAL ? field->components : 0;
        for (uint32_t k = 0; k < n; k++)
            *values++ = field->initial;
    }
}

uint32_t scree_check_fields_count(const scree_plugin *plugin)
{
    uint32_t n = 0;
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        n += plugin->fields[f]->scope <= SCREE_SCOPE_PAIR ? plugin->fields[f]->components : 0;
    return n;
}

void scree_check_globals_restart(scree_check_contacts *c)
{
    c->n_global = scree_check_globals_count(c->instance->plugin);
    c->global_fields = g_renew(double, c->global_fields, c->n_global + 1);
    c->global_fresh = c->n_global > 0;
    scree_check_globals_start(c->instance->plugin, c->global_fields);
}

bool scree_check_law_step(scree_check_contacts *c)
{
    const scree_force_ops *ops = c->instance->ops;
    const scree_law_step step = {.size = sizeof step,
                                 .global_fresh = c->global_fresh,
                                 .bodies = c->bodies,
                                 .step = c->since > 0.0 ? (uint64_t)(c->time / c->since + 0.5) : 0,
                                 .time = c->time,
                                 .dt = c->since,
                                 .global_fields = c->n_global ? c->global_fields : NULL};
    if (!SCREE_HAS(ops, after_step))
        return true;
    if (!SCREE_CHECK_CALL(c->check, c->instance, "after_step",
                          ops->after_step(c->instance->self, &step)))
        return false;
    c->global_fresh = false;
    for (uint32_t k = 0; k < c->n_global; k++)
        if (!isfinite(c->global_fields[k])) {
            scree_check_fail(c->check, "after_step() set a global field to %g",
                             c->global_fields[k]);
            return false;
        }
    return true;
}
