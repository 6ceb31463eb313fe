/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions during a run: since when they hold, means over a window. */
#include "change/condition_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "config/units.h"
#include "engine/figures.h"
#include "scene/scene_condition.h"
#include "scene/scene_schedule.h"

/** Relative tolerance when times are compared: 0.1 s + 0.1 s + 0.1 s counts as 0.3 s. */
#define HAIR (1.0 - 1e-12)

static void free_samples(void *samples)
{
    if (samples)
        g_array_unref(samples);
}

static void free_condition(void *data)
{
    scree_condition_state *state = data;
    if (!state)
        return;
    g_ptr_array_unref(state->samples);
    g_free(state->seen);
    g_free(state);
}

static scree_condition_state *new_condition(const scree_condition *condition)
{
    if (!condition)
        return NULL;
    scree_condition_state *state = g_new0(scree_condition_state, 1);
    state->condition = condition;
    state->since = (double)NAN;
    state->longest = state->step = -1.0;
    state->seen = g_new(scree_seen, condition->terms->len + 1);
    state->samples = g_ptr_array_new_with_free_func(free_samples);
    for (guint k = 0; k < condition->terms->len; k++) {
        const scree_term *term = &g_array_index(condition->terms, scree_term, k);
        state->seen[k] = (scree_seen){(double)NAN, (double)NAN, (double)NAN};
        g_ptr_array_add(state->samples,
                        term->window > 0.0 ? g_array_new(FALSE, FALSE, sizeof(double)) : NULL);
    }
    return state;
}

/** States of the schedule's conditions, then of those of `stop`, before any check. */
static GPtrArray *new_waits(const scree_scene *scene)
{
    GPtrArray *conditions = g_ptr_array_new_with_free_func(free_condition);
    for (guint k = 0; k < scene->schedule->len; k++)
        g_ptr_array_add(conditions,
                        new_condition(((scree_schedule_entry *)scene->schedule->pdata[k])->when));
    for (guint k = 0; k < scene->stop->len; k++)
        g_ptr_array_add(conditions, new_condition(scene->stop->pdata[k]));
    return conditions;
}

const GPtrArray *scree_conditions_of(scree_sim *sim)
{
    if (!sim->conditions)
        sim->conditions = new_waits(sim->scene);
    return sim->conditions;
}

scree_condition_state *scree_condition_of_entry(scree_sim *sim, guint k)
{
    return scree_conditions_of(sim)->pdata[k];
}

/** Returns the condition of entry k of scene.stop. */
static scree_condition_state *condition_of_stop(scree_sim *sim, guint k)
{
    return scree_conditions_of(sim)->pdata[sim->scene->schedule->len + k];
}

/** Whether condition k is checked after `step` steps; not if its entry has acted. */
static bool is_turn(scree_sim *sim, guint k, uint64_t step)
{
    const scree_condition_state *state = scree_conditions_of(sim)->pdata[k];
    const guint n_entries = sim->scene->schedule->len;
    return state && !state->due && step > 0 && step % state->condition->every == 0 &&
           !(k < n_entries && sim->swaps.schedule_done[k]);
}

/** Asks for the quantities that scalars of observers need. */
static void want_scalars(const scree_condition *condition, scree_observers *observers)
{
    for (guint k = 0; k < condition->terms->len; k++) {
        const scree_term *term = &g_array_index(condition->terms, scree_term, k);
        if (term->observer)
            scree_observers_want(observers, term->observer);
    }
}

void scree_conditions_prepare(scree_sim *sim, scree_observers *observers)
{
    for (guint k = 0; k < scree_conditions_of(sim)->len; k++) {
        if (!is_turn(sim, k, sim->step + 1))
            continue;
        const scree_condition_state *state = sim->conditions->pdata[k];
        const uint64_t wanted = scree_condition_figures(state->condition);
        sim->watched = true;
        sim->records.figures |= (wanted & scree_figures_of_contacts()) != 0;
        want_scalars(state->condition, observers);
    }
}

bool scree_conditions_may_stop(scree_sim *sim)
{
    const double next = scree_sim_time_at(sim, sim->step + 1);
    bool may = false;
    for (guint k = 0; k < sim->scene->stop->len && !may; k++) {
        const scree_condition_state *state = condition_of_stop(sim, k);
        const scree_condition *c = state->condition;
        const double since = isnan(state->since) ? next : state->since;
        may = is_turn(sim, sim->scene->schedule->len + k, sim->step + 1) &&
              next >= c->after * HAIR && next - since >= c->hold * HAIR;
    }
    return may;
}

/** The mean over a term's window up to now; NaN before the window is full. */
static double take_mean(GArray *samples, double window, double time, double value)
{
    const double pair[2] = {time, value};
    g_array_append_vals(samples, pair, 2);
    const double *v = (const double *)(const void *)samples->data;
    guint first = 0;
    while (first + 2 < samples->len && v[first + 2] <= time - window * HAIR)
        first += 2;
    g_array_remove_range(samples, 0, first); // the oldest sample is as old as the window
    v = (const double *)(const void *)samples->data;
    if (!(time - v[0] >= window * HAIR))
        return (double)NAN;
    double sum = 0.0;
    for (guint k = 2; k < samples->len; k += 2)
        sum += v[k + 1];
    return sum / (samples->len / 2 - 1);
}

/** [SI] The change of a total since the last check, over the time between. */
static double take_rate(scree_seen *seen, double time, double total)
{
    const double rate = (total - seen->total) / (time - seen->time);
    seen->time = time;
    seen->total = total;
    return rate;
}

/** Reads a scalar and the number that it is compared with; NaN: its observer is not active. */
static bool read_scalar(scree_observers *observers, const scree_term *term, scree_seen *seen,
                        double time, double pair[2], GError **error)
{
    const scree_instance *observer;
    const double *values;
    uint32_t number;
    pair[0] = pair[1] = (double)NAN;
    if (!scree_observers_read(observers, term->observer, &observer, &values, error))
        return false;
    const scree_scalar *scalar =
        observer ? scree_scalars_find(observer, term->scalar, &number) : NULL;
    if (!scalar)
        return true;
    pair[0] = values[number];
    if (scalar->flags & SCREE_SCALAR_RATE)
        pair[0] = take_rate(seen, time, pair[0]);
    return scree_quantity_parse(term->number, scalar->unit, &pair[1], error);
}

/** Whether term k holds; stores its value in state->seen[k].last. */
static bool check_term(scree_condition_state *state, guint k, double time, const double pair[2])
{
    const scree_term *term = &g_array_index(state->condition->terms, scree_term, k);
    GArray *samples = state->samples->pdata[k];
    const double v = samples ? take_mean(samples, term->window, time, pair[0]) : pair[0];
    const bool beyond = term->less ? v < pair[1] : v > pair[1];
    state->seen[k].last = v;
    return beyond || (term->or_equal && v == pair[1]);
}

/** Checks all terms; *holds: whether the condition does. */
static bool check_terms(const scree_sim *sim, scree_observers *observers,
                        scree_condition_state *state, double time, bool *holds, GError **error)
{
    const GArray *terms = state->condition->terms;
    double value[SCREE_MOST_FIGURES];
    bool any = false, all = true;
    scree_figures_now(sim, scree_condition_figures(state->condition), value);
    for (guint k = 0; k < terms->len; k++) {
        const scree_term *term = &g_array_index(terms, scree_term, k);
        double pair[2] = {0.0, term->value};
        if (!term->observer)
            pair[0] = value[term->figure];
        else if (!read_scalar(observers, term, &state->seen[k], time, pair, error))
            return false;
        if (k && term->alternative != (term - 1)->alternative) {
            any = any || all;
            all = true;
        }
        all = check_term(state, k, time, pair) && all;
    }
    *holds = any || all;
    return true;
}

static bool check(const scree_sim *sim, scree_observers *observers, scree_condition_state *state,
                  GError **error)
{
    const scree_condition *c = state->condition;
    const double time = scree_sim_time(sim);
    bool holds;
    if (!check_terms(sim, observers, state, time, &holds, error))
        return false;
    state->step = (double)sim->step;
    if (!holds || time < c->after * HAIR) {
        state->since = (double)NAN;
        return true;
    }
    if (isnan(state->since))
        state->since = time;
    state->longest = fmax(state->longest, time - state->since);
    state->due = time - state->since >= c->hold * HAIR;
    return true;
}

bool scree_conditions_check(scree_sim *sim, scree_observers *observers, GError **error)
{
    scree_phase former = scree_sim_enter(sim, SCREE_PHASE_EDIT);
    bool ok = true;
    for (guint k = 0; k < scree_conditions_of(sim)->len && ok; k++)
        if (is_turn(sim, k, sim->step))
            ok = check(sim, observers, sim->conditions->pdata[k], error);
    scree_sim_enter(sim, former);
    return ok;
}

int scree_conditions_stop(scree_sim *sim)
{
    for (guint k = 0; k < sim->scene->stop->len; k++)
        if (condition_of_stop(sim, k)->due && !condition_of_stop(sim, k)->spent)
            return (int)k;
    return -1;
}

/* --- checkpoints --- */

GArray *scree_conditions_keep(const scree_sim *sim)
{
    GArray *saved = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GPtrArray) unseen = new_waits(sim->scene);
    const GPtrArray *conditions = sim->conditions ? sim->conditions : unseen;
    for (guint k = 0; k < conditions->len; k++) {
        const scree_condition_state *state = conditions->pdata[k];
        if (!state)
            continue;
        const double head[SCREE_CONDITION_NUMBERS] = {scree_condition_sum(state->condition),
                                                      state->since, state->longest, state->step,
                                                      state->due};
        g_array_append_vals(saved, head, SCREE_CONDITION_NUMBERS);
        g_array_append_vals(saved, state->seen, SCREE_SEEN_NUMBERS * state->samples->len);
        for (guint s = 0; s < state->samples->len; s++) {
            const GArray *samples = state->samples->pdata[s];
            if (!samples)
                continue;
            const double n = samples->len;
            g_array_append_vals(saved, &n, 1);
            if (samples->len)
                g_array_append_vals(saved, samples->data, samples->len);
        }
    }
    return saved;
}

/* ---- the summary ---- */

static const scree_term *term_at(const scree_condition_state *state, guint k)
{
    return &g_array_index(state->condition->terms, scree_term, k);
}

static void write_condition(const scree_condition_state *state, scree_json *json)
{
    const scree_condition *c = state->condition;
    scree_json_open_object(json, NULL);
    scree_json_string(json, "of", c->path);
    scree_json_string(json, "when", c->text);
    scree_json_uint(json, "every", c->every);
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
