/* SPDX-License-Identifier: Apache-2.0 */
/* Restores the numbers that the conditions of a run remember. */
#include "tools/restart/conditions_restore.h"

#include <math.h>

#include "scene/scene_condition.h"

/** Reads numbers one after the other. */
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

static void read_wait(reader *r, scree_condition_state *state)
{
    r->good = next(r) == scree_condition_sum(state->condition) && r->good;
    state->since = next(r);
    state->longest = next(r);
    state->step = next(r);
    state->due = next(r) != 0.0;
    state->spent = state->due;
    for (guint s = 0; s < state->samples->len; s++) {
        double *numbers = &state->seen[s].last;
        for (int k = 0; k < SCREE_SEEN_NUMBERS; k++)
            numbers[k] = next(r);
    }
    for (guint s = 0; s < state->samples->len; s++)
        if (state->samples->pdata[s])
            read_samples(r, state->samples->pdata[s]);
}

void scree_conditions_restore(scree_sim *sim, const GArray *saved, GPtrArray *notes)
{
    reader r = {.v = saved ? (const double *)(const void *)saved->data : NULL,
                .n = saved ? saved->len : 0,
                .good = true};
    bool any = false;
    for (guint k = 0; k < scree_conditions_of(sim)->len; k++)
        if (sim->conditions->pdata[k]) {
            any = true;
            read_wait(&r, sim->conditions->pdata[k]);
        }
    if ((!any && !r.n) || (r.good && r.at == r.n))
        return;
    g_clear_pointer(&sim->conditions, g_ptr_array_unref);
    if (any)
        g_ptr_array_add(notes,
                        g_strdup("the conditions of `stop` and `schedule` are not those of the "
                                 "checkpoint: they start from nothing"));
}
