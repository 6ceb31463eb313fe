/* SPDX-License-Identifier: Apache-2.0 */
/* Forces of the caller: the service scree.embed/1 for modifier/callback. */
#include "lib/forces.h"

#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "engine/evaluate.h"
#include "engine/sim_plugins.h"
#include "engine/trial_forces.h"
#include "lib/state.h"
#include "plugin/instance.h"

/** A function of sc_on_forces. */
typedef struct given_forces {
    char *slot; /* "modifiers.air" */
    int32_t (*fn)(void *user, const scree_forces *args);
    void *user;
} given_forces;

static void free_given(void *data)
{
    given_forces *one = data;
    g_free(one->slot);
    g_free(one);
}

static given_forces *find_given(const sc_run *run, const char *slot)
{
    for (guint k = 0; k < run->forces->len; k++) {
        given_forces *one = run->forces->pdata[k];
        if (!strcmp(one->slot, slot))
            return one;
    }
    return NULL;
}

/** Serves scree.embed/1. */
static int32_t call_given(void *ctx, const scree_host *host, const scree_forces *args)
{
    sc_run *run = ctx;
    const given_forces *one = find_given(run, host->slot);
    if (!one)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "sc_on_forces has set no function");
    g_clear_pointer(&run->failure, g_free);
    scree_lib_out(run);
    const int32_t code = one->fn(one->user, args);
    scree_lib_in(run);
    return code >= 0
               ? code
               : host->fail(host->ctx, code,
                            run->failure ? run->failure : "the function of sc_on_forces failed");
}

void scree_lib_forces_begin(sc_run *run)
{
    run->forces = g_ptr_array_new_with_free_func(free_given);
    run->embed = (scree_embed){.size = sizeof run->embed, .ctx = run, .forces = call_given};
    run->context.embed = &run->embed;
}

void scree_lib_forces_clear(sc_run *run)
{
    g_clear_pointer(&run->forces, g_ptr_array_unref);
    g_free(run->failure);
}

static bool is_callback(const scree_choice_of *choice)
{
    return choice && choice->plugin->kind == SCREE_KIND_MODIFIER &&
           !strcmp(choice->plugin->id, "callback");
}

/** The modifier in a slot; NULL: none. */
static scree_instance *find_modifier(const scree_sim *sim, const char *slot)
{
    scree_instance *found = NULL;
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        scree_instance *one = sim->plugins.body.modifiers->pdata[m];
        found = !g_strcmp0(one->slot, slot) ? one : found;
    }
    return found;
}

bool scree_lib_forces_wanted(const scree_scene *scene)
{
    bool any = false;
    for (guint m = 0; m < scene->modifiers->len; m++)
        any = any || is_callback(((const scree_timed_choice *)scene->modifiers->pdata[m])->choice);
    return any;
}

bool scree_lib_forces_used(const scree_sim *sim)
{
    bool any = false;
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++)
        any = any ||
              is_callback(((const scree_instance *)sim->plugins.body.modifiers->pdata[m])->choice);
    return any;
}

bool scree_lib_forces_check(const sc_run *run, GError **error)
{
    const GPtrArray *modifiers = run->run.sim->plugins.body.modifiers;
    for (guint m = 0; m < modifiers->len; m++) {
        const scree_instance *one = modifiers->pdata[m];
        if (is_callback(one->choice) && !find_given(run, one->slot))
            return scree_fail(error, SCREE_EXIT_USAGE,
                              "%s: expected a function of sc_on_forces(run, \"%s\", ..) before the "
                              "first forces",
                              one->slot, strchr(one->slot, '.') + 1);
    }
    return true;
}

/** Whether a function may be set: before the first forces the scene must have such a modifier, later
 * a swap may bring it. */
static bool expects(const sc_run *run, const char *name, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const GPtrArray *slots = run->run.sim->scene->modifiers;
    for (guint m = 0; m < slots->len; m++) {
        const scree_timed_choice *timed = slots->pdata[m];
        if (!is_callback(timed->choice))
            continue;
        if (!strcmp(timed->name, name))
            return true;
        g_ptr_array_add(names, (char *)timed->name);
    }
    g_ptr_array_add(names, NULL);
    g_autofree char *hint = scree_did_you_mean(name, (const char *const *)names->pdata);
    g_autofree char *text = g_strdup_printf(
        "sc_on_forces: no modifier callback of the scene has the name \"%s\"%s", name, hint);
    if (run->phase == SCREE_LIB_OPEN)
        return scree_fail(error, SCREE_EXIT_USAGE, "%s", text);
    scree_say(SCREE_SAY_WARNING, "%s", text);
    return true;
}

int32_t sc_on_forces(sc_run *run, const char *name,
                     int32_t (*fn)(void *user, const struct scree_forces *args), void *user)
{
    SCREE_LIB_ENTER(run, SCREE_LIB_OPEN, false);
    if (!name || !fn) {
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_on_forces: expected a name and a function");
        return scree_lib_leave(run, error);
    }
    g_autofree char *slot = g_strconcat("modifiers.", name, NULL);
    const scree_instance *other = find_modifier(run->run.sim, slot);
    if (other && !is_callback(other->choice)) {
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_on_forces: %s is a modifier/%s, not a callback",
                   slot, other->plugin->id);
        return scree_lib_leave(run, error);
    }
    if (!other && !expects(run, name, &error))
        return scree_lib_leave(run, error);
    given_forces *one = find_given(run, slot);
    if (!one) {
        one = g_new0(given_forces, 1);
        one->slot = g_steal_pointer(&slot);
        g_ptr_array_add(run->forces, one);
    }
    one->fn = fn;
    one->user = user;
    return scree_lib_leave(run, error);
}

int32_t sc_forces_changed(sc_run *run)
{
    double stored;
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, false);
    scree_sim *sim = run->run.sim;
    const size_t n = (size_t)SCREE_WRENCH * sim->world->n;
    g_autofree double *wrench = g_new(double, n + 1);
    const bool done =
        scree_trial_forces(sim, wrench, &stored, &error) && scree_lib_book_stored(sim, &error);
    if (done)
        memcpy(sim->world->wrench, wrench, n * sizeof *wrench);
    else
        run->phase = SCREE_LIB_FAILED;
    return scree_lib_leave(run, error);
}

int32_t sc_fail(sc_run *run, int32_t code, const char *text)
{
    if (run) {
        g_free(run->failure);
        run->failure = g_strdup(text);
    }
    return code;
}

int32_t sc_forces_of(sc_run *run, const char *slot, double *wrench, double *power)
{
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, true);
    scree_sim *sim = run->run.sim;
    scree_instance *found = find_modifier(sim, slot);
    if (!found || !wrench || !power)
        scree_fail(&error, SCREE_EXIT_USAGE,
                   "sc_forces_of: expected \"modifiers.NAME\" of the scene and two arrays, got "
                   "\"%s\"",
                   slot ? slot : "");
    else if (!scree_modifier_forces(sim, found, wrench, power, &error))
        run->phase = SCREE_LIB_FAILED;
    return scree_lib_leave(run, error);
}
