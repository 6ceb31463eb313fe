/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of a plugin under test, in a small scene; parameters are made up from its schema. */
#include "tools/check/check_instance.h"

#include <math.h>
#include <string.h>

#include "config/config.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/config_set.h"
#include "plugin/instance.h"
#include "plugin/kinds.h"
#include "plugin/scalars.h"
#include "plugin/schema.h"
#include "scene/figure_names.h"
#include "scene/query_service.h"
#include "scene/scene.h"
#include "scene/scene_runtime.h"
#include "scene/schema_scene.h"
#include "shape/plugin_shape_new.h"
#include "tools/check/check_report.h"
#include "tools/check/check_values.h"
#include "tools/check/route_plugins.h"
#include "tools/check/route_scenes.h"

const scree_cell scree_check_open_cell = {.size = sizeof(scree_cell),
                                          .lo = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                                          .hi = {HUGE_VAL, HUGE_VAL, HUGE_VAL}};

/** Shared by instances with the same parameters. */
typedef struct holder {
    scree_runtime runtime; /* first member: the runtime of an instance leads to it */
    scree_scene *scene;
    const scree_choice_of *choice;
    scree_query_service *query; // closed: no call is one in which plugins may ask
    scree_choice_of *shape;     /* choice from a group that is read apart (is_apart) */
    uint32_t users;
} holder;

/** How values for parameters are chosen. */
typedef struct wish {
    scree_check *check;
    uint32_t dimension, lanes, parameters;
    const char *const *settings; /* NULL: none */
    uint32_t optional;           /* mask of optional parameters that are set, in their order */
} wish;

/** A scene would call a shape before the check does, and fork for a domain: their groups are read
 * apart. */
static bool is_apart(const scree_plugin *plugin)
{
    return plugin->kind == SCREE_KIND_SHAPE || plugin->kind == SCREE_DRAFT_KIND_DOMAIN;
}

/** Applies settings to the group "check". */
static bool apply_settings(const char *const *settings, scree_config *config, GError **error)
{
    for (; settings && *settings; settings++) {
        g_autofree char *assignment = g_strconcat("check.", *settings, NULL);
        if (!scree_config_set(config, assignment, error))
            return false;
    }
    return true;
}

/** The choice of a shape, from a group outside the scene. */
static scree_choice_of *choose_apart(const wish *w, scree_scene *scene, GError **error)
{
    scree_materials *materials = &scene->materials;
    g_autoptr(GString) text = g_string_new("check = {");
    scree_check_append_keys(w->check, w->dimension, w->parameters, w->optional, w->settings, text);
    g_string_append(text, "};\n");
    g_autoptr(scree_config) config = scree_config_parse(text->str, "check", ".");
    if (!apply_settings(w->check->settings, config, error) ||
        !apply_settings(w->settings, config, error))
        return NULL;
    scree_build build = {.scene = scene,
                         .config = config,
                         .shape_names = scene->shape_names_known,
                         .starting = true};
    materials->build = &build; // for parameters about the scene
    materials->fill = scree_schema_fill_scene;
    scree_choice_of *choice =
        scree_schema_choose(config, scree_config_child(config->root, "check"),
                            w->check->plugin->kind, NULL, materials, w->check->registry);
    materials->build = NULL;
    materials->fill = NULL;
    if (!scree_config_failed(config, error)) {
        choice->group = NULL; // the message goes with its text
        return choice;
    }
    scree_choice_of_free(choice);
    return NULL;
}

/** The made-up scene of runs with the plugin; of a shape one without it. */
static scree_scene *read_scene(const wish *w, GError **error)
{
    static const char *const none[] = {NULL};
    scree_check plain = *w->check;
    scree_route_scene from = {.check = w->check,
                              .dimension = w->dimension,
                              .parameters = w->parameters,
                              .optional = w->optional,
                              .settings = w->settings};
    g_autofree char *bare = g_strdup_printf(
        "scene = { dimension = %u; dt = 1.0e-5; steps = 100; };\nmaterials = { first = { density = "
        "2500.0; }; second = { density = 1000.0; }; };\nbodies = { ball = { radius = 0.05; "
        "material = "
        "\"first\"; position = (0.3, 0.5%s); }; };\n",
        w->dimension, w->dimension == 3 ? ", 0.5" : "");
    if (scree_route_scene_own(&from)) // its source would make its bodies for each instance
        from.pulled = bare;
    if (is_apart(w->check->plugin)) {
        plain.settings = NULL;
        from = (scree_route_scene){.check = &plain, .dimension = w->dimension, .absent = true};
    }
    scree_route_plugins_give(w->check);
    return scree_route_scene_read(&from, w->check->world ? w->check->world : none, error);
}

bool scree_check_settings(const scree_check *check, GError **error)
{
    scree_check reader = *check;
    const wish w = {&reader, scree_check_dimension(check), 1, SCREE_CHECK_DEFAULTS, NULL, 0};
    scree_scene *scene = read_scene(&w, error);
    const bool apart = is_apart(check->plugin);
    scree_choice_of *shape = scene && apart ? choose_apart(&w, scene, error) : NULL;
    const bool good = scene && (shape || !apart);
    scree_choice_of_free(shape);
    scree_scene_free(scene);
    return good;
}

/* Instances. */

static void release(holder *h)
{
    if (h->users > 0)
        return;
    scree_pool_free(h->runtime.pool);
    if (h->runtime.writers)
        g_hash_table_unref(h->runtime.writers);
    scree_query_service_free(h->query);
    scree_choice_of_free(h->shape);
    scree_scene_free(h->scene);
    g_free(h->runtime.output_dir);
    g_free(h);
}

static scree_instance *make(holder *h, GError **error)
{
    static const char *const slots[] = {[SCREE_KIND_GCD] = "gcd",
                                        [SCREE_KIND_RESOLVER] = "resolvers[0]",
                                        [SCREE_KIND_FORCE] = "force[0]",
                                        [SCREE_KIND_INTEGRATOR] = "integrator",
                                        [SCREE_KIND_OBSERVER] = "check",
                                        [SCREE_KIND_MODIFIER] = "check",
                                        [SCREE_KIND_SHAPE] = "shapes.check",
                                        [SCREE_KIND_SOURCE] = "generate.check",
                                        [SCREE_DRAFT_KIND_DOMAIN] = "domain"};
    scree_instance *instance =
        scree_instance_new(&h->runtime, h->choice, slots[h->choice->plugin->kind], error);
    if (instance && !scree_scalars_ask(instance, error))
        g_clear_pointer(&instance, scree_instance_free);
    h->users += instance != NULL;
    return instance;
}

static scree_instance *try_once(const wish *w, GError **error)
{
    scree_scene *scene = read_scene(w, error);
    if (!scene)
        return NULL;
    holder *h = g_new0(holder, 1);
    h->scene = scene;
    if (is_apart(w->check->plugin))
        h->choice = h->shape = choose_apart(w, scene, error);
    else if (!(h->choice = scree_route_scene_choice(scene, w->check->plugin)))
        scree_fail(error, SCREE_EXIT_RUN, "the scene of the check does not choose %s",
                   w->check->plugin->id);
    if (!h->choice) {
        release(h);
        return NULL;
    }
    h->runtime = scree_scene_runtime(scene, scree_pool_new(w->lanes));
    h->runtime.output_dir = w->check->no_files ? NULL : g_strdup(".");
    h->runtime.conformal = w->check->conformal;
    h->runtime.withheld = w->check->withheld;
    h->runtime.asked = w->check->asked;
    h->query = scree_query_service_new(&(scree_query_world){.scene = scene});
    h->runtime.query = scree_query_service_offer(h->query);
    h->runtime.figures = &scree_figures_stateless;
    scree_instance *instance = make(h, error);
    if (!instance)
        release(h);
    return instance;
}

const scree_scene *scree_check_scene_of(const scree_instance *instance)
{
    return ((const holder *)instance->runtime)->scene;
}

const void *scree_check_config_of(const scree_instance *instance)
{
    return ((const holder *)instance->runtime)->choice->config;
}

/** Values that the check has made up for parameters without a default, for messages; "": none. New
 * string. */
static char *tell_made_up(const wish *w)
{
    GString *text = g_string_new(NULL);
    for (uint32_t k = 0; k < w->check->plugin->n_params; k++) {
        const scree_param *p = w->check->plugin->params[k];
        g_autofree char *setting = p->flags & SCREE_PARAM_REQUIRED &&
                                           !scree_check_has_setting(w->settings, p) &&
                                           !scree_check_has_setting(w->check->settings, p)
                                       ? scree_check_made_up(w->check, w->dimension, p)
                                       : NULL;
        if (setting)
            g_string_append_printf(text, "%s%s", text->len ? ", " : "", setting);
    }
    if (text->len && w->parameters == SCREE_CHECK_DEFAULTS) {
        g_string_prepend(text, "; the check made up ");
        g_string_append(text, "; --set NAME=VALUE gives others");
    } else {
        g_string_truncate(text, 0);
    }
    return g_string_free(text, FALSE);
}

/** Tries each set of optional parameters. NULL with the error of the first one. */
static scree_instance *try_sets(wish *w, GError **error)
{
    GError *first = NULL;
    for (uint32_t k = 0; scree_check_choose_optional(w->check, k, &w->optional); k++) {
        g_autoptr(GError) now = NULL;
        scree_instance *instance = try_once(w, &now);
        if (instance) {
            g_clear_error(&first);
            return instance;
        }
        // Another setting cannot help against other refusals.
        bool setting = now->code == SCREE_EXIT_USAGE;
        if (!first)
            first = g_steal_pointer(&now);
        if (!setting)
            break;
    }
    g_propagate_error(error, first);
    return NULL;
}

scree_instance *scree_check_instance_with(scree_check *check, uint32_t dimension, uint32_t lanes,
                                          uint32_t parameters, const char *const *settings)
{
    g_autoptr(GError) error = NULL;
    wish w = {check, dimension, lanes, parameters, settings, 0};
    scree_instance *instance = try_sets(&w, &error);
    if (instance)
        return instance;
    bool failed = check->failed;
    g_autofree char *made_up = tell_made_up(&w);
    scree_check_fail(check, "%s%s", error->message, made_up);
    if (!failed)
        check->refused =
            error->code != SCREE_EXIT_PLUGIN &&
            !strstr(error->message, SCREE_NO_REASON); // a refusal without a reason does not count
    return NULL;
}

scree_instance *scree_check_instance(scree_check *check, uint32_t dimension, uint32_t lanes,
                                     uint32_t parameters, const char *settings)
{
    const char *const list[] = {settings, NULL};
    return scree_check_instance_with(check, dimension, lanes, parameters, list);
}

/** Whether an instance can be made. */
static bool makes(scree_check *check, uint32_t dimension, GError **error)
{
    wish w = {check, dimension, 1, SCREE_CHECK_DEFAULTS, NULL, 0};
    scree_instance *one = try_sets(&w, error);
    const bool made = one != NULL;
    scree_check_instance_free(one);
    return made;
}

bool scree_check_is_flat(scree_check *check)
{
    const uint32_t both = SCREE_DIMENSION_2 | SCREE_DIMENSION_3;
    bool lists = false;
    for (const char *const *s = check->settings; s && *s; s++)
        lists = lists || strchr(*s, '(');
    g_autoptr(GError) space = NULL, plane = NULL;
    if (!lists || (check->plugin->dimensions & both) != both || makes(check, 3, &space))
        return false;
    // The case itself reports another failure in space.
    return scree_route_scene_is_refusal(space) && !strstr(space->message, SCREE_NO_REASON) &&
           makes(check, 2, &plane);
}

scree_instance *scree_check_instance_again(scree_check *check, scree_instance *instance)
{
    g_autoptr(GError) error = NULL;
    scree_instance *another = make((holder *)instance->runtime, &error);
    if (another)
        return another;
    bool failed = check->failed;
    scree_check_fail(check, "a second instance on the same parameters: %s", error->message);
    if (!failed)
        check->refused = error->code != SCREE_EXIT_PLUGIN;
    return NULL;
}

void scree_check_instance_free(scree_instance *instance)
{
    if (!instance)
        return;
    holder *h = (holder *)instance->runtime;
    scree_instance_free(instance);
    h->users--;
    release(h);
}

scree_shape *scree_check_solid(const scree_check *check, scree_instance *instance, GError **error)
{
    const uint32_t dimension = instance->runtime->dimension;
    scree_check maker = *check;
    maker.plugin = scree_check_solid_plugin(check, dimension);
    if (!maker.plugin)
        return NULL;
    g_autoptr(GPtrArray) settings = scree_check_own_settings(check->given, maker.plugin);
    maker.settings = (const char *const *)settings->pdata;
    const wish w = {&maker, dimension, 1, SCREE_CHECK_DEFAULTS, NULL, 0};
    scree_choice_of *choice =
        choose_apart(&w, (scree_scene *)(uintptr_t)scree_check_scene_of(instance), error);
    return choice ? scree_plugin_shape_new(instance->runtime, choice, "shapes.check", error) : NULL;
}
