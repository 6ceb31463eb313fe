/* SPDX-License-Identifier: Apache-2.0 */
/* Case `pairs`: a law takes the values of the two materials that touch. */
#include "tools/check/check_pairs.h"

#include <math.h>
#include <string.h>

#include "tools/check/check_contacts.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/check_touch.h"
#include "tools/check/check_variants.h"

enum { CONTACTS = 128, STEPS = 4, N_PAIRS = 3, MIXED = N_PAIRS };
static const char *const pairs[N_PAIRS] = {"\"first\", \"first\"", "\"first\", \"second\"",
                                           "\"second\", \"second\""};

/** The first value of a parameter by material or pair, and whether it can be varied. */
static bool find_value(const scree_param *p, const void *config, double *value)
{
    const scree_reals *all = (const void *)((const char *)config + p->offset);
    if (p->type != SCREE_TYPE_PER_PAIR && p->type != SCREE_TYPE_PER_MATERIAL)
        return false;
    *value = all->n ? all->v[0] : 0.0;
    return isfinite(*value) && *value != 0.0 && 0.7 * *value > p->real_min &&
           0.7 * *value < p->real_max;
}

static void append_value(GString *text, const char *name, double value)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(text, " %s = %s;", name,
                           g_ascii_formatd(number, sizeof number, "%.17e", value));
}

/** Settings of the scene in which pair k has its values; with `same` all pairs, and where a pair is
 * of one material both materials, have those of pair `same`. */
static GPtrArray *write_world(const scree_plugin *plugin, const void *config, uint32_t same)
{
    static const double shares[N_PAIRS] = {1.0, 0.85, 0.7};
    GPtrArray *world = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) list = g_string_new("material_pairs=(");
    double value;
    for (uint32_t k = 0; k < N_PAIRS; k++) {
        g_string_append_printf(list, "%s{ between = [%s];", k ? ", " : "", pairs[k]);
        for (uint32_t n = 0; n < plugin->n_params; n++)
            if (plugin->params[n]->type == SCREE_TYPE_PER_PAIR &&
                find_value(plugin->params[n], config, &value))
                append_value(list, plugin->params[n]->name,
                             value * shares[same == MIXED ? k : same]);
        g_string_append(list, " }");
    }
    g_ptr_array_add(world, g_strconcat(list->str, ")", NULL));
    for (uint32_t n = 0; n < plugin->n_params; n++)
        for (uint32_t m = 0; m < 2; m++) {
            const scree_param *p = plugin->params[n];
            if (p->type != SCREE_TYPE_PER_MATERIAL || !find_value(p, config, &value))
                continue;
            const uint32_t like = same == 0 || same == 2 ? same : 2 * m;
            g_ptr_array_add(world, g_strdup_printf("materials.%s.%s=%.17e", m ? "second" : "first",
                                                   p->name, value * shares[like]));
        }
    g_ptr_array_add(world, NULL);
    return world;
}

/** Contacts of an instance in such a world; NULL: the check has failed, or it is refused. */
static scree_check_contacts *begin(scree_check *check, const scree_check_variant *v,
                                   const void *config, uint32_t same)
{
    g_autoptr(GPtrArray) world = write_world(check->plugin, config, same);
    uint64_t state = 20;
    check->world = (const char *const *)world->pdata;
    scree_instance *instance =
        scree_check_instance_with(check, v->dimension, 1, SCREE_CHECK_DEFAULTS, v->settings);
    check->world = NULL;
    scree_check_contacts *c = instance ? scree_check_contacts_new(check, instance, CONTACTS) : NULL;
    if (c) {
        c->since = 1e-6;
        scree_check_touch_random(c, &state);
    }
    return c;
}

static void end(scree_check_contacts *c)
{
    scree_instance *instance = c ? c->instance : NULL;
    scree_check_contacts_free(c);
    scree_check_instance_free(instance);
}

/** Fails when a contact of pair `same` has another result than in a world of such pairs. */
static bool compare(scree_check_contacts *c, const scree_check_contacts *like, uint32_t same,
                    const char *setting)
{
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t k = 0; k < c->n_columns; k++) {
            const uint32_t *m = c->touch[i].material;
            const double got = c->result[k][i], want = like->result[k][i];
            if (m[0] + m[1] != same || !memcmp(&got, &want, sizeof got))
                continue;
            g_autofree char *name = scree_check_column_name(c, k);
            scree_check_fail(
                c->check,
                "%s: between [%s], %s is %.9g; where all pairs have the values of this "
                "one it is %.9g: the law takes those of another pair",
                setting, pairs[same], name, got, want);
            return false;
        }
    return true;
}

static bool compare_worlds(scree_check *check, const scree_check_variant *v, const void *config,
                           uint32_t same)
{
    scree_check_contacts *c = begin(check, v, config, MIXED), *like = begin(check, v, config, same);
    bool good = c && like;
    if (good) // ranges, and so depths, may differ
        memcpy(like->touch, c->touch, c->n * sizeof *c->touch);
    for (int turn = 0; turn < STEPS && good; turn++) {
        good =
            scree_check_advance(c) && scree_check_advance(like) && compare(c, like, same, v->name);
        for (uint32_t i = 0; i < c->n; i++) {
            scree_check_touch_move(&c->touch[i], c->since);
            scree_check_touch_move(&like->touch[i], like->since);
        }
    }
    end(c);
    end(like);
    return good;
}

static bool try_pairs(scree_check *check, const scree_check_variant *v, void *user)
{
    uint32_t *n = user;
    scree_instance *plain =
        scree_check_instance_with(check, v->dimension, 1, SCREE_CHECK_DEFAULTS, v->settings);
    if (!plain)
        return false;
    const void *config = scree_check_config_of(plain);
    for (uint32_t k = 0; k < check->plugin->n_params; k++) {
        double value;
        *n += find_value(check->plugin->params[k], config, &value);
    }
    for (uint32_t same = 0; *n && same < N_PAIRS && !check->failed; same++)
        compare_worlds(check, v, config, same);
    scree_check_instance_free(plain);
    return true;
}

void scree_check_pairs(scree_check *check)
{
    uint32_t n = 0;
    scree_check_settings_each(check, false, try_pairs, &n);
    if (!n && !check->failed)
        scree_check_skip(check, "no number that is not 0 is one of a material or a pair of them");
}
