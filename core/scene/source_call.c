// SPDX-License-Identifier: Apache-2.0
// A call of make() while a scene is read: its state, and the end of a source that does not stop.
#include "scene/source_call.h"

#include "plugin/exit_guard.h"
#include "plugin/instance.h"

#define MOST_IN_VAIN 1000000u

int32_t scree_source_blame(scree_source_call *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    scree_instance_misbehaved(c->instance, text);
    return SCREE_E_CONFIG;
}

bool scree_source_goes_on(scree_source_call *c, const char *name)
{
    g_autofree char *endless = NULL;
    if (!c->open) {
        scree_source_blame(c, "it called %s of make() after make() had returned", name);
        return false;
    }
    if (++c->in_vain > MOST_IN_VAIN) {
        endless = g_strdup_printf("it called %s more than %u times in vain", name, MOST_IN_VAIN);
        scree_ends_endless(endless);
    }
    return !c->instance->misbehaved && c->refused < SCREE_MOST_REFUSED;
}
