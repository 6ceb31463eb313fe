/* SPDX-License-Identifier: Apache-2.0 */
/* Made-up fields of others for a modifier or an observer; the case `uses`, in which one is
 * missing. */
#include "tools/check/check_uses.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plugin/field_uses.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"

struct scree_check_used {
    uint32_t n, absent;            // absent: as in scree_check
    scree_used_field *field;       // [n]
    const scree_used_field **list; // [n]
    double **value, **rate;        // [n * SCREE_MAX_COMPONENTS]
};

scree_check_used *scree_check_used_new(const scree_check *check, const scree_instance *instance)
{
    scree_check_used *u = g_new0(scree_check_used, 1);
    u->n = instance->n_uses;
    u->absent = check->absent_use;
    u->field = g_new0(scree_used_field, u->n + 1);
    u->list = g_new0(const scree_used_field *, u->n + 1);
    u->value = g_new0(double *, (size_t)u->n *SCREE_MAX_COMPONENTS + 1);
    u->rate = g_new0(double *, (size_t)u->n *SCREE_MAX_COMPONENTS + 1);
    for (uint32_t k = 0; k < u->n; k++) {
        const scree_field_use use = scree_field_uses_at(instance->choice, k);
        u->list[k] = &u->field[k];
        u->field[k] = (scree_used_field){.size = sizeof u->field[k],
                                         .scope = use.scope,
                                         .components = MAX(use.components, 1),
                                         .access = use.access,
                                         .name = use.name,
                                         .slot = "check",
                                         .unit = use.unit};
    }
    return u;
}

void scree_check_used_free(scree_check_used *u)
{
    if (!u)
        return;
    for (size_t k = 0; k < (size_t)u->n * SCREE_MAX_COMPONENTS; k++) {
        g_free(u->value[k]);
        g_free(u->rate[k]);
    }
    g_free(u->value);
    g_free(u->rate);
    g_free(u->field);
    g_free(u->list);
    g_free(u);
}

void scree_check_used_show(scree_check_used *u, scree_bodies *bodies)
{
    for (uint32_t k = 0; k < u->n; k++) {
        const bool body = u->field[k].scope == SCREE_SCOPE_BODY;
        double **value = u->value + (size_t)k * SCREE_MAX_COMPONENTS;
        const uint32_t n = body ? bodies->n : 1;
        if (k + 1 == u->absent || (!body && u->field[k].scope != SCREE_SCOPE_GLOBAL))
            continue; // missing, or a field of contacts
        for (uint32_t c = 0; c < u->field[k].components; c++) {
            value[c] = g_renew(double, value[c], n + 1);
            for (uint32_t i = 0; i < n; i++)
                value[c][i] = body ? 300.0 + (double)(bodies->id[i] * 7 % 40) + c : 1.0 + c;
        }
        u->field[k].v = (const double *const *)value;
    }
    bodies->used = u->n ? u->list : NULL;
    bodies->n_used = u->n;
}

void scree_check_used_lend(scree_check_used *u, const scree_bodies *bodies)
{
    for (uint32_t k = 0; k < u->n; k++) {
        double **rate = u->rate + (size_t)k * SCREE_MAX_COMPONENTS;
        if (!(u->field[k].access & SCREE_USE_ADD) || k + 1 == u->absent)
            continue;
        for (uint32_t c = 0; c < u->field[k].components; c++) {
            rate[c] = g_renew(double, rate[c], bodies->n + 1);
            memset(rate[c], 0, (bodies->n + 1) * sizeof(double));
        }
        u->field[k].rate = rate;
    }
}

bool scree_check_used_take(scree_check_used *u, scree_check *check, const scree_bodies *bodies)
{
    for (uint32_t k = 0; k < u->n; k++) {
        double *const *rate = u->field[k].rate;
        u->field[k].rate = NULL;
        if (!rate)
            continue;
        for (uint32_t c = 0; c < u->field[k].components; c++)
            for (uint32_t i = 0; i < bodies->n_free; i++)
                if (!isfinite(rate[c][i])) {
                    scree_check_fail(check, "the rate of %s[%u] of body %" PRIu64 " is %g",
                                     u->field[k].name, c, bodies->id[i], rate[c][i]);
                    return false;
                }
    }
    return true;
}

void scree_check_used_digest(const scree_check_used *u, const scree_bodies *bodies, GChecksum *bits)
{
    for (size_t k = 0; k < (size_t)u->n * SCREE_MAX_COMPONENTS; k++)
        if (u->rate[k])
            g_checksum_update(bits, (const guchar *)u->rate[k],
                              (gssize)(bodies->n_free * sizeof(double)));
}

void scree_check_uses(scree_check *check,
                      bool (*exercise)(scree_check *check, scree_instance *instance))
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < check->plugin->n_uses && !check->failed; k++) {
        const scree_use *use = check->plugin->uses[k];
        if (!(use->flags & SCREE_USE_OPTIONAL))
            continue;
        n++;
        // Prints lines that are shown if the case crashes.
        fprintf(stderr, "without a field '%s', whose use is optional\n", use->name);
        check->absent_use = k + 1;
        scree_instance *instance = scree_check_instance(check, scree_check_dimension(check), 1,
                                                        SCREE_CHECK_DEFAULTS, NULL);
        if (!instance || !exercise(check, instance)) {
            g_autofree char *text = g_strdup(check->text->str);
            g_string_printf(check->text, "without a field '%s', whose use is optional: %s",
                            use->name, text);
        }
        check->absent_use = 0;
    }
    if (!n)
        scree_check_skip(check, "no use of another plugin's field is optional");
}
