/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of a run between two advances: bodies, values of the scene, plugins. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "change/swap.h"
#include "config/config.h"
#include "config/config_set.h"
#include "engine/boundary.h"
#include "engine/edits.h"
#include "lib/forces.h"
#include "tools/look/scene_print.h"

/* ---- bodies ---- */

/** A quantity of bodies, and its pointer in scree_body_change. */
typedef struct body_row {
    const char *name;
    uint32_t components;
    size_t offset;
} body_row;
static const body_row body_rows[] = {
    {"x", 3, offsetof(scree_body_change, x)},
    {"q", 4, offsetof(scree_body_change, q)},
    {"v", 3, offsetof(scree_body_change, v)},
    {"w", 3, offsetof(scree_body_change, w)},
    {"scale", 1, offsetof(scree_body_change, scale)},
    {"density", 1, offsetof(scree_body_change, density)},
};

static int compare_ids(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

/** Checks that no id comes twice. */
static bool check_ids(const scree_world *w, uint64_t n, const uint64_t *id, GError **error)
{
    if (n > w->n)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "sc_bodies_set: expected at most %u rows, one for each body of the run, "
                          "got %" PRIu64,
                          w->n, n);
    g_autofree uint64_t *sorted = g_memdup2(id, n * sizeof *id);
    if (n)
        qsort(sorted, n, sizeof *sorted, compare_ids);
    for (uint64_t k = 1; k < n; k++)
        if (sorted[k] == sorted[k - 1])
            return scree_fail(error, SCREE_EXIT_USAGE,
                              "sc_bodies_set: expected each body once, got body %" PRIu64 " twice",
                              sorted[k]);
    return true;
}

int32_t sc_bodies_set(sc_run *run, const char *name, uint64_t n, const uint64_t *id,
                      const double *values)
{
    const body_row *row = NULL;
    bool refused = false;
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, false);
    for (size_t k = 0; k < G_N_ELEMENTS(body_rows); k++)
        row = !g_strcmp0(body_rows[k].name, name) ? &body_rows[k] : row;
    if (!row || (n && (!id || !values))) {
        const bool size = !g_strcmp0(name, "radius");
        scree_fail(&error, SCREE_EXIT_USAGE,
                   "sc_bodies_set: expected x, q, v, w, scale or density with ids and values, got "
                   "\"%s\"%s",
                   name ? name : "",
                   size ? "; \"scale\" sets the size: of spheres and discs it is the radius in m"
                        : "");
        return scree_lib_leave(run, error);
    }
    if (!check_ids(run->run.sim->world, n, id, &error))
        return scree_lib_leave(run, error);
    g_autofree scree_body_change *changes = g_new0(scree_body_change, n + 1);
    for (uint64_t k = 0; k < n; k++) {
        const double *value = values + k * row->components;
        changes[k] = (scree_body_change){.size = sizeof *changes, .id = id[k]};
        memcpy((char *)&changes[k] + row->offset, &value, sizeof value);
    }
    const bool done = !n || (scree_edits_set(run->run.sim, changes, n, &refused, &error) &&
                             scree_boundary_apply(run->run.sim, &error));
    if (!done && !refused)
        run->phase = SCREE_LIB_FAILED;
    return scree_lib_leave(run, error);
}

/* ---- values and plugins ---- */

/** The override of the scene that repeats a change: an entry of the schedule, with all values that
 * the groups had then. New string. */
static char *print_entry(const scree_node *set, uint64_t step)
{
    GString *text = g_string_new(NULL);
    g_string_printf(text, "schedule+={ at_step = %" PRIu64 "L; by_hand = true; set = { ", step);
    for (guint k = 0; k < set->children->len; k++) {
        g_autofree char *line = scree_node_line(set->children->pdata[k]);
        g_string_append_printf(text, "%s ", line);
    }
    g_string_append(text, "}; }");
    return g_string_free(text, FALSE);
}

/** Notes a change as an override of the scene, for the manifest, and as an entry that has acted,
 * for checkpoints. */
static void note_by_hand(sc_run *run)
{
    scree_sim *sim = run->run.sim;
    const GPtrArray *adopted = sim->swaps.adopted;
    const scree_plugin_set *set = adopted->pdata[adopted->len - 1];
    const scree_stored_scene *parts = sim->scene->config->parts;
    scree_lib_change change = {sim->step, parts->overrides->len,
                               g_strdup_printf("at_step %" PRIu64, sim->step)};
    const scree_acted acted = {sim->scene->schedule->len + run->changes->len, false, change.cause};
    g_ptr_array_add(parts->overrides, print_entry(set->config->root, sim->step));
    g_ptr_array_add(parts->dirs, g_get_current_dir());
    g_array_append_val(sim->swaps.acted, acted);
    g_array_append_val(run->changes, change);
}

/** Carries out a swap; the error is its refusal. */
static int32_t swap(sc_run *run, scree_config *config, const char *cause, char **json)
{
    GError *error = NULL;
    const scree_swap *done =
        scree_swap_config(run->run.sim, run->run.observers, config, cause, &error);
    if (!done)
        run->phase = SCREE_LIB_FAILED;
    if (done)
        scree_swap_say(done);
    if (done && done->refused)
        scree_fail(&error, SCREE_EXIT_USAGE, "%s", done->refused);
    else if (done)
        note_by_hand(run);
    if (done && json) {
        g_autoptr(scree_json) text = scree_json_new();
        scree_swap_json(done, text);
        *json = g_strdup(scree_json_text(text));
    }
    return scree_lib_leave(run, error);
}

/** The group that an assignment changes, with an empty group for each plugin of its list: a
 * shorter list would remove some. New string; NULL: nothing can be set there. */
static char *make_frame(const scree_sim *sim, const char *assignment)
{
    g_autofree char *path = g_strndup(assignment, strcspn(assignment, "="));
    g_auto(GStrv) word = g_strsplit_set(g_strstrip(path), ".[", 3);
    const char *top = word[0] ? word[0] : "";
    const bool force = !strcmp(top, "force");
    if (!word[0] || !word[1])
        return NULL;
    if (!strcmp(top, "scene") || !strcmp(top, "gcd") || !strcmp(top, "integrator"))
        return g_strdup_printf("%s = { };", top);
    if (!strcmp(top, "modifiers") || !strcmp(top, "observers"))
        return g_strdup_printf("%s = { %s = { }; };", top, word[1]);
    if (!force && strcmp(top, "resolvers"))
        return NULL;
    const guint n = force ? sim->plugins.contact.n_laws : sim->plugins.contact.resolvers->len;
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint k = 0; k < n; k++)
        g_string_append(text, k ? ", { }" : "{ }");
    return g_strdup_printf("%s = ( %s );", top, text->str);
}

int32_t sc_set(sc_run *run, const char *assignment)
{
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, false);
    g_autofree char *given = g_strdup(assignment ? assignment : ""), *whole = NULL;
    const bool brief =
        g_str_has_prefix(g_strchug(given), "dt") || g_str_has_prefix(given, "gravity");
    whole = g_strconcat(brief ? "scene." : "", given, NULL);
    g_autofree char *frame = make_frame(run->run.sim, whole);
    scree_config *config = frame ? scree_config_parse(frame, "sc_set", ".") : NULL;
    if (config && scree_config_set(config, whole, &error))
        return swap(run, config, given, NULL);
    scree_config_free(config);
    if (!error)
        scree_fail(&error, SCREE_EXIT_USAGE,
                   "sc_set: expected PATH=VALUE, PATH below scene, gcd, resolvers, force, "
                   "integrator, modifiers or observers, got \"%s\"",
                   given);
    return scree_lib_leave(run, error);
}

int32_t sc_swap(sc_run *run, const char *text, uint32_t flags, char **json)
{
    if (json)
        *json = NULL;
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, false);
    scree_sim *sim = run->run.sim;
    if (flags & ~SC_SWAP_TRY)
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_swap: expected flags 0 or SC_SWAP_TRY, got %u",
                   flags);
    else if (flags && scree_lib_forces_used(sim))
        scree_fail(&error, SCREE_EXIT_USAGE,
                   "SC_SWAP_TRY: a swap cannot be tried in a copy of the process in a run with a "
                   "modifier callback");
    if (error)
        return scree_lib_leave(run, error);
    const bool trusted = sim->swaps.trusted;
    sim->swaps.trusted = !flags;
    const int32_t code =
        swap(run, scree_config_parse(text ? text : "", "sc_swap", "."), "sc_swap", json);
    sim->swaps.trusted = trusted;
    return code;
}
