/* SPDX-License-Identifier: Apache-2.0 */
/* Integrators that move body fields on (extension "draft.rates/1"): `scree check` gives them fields
 * with known solutions. */
#include "tools/check/check_rates.h"

#include <math.h>
#include <string.h>

#include "plugin/loader.h"
#include "scree/draft/rates.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/check_variants.h"

/*
 * Two fields, with three components and with one: an integrator that keeps data of a field shows
 * whether it confuses the two. The rates of the components:
 *
 *   constant   dT/dt = c                        exact with every scheme
 *   decay      dT/dt = -k T                     T = T0 exp(-k t)
 *   linear     dT/dt = c t                      T = T0 + c t^2 / 2
 *
 * T0, c and k differ from body to body.
 */
enum { BODIES = 21, FREE = 13, MOST = 3, STEPS = 64 };
static const double end_time = 2.0;

typedef enum course { CONSTANT, DECAY, LINEAR } course;

/** Values of a field of the check (route_plugins.c) for each body. */
typedef struct rated {
    const char *name;
    uint32_t components;
    course course[MOST];
    double *value[MOST]; // [n] at the last evaluation
} rated;

/** Bodies with these fields. */
typedef struct warmth {
    scree_check_motion *m;
    rated field[2];
    uint32_t first; // index of the body that has number 0
} warmth;

static double start_of(uint32_t who, uint32_t k)
{
    return 300.0 + 10.0 * sin(1.0 + who + 2.0 * k);
}

static double factor_of(uint32_t who)
{
    return 0.5 + 0.1 * (who % 7);
}

static double rate_of(course way, uint32_t who, double time, double value)
{
    const double c = factor_of(who);
    return way == CONSTANT ? c : way == DECAY ? -c * value : c * time;
}

static double exact(course way, uint32_t who, uint32_t k, double time)
{
    const double c = factor_of(who), start = start_of(who, k);
    return way == CONSTANT ? start + c * time
           : way == DECAY  ? start * exp(-c * time)
                           : start + 0.5 * c * time * time;
}

static void no_force(scree_check_motion *m, uint32_t i, double *wrench)
{
    (void)m;
    (void)i;
    (void)wrench;
}

/** Sets the values at the start; the fields follow each other, component by component. */
static void fill(scree_check_motion *m, const scree_entry *args)
{
    const warmth *w = m->user;
    double *const *to = args->body_fields;
    for (size_t f = 0; f < G_N_ELEMENTS(w->field); f++)
        for (uint32_t k = 0; k < w->field[f].components; k++, to++)
            for (uint32_t i = 0; i < m->motion.n; i++)
                (*to)[m->at[i]] = start_of(w->first + i, k);
}

/** Takes the values, and sets the rates. */
static void set_rates(scree_check_motion *m, const scree_forces *args)
{
    const warmth *w = m->user;
    for (size_t f = 0; f < G_N_ELEMENTS(w->field); f++)
        for (uint32_t k = 0; k < w->field[f].components; k++) {
            const scree_used_field *used = args->bodies->used[f];
            for (uint32_t i = 0; i < m->motion.n; i++)
                w->field[f].value[k][i] = used->v[k][m->at[i]];
            for (uint32_t i = 0; i < m->motion.n_free; i++)
                used->rate[k][m->at[i]] +=
                    rate_of(w->field[f].course[k], w->first + i, m->time, w->field[f].value[k][i]);
        }
}

static void warmth_free(warmth *w)
{
    if (!w)
        return;
    for (size_t f = 0; f < G_N_ELEMENTS(w->field); f++)
        for (uint32_t k = 0; k < MOST; k++)
            g_free(w->field[f].value[k]);
    scree_check_motion_free(w->m);
    g_free(w);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(warmth, warmth_free)

static warmth *warmth_new(scree_check *check, scree_instance *instance, uint32_t n, uint32_t n_free,
                          uint32_t first, uint32_t n_steps)
{
    warmth *w = g_new0(warmth, 1);
    w->m = scree_check_motion_new(check, instance, n, n_free, end_time / n_steps, no_force);
    w->first = first;
    w->field[0] =
        (rated){.name = "temperature", .components = 3, .course = {CONSTANT, DECAY, LINEAR}};
    w->field[1] = (rated){.name = "moisture", .components = 1, .course = {DECAY}};
    for (size_t f = 0; f < G_N_ELEMENTS(w->field); f++)
        for (uint32_t k = 0; k < w->field[f].components; k++)
            w->field[f].value[k] = g_new0(double, n);
    w->m->user = w;
    w->m->fill = fill;
    w->m->rates = set_rates;
    scree_check_motion_start(w->m);
    return w;
}

/** Largest error of a component at the end, relative to its size; *kept: values of bodies that are
 * not free are those of the start. */
static double error_of(const warmth *w, size_t f, uint32_t k, bool *kept)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < w->m->motion.n; i++) {
        const double value = w->field[f].value[k][i];
        const double off = value - exact(w->field[f].course[k], w->first + i, k, end_time);
        if (i >= w->m->motion.n_free)
            *kept = *kept && value == start_of(w->first + i, k);
        else
            worst = isfinite(off) ? fmax(worst, fabs(off) / 300.0) : HUGE_VAL;
    }
    return worst;
}

static void judge(scree_check *check, const warmth *coarse, const warmth *fine, const char *setting)
{
    static const char *const names[] = {"a constant rate", "a decay", "a rate that grows"};
    const double rounding = 1e-12; // of some hundred steps
    for (size_t f = 0; f < G_N_ELEMENTS(coarse->field) && !check->failed; f++)
        for (uint32_t k = 0; k < coarse->field[f].components; k++) {
            bool kept = true;
            const double one = error_of(coarse, f, k, &kept), other = error_of(fine, f, k, &kept);
            const course way = coarse->field[f].course[k];
            const double order = log2(one / other);
            if (!kept)
                scree_check_fail(check, "%s: advance() changed %s[%u] of bodies that are not free",
                                 setting, coarse->field[f].name, k);
            if (other <= rounding)
                continue;
            if (way == CONSTANT || !(order >= 0.8))
                scree_check_fail(check,
                                 "%s: %s[%u], %s: errors %.2g and %.2g in %d and %d steps; "
                                 "expected %s",
                                 setting, coarse->field[f].name, k, names[way], one, other, STEPS,
                                 2 * STEPS, way == CONSTANT ? "0" : "order 1 or more");
            else if (way == DECAY && f == 0 && !strcmp(setting, "defaults") && !check->text->len)
                scree_check_note(check, "%s of %s: order %.2f", names[way], coarse->field[f].name,
                                 order);
        }
}

/** Compares the values of body i with those of body j of another, bit by bit. */
static bool same(const warmth *a, uint32_t i, const warmth *b, uint32_t j, const char *setting,
                 const char *what)
{
    for (size_t f = 0; f < G_N_ELEMENTS(a->field); f++)
        for (uint32_t k = 0; k < a->field[f].components; k++) {
            const double here = a->field[f].value[k][i], there = b->field[f].value[k][j];
            if (!memcmp(&here, &there, sizeof here))
                continue;
            scree_check_fail(a->m->check, "%s: %s[%u] of a body is %.17g, %s %.17g", setting,
                             a->field[f].name, k, here, what, there);
            return false;
        }
    return true;
}

static void try_rates(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(warmth) coarse = warmth_new(check, instance, BODIES, FREE, 0, STEPS);
    if (!scree_check_motion_run(coarse->m, STEPS))
        return;
    g_autoptr(warmth) fine = warmth_new(check, instance, BODIES, FREE, 0, 2 * STEPS);
    if (!scree_check_motion_run(fine->m, 2 * STEPS))
        return;
    judge(check, coarse, fine, setting);
    for (uint32_t i = 0; i < FREE && !check->failed; i += 4) {
        g_autoptr(warmth) alone = warmth_new(check, instance, 1, 1, i, STEPS);
        if (scree_check_motion_run(alone->m, STEPS))
            same(coarse, i, alone, 0, setting, "when it is the only one");
    }
}

void scree_check_rates(scree_check *check)
{
    if (!scree_call_extension(check->plugin, SCREE_DRAFT_RATES))
        scree_check_skip(check, "the host moves fields on (no extension " SCREE_DRAFT_RATES ")");
    else if (scree_file_own_source(check->file))
        scree_check_skip(check, "it moves bodies of its own, by a source in its file");
    else
        scree_check_variants(check, try_rates);
}
