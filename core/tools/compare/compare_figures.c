/* SPDX-License-Identifier: Apache-2.0 */
/* From samples to figures: the fastest variant, the growth of times with a varied number. */
#include "tools/compare/compare_figures.h"

#include <math.h>
#include <string.h>

bool scree_variant_is_sound(const scree_variant *v)
{
    return v->outcome == SCREE_OUTCOME_OK && v->samples->len > 0 && !v->disagrees;
}

void scree_comparison_rank(scree_comparison *c)
{
    c->best = g_new(double, c->n_groups *SCREE_METRICS);
    for (guint k = 0; k < c->n_groups * SCREE_METRICS; k++)
        c->best[k] = (double)NAN;
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *v = scree_comparison_variant(c, i);
        double *best = c->best + v->group * SCREE_METRICS;
        for (int m = 0; m < SCREE_METRICS && scree_variant_is_sound(v); m++)
            best[m] = fmin(best[m], v->spread[m].median);
    }
}

double scree_group_best(const scree_comparison *c, guint group, scree_metric metric)
{
    return c->best[group * SCREE_METRICS + metric];
}

/** Sorts a group by its numbers when nothing else varies, otherwise by the time that decides. */
typedef struct sort_key {
    const scree_comparison *c;
    bool by_number;
} sort_key;

static int compare_variants(const void *a, const void *b, void *user)
{
    const sort_key *key = user;
    guint i = *(const guint *)a, j = *(const guint *)b;
    const scree_variant *v = scree_comparison_variant(key->c, i);
    const scree_variant *w = scree_comparison_variant(key->c, j);
    bool v_ok = scree_variant_is_sound(v), w_ok = scree_variant_is_sound(w);
    if (key->by_number || (!v_ok && !w_ok))
        return (i > j) - (i < j);
    if (v_ok != w_ok)
        return v_ok ? -1 : 1;
    double x = v->spread[key->c->by].median, y = w->spread[key->c->by].median;
    return x < y ? -1 : x > y ? 1 : (i > j) - (i < j);
}

GArray *scree_group_order(const scree_comparison *c, guint group)
{
    GArray *order = g_array_new(FALSE, FALSE, sizeof(guint));
    sort_key key = {c, c->axes->len == 1 && c->tasks[0] && !c->splits[0] && c->named->len < 2};
    for (guint i = 0; i < c->variants->len; i++)
        if (scree_comparison_variant(c, i)->group == group)
            g_array_append_val(order, i);
    g_array_sort_with_data(order, compare_variants, &key);
    return order;
}

/* ---- growth ---- */

void scree_series_free(scree_series *s)
{
    g_free(s->label);
    g_array_unref(s->x);
    g_array_unref(s->t);
    g_array_unref(s->q1);
    g_array_unref(s->q3);
    g_array_unref(s->local);
    g_free(s);
}

/** The fixed settings of a series. New string. */
static char *label_rest(const scree_comparison *c, const scree_variant *v, guint axis)
{
    GString *text = g_string_new(v->named ? v->named->name : NULL);
    guint others = c->axes->len - 1 + (v->named != NULL);
    for (guint a = 0; a < c->axes->len; a++) {
        const scree_axis *other = scree_comparison_axis(c, a);
        const char *value = other->values->pdata[v->at[a]];
        if (a == axis)
            continue;
        if (others == 1)
            g_string_append(text, value);
        else
            g_string_append_printf(text, "%s%s=%s", text->len ? ", " : "", other->path, value);
    }
    return g_string_free(text, FALSE);
}

/** The series that starts with variant `first`; NULL: none does. */
static scree_series *make_series(const scree_comparison *c, guint first, guint axis,
                                 scree_metric metric)
{
    const scree_variant *v = scree_comparison_variant(c, first);
    for (guint i = 0; i < first; i++)
        if (scree_variant_is_sibling(c, scree_comparison_variant(c, i), v, axis))
            return NULL;
    scree_series *s = g_new0(scree_series, 1);
    s->axis = axis;
    s->first = first;
    s->metric = metric;
    s->label = label_rest(c, v, axis);
    s->x = g_array_new(FALSE, FALSE, sizeof(double));
    s->t = g_array_new(FALSE, FALSE, sizeof(double));
    s->q1 = g_array_new(FALSE, FALSE, sizeof(double));
    s->q3 = g_array_new(FALSE, FALSE, sizeof(double));
    s->local = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = first; i < c->variants->len; i++) {
        const scree_variant *w = scree_comparison_variant(c, i);
        if (!scree_variant_is_sibling(c, w, v, axis) || !scree_variant_is_sound(w))
            continue;
        g_array_append_val(s->x, scree_comparison_axis(c, axis)->number[w->at[axis]]);
        g_array_append_val(s->t, w->spread[metric].median);
        g_array_append_val(s->q1, w->spread[metric].q1);
        g_array_append_val(s->q3, w->spread[metric].q3);
    }
    if (s->x->len < 2) {
        scree_series_free(s);
        return NULL;
    }
    const double *x = (const double *)s->x->data, *t = (const double *)s->t->data;
    s->exponent = scree_growth(x, t, s->x->len);
    for (guint i = 0; i + 1 < s->x->len; i++) {
        double local = scree_growth(x + i, t + i, 2);
        g_array_append_val(s->local, local);
    }
    return s;
}

GPtrArray *scree_comparison_series(const scree_comparison *c)
{
    GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)scree_series_free);
    for (guint a = 0; a < c->axes->len; a++) {
        if (!scree_comparison_axis(c, a)->number)
            continue;
        for (scree_metric m = SCREE_METRIC_GCD; m <= SCREE_METRIC_STEP; m++)
            for (guint i = 0; i < c->variants->len; i++) {
                scree_series *s = make_series(c, i, a, m);
                if (s)
                    g_ptr_array_add(all, s);
            }
    }
    return all;
}

/* ---- the fastest ---- */

/** Whether variants of two groups are the same choice of methods. */
static bool is_same_choice(const scree_comparison *c, const scree_variant *a,
                           const scree_variant *b)
{
    for (guint k = 0; k < c->axes->len; k++)
        if (!c->splits[k] && a->at[k] != b->at[k])
            return false;
    return a->named == b->named;
}

/** Rates a choice over all groups. */
static scree_fastest rate_choice(const scree_comparison *c, const scree_variant *v)
{
    scree_fastest rated = {.variant = v};
    double logs = 0.0;
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *other = scree_comparison_variant(c, i);
        if (!scree_variant_is_sound(other) || !is_same_choice(c, v, other))
            continue;
        double ratio = other->spread[c->by].median / scree_group_best(c, other->group, c->by);
        rated.groups++;
        rated.wins += !(ratio > 1.0);
        logs += log(ratio);
        rated.variant = other; // with a time on the largest task
    }
    rated.mean_ratio = exp(logs / rated.groups);
    return rated;
}

scree_fastest scree_comparison_fastest(const scree_comparison *c)
{
    scree_fastest best = {.variant = NULL};
    if (scree_comparison_is_blind(c))
        return best;
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *v = scree_comparison_variant(c, i);
        if (!scree_variant_is_sound(v))
            continue;
        scree_fastest rated = rate_choice(c, v);
        if (!best.variant || rated.groups > best.groups ||
            (rated.groups == best.groups && rated.mean_ratio < best.mean_ratio))
            best = rated;
    }
    return best;
}
