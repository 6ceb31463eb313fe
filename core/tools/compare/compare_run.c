/* SPDX-License-Identifier: Apache-2.0 */
/* The turns of a comparison: the order of variants, which are left out, which reach another
 * state. */
#include "tools/compare/compare_run.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "tools/compare/compare_child.h"
#include "tools/compare/compare_figures.h"
#include "tools/compare/compare_machine.h"

#define TELL_EVERY (5 * G_USEC_PER_SEC)

/* ---- turns ---- */

/** Numbers of variants in the order of a round: group by group, each rotated by one in each round,
 * so that no variant is always first, or always follows the same one. */
static GArray *order_round(const scree_comparison *c, guint round)
{
    GArray *order = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint g = 0; g < c->n_groups; g++) {
        g_array_set_size(members, 0);
        for (guint i = 0; i < c->variants->len; i++)
            if (scree_comparison_variant(c, i)->group == g)
                g_array_append_val(members, i);
        for (guint k = 0; k < members->len; k++)
            g_array_append_val(order, g_array_index(members, guint, (k + round) % members->len));
    }
    return order;
}

/** Leaves a variant out when a smaller member of one of its series was too slow. */
static bool is_left_out(scree_comparison *c, scree_variant *v)
{
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *other = scree_comparison_variant(c, i);
        if (other->outcome != SCREE_OUTCOME_SLOW || other == v)
            continue;
        for (guint a = 0; a < c->axes->len; a++) {
            const scree_axis *axis = scree_comparison_axis(c, a);
            if (!c->tasks[a] || other->at[a] > v->at[a] ||
                !scree_variant_is_sibling(c, v, other, a))
                continue;
            v->outcome = SCREE_OUTCOME_LEFT_OUT;
            v->message = g_strdup_printf("> %g s at %s=%s", c->limit, axis->path,
                                         (char *)axis->values->pdata[other->at[a]]);
            return true;
        }
    }
    return false;
}

static void show_progress(const scree_comparison *c, guint round, guint k, const scree_variant *v)
{
    if (c->quiet || !isatty(STDERR_FILENO))
        return;
    g_autofree char *label = scree_plain(v->label, 60);
    g_autofree char *text = g_strdup_printf("\r\033[Kround %u of %u, %u of %u: %s", round + 1,
                                            c->repeats, k + 1, c->variants->len, label);
    scree_plain_draw(text);
}

static void end_progress(const scree_comparison *c)
{
    if (!c->quiet && isatty(STDERR_FILENO))
        scree_plain_draw("\r\033[K");
}

/** Runs one repeat of each variant that is not out. */
static void run_round(scree_comparison *c, guint round)
{
    g_autoptr(GArray) order = order_round(c, round);
    for (guint k = 0; k < order->len && !c->stopped; k++) {
        scree_variant *v = scree_comparison_variant(c, g_array_index(order, guint, k));
        bool in = v->outcome == SCREE_OUTCOME_WAITS || v->outcome == SCREE_OUTCOME_OK;
        if (!in || is_left_out(c, v))
            continue;
        show_progress(c, round, k, v);
        c->stopped = scree_trial_run(c, v, round, k) == SCREE_TRIAL_STOPPED || *c->stop;
        end_progress(c);
    }
}

static void sum_up(scree_variant *v)
{
    g_autofree double *values = g_new(double, v->samples->len + 1);
    for (int m = 0; m < SCREE_METRICS; m++) {
        for (guint i = 0; i < v->samples->len; i++)
            values[i] = g_array_index(v->samples, scree_sample, i).time[m];
        v->spread[m] = scree_spread_of(values, v->samples->len);
    }
}

/** The whole step decides when no step has called the GCD. */
static void choose_metric(scree_comparison *c)
{
    bool called = false, timed = false;
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *v = scree_comparison_variant(c, i);
        timed = timed || scree_variant_is_sound(v);
        called = called || v->spread[SCREE_METRIC_GCD].median > 0.0;
    }
    if (called || !timed || c->by == SCREE_METRIC_STEP)
        return;
    c->by = SCREE_METRIC_STEP;
    scree_comparison_note(c,
                          "note: no timed step called the contact detection; take more steps, or "
                          "--set 'extent={eps_v=0.0; eps_e=0.0; eps_c=0.0;}'");
}

void scree_comparison_run(scree_comparison *c)
{
    const gint64 begin = g_get_monotonic_time();
    gint64 told = begin;
    for (guint round = 0; round < c->repeats && !c->stopped; round++) {
        run_round(c, round);
        c->rounds += !c->stopped;
        gint64 now = g_get_monotonic_time();
        if (c->quiet || c->stopped || now - told < TELL_EVERY)
            continue;
        told = now;
        scree_comparison_note(c, "round %u of %u is done after %.0f s", c->rounds, c->repeats,
                              (double)(now - begin) * 1e-6);
    }
    for (guint i = 0; i < c->variants->len; i++)
        sum_up(scree_comparison_variant(c, i));
    choose_metric(c);
    scree_comparison_note_load(c);
}

/* ---- different states ---- */

/** Lists at most `most` steps in (after, last], evenly spread; the step `last` is one of them. With
 * `start`, the step `after` comes first. Returns a new array. */
static GArray *spread_steps(uint64_t after, uint64_t last, guint most, bool start)
{
    GArray *steps = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    uint64_t span = last - after, n = MIN(span, most);
    if (start)
        g_array_append_val(steps, after);
    for (uint64_t k = 1; k <= n; k++) {
        uint64_t step = after + span / n * k + span % n * k / n;
        g_array_append_val(steps, step);
    }
    return steps;
}

/** Index of the first of `steps` after which the states differ. -1: they never do; -2: one variant
 * failed, with a message. */
static int first_unequal(scree_comparison *c, const scree_disagreement *d, const GArray *steps,
                         char **message)
{
    enum { SAME = -1, FAILED = -2 };
    g_autoptr(GPtrArray) a =
        scree_trial_hashes(c, scree_comparison_variant(c, d->odd), steps, message);
    g_autoptr(GPtrArray) b =
        a ? scree_trial_hashes(c, scree_comparison_variant(c, d->other), steps, message) : NULL;
    if (!b)
        return FAILED;
    for (guint i = 0; i < steps->len; i++)
        if (strcmp(a->pdata[i], b->pdata[i]))
            return (int)i;
    return SAME;
}

/** Finds the first step after which two states differ: runs both with hashes at up to 64 steps,
 * then between the last equal and the first different one, until the step is found. */
static void find_first_step(scree_comparison *c, scree_disagreement *d)
{
    enum { AT_ONCE = 64 };
    uint64_t after = 0, last = c->warmup + c->steps;
    for (bool start = true; !d->found; start = false) {
        g_autoptr(GArray) steps = spread_steps(after, last, AT_ONCE, start);
        int k = first_unequal(c, d, steps, &d->why);
        if (k < 0 && !d->why)
            d->why = g_strdup("they agree when they are run again: one of them does not repeat");
        if (k < 0)
            return;
        d->step = last = g_array_index(steps, uint64_t, k);
        after = k > 0 ? g_array_index(steps, uint64_t, k - 1) : after;
        d->found = last == after + 1 || (start && k == 0);
    }
}

/** Counts variants that differ from this one only in `gcd` or threads and have its state. */
static guint count_like(const scree_comparison *c, const scree_variant *v)
{
    guint n = 0;
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *other = scree_comparison_variant(c, i);
        n += other->outcome == SCREE_OUTCOME_OK && other->rest == v->rest &&
             g_str_equal(v->state_sha256, other->state_sha256);
    }
    return n;
}

/** A variant with the most frequent state among those that differ from this one only in `gcd` or
 * threads. */
static guint find_model(const scree_comparison *c, const scree_variant *v)
{
    guint best = 0, most = 0;
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *other = scree_comparison_variant(c, i);
        if (other->outcome != SCREE_OUTCOME_OK || other->rest != v->rest)
            continue;
        guint like = count_like(c, other);
        best = like > most ? i : best;
        most = MAX(most, like);
    }
    return best;
}

/** Whether another variant has the same odd state: its step is then known. */
static const scree_disagreement *find_like(const scree_comparison *c, const scree_disagreement *d)
{
    for (guint i = 0; i < c->disagreements->len; i++) {
        const scree_disagreement *old = &g_array_index(c->disagreements, scree_disagreement, i);
        if (old->other == d->other &&
            g_str_equal(scree_comparison_variant(c, old->odd)->state_sha256,
                        scree_comparison_variant(c, d->odd)->state_sha256))
            return old;
    }
    return NULL;
}

void scree_comparison_judge(scree_comparison *c)
{
    for (guint i = 0; i < c->variants->len; i++) {
        scree_variant *v = scree_comparison_variant(c, i);
        if (v->outcome != SCREE_OUTCOME_OK)
            continue;
        scree_disagreement d = {.odd = i, .other = find_model(c, v)};
        if (g_str_equal(scree_comparison_variant(c, d.other)->state_sha256, v->state_sha256))
            continue;
        v->disagrees = true;
        const scree_disagreement *like = find_like(c, &d);
        if (like) {
            d.found = like->found;
            d.step = like->step;
            d.why = g_strdup(like->why);
        } else if (!c->stopped) {
            find_first_step(c, &d);
        }
        if (!d.found && !d.why)
            d.why = g_strdup("stopped");
        g_array_append_val(c->disagreements, d);
    }
    scree_comparison_rank(c);
}
