/* SPDX-License-Identifier: Apache-2.0 */
/* A run that repeats a call ends after the step of this call. */
#include "tools/again/repeat_call.h"

#include <inttypes.h>
#include <string.h>

#include "base/say.h"
#include "base/spelling.h"
#include "engine/sim_plugins.h"
#include "plugin/break.h"
#include "plugin/guard.h"
#include "plugin/kinds.h"

/** Returns the instance in the named slot, or one made by it; adds the slots that were searched. */
static const scree_instance *find_slot(const GPtrArray *instances, GPtrArray *slots)
{
    const scree_instance *found = NULL;
    const guint n = instances ? instances->len : 0;
    for (guint i = 0; i < n && !found; i++) {
        const scree_instance *one = instances->pdata[i];
        g_ptr_array_add(slots, one->slot);
        found = strcmp(one->slot, scree_break_named.slot) ? find_slot(one->nested, slots) : one;
    }
    return found;
}

static bool fail_name(const char *wanted, const char *const *names, GError **error)
{
    g_autofree char *list = g_strjoinv(", ", (char **)names),
                    *hint = scree_did_you_mean(wanted, names);
    return scree_fail_of(error, SCREE_EXIT_USAGE, "--break", scree_break_named.text,
                         "expected one of %s, got \"%s\"%s", list, wanted, hint);
}

/** Returns whether one of the instances has this function; the error lists the possible names. */
static bool check_name(const GPtrArray *instances, GError **error)
{
    g_autoptr(GPtrArray) slots = g_ptr_array_new();
    const scree_instance *one = find_slot(instances, slots);
    g_ptr_array_add(slots, NULL);
    if (!one)
        return fail_name(scree_break_named.slot, (const char *const *)slots->pdata, error);
    g_autofree char *all = scree_kind_calls(one->plugin->kind);
    g_auto(GStrv) calls = g_strsplit(all, " ", -1);
    return g_strv_contains((const char *const *)calls, scree_break_named.call) ||
           fail_name(scree_break_named.call, (const char *const *)calls, error);
}

/** Returns whether the call comes after the last step: its checkpoint is early enough. */
static bool is_at_end(const scree_sim *sim, const scree_break *named)
{
    const bool last = !strcmp(named->call, "finish") || !strcmp(named->call, "destroy");
    return last && named->step + 1 == sim->step;
}

bool scree_repeat_check(const scree_sim *sim, uint64_t end, GError **error)
{
    const scree_break *named = &scree_break_named;
    const bool later = sim->scene->schedule->len && named->kind; // the schedule may add a slot
    if (named->has_step && is_at_end(sim, named)) {
        scree_break_at_step(named->step);
        scree_guard_name_step(named->step); // the call comes before the first step
    } else if (named->has_step && named->step < sim->step)
        return scree_fail_of(error, SCREE_EXIT_USAGE, "--break", named->text,
                             "expected a step from %" PRIu64 " on, where the run begins",
                             sim->step);
    else if (named->has_step && named->step >= end && named->step != UINT64_MAX)
        return scree_fail_of(error, SCREE_EXIT_USAGE, "--break", named->text,
                             "expected a step before %" PRIu64 ", where the run ends", end);
    if (!named->text || named->n || later)
        return true;
    g_autoptr(GPtrArray) all = scree_plugins_list(sim), shapes = scree_plugins_shapes(sim);
    g_ptr_array_extend(all, sim->observers, NULL, NULL);
    g_ptr_array_extend(all, shapes, NULL, NULL);
    return check_name(all, error);
}

bool scree_repeat_count(const scree_sim *sim, uint64_t *steps)
{
    const uint64_t step = scree_break_named.step;
    const bool ahead = step >= sim->step && step != UINT64_MAX; // not in the set-up
    if (scree_break_named.has_step)
        *steps = ahead ? step - sim->step + 1 : 0;
    return scree_break_named.has_step;
}

/** Returns the part of the named plugin's memory that a state does not hold. */
static const char *own_state(void)
{
    switch (scree_break_named.kind) {
    case SCREE_KIND_GCD:
        return "what the GCD has built in earlier steps";
    case SCREE_KIND_RESOLVER:
        return "the hints of the resolver";
    default:
        return "what the plugin keeps to itself";
    }
}

bool scree_repeat_report(const scree_sim *sim, GError **error)
{
    const scree_break *named = &scree_break_named;
    const uint64_t least = MAX(named->only, 1);
    if (!named->text)
        return true;
    if (named->n < least)
        return scree_fail_of(error, SCREE_EXIT_USAGE, "--break", named->text,
                             "expected %" PRIu64 " such call%s until step %" PRIu64
                             ", got %" PRIu64,
                             least, least == 1 ? "" : "s", sim->step, named->n);
    scree_say(SCREE_SAY_NEWS, "no plugin misbehaves this time, in %" PRIu64 " call%s of %s",
              named->n, named->n == 1 ? "" : "s", named->text);
    scree_say(SCREE_SAY_NOTE,
              "if nothing was repaired, the fault depends on what a state does not hold: "
              "the order of threads (--threads), %s, the steps at which contact detection ran, or "
              "the sample that a check took",
              own_state());
    return true;
}
