/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a call into a plugin after its end: what the plugin has changed, and which error
 * follows. */
#include "plugin/call.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/say.h"
#include "plugin/instance.h"
#include "plugin/kinds.h"

scree_call scree_call_begin_config(scree_instance *instance, const char *name)
{
    scree_ends_look_at_streams(NULL);
    scree_call call = scree_call_begin_part(instance, SCREE_CALL_LANE, name);
    call.process = scree_process_note();
    call.locale = !call.process;
    return call;
}

/** Restores the environment. Returns the code of the call, or SCREE_E_INTERNAL when the host has
 * found a fault: the instance then has its text. */
static int32_t judge_code(scree_call *call, int32_t code, int32_t most)
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
    scree_instance_misbehaved(call->now.instance, text);
    return SCREE_E_INTERNAL;
}

int32_t scree_call_judge(scree_call *call, int32_t code, int32_t most, GError **error)
{
    if (call->process)
        scree_ends_look_at_streams(&call->now);
    code = judge_code(call, code, most);
    if (code < 0 && error)
        scree_call_failed(call->now.instance, call->now.call, code, error);
    return code;
}

void scree_call_report(const GError *error)
{
    scree_say(SCREE_SAY_NEWS, "%s", error->message);
    if (!scree_context_now->fault)
        scree_context_now->fault = g_strdup(error->message);
}

void scree_call_done(scree_call *call)
{
    g_autoptr(GError) error = NULL;
    if (scree_call_end(call, SCREE_OK, SCREE_OK, &error) < 0)
        scree_call_report(error);
}

const char *scree_call_fault(void)
{
    return scree_context_now->fault;
}

static const char *code_name(int32_t code)
{
    static const char *const names[] = {
        "ok",      "bad config", "out of memory", "limit reached", "unsupported",
        "numeric", "i/o",        "cancelled",     "internal"};
    return code <= 0 && code >= SCREE_E_INTERNAL ? names[-code] : "unknown code";
}

/** Takes the first error of a nested plugin, with its slot; owners may return only its code. NULL:
 * no nested plugin has one. */
static char *take_nested_error(scree_instance *instance)
{
    char *text = NULL;
    if (instance->nested)
        for (guint k = 0; k < instance->nested->len; k++) {
            scree_instance *nested = instance->nested->pdata[k];
            g_autofree char *below = take_nested_error(nested);
            g_autofree char *own = NULL;
            pthread_mutex_lock(&nested->mutex);
            if (nested->error)
                own = g_strdup_printf("%s/%s (%s): %s", scree_kind_name(nested->plugin->kind),
                                      nested->plugin->id, nested->slot, nested->error);
            g_clear_pointer(&nested->error, g_free);
            nested->misbehaved = false;
            pthread_mutex_unlock(&nested->mutex);
            if (!text)
                text = own ? g_steal_pointer(&own) : g_steal_pointer(&below);
        }
    return text;
}

/** An error that was set for a call. */
typedef struct blamed_call {
    char *message, *where;
} blamed_call;

static void clear_blame(void *data)
{
    blamed_call *one = data;
    g_free(one->message);
    g_free(one->where);
}

static pthread_mutex_t blame_mutex = PTHREAD_MUTEX_INITIALIZER;

/** Notes the call of the error; always false. */
static bool note_blame(const scree_guard_call *call, GError *const *error)
{
    if (!error || !*error)
        return false;
    pthread_mutex_lock(&blame_mutex);
    scree_context *c = scree_context_now; // an error may be dropped, or get more text
    if (!c->blamed) {
        c->blamed = g_array_new(FALSE, FALSE, sizeof(blamed_call));
        g_array_set_clear_func(c->blamed, clear_blame);
    }
    const blamed_call one = {g_strdup((*error)->message),
                             scree_guard_where(call, scree_guard_step())};
    g_array_append_val(c->blamed, one);
    pthread_mutex_unlock(&blame_mutex);
    return false;
}

const char *scree_call_where(const GError *error)
{
    const GArray *blamed = scree_context_now->blamed;
    for (guint i = error && blamed ? blamed->len : 0; i-- > 0;) {
        const blamed_call *one = &g_array_index(blamed, blamed_call, i);
        if (strstr(error->message, one->message))
            return one->where;
    }
    return NULL;
}

bool scree_call_failed(scree_instance *instance, const char *name, int32_t code, GError **error)
{
    instance->failed = true;
    g_autofree char *fault = scree_instance_take_fault(instance);
    g_autofree char *below = take_nested_error(instance);
    if (fault)
        return scree_call_blame(instance, name, SCREE_EXIT_PLUGIN, error, "%s", fault);
    pthread_mutex_lock(&instance->mutex);
    const char *text = instance->error ? instance->error : below;
    // A plugin without memory or disk space has not misbehaved; one without a reason has.
    int status =
        !text || instance->refused || code <= SCREE_E_INTERNAL ? SCREE_EXIT_PLUGIN : SCREE_EXIT_RUN;
    const volatile int *cancelled = instance->runtime ? instance->runtime->cancelled : NULL;
    if (code == SCREE_E_CANCELLED)
        status = cancelled && __atomic_load_n(cancelled, __ATOMIC_RELAXED) ? SCREE_EXIT_STOPPED
                                                                           : SCREE_EXIT_PLUGIN;
    const scree_guard_call call = {instance, name, instance->shown};
    g_autofree char *who = scree_guard_describe(&call, "failed");
    if (instance->plugin)
        g_set_error(error, SCREE_ERROR, status, "%s: %s (%s, %d)", who,
                    text ? text : SCREE_NO_REASON, code_name(code), code);
    g_clear_pointer(&instance->error, g_free);
    pthread_mutex_unlock(&instance->mutex);
    return note_blame(&call, error);
}

bool scree_call_blame(const scree_instance *instance, const char *name, int status, GError **error,
                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    const scree_guard_call call = {(scree_instance *)instance, name, instance->shown};
    g_autofree char *who =
        scree_guard_describe(&call, status == SCREE_EXIT_PLUGIN ? "misbehaved" : "failed");
    scree_fail(error, status, "%s: %s", who, text);
    return note_blame(&call, error);
}

/** A stand-in for the instance, for calls of a plugin that has none. */
static scree_instance make_nobody(const scree_plugin *plugin)
{
    return (scree_instance){.plugin = plugin,
                            .slot = (char *)"no instance",
                            .shown = scree_instance_show(plugin, "no instance"),
                            .mutex = PTHREAD_MUTEX_INITIALIZER};
}

const void *scree_call_extension(const scree_plugin *plugin, const char *name)
{
    if (!SCREE_HAS(plugin, get_extension))
        return NULL;
    scree_instance nobody = make_nobody(plugin);
    scree_call call = scree_call_begin(&nobody, SCREE_CALL_STEP, "get_extension");
    const void *extension = plugin->get_extension(name);
    scree_call_done(&call);
    return extension;
}

double scree_call_stability(const scree_plugin *integrator, const void *config, double zeta)
{
    const scree_stability *says = scree_call_extension(integrator, SCREE_EXTENSION_STABILITY);
    if (!says || !SCREE_HAS(says, limit))
        return (double)NAN;
    scree_instance nobody = make_nobody(integrator);
    scree_call call = scree_call_begin(&nobody, SCREE_CALL_STEP, "limit");
    double limit = says->limit(config, zeta);
    scree_call_done(&call);
    return limit;
}

uint64_t scree_call_bytes(scree_instance *instance)
{
    const scree_bytes_fn bytes = scree_vtable_bytes(instance->plugin);
    if (!bytes)
        return 0;
    scree_call call = scree_call_begin(instance, SCREE_CALL_STEP, "bytes");
    const uint64_t held = bytes(instance->self);
    scree_call_done(&call);
    return held;
}

/* ---- the calls that --break names ---- */

scree_break scree_break_named;
bool scree_break_on;
