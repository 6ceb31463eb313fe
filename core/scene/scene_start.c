/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that the integrator brings: a group of `generate` with method = "integrator". */
#include "scene/scene_start.h"

#include <math.h>
#include <string.h>

#include "config/config_problem.h"
#include "config/config_read.h"
#include "plugin/call.h"
#include "plugin/instance.h"
#include "scene/scene_body.h"
#include "scene/scene_runtime.h"
#include "shape/shape.h"

#define MOST_BODIES 100000000u

void scree_started_clear(scree_started *started)
{
    for (uint32_t k = 0; k < started->components; k++)
        g_free(started->field[k]);
    g_clear_pointer(&started->field, g_free);
    *started = (scree_started){0};
}

static const scree_start *find_extension(const scree_plugin *plugin)
{
    const scree_start *start = scree_call_extension(plugin, SCREE_EXTENSION_START);
    return start && SCREE_HAS(start, bodies) ? start : NULL;
}

/** The keys of other methods, by name: what they say comes from the integrator. */
static bool refuse_keys(scree_build *b, scree_node *group)
{
    static const char *const keys[] = {"count",           "fraction", "radius", "diameter",
                                       "scale",           "region",   "motion", "velocity",
                                       "velocity_random", "spin",     "tries",  "lattice",
                                       "spacing",         "jitter",   "grow",   NULL};
    bool good = true;
    for (int k = 0; keys[k]; k++) {
        const scree_node *node = scree_config_child(group, keys[k]);
        if (node)
            scree_config_problem(b->config, node,
                                 "with method = \"integrator\" numbers, sizes, places and "
                                 "velocities are the integrator's; material and shape are "
                                 "possible");
        good = good && !node;
    }
    return good;
}

/** The words of the group, and whether the scene can have such a one. */
static bool read_group(scree_build *b, scree_node *group, scree_body_template *template)
{
    scree_scene *s = b->scene;
    uint32_t before = b->config->problems->len;
    scree_config_child(group, "method");
    refuse_keys(b, group);
    scree_build_template(b, group, template);
    scree_build_group_name(b, group->name);
    scree_config_report_unknown(b->config, group, NULL);
    if (template->shape && (template->sized || !scree_shape_is_round(template->shape)))
        scree_config_problem(b->config, scree_config_child(group, "shape"),
                             "expected \"sphere\" or \"disc\": bodies of an integrator have radii "
                             "from it, and no orientation");
    if (s->started.plugin)
        scree_config_problem(b->config, group,
                             "another group takes the bodies of the integrator already");
    if (isnan(s->dt))
        scree_config_problem(b->config, group,
                             "bodies of the integrator need a scene.dt in seconds, not \"auto\"");
    if (s->integrator && !find_extension(s->integrator->plugin))
        scree_config_problem(b->config, group,
                             "integrator/%s brings no bodies (`scree plugins integrator` lists "
                             "them)",
                             s->integrator->plugin->id);
    return s->integrator && template->shape && b->config->problems->len == before;
}

/** Whether what the plugin gave is a list of bodies. */
static bool check_list(scree_build *b, const scree_start_bodies *list, uint32_t dimension)
{
    const scree_scene *s = b->scene;
    const char *wrong = !list->n                ? "it lists no bodies"
                        : list->n > MOST_BODIES ? "it lists too many bodies"
                        : !list->radius         ? "it gives no radii"
                        : !list->x[0] || !list->x[1] || (dimension == 3 && !list->x[2])
                            ? "it gives no places"
                            : NULL;
    uint32_t i = 0;
    for (; !wrong && i < list->n; i++) {
        bool good = list->radius[i] > 0.0 && isfinite(list->radius[i]);
        for (uint32_t k = 0; k < dimension; k++)
            good = good && isfinite(list->x[k][i]) && (!list->v[k] || isfinite(list->v[k][i]));
        if (!good)
            wrong = "a radius, place or velocity is not possible";
        else if (list->motion && list->motion[i] != SCREE_MOTION_FREE &&
                 list->motion[i] != SCREE_MOTION_FIXED)
            wrong = "a body is neither free nor fixed";
    }
    for (uint32_t k = 0; !wrong && k < dimension; k++)
        if (!isfinite(list->region_min[k]) || !(list->region_max[k] - list->region_min[k] >= 0.0))
            wrong = "expected a region with min <= max and finite numbers";
    if (!wrong)
        return true;
    b->config->refused = true;
    scree_config_problem(b->config, s->integrator->group,
                         "integrator/%s misbehaved in bodies, at body %u of %u: %s",
                         s->integrator->plugin->id, i ? i - 1 : 0, list->n, wrong);
    return false;
}

static void add_bodies(scree_build *b, const scree_node *group, const scree_body_template *template,
                       const scree_start_bodies *list)
{
    scree_body body = {.shape = template->shape_index,
                       .material = template->material,
                       .group = scree_build_group_name(b, group->name),
                       .q = {1.0, 0.0, 0.0, 0.0}};
    for (uint32_t i = 0; i < list->n; i++) {
        body.id = i;
        body.scale = list->radius[i];
        body.motion = list->motion ? list->motion[i] : SCREE_MOTION_FREE;
        for (uint32_t k = 0; k < b->scene->dimension; k++) {
            body.x[k] = list->x[k][i];
            body.v[k] = list->v[k] && body.motion == SCREE_MOTION_FREE ? list->v[k][i] : 0.0;
        }
        scree_build_add(b, group, NULL, body);
    }
}

/** Start values of the fields, until the world takes them (sim.c). */
static void keep_fields(scree_scene *s, const scree_start_bodies *list)
{
    const scree_plugin *plugin = s->integrator->plugin;
    scree_started *to = &s->started;
    *to = (scree_started){.plugin = plugin, .n = list->n};
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        to->components += plugin->fields[f]->components;
    to->field = g_new0(double *, to->components + 1);
    for (uint32_t k = 0; list->fields && k < to->components; k++)
        if (list->fields[k])
            to->field[k] = g_memdup2(list->fields[k], list->n * sizeof(double));
}

static void keep_region(scree_scene *s, const scree_start_bodies *list)
{
    bool any = false;
    for (uint32_t k = 0; k < s->dimension; k++)
        any = any || list->region_max[k] > list->region_min[k];
    if (s->has_region || !any)
        return;
    s->has_region = true;
    for (uint32_t k = 0; k < s->dimension; k++) {
        s->region_min[k] = list->region_min[k];
        s->region_max[k] = list->region_max[k];
    }
}

/** Asks an instance that is made only for this; `error` has its message. */
static bool list_bodies(scree_build *b, scree_instance *instance, scree_node *group,
                        const scree_body_template *template, GError **error)
{
    scree_scene *s = b->scene;
    scree_start_bodies list = {.size = sizeof list, .dt = s->dt};
    const scree_start *start = find_extension(instance->plugin);
    scree_call call = scree_call_begin(instance, SCREE_CALL_CONFIG, "bodies");
    int32_t code = start->bodies(instance->self, &list);
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (code < 0)
        return false;
    if (!check_list(b, &list, s->dimension))
        return true;
    add_bodies(b, group, template, &list);
    keep_fields(s, &list);
    keep_region(s, &list);
    return true;
}

void scree_build_start(scree_build *b, scree_node *group)
{
    scree_scene *s = b->scene;
    g_autoptr(GError) error = NULL;
    scree_body_template template;
    if (!read_group(b, group, &template))
        return;
    scree_runtime runtime = scree_scene_runtime(s, scree_pool_new(1));
    scree_instance *instance = scree_instance_new(&runtime, s->integrator, "integrator", &error);
    bool made = instance != NULL;
    if (made)
        list_bodies(b, instance, group, &template, &error);
    if (error) {
        b->config->refused |= error->code == SCREE_EXIT_PLUGIN;
        // The message of create() names its line already.
        bool placed = !made && error->code == SCREE_EXIT_USAGE;
        scree_config_problem(b->config, placed ? NULL : group, "%s", error->message);
    }
    scree_instance_free(instance);
    scree_pool_free(runtime.pool);
}
