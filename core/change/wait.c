/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of a run under way: since when they hold, means over a window. */
#include "change/wait.h"

#include <math.h>
#include <string.h>

#include "engine/figures.h"
#include "scene/scene_schedule.h"

/** A hair less counts, so that 3 times 0.1 s is 0.3 s. */
#define HAIR (1.0 - 1e-12)

static void free_samples(void *samples)
{
    if (samples)
        g_array_unref(samples);
}

static void free_wait(void *data)
{
    scree_wait *wait = data;
    if (!wait)
        return;
    g_ptr_array_unref(wait->samples);
    g_free(wait);
}

static scree_wait *new_wait(const scree_condition *condition)
{
    if (!condition)
        return NULL;
    scree_wait *wait = g_new0(scree_wait, 1);
    wait->condition = condition;
    wait->since = (double)NAN;
    wait->step = -1.0;
    wait->samples = g_ptr_array_new_with_free_func(free_samples);
    for (guint k = 0; k < condition->terms->len; k++) {
        const scree_term *term = &g_array_index(condition->terms, scree_term, k);
        g_ptr_array_add(wait->samples,
                        term->window > 0.0 ? g_array_new(FALSE, FALSE, sizeof(double)) : NULL);
    }
    return wait;
}

/** Those of the schedule's entries, then those of `stop`; nothing has been looked at. */
static GPtrArray *new_waits(const scree_scene *scene)
{
    GPtrArray *waits = g_ptr_array_new_with_free_func(free_wait);
    for (guint k = 0; k < scene->schedule->len; k++)
        g_ptr_array_add(waits, new_wait(((scree_schedule_entry *)scene->schedule->pdata[k])->when));
    for (guint k = 0; k < scene->stop->len; k++)
        g_ptr_array_add(waits, new_wait(scene->stop->pdata[k]));
    return waits;
}

static GPtrArray *waits_of(scree_sim *sim)
{
    if (!sim->waits)
        sim->waits = new_waits(sim->scene);
    return sim->waits;
}

scree_wait *scree_wait_of_entry(scree_sim *sim, guint k)
{
    return waits_of(sim)->pdata[k];
}

scree_wait *scree_wait_of_stop(scree_sim *sim, guint k)
{
    return waits_of(sim)->pdata[sim->scene->schedule->len + k];
}

/** Whether condition k is looked at after `step` steps: not of entries that have acted. */
static bool is_turn(scree_sim *sim, guint k, uint64_t step)
{
    const scree_wait *wait = waits_of(sim)->pdata[k];
    const guint n_entries = sim->scene->schedule->len;
    return wait && !wait->due && step > 0 && step % wait->condition->every == 0 &&
           !(k < n_entries && sim->swaps.schedule_done[k]);
}

void scree_waits_prepare(scree_sim *sim)
{
    for (guint k = 0; k < waits_of(sim)->len; k++) {
        if (!is_turn(sim, k, sim->step + 1))
            continue;
        const scree_wait *wait = sim->waits->pdata[k];
        const uint64_t wanted = scree_condition_quantities(wait->condition);
        sim->watched = true;
        sim->records.contacts |= (wanted & SCREE_QUANTITIES_OF_CONTACTS) != 0;
    }
}

bool scree_waits_may_stop(scree_sim *sim)
{
    const double next = scree_sim_time_at(sim, sim->step + 1);
    bool may = false;
    for (guint k = 0; k < sim->scene->stop->len && !may; k++) {
        const scree_wait *wait = scree_wait_of_stop(sim, k);
        const scree_condition *c = wait->condition;
        const double since = isnan(wait->since) ? next : wait->since;
        may = is_turn(sim, sim->scene->schedule->len + k, sim->step + 1) &&
              next >= c->after * HAIR && next - since >= c->hold * HAIR;
    }
    return may;
}

/** The mean of a term's window up to now; NaN before it is full. */
static double take_mean(GArray *samples, double window, double time, double value)
{
    const double pair[2] = {time, value};
    g_array_append_vals(samples, pair, 2);
    const double *v = (const double *)(const void *)samples->data;
    guint first = 0;
    while (first + 2 < samples->len && v[first + 2] <= time - window * HAIR)
        first += 2;
    g_array_remove_range(samples, 0, first); // the oldest one is as old as the window, or all
    v = (const double *)(const void *)samples->data;
    if (!(time - v[0] >= window * HAIR))
        return (double)NAN;
    double sum = 0.0;
    for (guint k = 2; k < samples->len; k += 2)
        sum += v[k + 1];
    return sum / (samples->len / 2 - 1);
}

static bool holds(scree_wait *wait, double time, const double value[])
{
    const GArray *terms = wait->condition->terms;
    bool any = false, all = true;
    for (guint k = 0; k < terms->len; k++) {
        const scree_term *term = &g_array_index(terms, scree_term, k);
        GArray *samples = wait->samples->pdata[k];
        double v = value[term->quantity];
        if (samples)
            v = take_mean(samples, term->window, time, v);
        if (k && term->alternative != (term - 1)->alternative) {
            any = any || all;
            all = true;
        }
        const bool beyond = term->less ? v < term->value : v > term->value;
        all = all && (beyond || (term->or_equal && v == term->value));
    }
    return any || all;
}

static void check(scree_sim *sim, scree_wait *wait)
{
    const scree_condition *c = wait->condition;
    const double time = scree_sim_time(sim);
    double value[SCREE_QUANTITIES];
    scree_figures_now(sim, scree_condition_quantities(c), value);
    wait->step = (double)sim->step;
    if (!holds(wait, time, value) || time < c->after * HAIR) {
        wait->since = (double)NAN;
        return;
    }
    if (isnan(wait->since))
        wait->since = time;
    wait->due = time - wait->since >= c->hold * HAIR;
}

void scree_waits_check(scree_sim *sim)
{
    scree_phase former = scree_sim_enter(sim, SCREE_PHASE_EDIT);
    for (guint k = 0; k < waits_of(sim)->len; k++)
        if (is_turn(sim, k, sim->step))
            check(sim, sim->waits->pdata[k]);
    scree_sim_enter(sim, former);
}

int scree_waits_stop(scree_sim *sim)
{
    for (guint k = 0; k < sim->scene->stop->len; k++)
        if (scree_wait_of_stop(sim, k)->due && !scree_wait_of_stop(sim, k)->spent)
            return (int)k;
    return -1;
}

/* --- checkpoints --- */

/* Numbers of a condition: how many follow, a checksum of its text, since, step, due; for each mean how
 * many numbers its samples have, and these. */
enum { HEAD = 4 };

static double sum_text(const char *text)
{
    return (double)g_str_hash(text);
}

GArray *scree_waits_keep(const scree_sim *sim)
{
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GPtrArray) unseen = new_waits(sim->scene);
    const GPtrArray *waits = sim->waits ? sim->waits : unseen;
    for (guint k = 0; k < waits->len; k++) {
        const scree_wait *wait = waits->pdata[k];
        if (!wait)
            continue;
        const double head[HEAD] = {sum_text(wait->condition->text), wait->since, wait->step,
                                   wait->due};
        g_array_append_vals(kept, head, HEAD);
        for (guint s = 0; s < wait->samples->len; s++) {
            const GArray *samples = wait->samples->pdata[s];
            if (!samples)
                continue;
            const double n = samples->len;
            g_array_append_vals(kept, &n, 1);
            if (samples->len)
                g_array_append_vals(kept, samples->data, samples->len);
        }
    }
    return kept;
}

/** Numbers that are read one after the other. */
typedef struct reader {
    const double *v;
    guint at, n;
    bool good;
} reader;

static double next(reader *r)
{
    r->good = r->good && r->at < r->n;
    return r->good ? r->v[r->at++] : 0.0;
}

static void read_samples(reader *r, GArray *samples)
{
    const double n = next(r);
    r->good = r->good && n >= 0.0 && n <= (double)(r->n - r->at) && n == 2.0 * floor(n / 2.0);
    if (!r->good)
        return;
    g_array_append_vals(samples, r->v + r->at, (guint)n);
    r->at += (guint)n;
}

static void read_wait(reader *r, scree_wait *wait)
{
    r->good = next(r) == sum_text(wait->condition->text) && r->good;
    wait->since = next(r);
    wait->step = next(r);
    wait->due = next(r) != 0.0;
    wait->spent = wait->due;
    for (guint s = 0; s < wait->samples->len; s++)
        if (wait->samples->pdata[s])
            read_samples(r, wait->samples->pdata[s]);
}

void scree_waits_restore(scree_sim *sim, const GArray *kept, GPtrArray *notes)
{
    reader r = {.v = kept ? (const double *)(const void *)kept->data : NULL,
                .n = kept ? kept->len : 0,
                .good = true};
    bool any = false;
    for (guint k = 0; k < waits_of(sim)->len; k++)
        if (sim->waits->pdata[k]) {
            any = true;
            read_wait(&r, sim->waits->pdata[k]);
        }
    if ((!any && !r.n) || (r.good && r.at == r.n))
        return;
    g_clear_pointer(&sim->waits, g_ptr_array_unref);
    if (any)
        g_ptr_array_add(notes,
                        g_strdup("the conditions of `stop` and `schedule` are not those of the "
                                 "checkpoint: they start from nothing"));
}
