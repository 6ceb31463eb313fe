/* SPDX-License-Identifier: Apache-2.0 */
/* A run that repeats a call: it ends after the step of the call. */
#include "run/again.h"

#include <inttypes.h>
#include <stdio.h>

#include "engine/sim_plugins.h"
#include "plugin/break.h"

bool scree_again_check(const scree_sim *sim, GError **error)
{
    const scree_break *named = &scree_break_named;
    const bool later = sim->scene->schedule->len && named->kind; // a slot may come
    if (named->has_step && named->step < sim->step)
        return scree_fail_of(error, SCREE_EXIT_USAGE, "--break", named->text,
                             "expected a step from %" PRIu64 " on, where the run begins",
                             sim->step);
    if (!named->text || named->n || later)
        return true;
    g_autoptr(GPtrArray) all = scree_plugins_list(sim), shapes = scree_plugins_shapes(sim);
    g_ptr_array_extend(all, sim->observers, NULL, NULL);
    g_ptr_array_extend(all, shapes, NULL, NULL);
    return scree_break_check(all, error);
}

bool scree_again_count(const scree_sim *sim, uint64_t *steps)
{
    const uint64_t step = scree_break_named.step;
    const bool ahead = step >= sim->step && step != UINT64_MAX; // not in the set-up
    if (scree_break_named.has_step)
        *steps = ahead ? step - sim->step + 1 : 0;
    return scree_break_named.has_step;
}

bool scree_again_begin(const scree_sim *sim)
{
    const scree_break *named = &scree_break_named;
    scree_break_at_step(sim->step);
    return named->text && (!named->has_step || named->step == sim->step);
}

bool scree_again_is_over(const scree_sim *sim)
{
    return scree_break_named.has_step && scree_break_named.step < sim->step;
}

/** The part of the named plugin that a state does not hold. */
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

bool scree_again_report(const scree_sim *sim, GError **error)
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
    fprintf(
        stderr,
        "scree: no plugin misbehaves this time, in %" PRIu64 " call%s of %s\n"
        "scree: note: if nothing was repaired, the fault depends on what a state does not hold: "
        "the order of threads (--threads), %s, the steps at which contact detection ran, or "
        "the sample that a check took\n",
        named->n, named->n == 1 ? "" : "s", named->text, own_state());
    return true;
}
