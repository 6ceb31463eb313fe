/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins, the scene of a run, and its bodies in a region, as JSON. */
#include <string.h>

#include "engine/sim_plugins.h"
#include "lib/visit.h"
#include "plugin/kinds.h"
#include "plugin/loader.h"
#include "plugin/registry.h"
#include "run/checkpoint.h"
#include "scene/scene.h"
#include "tools/describe/describe_json.h"
#include "tools/look/look_scene.h"
#include "tools/look/scene_print.h"
#include "tools/look/silent_mistakes.h"
#include "tools/look/zone_bodies.h"
#include "tools/restart/checkpoint_read.h"
#include "tools/restart/scene_again.h"

int32_t sc_query_json(sc_run *run, const char *query, char **json)
{
    if (!json)
        return scree_lib_refuse(run, "sc_query_json: expected a place for the text, got NULL");
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, true);
    const scree_sim *sim = run->run.sim;
    g_auto(GStrv) word = g_strsplit(query ? query : "", " ", 2);
    g_autoptr(GArray) bodies = g_array_new(FALSE, FALSE, sizeof(scree_body));
    g_autoptr(GArray) hits = g_array_new(FALSE, FALSE, sizeof(scree_zone_hit));
    scree_zone_take_world(bodies, sim->world);
    *json = NULL;
    if (!word[0] || !word[1] || (strcmp(word[0], "box") && strcmp(word[0], "ball")))
        scree_fail(&error, SCREE_EXIT_USAGE,
                   "sc_query_json: expected \"box X0,Y0,Z0:X1,Y1,Z1\" or \"ball X,Y,Z:R\", got "
                   "\"%s\"",
                   query ? query : "");
    else if (scree_zone_bodies(sim->scene, bodies, sim->plugins.contact.resolvers, word[0], word[1],
                               hits, &error)) {
        g_autoptr(scree_json) text = scree_json_new();
        scree_json_open_object(text, NULL);
        scree_zone_bodies_json(text, sim->scene, bodies, hits);
        scree_json_close_object(text);
        *json = g_strdup(scree_json_text(text));
    }
    return scree_lib_leave(run, error);
}

/* ---- scene ---- */

/** Describes the scene as it begins, or as it continues the checkpoint, whose file is read again:
 * bodies and first state are made again. */
static char *describe_scene(sc_run *run, GError **error)
{
    const scree_say_fn say = run->context.say;
    scree_look_from from = {.checkpoint = NULL};
    if (run->from && !(from.checkpoint = scree_checkpoint_find(run->from->path, error)))
        return NULL;
    const scree_stored_scene *stored = run->run.sim->scene->config->parts;
    scree_look look;
    scree_look_begin(&look, true, true);
    scree_scene *scene = scree_stored_scene_load(stored, NULL, run->registry, error);
    int status = SCREE_EXIT_USAGE;
    if (scene) {
        scree_note_silent_mistakes(scene);
        scree_look_notes(scene, 0);
        status = scree_look_describe(scene, &from, false, &look);
    }
    if (scene && status)
        scree_fail(error, (scree_exit)status, "%s", (const char *)look.errors->pdata[0]);
    g_autofree char *text = scree_look_take(&look);
    run->context.say = say;
    scree_checkpoint_free(from.checkpoint);
    return status ? NULL : g_steal_pointer(&text);
}

int32_t sc_validate_json(sc_run *run, char **json)
{
    if (!json)
        return scree_lib_refuse(run, "sc_validate_json: expected a place for the text, got NULL");
    SCREE_LIB_ENTER(run, SCREE_LIB_OPEN, true);
    *json = describe_scene(run, &error);
    return scree_lib_leave(run, error);
}

/* ---- plugins ---- */

/** Writes the plugin of a slot, with the keys of its group as texts of libconfig. */
static void put_slot(scree_json *json, const scree_instance *one, const scree_choice_of *choice)
{
    scree_json_open_object(json, NULL);
    scree_json_string(json, "slot", one->slot);
    scree_json_string(json, "kind", scree_kind_name(one->plugin->kind));
    scree_json_string(json, "id", one->plugin->id);
    scree_json_open_object(json, "given");
    const guint n = choice && choice->group ? choice->group->children->len : 0;
    for (guint k = 0; k < n; k++) {
        const scree_node *child = choice->group->children->pdata[k];
        g_autofree char *line = scree_node_line(child); // "NAME = VALUE;"
        line[strlen(line) - 1] = '\0';
        if (strcmp(child->name, "plugin"))
            scree_json_string(json, child->name, line + strlen(child->name) + 3);
    }
    scree_json_close_object(json);
    scree_json_close_object(json);
}

int32_t sc_slots_json(sc_run *run, char **json)
{
    if (!json)
        return scree_lib_refuse(run, "sc_slots_json: expected a place for the text, got NULL");
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, true);
    g_autoptr(GPtrArray) all = scree_plugins_list(run->run.sim);
    g_autoptr(scree_json) text = scree_json_new();
    const scree_observers *observers = run->run.observers;
    const uint32_t n = observers ? scree_observers_count(observers) : 0;
    scree_json_open_array(text, NULL);
    for (guint k = 0; k < all->len; k++)
        put_slot(text, all->pdata[k], ((const scree_instance *)all->pdata[k])->choice);
    for (uint32_t k = 0; k < n; k++) {
        const scree_instance *one = scree_observers_instance(observers, k);
        put_slot(text, one, one->choice);
    }
    scree_json_close_array(text);
    *json = g_strdup(scree_json_text(text));
    return scree_lib_leave(run, error);
}

static bool put_plugin(scree_json *json, scree_registry *registry, const scree_listing *listing,
                       GError **error)
{
    const scree_file *file = scree_file_load(listing->path, registry->trusted, error);
    const uint32_t n = file ? file->manifest->n_plugins : 0;
    for (uint32_t i = 0; i < n; i++) {
        const scree_plugin *plugin = file->manifest->plugins[i];
        if (plugin->kind != listing->kind || strcmp(plugin->id, listing->id))
            continue;
        scree_json_open_object(json, NULL);
        scree_describe_json(json, plugin, file);
        scree_json_close_object(json);
    }
    return file != NULL;
}

static char *describe_plugins(const char *const *plugin_path, GError **error)
{
    g_autoptr(scree_registry) registry = scree_registry_new(
        plugin_path ? plugin_path : (const char *const[]){NULL}, (const char *const[]){NULL});
    g_autoptr(GPtrArray) all = scree_registry_scan(registry);
    g_autoptr(scree_json) json = scree_json_new();
    scree_json_open_array(json, NULL);
    for (guint i = 0; i < all->len; i++) {
        const scree_listing *one = all->pdata[i];
        if (!one->refused && !one->shadowed_by && !put_plugin(json, registry, one, error))
            return NULL;
    }
    scree_json_close_array(json);
    return g_strdup(scree_json_text(json));
}

int32_t sc_plugins_json(const char *const *plugin_path, char **json)
{
    if (!json)
        return SC_E_USE;
    sc_run *run = scree_lib_new(NULL, NULL); // the surroundings of a call
    GError *error = NULL;
    scree_lib_enter(run, SCREE_LIB_REFUSED, true);
    *json = describe_plugins(plugin_path, &error);
    if (error)
        *json = g_strdup(error->message);
    const int32_t code = scree_lib_leave(run, error);
    sc_close(run);
    return code;
}
