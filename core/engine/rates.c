/* SPDX-License-Identifier: Apache-2.0 */
/* Rates of body fields: laws and modifiers add to them, and the fields move on by their sums. */
#include "engine/rates.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/motion.h"
#include "plugin/call.h"
#include "scree/draft/rates.h"

/*
 * A rate is another body field, after all others (shared_fields.c): in the hash, in checkpoints,
 * kept at a swap. Its sum has the order of the wrench (evaluate.c): per contact over the laws in
 * config order, then per body, list by list, from lower partners, the own block, higher partners.
 * So it depends neither on batches nor on threads. The rate of bodies that are not free is 0.
 */

void scree_rates_clear(const scree_sim *sim)
{
    const scree_body_plugins *body = &sim->plugins.body;
    for (uint32_t r = 0; r < body->n_rates; r++)
        memset(sim->world->field[body->first_rate + r], 0, sim->world->n * sizeof(double));
}

/* ---- contacts ---- */

void scree_rates_fill(const scree_sim *sim, const scree_law *law, uint32_t n, scree_lane *lane,
                      scree_contact_batch *batch)
{
    const scree_contact_plugins *contact = &sim->plugins.contact;
    const uint32_t *const of[2] = {lane->a, lane->b};
    for (uint32_t r = law->first_read; r < law->first_read + law->n_reads; r++)
        for (int k = 0; k < 2; k++) {
            const uint32_t at = contact->read_at[r];
            lane->law_read[k][r] = at == SCREE_NONE ? NULL : lane->read[k][r];
            if (at != SCREE_NONE)
                sim->kernels->pick(n, of[k], sim->world->field[at], lane->read[k][r]);
        }
    batch->body_a = law->n_reads ? lane->law_read[0] + law->first_read : NULL;
    batch->body_b = law->n_reads ? lane->law_read[1] + law->first_read : NULL;
    batch->add_a = law->n_adds ? lane->add[0] + law->first_add : NULL;
    batch->add_b = law->n_adds ? lane->add[1] + law->first_add : NULL;
}

void scree_rates_begin(const scree_sim *sim, uint32_t n, scree_lane *lane)
{
    for (uint32_t r = 0; r < sim->plugins.contact.n_rates; r++)
        for (int k = 0; k < 2; k++)
            memset(lane->rate[k][r], 0, n * sizeof(double));
}

/** Blames the law for the first contact with a rate that is not finite. */
static bool blame_law(const scree_evaluation *e, const scree_law *law, uint32_t n, scree_lane *lane)
{
    const scree_world *w = e->sim->world;
    for (uint32_t r = law->first_add; r < law->first_add + law->n_adds; r++)
        for (uint32_t c = 0; c < n; c++) {
            const double *const *add[2] = {(const double *const *)lane->add[0],
                                           (const double *const *)lane->add[1]};
            if (isfinite(add[0][r][c]) && isfinite(add[1][r][c]))
                continue;
            g_autofree char *what = g_strdup_printf(
                "it adds the rates %g and %g to a field (component %u of what it adds to) of "
                "bodies %" PRIu64 " and %" PRIu64,
                add[0][r][c], add[1][r][c], r - law->first_add, w->id[lane->a[c]],
                w->id[lane->b[c]]);
            return scree_lane_not_finite(e->sim, lane, law->instance, "compute", what);
        }
    return true;
}

bool scree_rates_take(const scree_evaluation *e, const scree_law *law, uint32_t n, scree_lane *lane)
{
    const scree_contact_plugins *contact = &e->sim->plugins.contact;
    uint64_t bad = 0;
    for (uint32_t r = law->first_add; r < law->first_add + law->n_adds; r++) {
        if (contact->add_at[r] == SCREE_NONE)
            continue;
        for (int k = 0; k < 2; k++) {
            double *sum = lane->rate[k][contact->add_at[r]];
            const double *add = lane->add[k][r];
            bad += e->sim->kernels->not_finite(n, add);
            for (uint32_t c = 0; c < n; c++)
                sum[c] += add[c];
        }
    }
    return !bad || blame_law(e, law, n, lane);
}

void scree_rates_deliver(const scree_sim *sim, scree_segment *s, uint32_t n, bool local,
                         const scree_lane *lane)
{
    const scree_contact_plugins *contact = &sim->plugins.contact;
    const uint64_t width = 2 * (uint64_t)contact->n_rates, first = local ? 0 : s->n_loads - n;
    if (!local)
        scree_aligned_grow(&s->rate_loads, &s->rate_capacity, s->n_loads * width, first * width,
                           sizeof(double));
    for (uint32_t r = 0; r < contact->n_rates; r++) {
        double *to = sim->world->field[contact->rate_at[r]];
        for (uint32_t c = 0; c < n; c++) {
            const bool row_is_a = lane->a[c] < lane->b[c];
            if (local) {
                to[lane->a[c]] += lane->rate[0][r][c];
                to[lane->b[c]] += lane->rate[1][r][c];
                continue;
            }
            double *line = s->rate_loads + (first + c) * width + 2 * (size_t)r;
            line[0] = lane->rate[row_is_a ? 0 : 1][r][c];
            line[1] = lane->rate[row_is_a ? 1 : 0][r][c];
        }
    }
}

void scree_rates_add_loads(const scree_sim *sim, const scree_segment *s, bool to_rows)
{
    const scree_contact_plugins *contact = &sim->plugins.contact;
    const scree_table *t = &s->table[1 - sim->contacts.committed];
    const double *line = s->rate_loads;
    for (uint64_t c = 0; c < s->n_loads; c++, line += 2 * (size_t)contact->n_rates) {
        const uint32_t p = t->pair[c];
        const uint32_t body = to_rows ? scree_pair_row(s, p) : scree_pair_column(s, p);
        for (uint32_t r = 0; r < contact->n_rates; r++)
            sim->world->field[contact->rate_at[r]][body] += line[2 * r + (to_rows ? 0 : 1)];
    }
}

/* ---- bodies ---- */

/** Returns the column of a rate's component; *component: its index in the field. */
static const scree_column *column_of(const scree_sim *sim, uint32_t rate, uint32_t *component)
{
    const GPtrArray *columns = sim->plugins.columns[SCREE_SCOPE_BODY];
    for (guint k = 0; k < columns->len; k++) {
        const scree_column *column = columns->pdata[k];
        if (column->rate && rate >= column->rate && rate < column->rate + column->components) {
            *component = rate - column->rate;
            return column;
        }
    }
    return NULL;
}

/** Checks that a component, or (`rate`) its rate, is finite; `by`: the plugin that has just written it
 * in `call`, or NULL. */
static bool check_component(const scree_sim *sim, const double *v, bool rate,
                            const scree_column *column, uint32_t k, const scree_instance *by,
                            const char *call, GError **error)
{
    const scree_world *w = sim->world;
    uint32_t i = 0;
    if (!sim->kernels->not_finite(w->n_free, v))
        return true;
    while (isfinite(v[i]))
        i++;
    g_autofree char *what =
        g_strdup_printf("%s%s/%s[%u] of body %" PRIu64 " is %g", rate ? "the rate of " : "",
                        column->slot, column->name, k, w->id[i], v[i]);
    return by ? scree_call_blame(by, call, SCREE_EXIT_PLUGIN, error, "%s after it", what)
              : scree_fail(error, SCREE_EXIT_RUN, "%s at step %" PRIu64, what, sim->step);
}

bool scree_rates_check(const scree_sim *sim, const scree_instance *modifier, GError **error)
{
    const scree_world *w = sim->world;
    const scree_body_plugins *body = &sim->plugins.body;
    for (uint32_t r = body->first_rate; r < body->first_rate + body->n_rates; r++) {
        uint32_t k = 0;
        const scree_column *column = column_of(sim, r, &k);
        memset(w->field[r] + w->n_free, 0, (w->n - w->n_free) * sizeof(double));
        if (!check_component(sim, w->field[r], true, column, k, modifier, "forces", error))
            return false;
    }
    return true;
}

/* ---- steps ---- */

/** Checks that the field is finite after a step; `by`: the integrator that moves it, or NULL. */
static bool check_value(const scree_sim *sim, const scree_column *column, const scree_instance *by,
                        GError **error)
{
    bool good = true;
    for (uint32_t k = 0; k < column->components && good; k++)
        good = check_component(sim, sim->world->field[column->first + k], false, column, k, by,
                               "advance", error);
    return good;
}

/** Adds dt rate to each value: explicit Euler. */
static void move_on(const scree_sim *sim, const scree_column *column)
{
    const scree_world *w = sim->world;
    for (uint32_t k = 0; k < column->components; k++) {
        double *value = w->field[column->first + k];
        const double *rate = w->field[column->rate + k];
        for (uint32_t i = 0; i < w->n_free; i++)
            value[i] += sim->dt * rate[i];
    }
}

/** Lets the integrator move a field on. */
static bool let_move(const scree_sim *sim, const scree_rates *rates, const scree_column *column,
                     const scree_motion *motion, GError **error)
{
    scree_instance *integrator = sim->plugins.body.integrator;
    const double *rate[SCREE_MAX_COMPONENTS];
    double *value[SCREE_MAX_COMPONENTS];
    for (uint32_t k = 0; k < column->components; k++) {
        value[k] = sim->world->field[column->first + k];
        rate[k] = sim->world->field[column->rate + k];
    }
    const scree_rate_step args = {.size = sizeof args,
                                  .components = column->components,
                                  .name = column->name,
                                  .slot = column->slot,
                                  .n_free = sim->world->n_free,
                                  .dt = sim->dt,
                                  .rate = rate,
                                  .value = value,
                                  .motion = motion};
    scree_call call = scree_call_begin(integrator, SCREE_CALL_STEP, "advance");
    int32_t code = rates->advance(integrator->self, &args);
    code = scree_call_end(&call, code, SCREE_OK, error);
    return code >= 0 && scree_motion_check_kept(sim, false, "advance", error);
}

bool scree_rates_advance(const scree_sim *sim, const scree_motion *motion, GError **error)
{
    const uint32_t scope = SCREE_SCOPE_BODY;
    const scree_column *column;
    const scree_instance *integrator = sim->plugins.body.integrator;
    const scree_rates *rates = scree_call_extension(integrator->plugin, SCREE_DRAFT_RATES);
    for (guint k = 0; (column = scree_column_in_use(sim->plugins.columns, scope, &k)); k++) {
        if (!column->rate)
            continue;
        if (!rates)
            move_on(sim, column);
        else if (!let_move(sim, rates, column, motion, error))
            return false;
        if (!check_value(sim, column, rates ? integrator : NULL, error))
            return false;
    }
    return true;
}
