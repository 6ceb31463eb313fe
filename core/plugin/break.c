/* SPDX-License-Identifier: Apache-2.0 */
/* Stops before the calls into a plugin that the user names. */
#include "plugin/break.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "base/say.h"
#include "plugin/guard.h"

#define FORM "SLOT/CALL[@STEP][#N]"

scree_break scree_break_named;
bool scree_break_on;
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

bool scree_break_set(const char *text, GError **error)
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
    scree_slot slot;
    if (scree_slot_parse(name, &slot))
        scree_break_named.kind = slot.kind;
    signal(SIGTRAP, SIG_IGN); // a debugger sees it all the same
    scree_break_at_step(0);   // the set-up may be the named step
    return true;
}

void scree_break_at_step(uint64_t step)
{
    if (scree_break_named.text) // only a program names a call, and has one run
        scree_break_on = !scree_break_named.has_step || scree_break_named.step == step;
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

void scree_break_look(const scree_instance *instance, const char *call, uint64_t n, const char *of)
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
