/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that have not come true in a run, for people (a line each) and for programs (JSON). */
#include "change/wait_report.h"

#include <inttypes.h>
#include <math.h>

static guint count_waits(const scree_sim *sim)
{
    return sim->scene->schedule->len + sim->scene->stop->len;
}

/** Number k of the schedule's, then of `stop`; NULL: that entry has no condition. */
static const scree_wait *wait_at(scree_sim *sim, guint k)
{
    const guint n = sim->scene->schedule->len;
    return k < n ? scree_wait_of_entry(sim, k) : scree_wait_of_stop(sim, k - n);
}

static const scree_term *term_at(const scree_wait *wait, guint k)
{
    return &g_array_index(wait->condition->terms, scree_term, k);
}

/** "never held", "held for 0.03 s at most, of 0.05 s". */
static void append_how(GString *line, const scree_wait *wait)
{
    const scree_condition *c = wait->condition;
    if (wait->step < 0.0)
        g_string_append_printf(line, "was never looked at: every %" PRIu64 " steps", c->every);
    else if (wait->longest < 0.0)
        g_string_append(line, "never held");
    else
        g_string_append_printf(line, "held for %.4g s at most, of %.4g s", wait->longest, c->hold);
}

/** "; last unbalanced = 0.02, kinetic = 3e-6". */
static void append_last(GString *line, const scree_wait *wait)
{
    for (guint t = 0; t < wait->condition->terms->len; t++) {
        g_string_append_printf(line, "%s %s", t ? "," : "; last", term_at(wait, t)->subject);
        if (isnan(wait->seen[t].last))
            g_string_append(line, " has no value");
        else
            g_string_append_printf(line, " = %.4g", wait->seen[t].last);
    }
}

void scree_waits_print(scree_sim *sim, FILE *out)
{
    for (guint k = 0; k < count_waits(sim); k++) {
        const scree_wait *wait = wait_at(sim, k);
        if (!wait || wait->due)
            continue;
        g_autoptr(GString) line = g_string_new(NULL);
        append_how(line, wait);
        if (wait->step >= 0.0)
            append_last(line, wait);
        fprintf(out, "%-13s %s: %s\n", wait->condition->path, wait->condition->text, line->str);
    }
}

static void write_wait(const scree_wait *wait, scree_json *json)
{
    const scree_condition *c = wait->condition;
    scree_json_open_object(json, NULL);
    scree_json_string(json, "of", c->path);
    scree_json_string(json, "when", c->text);
    scree_json_bool(json, "came_true", wait->due);
    scree_json_real(json, "for", c->hold);
    scree_json_real(json, "held_at_most", wait->longest < 0.0 ? (double)NAN : wait->longest);
    scree_json_real(json, "last_check", wait->step < 0.0 ? (double)NAN : wait->step);
    scree_json_open_array(json, "last");
    for (guint t = 0; t < c->terms->len; t++) {
        scree_json_open_object(json, NULL);
        scree_json_string(json, "quantity", term_at(wait, t)->subject);
        scree_json_real(json, "value", wait->seen[t].last);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
    scree_json_close_object(json);
}

void scree_waits_json(scree_sim *sim, scree_json *json)
{
    scree_json_open_array(json, "conditions");
    for (guint k = 0; k < count_waits(sim); k++) {
        const scree_wait *wait = wait_at(sim, k);
        if (wait)
            write_wait(wait, json);
    }
    scree_json_close_array(json);
}
