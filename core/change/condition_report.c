/* SPDX-License-Identifier: Apache-2.0 */
/* Unmet conditions of a run, for people (a line each) and for programs (JSON). */
#include "change/condition_report.h"

#include <inttypes.h>
#include <math.h>

static const scree_term *term_at(const scree_condition_state *state, guint k)
{
    return &g_array_index(state->condition->terms, scree_term, k);
}

/** "never held", "held for 0.03 s at most, of 0.05 s". */
static void append_how(GString *line, const scree_condition_state *state)
{
    const scree_condition *c = state->condition;
    if (state->step < 0.0)
        g_string_append_printf(line, "was never looked at: every %" PRIu64 " steps", c->every);
    else if (state->longest < 0.0)
        g_string_append(line, "never held");
    else
        g_string_append_printf(line, "held for %.4g s at most, of %.4g s", state->longest, c->hold);
}

/** "; last unbalanced = 0.02, kinetic = 3e-6". */
static void append_last(GString *line, const scree_condition_state *state)
{
    for (guint t = 0; t < state->condition->terms->len; t++) {
        g_string_append_printf(line, "%s %s", t ? "," : "; last", term_at(state, t)->subject);
        if (isnan(state->seen[t].last))
            g_string_append(line, " has no value");
        else
            g_string_append_printf(line, " = %.4g", state->seen[t].last);
    }
}

void scree_conditions_print(scree_sim *sim, FILE *out)
{
    const GPtrArray *all = scree_conditions_of(sim);
    for (guint k = 0; k < all->len; k++) {
        const scree_condition_state *state = all->pdata[k];
        if (!state || state->due)
            continue;
        g_autoptr(GString) line = g_string_new(NULL);
        append_how(line, state);
        if (state->step >= 0.0)
            append_last(line, state);
        fprintf(out, "%-13s %s: %s\n", state->condition->path, state->condition->text, line->str);
    }
}

static void write_condition(const scree_condition_state *state, scree_json *json)
{
    const scree_condition *c = state->condition;
    scree_json_open_object(json, NULL);
    scree_json_string(json, "of", c->path);
    scree_json_string(json, "when", c->text);
    scree_json_bool(json, "came_true", state->due);
    scree_json_real(json, "for", c->hold);
    scree_json_real(json, "held_at_most", state->longest < 0.0 ? (double)NAN : state->longest);
    scree_json_real(json, "last_check", state->step < 0.0 ? (double)NAN : state->step);
    scree_json_open_array(json, "last");
    for (guint t = 0; t < c->terms->len; t++) {
        scree_json_open_object(json, NULL);
        scree_json_string(json, "quantity", term_at(state, t)->subject);
        scree_json_real(json, "value", state->seen[t].last);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
    scree_json_close_object(json);
}

void scree_conditions_json(scree_sim *sim, scree_json *json)
{
    const GPtrArray *all = scree_conditions_of(sim);
    scree_json_open_array(json, "conditions");
    for (guint k = 0; k < all->len; k++) {
        const scree_condition_state *state = all->pdata[k];
        if (state)
            write_condition(state, json);
    }
    scree_json_close_array(json);
}
