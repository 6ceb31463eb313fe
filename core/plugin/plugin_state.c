/* SPDX-License-Identifier: Apache-2.0 */
/* State of plugins that fields cannot hold (scree.state/1): saved, and given to new instances. */
#include "plugin/plugin_state.h"

#include <inttypes.h>
#include <string.h>

#include "plugin/call.h"
#include "plugin/instance.h"
#include "plugin/kinds.h"

/* The host cannot read the bytes of a plugin. It compares what it can: save() after load() gives
 * the loaded bytes. That two calls of save() give the same bytes, scree check sees. */

static void free_state(void *data)
{
    scree_saved_state *state = data;
    char *texts[] = {state->slot, state->kind, state->id, state->version};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_free(state->bytes);
    g_free(state);
}

GPtrArray *scree_saved_states_new(void)
{
    return g_ptr_array_new_with_free_func(free_state);
}

scree_saved_state *scree_saved_states_add(GPtrArray *states)
{
    scree_saved_state *state = g_new0(scree_saved_state, 1);
    g_ptr_array_add(states, state);
    return state;
}

scree_saved_state *scree_saved_states_find(const GPtrArray *states, const char *slot)
{
    const guint n = states ? states->len : 0;
    for (guint i = 0; i < n; i++) {
        scree_saved_state *one = states->pdata[i];
        if (!strcmp(one->slot, slot))
            return one;
    }
    return NULL;
}

void scree_saved_state_note(const scree_saved_state *state, GPtrArray *notes)
{
    g_ptr_array_add(notes, state->claimed ? g_strdup_printf("%s: state of %s/%s kept", state->slot,
                                                            state->kind, state->id)
                                          : g_strdup_printf("%s: state of %s/%s: dropped",
                                                            state->slot, state->kind, state->id));
}

/** The receiver of save(). */
typedef struct sink {
    GByteArray *bytes;
    scree_instance *instance;
} sink;

static int32_t take_bytes(void *ctx, const void *bytes, uint64_t n)
{
    const sink *to = ctx;
    const bool fits = n <= SCREE_MAX_STATE_BYTES - to->bytes->len;
    if (fits && (bytes || !n)) {
        g_byte_array_append(to->bytes, bytes, (guint)n);
        return SCREE_OK;
    }
    g_autofree char *full = g_strdup_printf(
        "it wrote more than %u bytes of state (SCREE_MAX_STATE_BYTES)", SCREE_MAX_STATE_BYTES);
    scree_instance_misbehaved(to->instance, fits ? "it wrote bytes of state from NULL" : full);
    return SCREE_E_CAPACITY;
}

/** Calls save(). A new array, or NULL. */
static GByteArray *call_save(scree_instance *instance, GError **error)
{
    sink to = {g_byte_array_new(), instance};
    const scree_state_sink given = {.size = sizeof given, .ctx = &to, .write = take_bytes};
    scree_call call = scree_call_begin(instance, SCREE_CALL_STEP, "save");
    int32_t code = instance->state->save(instance->self, &given);
    if (scree_call_end(&call, code, SCREE_OK, error) >= 0)
        return to.bytes;
    g_byte_array_unref(to.bytes);
    return NULL;
}

bool scree_saved_states_save(GPtrArray *states, scree_instance *instance, GError **error)
{
    if (!instance->state)
        return true;
    GByteArray *bytes = call_save(instance, error);
    if (!bytes)
        return false;
    scree_saved_state *state = scree_saved_states_add(states);
    state->slot = g_strdup(instance->slot);
    state->kind = g_strdup(scree_kind_name(instance->plugin->kind));
    state->id = g_strdup(instance->plugin->id);
    state->version = g_strdup(instance->plugin->version);
    state->n = bytes->len;
    state->bytes = g_byte_array_free(bytes, FALSE);
    return true;
}

/** Calls save() after load(). False, with the plugin blamed: it gives other bytes. */
static bool check_loaded(scree_instance *instance, const uint8_t *bytes, uint64_t n, GError **error)
{
    g_autoptr(GByteArray) now = call_save(instance, error);
    uint64_t at = 0;
    if (!now)
        return false;
    while (at < n && at < now->len && bytes[at] == now->data[at])
        at++;
    return (at == n && n == now->len) ||
           scree_call_blame(instance, "load", SCREE_EXIT_PLUGIN, error,
                            "after it save() gives other bytes than those that were loaded: %u "
                            "bytes, %" PRIu64 " before; the first that differs is number %" PRIu64,
                            now->len, n, at);
}

static bool call_load(scree_instance *instance, const scree_saved_state *from, GError **error)
{
    static const uint8_t nothing;
    const uint8_t *bytes = from->n ? from->bytes : &nothing;
    scree_call call = scree_call_begin(instance, SCREE_CALL_CONFIG, "load");
    int32_t code = instance->state->load(instance->self, bytes, from->n);
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (code >= 0)
        return check_loaded(instance, bytes, from->n, error);
    if (error && *error && code == SCREE_E_CONFIG) // the state does not fit: the plugin is not
                                                   // to blame
        (*error)->code = SCREE_EXIT_USAGE;
    g_prefix_error(error, "its state of %" PRIu64 " bytes is refused: ", from->n);
    return false;
}

bool scree_saved_state_load(scree_instance *instance, GError **error)
{
    const scree_runtime *runtime = instance->runtime;
    scree_saved_state *from =
        instance->state ? scree_saved_states_find(runtime->handed, instance->slot) : NULL;
    if (!from || strcmp(from->id, instance->plugin->id) ||
        strcmp(from->kind, scree_kind_name(instance->plugin->kind)))
        return true;
    if (strcmp(from->version, instance->plugin->version)) {
        if (runtime->handed_lax)
            return true;
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s: %s/%s: its state is of version %s, and this is version %s "
                          "(--allow-plugin-change begins without it)",
                          instance->slot, from->kind, from->id, from->version,
                          instance->plugin->version);
    }
    if (!call_load(instance, from, error))
        return false;
    from->claimed = true;
    return true;
}
