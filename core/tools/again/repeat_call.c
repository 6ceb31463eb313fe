/* SPDX-License-Identifier: Apache-2.0 */
/* A run that repeats a call ends after the step of this call. */
#include "tools/again/repeat_call.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "engine/sim_plugins.h"
#include "plugin/break.h"
#include "plugin/guard.h"
#include "plugin/kinds.h"
#include "tools/restart/slot_parse.h"

#define FORM "SLOT/CALL[@STEP][#N]"

static pthread_mutex_t count_mutex = PTHREAD_MUTEX_INITIALIZER; // lanes count at the same time

/** Takes "@STEP" or "#N" off the end of the text. False: it has something else. */
static bool take_number(char *text, char mark, uint64_t min, uint64_t *value, bool *there)
{
    char *at = strrchr(text, mark);
    *there = at != NULL;
    if (!at)
        return true;
    *at = '\0';
    return g_ascii_string_to_unsigned(at + 1, 10, min, INT64_MAX, value, NULL);
}

/** Counts the call. False: the user has not named it. */
static bool count_call(uint64_t *number)
{
    const uint64_t step = scree_guard_step();
    pthread_mutex_lock(&count_mutex);
    if (!scree_break_named.has_step) {
        scree_break_named.has_step = true;
        scree_break_named.step = step;
    }
    const bool counts = scree_break_named.step == step;
    scree_break_named.n += counts;
    *number = scree_break_named.n;
    pthread_mutex_unlock(&count_mutex);
    return counts && (!scree_break_named.only || scree_break_named.only == *number);
}

/** For a named call it prints a line and raises SIGTRAP, which only a debugger sees. */
static void look_at_call(const scree_instance *instance, const char *call, uint64_t n,
                         const char *of)
{
    uint64_t number;
    if (strcmp(call, scree_break_named.call) || strcmp(instance->slot, scree_break_named.slot) ||
        !count_call(&number))
        return;
    const uint64_t step = scree_guard_step();
    g_autofree char *at = step == UINT64_MAX ? NULL : g_strdup_printf(", step %" PRIu64, step);
    const int letters = of ? (int)strlen(of) - (n == 1) : 0; // "1 contact"
    g_autofree char *items = of ? g_strdup_printf(": %" PRIu64 " %.*s", n, letters, of) : NULL;
    scree_say(SCREE_SAY_NEWS, "%s, call %s%s, #%" PRIu64 "%s", instance->shown, call, at ? at : "",
              number, items ? items : "");
    raise(SIGTRAP);
}

bool scree_repeat_set(const char *text, GError **error)
{
    bool has_only;
    g_autofree char *name = g_strdup(text);
    bool good = take_number(name, '#', 1, &scree_break_named.only, &has_only) &&
                take_number(name, '@', 0, &scree_break_named.step, &scree_break_named.has_step);
    char *call = good ? strrchr(name, '/') : NULL;
    if (!call || call == name || !call[1])
        return scree_fail_of(error, SCREE_EXIT_USAGE, "--break", text,
                             "expected " FORM ", as in force[0]/compute@26#3");
    *call = '\0';
    scree_break_named.text = g_strdup(text);
    scree_break_named.slot = g_strdup(name);
    scree_break_named.call = g_strdup(call + 1);
    scree_break_named.look = look_at_call;
    scree_slot slot;
    if (scree_slot_parse(name, &slot))
        scree_break_named.kind = slot.kind;
    signal(SIGTRAP, SIG_IGN); // a debugger sees it all the same
    scree_break_at_step(0);   // the set-up may be the named step
    return true;
}

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

/** Names of the calls that the host makes into plugins of a kind, separated by spaces; new string. */
static char *list_calls(uint32_t kind)
{
    static const char *const calls[] = {
        [SCREE_KIND_GCD] = "init step_init find_neighbors find_objects pair",
        [SCREE_KIND_RESOLVER] = "supports prepare resolve adjoins",
        [SCREE_KIND_FORCE] = "range reach stiffness compute after_step",
        [SCREE_KIND_INTEGRATOR] = "begin stage move advance",
        [SCREE_KIND_OBSERVER] = "observe scalar read finish",
        [SCREE_KIND_MODIFIER] = "enter pose forces after_step",
        [SCREE_KIND_SHAPE] = "measure place view boxes farthest value",
        [SCREE_KIND_SOURCE] = "make",
        [SCREE_DRAFT_KIND_DOMAIN] = "processes join begin test finish gather broadcast abort",
    };
    return g_strconcat("create narrow load ", calls[kind], " save bytes destroy", NULL);
}

/** Returns whether one of the instances has this function; the error lists the possible names. */
static bool check_name(const GPtrArray *instances, GError **error)
{
    g_autoptr(GPtrArray) slots = g_ptr_array_new();
    const scree_instance *one = find_slot(instances, slots);
    g_ptr_array_add(slots, NULL);
    if (!one)
        return fail_name(scree_break_named.slot, (const char *const *)slots->pdata, error);
    g_autofree char *all = list_calls(one->plugin->kind);
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
