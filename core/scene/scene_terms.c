/* SPDX-License-Identifier: Apache-2.0 */
/* Terms about observers' scalars, "flow.rate < 2 g/s", are checked against the observers. */
#include "scene/scene_terms.h"

#include <string.h>

#include "base/text.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/units.h"
#include "plugin/call.h"
#include "scene/scene_schedule.h"

/** Returns condition k: of the schedule's entries, then of `stop`; NULL: the entry has none. */
static const scree_condition *condition_at(const scree_scene *s, guint k)
{
    const guint n = s->schedule->len;
    return k < n ? ((const scree_schedule_entry *)s->schedule->pdata[k])->when
                 : s->stop->pdata[k - n];
}

/* ---- names of observers, when a scene is read ---- */

static void take_observers(GPtrArray *all, const GPtrArray *observers)
{
    const guint n = observers ? observers->len : 0;
    for (guint k = 0; k < n; k++)
        if (((const scree_timed_choice *)observers->pdata[k])->choice)
            g_ptr_array_add(all, observers->pdata[k]);
}

/** Returns all scree_timed_choice in the scene and in its schedule. */
static GPtrArray *list_observers(const scree_scene *s)
{
    GPtrArray *all = g_ptr_array_new();
    take_observers(all, s->observers);
    for (guint k = 0; k < s->schedule->len; k++)
        take_observers(all, ((const scree_schedule_entry *)s->schedule->pdata[k])->set->observers);
    return all;
}

static bool gives_scalars(const scree_timed_choice *observer)
{
    return scree_call_extension(observer->choice->plugin, SCREE_EXTENSION_SCALARS) != NULL;
}

static const scree_timed_choice *find_observer(const GPtrArray *all, const char *name)
{
    const scree_timed_choice *found = NULL;
    for (guint k = 0; k < all->len; k++) {
        const scree_timed_choice *one = all->pdata[k];
        if (!strcmp(one->name, name) && (!found || !gives_scalars(found)))
            found = one;
    }
    return found;
}

/** Names of the observers with scalars: "flow, wall". */
static char *name_those(const GPtrArray *all)
{
    GString *names = g_string_new(NULL);
    for (guint k = 0; k < all->len; k++) {
        const scree_timed_choice *one = all->pdata[k];
        if (gives_scalars(one))
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", one->name);
    }
    return g_string_free(names->len ? names : g_string_append(names, "none"), FALSE);
}

static void check_term(scree_build *b, const GPtrArray *all, const scree_condition *condition,
                       const scree_term *term)
{
    const scree_node place = {.file = condition->file, .line = condition->line};
    const scree_timed_choice *found = term->observer ? find_observer(all, term->observer) : NULL;
    if (!term->observer || (found && gives_scalars(found)))
        return;
    g_autofree char *those = name_those(all);
    if (found)
        scree_config_problem(b->config, &place,
                             "%s: '%s': observer/%s gives no scalars; observers that do: %s",
                             condition->path, term->subject, found->choice->plugin->id, those);
    else
        scree_config_problem(b->config, &place,
                             "%s: '%s': there is no observer \"%s\"; observers with scalars: %s",
                             condition->path, term->subject, term->observer, those);
}

void scree_build_terms(scree_build *b)
{
    const scree_scene *s = b->scene;
    g_autoptr(GPtrArray) all = list_observers(s);
    for (guint k = 0; k < s->schedule->len + s->stop->len; k++) {
        const scree_condition *condition = condition_at(s, k);
        const guint n_terms = condition ? condition->terms->len : 0;
        for (guint t = 0; t < n_terms; t++)
            check_term(b, all, condition, &g_array_index(condition->terms, scree_term, t));
    }
}

/* ---- scalars of observers in a run ---- */

bool scree_term_limit(const scree_term *term, const scree_scalar *scalar, double *limit,
                      GError **error)
{
    return scree_quantity_parse(term->number, scalar->unit, limit, error);
}

static bool fit_term(const scree_condition *condition, const scree_term *term,
                     const scree_instance *observer, GError **error)
{
    g_autoptr(GError) wrong = NULL;
    uint32_t number;
    double limit;
    const scree_scalar *scalar = scree_scalars_find(observer, term->scalar, &number);
    if (scalar && scree_term_limit(term, scalar, &limit, &wrong))
        return true;
    g_autofree char *all = scree_scalars_names(observer);
    g_auto(GStrv) names = g_strsplit(all, ", ", -1);
    g_autofree char *hint = scree_did_you_mean(term->scalar, (const char *const *)names);
    if (!scalar)
        scree_fail(&wrong, SCREE_EXIT_USAGE, "expected a scalar of %s (%s), got \"%s\"%s",
                   observer->slot, *all ? all : "it has none", term->scalar, hint);
    const scree_node at = {.file = condition->file ? condition->file : "--set",
                           .line = condition->line};
    g_autofree char *place = scree_node_place(&at);
    return scree_fail(error, SCREE_EXIT_USAGE, "%s: %s: '%s': %s", place, condition->path,
                      term->subject, wrong->message);
}

bool scree_terms_check(const scree_scene *s, const char *name, const scree_instance *observer,
                       GError **error)
{
    bool ok = true;
    for (guint k = 0; k < s->schedule->len + s->stop->len && ok; k++) {
        const scree_condition *condition = condition_at(s, k);
        const guint n_terms = condition ? condition->terms->len : 0;
        for (guint t = 0; t < n_terms && ok; t++) {
            const scree_term *term = &g_array_index(condition->terms, scree_term, t);
            ok = !term->observer || strcmp(term->observer, name) != 0 ||
                 fit_term(condition, term, observer, error);
        }
    }
    return ok;
}
