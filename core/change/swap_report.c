/* SPDX-License-Identifier: Apache-2.0 */
/* Results of swaps, for people (lines) and for programs (JSON). */
#include "change/swap_report.h"

#include <inttypes.h>
#include <string.h>

#include "base/say.h"

/** "gcd a -> b, force[0] none -> c"; new string. */
static char *list_changes(const scree_swap *swap)
{
    GString *list = g_string_new(NULL);
    for (guint k = 0; k < swap->changes->len; k++) {
        const scree_swap_change *change = &g_array_index(swap->changes, scree_swap_change, k);
        g_string_append_printf(list, "%s%s %s -> %s", k ? ", " : "", change->slot,
                               change->from ? change->from : "none",
                               change->to ? change->to : "off");
    }
    return g_string_free(list, FALSE);
}

static void say_differences(const scree_swap *swap)
{
    if (swap->candidates)
        scree_say(SCREE_SAY_NEWS, "  candidates: %" PRIu64 " before, %" PRIu64 " more",
                  swap->candidates, swap->extra);
    if (swap->difference > 0.0)
        scree_say(SCREE_SAY_NEWS,
                  "  forces differ by up to %.4g N (body %" PRIu64
                  "; the largest before is %.4g N)",
                  swap->difference, swap->body, swap->largest);
    else if (swap->compared)
        scree_say(SCREE_SAY_NEWS, "  forces are the same");
    if (swap->gravity_work > 0.0 || swap->gravity_work < 0.0)
        scree_say(SCREE_SAY_NEWS, "  potential energy changes by %.6g J, booked as work",
                  swap->gravity_work);
    if (swap->work > 0.0 || swap->work < 0.0)
        scree_say(SCREE_SAY_NEWS, "  stored energy changes by %.6g J, booked as work", swap->work);
    if (swap->critical > 0.0 && swap->dt > swap->critical)
        scree_say(SCREE_SAY_WARNING,
                  "dt = %g s is above the critical step of the laws, %g s: bodies "
                  "with many contacts may gain energy",
                  swap->dt, swap->critical);
    if (swap->dropped || swap->carried)
        scree_say(SCREE_SAY_NEWS,
                  "  %" PRIu64 " contacts keep their history, %" PRIu64 " lost theirs",
                  swap->carried, swap->dropped);
}

void scree_swap_say(const scree_swap *swap)
{
    g_autofree char *changes = list_changes(swap);
    if (swap->refused) {
        scree_say(SCREE_SAY_WARNING, "step %" PRIu64 " (%s): %s refused, nothing has changed: %s",
                  swap->step, swap->cause, changes, swap->refused);
        return;
    }
    scree_say(SCREE_SAY_NEWS, "step %" PRIu64 " (%s): %s", swap->step, swap->cause, changes);
    for (guint k = 0; k < swap->fields->len; k++)
        scree_say(SCREE_SAY_NEWS, "  %s", (const char *)swap->fields->pdata[k]);
    say_differences(swap);
}

void scree_swap_json(const scree_swap *swap, scree_json *json)
{
    scree_json_open_object(json, NULL);
    scree_json_uint(json, "step", swap->step);
    scree_json_real(json, "time", swap->time);
    scree_json_string(json, "cause", swap->cause);
    scree_json_bool(json, "done", !swap->refused);
    scree_json_string(json, "refused", swap->refused);
    scree_json_open_array(json, "changes");
    for (guint k = 0; k < swap->changes->len; k++) {
        const scree_swap_change *change = &g_array_index(swap->changes, scree_swap_change, k);
        scree_json_open_object(json, NULL);
        scree_json_string(json, "slot", change->slot);
        scree_json_string(json, "from", change->from);
        scree_json_string(json, "to", change->to);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
    scree_json_open_array(json, "fields");
    for (guint k = 0; !swap->refused && k < swap->fields->len; k++)
        scree_json_string(json, NULL, swap->fields->pdata[k]);
    scree_json_close_array(json);
    scree_json_real(json, "force_difference", swap->difference);
    scree_json_real(json, "largest_force", swap->largest);
    scree_json_uint(json, "candidates", swap->candidates);
    scree_json_uint(json, "missing", swap->missing);
    scree_json_uint(json, "extra", swap->extra);
    scree_json_real(json, "work", swap->work);
    scree_json_real(json, "gravity_work", swap->gravity_work);
    scree_json_uint(json, "pasts_carried", swap->carried);
    scree_json_uint(json, "pasts_dropped", swap->dropped);
    scree_json_close_object(json);
}

/** Whether an entry with a step or time has not acted, also because a continued run began after it.
 * condition_report.c reports the others. */
static bool is_idle(const scree_sim *sim, guint k)
{
    bool acted = ((const scree_schedule_entry *)sim->scene->schedule->pdata[k])->when != NULL;
    for (guint i = 0; i < sim->swaps.acted->len; i++)
        acted = acted || g_array_index(sim->swaps.acted, scree_acted, i).entry == k;
    return !acted;
}

void scree_swaps_json(const scree_sim *sim, scree_json *json)
{
    scree_json_open_array(json, "swaps");
    for (guint k = 0; k < sim->swaps.all->len; k++)
        scree_swap_json(sim->swaps.all->pdata[k], json);
    scree_json_close_array(json);
    scree_json_open_array(json, "never_acted");
    for (guint k = 0; k < sim->scene->schedule->len; k++)
        if (is_idle(sim, k))
            scree_json_string(
                json, NULL, ((const scree_schedule_entry *)sim->scene->schedule->pdata[k])->cause);
    scree_json_close_array(json);
}

/** Prints a line for each field that a swap has dropped. */
static void print_dropped(const scree_swap *swap, FILE *out)
{
    for (guint k = 0; k < swap->fields->len; k++)
        if (strstr(swap->fields->pdata[k], ": dropped"))
            fprintf(out, "%-13s step %" PRIu64 ": %s\n", "", swap->step,
                    (const char *)swap->fields->pdata[k]);
}

static void print_idle(const scree_schedule_entry *entry, FILE *out)
{
    g_autofree char *place = scree_schedule_place(entry);
    fprintf(out, "%-13s the entry of %s never acted: %s\n", "", place, entry->cause);
}

void scree_swaps_summary(const scree_sim *sim, FILE *out)
{
    const GPtrArray *all = sim->swaps.all;
    guint refused = 0;
    for (guint k = 0; k < all->len; k++)
        refused += ((const scree_swap *)all->pdata[k])->refused != NULL;
    if (all->len)
        fprintf(out, "swaps         %u done, %u refused\n", all->len - refused, refused);
    for (guint k = 0; k < all->len; k++) {
        const scree_swap *swap = all->pdata[k];
        if (swap->refused)
            fprintf(out, "%-13s step %" PRIu64 " (%s): refused: %s\n", "", swap->step, swap->cause,
                    swap->refused);
        else
            print_dropped(swap, out);
    }
    if (sim->swaps.ended_by)
        fprintf(out, "%-13s the refusal of schedule[%u] has ended the run\n", "",
                sim->swaps.ended_by - 1);
    for (guint k = 0; k < sim->scene->schedule->len; k++)
        if (is_idle(sim, k))
            print_idle(sim->scene->schedule->pdata[k], out);
}
