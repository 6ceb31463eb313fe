/* SPDX-License-Identifier: Apache-2.0 */
/* Writes manifest.json of a run. */
#include "run/run_manifest.h"

#include <string.h>

#include "base/json.h"
#include "build_config.h"
#include "engine/ranks.h"
#include "engine/sim_plugins.h"
#include "plugin/loader.h"
#include "plugin/registry.h"
#include "run/checkpoint.h"

GArray *scree_run_plugins(const scree_sim *sim, const scree_observers *observers)
{
    GArray *plugins = scree_saved_plugins_of(sim);
    for (uint32_t i = 0; i < scree_observers_count(observers); i++)
        scree_saved_plugins_add(plugins, scree_observers_instance(observers, i));
    g_autoptr(GPtrArray) shapes = scree_plugins_shapes(sim); // last: older manifests lack them
    for (guint i = 0; i < shapes->len; i++)
        scree_saved_plugins_add(plugins, shapes->pdata[i]);
    const GPtrArray *sources = sim->scene->sources; // older manifests lack these
    for (guint i = 0; i < sources->len; i++) {
        const scree_choice_of *choice = sources->pdata[i];
        g_autofree char *slot = g_strdup_printf("generate.%s", choice->group->name);
        scree_saved_plugins_add_of(plugins, slot, choice->plugin, choice->file);
    }
    const scree_choice_of *domain = sim->scene->domain;
    if (sim->ranks)
        scree_saved_plugins_add(plugins, sim->ranks->domain);
    else if (domain)
        scree_saved_plugins_add_of(plugins, "domain", domain->plugin, domain->file);
    const scree_choice_of *of_queries = sim->scene->query->gcd;
    if (of_queries)
        scree_saved_plugins_add_of(plugins, "query.gcd", of_queries->plugin, of_queries->file);
    return plugins;
}

static void write_used_plugins(scree_json *json, const GArray *plugins)
{
    g_autoptr(GPtrArray) changed = scree_files_changed();
    scree_json_open_array(json, "plugins");
    for (guint i = 0; i < plugins->len; i++) {
        const scree_saved_plugin *one = &g_array_index(plugins, scree_saved_plugin, i);
        const char *build_id = one->file && *one->file->build_id ? one->file->build_id : NULL;
        g_autofree char *shadowed = scree_origin_shadowed(one->kind, one->id, one->path);
        scree_json_open_object(json, NULL);
        scree_json_string(json, "slot", one->slot);
        scree_json_string(json, "kind", one->kind);
        scree_json_string(json, "id", one->id);
        scree_json_string(json, "version", one->version);
        scree_json_string(json, "licence", one->plugin->licence);
        scree_json_string(json, "origin", scree_origin_of(one->path));
        scree_json_string(json, "shadowed", shadowed);
        scree_json_string(json, "path", one->path);
        scree_json_string(json, "build_id", build_id);
        scree_json_string(json, "sha256", one->sha256);
        if (g_ptr_array_find_with_equal_func(changed, one->path, g_str_equal, NULL))
            scree_json_bool(json, "written_to", true);
        scree_json_string(json, "cpu_level", one->cpu_level);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}

static void write_pairs(scree_json *json, const char *key, const char *first, const GPtrArray *a,
                        const char *second, const GPtrArray *b)
{
    scree_json_open_array(json, key);
    for (guint i = 0; i < a->len; i++) {
        scree_json_open_object(json, NULL);
        scree_json_string(json, first, a->pdata[i]);
        scree_json_string(json, second, b->pdata[i]);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}

/** Whether two overrides may change places: they differ in path, and none is a part of the
 * other. */
static bool may_swap(const char *a, const char *b, size_t n_a, size_t n_b)
{
    const size_t n = MIN(n_a, n_b);
    const char next = n_a == n ? b[n] : a[n]; // "gcd" has a part "gcd.plugin", not "gcd_of"
    return strncmp(a, b, n) != 0 || g_ascii_isalnum(next) || next == '_';
}

/** Sorts overrides by path, where their order changes nothing. */
static void sort_overrides(GPtrArray *overrides, GPtrArray *dirs)
{
    static const char ends[] = "=+ ";
    gpointer *text = overrides->pdata, *dir = dirs->pdata;
    for (guint i = 1; i < overrides->len; i++)
        for (guint k = i; k > 0; k--) {
            const char *a = text[k - 1], *b = text[k];
            if (strcmp(a, b) <= 0 || !may_swap(a, b, strcspn(a, ends), strcspn(b, ends)))
                break;
            gpointer other = text[k];
            text[k] = text[k - 1];
            text[k - 1] = other;
            other = dir[k];
            dir[k] = dir[k - 1];
            dir[k - 1] = other;
        }
}

static void write_scene(scree_json *json, const scree_scene *scene, bool sorted)
{
    const scree_stored_scene *stored = scene->config->parts;
    g_autoptr(GPtrArray) overrides = g_ptr_array_new();
    g_autoptr(GPtrArray) dirs = g_ptr_array_new();
    g_ptr_array_extend(overrides, stored->overrides, NULL, NULL);
    g_ptr_array_extend(dirs, stored->dirs, NULL, NULL);
    if (sorted)
        sort_overrides(overrides, dirs);
    scree_json_open_object(json, "scene");
    scree_json_string(json, "name", stored->name);
    write_pairs(json, "files", "path", stored->paths, "text", stored->texts);
    write_pairs(json, "overrides", "folder", dirs, "assignment", overrides);
    scree_json_close_object(json);
}

static void write_restart(scree_json *json, const scree_checkpoint *from)
{
    if (!from) {
        scree_json_null(json, "restart");
        return;
    }
    g_autofree char *path = g_canonicalize_filename(from->path, NULL);
    scree_json_open_object(json, "restart");
    scree_json_string(json, "path", path);
    scree_json_string(json, "state_sha256", from->state_sha256);
    scree_json_close_object(json);
}

static char *make_text(const scree_sim *sim, const scree_observers *observers,
                       const scree_checkpoint *from, uint64_t steps, const char *state_sha256,
                       bool sorted)
{
    g_autoptr(scree_json) json = scree_json_new();
    g_autoptr(GArray) plugins = scree_run_plugins(sim, observers);
    scree_json_open_object(json, NULL);
    scree_json_string(json, "scree", SCREE_VERSION);
    scree_json_string(json, "compiler", SCREE_COMPILER);
    scree_json_string(json, "flags", SCREE_FLAGS);
    scree_json_string(json, "cpu_level", sim->kernels->level);
    scree_json_uint(json, "threads", scree_pool_lanes(sim->runtime.pool));
    scree_json_uint(json, "ranks", sim->ranks ? sim->ranks->n : 1);
    write_restart(json, from);
    scree_json_uint(json, "steps", steps);
    scree_json_string(json, "state_sha256", state_sha256);
    write_used_plugins(json, plugins);
    write_scene(json, sim->scene, sorted);
    scree_json_close_object(json);
    return g_strdup(scree_json_text(json));
}

char *scree_run_manifest_text(const scree_sim *sim, const scree_observers *observers,
                              const scree_checkpoint *from, uint64_t steps,
                              const char *state_sha256)
{
    return make_text(sim, observers, from, steps, state_sha256, false);
}

char *scree_run_manifest_inputs(const scree_sim *sim, const scree_checkpoint *from)
{
    return make_text(sim, NULL, from, 0, NULL, true);
}
