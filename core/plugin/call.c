/* SPDX-License-Identifier: Apache-2.0 */
/* After a call into a plugin: what it left otherwise than it found it, and what becomes of that. */
#include "plugin/call.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static char *first_fault; /* of a call that can return no error; only [config] and [step] ones */

scree_call scree_call_begin_config(scree_instance *instance, const char *name)
{
    scree_call call = scree_call_begin(instance, name);
    call.process = scree_process_note();
    return call;
}

int32_t scree_call_judge(scree_call *call, int32_t code, int32_t most)
{
    char text[96];
    const char *changed = scree_process_restore(call->process);
    call->process = NULL;
    if (changed)
        g_snprintf(text, sizeof text, "it changed %s", changed);
    else if (code > most && most == SCREE_OK)
        g_snprintf(text, sizeof text, "it returned %d, expected 0 (SCREE_OK) or a negative code",
                   code);
    else if (code > most)
        g_snprintf(text, sizeof text, "it answered %d, expected 0 to %d", code, most);
    else if (call->now.instance->misbehaved) // the host saw it while the call lasted
        return SCREE_E_INTERNAL;
    else
        return code;
    scree_instance_misbehaved((scree_instance *)call->now.instance, text);
    return SCREE_E_INTERNAL;
}

void scree_call_done(scree_call *call)
{
    g_autoptr(GError) error = NULL;
    scree_instance *instance = (scree_instance *)call->now.instance;
    int32_t code = scree_call_end(call, SCREE_OK);
    if (code >= 0)
        return;
    scree_instance_set_error(instance, call->now.call, code, &error);
    fprintf(stderr, "scree: %s\n", error->message);
    if (!first_fault)
        first_fault = g_strdup(error->message);
}

const char *scree_call_fault(void)
{
    return first_fault;
}

const void *scree_call_extension(const scree_plugin *plugin, const char *name)
{
    if (!SCREE_HAS(plugin, get_extension))
        return NULL;
    scree_instance nobody = {
        .plugin = plugin, .slot = (char *)"no instance", .mutex = PTHREAD_MUTEX_INITIALIZER};
    scree_call call = scree_call_begin_step(&nobody, "get_extension");
    const void *extension = plugin->get_extension(name);
    scree_call_done(&call);
    return extension;
}

double scree_call_stability(const scree_plugin *integrator, const void *config, double zeta)
{
    const scree_stability *says = scree_call_extension(integrator, SCREE_EXTENSION_STABILITY);
    if (!says || !SCREE_HAS(says, limit))
        return (double)NAN;
    scree_instance nobody = {
        .plugin = integrator, .slot = (char *)"no instance", .mutex = PTHREAD_MUTEX_INITIALIZER};
    scree_call call = scree_call_begin_step(&nobody, "limit");
    double limit = says->limit(config, zeta);
    scree_call_done(&call);
    return limit;
}

uint64_t scree_call_gcd_bytes(scree_instance *gcd)
{
    const scree_gcd_ops *ops = gcd->ops;
    if (!SCREE_HAS(ops, bytes))
        return 0;
    scree_call call = scree_call_begin_step(gcd, "bytes");
    uint64_t bytes = ops->bytes(gcd->self);
    scree_call_done(&call);
    return bytes;
}
