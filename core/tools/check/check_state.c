/* SPDX-License-Identifier: Apache-2.0 */
/* Case `state`: what save() gives, load() takes (scree.state/1): a new instance gives the same bytes,
 * goes on as the other one does, and refuses bytes that are cut off or too many. */
#include "tools/check/check_state.h"

#include <inttypes.h>
#include <string.h>

#include "plugin/plugin_state.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"

typedef bool (*use_fn)(scree_check *check, scree_instance *instance);

/** The state of an instance, a list with one element; NULL: the check has failed. */
static GPtrArray *save_once(scree_check *check, scree_instance *instance)
{
    g_autoptr(GError) error = NULL;
    GPtrArray *states = scree_saved_states_new();
    if (scree_saved_states_save(states, instance, &error))
        return states;
    scree_check_fail(check, "%s", error->message);
    g_ptr_array_unref(states);
    return NULL;
}

/** Fails unless two states have equal bytes. */
static void compare(scree_check *check, const char *what, const GPtrArray *states,
                    const GPtrArray *others)
{
    const scree_saved_state *before = states->pdata[0], *now = others->pdata[0];
    uint64_t at = 0;
    while (at < before->n && at < now->n && before->bytes[at] == now->bytes[at])
        at++;
    if (at != before->n || at != now->n)
        scree_check_fail(check,
                         "%s: %" PRIu64 " bytes, %" PRIu64
                         " before; the first that differs is number %" PRIu64,
                         what, now->n, before->n, at);
}

/** The state of an instance, which must be the same when it is asked for again. */
static GPtrArray *save(scree_check *check, scree_instance *instance)
{
    GPtrArray *states = save_once(check, instance);
    g_autoptr(GPtrArray) again = states ? save_once(check, instance) : NULL;
    if (again)
        compare(check, "of the same state save() gives other bytes", states, again);
    if (!check->failed)
        return states;
    g_clear_pointer(&states, g_ptr_array_unref);
    return NULL;
}

/** A new instance that continues from the state; the host compares what it saves then. */
static scree_instance *load(scree_check *check, scree_instance *like, GPtrArray *states)
{
    like->runtime->handed = states;
    scree_instance *another = scree_check_instance_again(check, like);
    like->runtime->handed = NULL;
    return another;
}

/** Gives bytes that save() did not give: its first `n` bytes, then zeros. */
static void try_other(scree_check *check, scree_instance *like, const scree_saved_state *from,
                      uint64_t n)
{
    g_autofree uint8_t *bytes = g_malloc0(n + 1);
    memcpy(bytes, from->bytes, MIN(n, from->n));
    scree_instance *another = scree_check_instance_again(check, like);
    if (!another)
        return;
    scree_call call = scree_call_begin(another, SCREE_CALL_CONFIG, "load");
    int32_t code = another->state->load(another->self, bytes, n);
    code = scree_call_end(&call, code, SCREE_OK, NULL);
    if (code >= 0)
        scree_check_fail(check,
                         "load() takes %" PRIu64 " bytes where save() gave %" PRIu64
                         "; expected SCREE_E_CONFIG",
                         n, from->n);
    else if (code != SCREE_E_CONFIG || !another->error)
        scree_check_fail(check,
                         "load() of %" PRIu64 " bytes where save() gave %" PRIu64
                         " returns %d%s; expected SCREE_E_CONFIG after host->fail with a text",
                         n, from->n, code, another->error ? "" : " without a text");
    scree_check_instance_free(another);
}

static void try_lengths(scree_check *check, scree_instance *like, const scree_saved_state *from)
{
    const uint64_t lengths[] = {from->n + 1, from->n ? from->n - 1 : 1, from->n / 2, 0};
    for (size_t k = 0; k < G_N_ELEMENTS(lengths) && !check->failed; k++)
        if (lengths[k] != from->n)
            try_other(check, like, from, lengths[k]);
}

/** Uses both alike; their states must be equal. */
static void try_going_on(scree_check *check, scree_instance *a, scree_instance *b, use_fn use)
{
    if (!use(check, a) || !use(check, b))
        return;
    g_autoptr(GPtrArray) of_a = save(check, a);
    g_autoptr(GPtrArray) of_b = of_a ? save(check, b) : NULL;
    if (of_b)
        compare(check,
                "after the same calls an instance that goes on from a state has another one than "
                "the instance that gave it",
                of_a, of_b);
}

void scree_check_state(scree_check *check, use_fn use)
{
    scree_instance *instance =
        scree_check_instance(check, scree_check_dimension(check), 1, SCREE_CHECK_DEFAULTS, NULL);
    if (instance && !instance->state)
        scree_check_skip(check, "it has no " SCREE_EXTENSION_STATE);
    if (instance && instance->state && (!use || use(check, instance))) {
        g_autoptr(GPtrArray) states = save(check, instance);
        scree_instance *another = states ? load(check, instance, states) : NULL;
        if (another)
            try_lengths(check, instance, states->pdata[0]);
        if (another && use && !check->failed) // else the case run-saved does
            try_going_on(check, instance, another, use);
        scree_check_instance_free(another);
    }
    scree_check_instance_free(instance);
}
