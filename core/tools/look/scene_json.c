/* SPDX-License-Identifier: Apache-2.0 */
/* A scene as members of a JSON object. */
#include "tools/look/scene_json.h"
#include "tools/look/schedule_text.h"

#include <math.h>
#include <string.h>

#include "change/schedule.h"
#include "plugin/kinds.h"
#include "scene/scene.h"

uint32_t scree_look_ranks(const scree_scene *scene)
{
    const scree_plugin *plugin = scene->domain ? scene->domain->plugin : NULL;
    const uint32_t n_params = plugin ? plugin->n_params : 0;
    int64_t ranks = !plugin;
    for (uint32_t p = 0; p < n_params; p++) {
        const scree_param *param = plugin->params[p];
        if (!strcmp(param->name, "ranks") && param->type == SCREE_TYPE_INT)
            memcpy(&ranks, (const char *)scene->domain->config + param->offset, sizeof ranks);
    }
    return (uint32_t)ranks;
}

/** Puts { number, min, max } of sizes [m], or null if no body has them. */
static void put_sizes(scree_json *json, const char *key, uint64_t n, double min, double max)
{
    if (!n) {
        scree_json_null(json, key);
        return;
    }
    scree_json_open_object(json, key);
    scree_json_uint(json, "number", n);
    scree_json_real(json, "min", min);
    scree_json_real(json, "max", max);
    scree_json_close_object(json);
}

static void put_bodies(scree_json *json, const scree_scene *s, const scree_census *c)
{
    scree_json_open_object(json, "bodies");
    scree_json_uint(json, "number", s->bodies->len);
    scree_json_uint(json, "free", c->free);
    scree_json_uint(json, "kinematic", c->kinematic);
    scree_json_uint(json, "fixed", c->fixed);
    scree_json_uint(json, "facets", c->facets);
    scree_json_uint(json, "planes", c->planes);
    put_sizes(json, "radii", c->round, c->r_min, c->r_max);
    put_sizes(json, "balls_of_clumps", c->clumps, c->ball_min, c->ball_max);
    put_sizes(json, "half_thickness_of_solids", c->solids, c->thin_min, c->thin_max);
    scree_json_real(json, "solid_fraction", scree_census_solid(s, c));
    scree_json_close_object(json);
}

static void put_plugin(scree_json *json, const scree_choice_of *choice, const char *name)
{
    if (!choice) // an optional observer is not installed
        return;
    scree_json_open_object(json, NULL);
    scree_json_string(json, "kind", scree_kind_name(choice->plugin->kind));
    scree_json_string(json, "id", choice->plugin->id);
    scree_json_string(json, "version", choice->plugin->version);
    scree_json_string(json, "name", name);
    scree_json_close_object(json);
}

static void put_plugins(scree_json *json, const scree_scene *s)
{
    const GPtrArray *lists[] = {s->resolvers, s->forces, s->sources};
    const GPtrArray *timed[] = {s->modifiers, s->observers};
    const uint32_t ranks = scree_look_ranks(s);
    if (ranks)
        scree_json_uint(json, "ranks", ranks);
    else
        scree_json_null(json, "ranks"); // the launcher decides
    scree_json_open_array(json, "resolvers");
    for (guint k = 0; k < s->resolvers->len; k++)
        scree_json_string(json, NULL, ((scree_choice_of *)s->resolvers->pdata[k])->plugin->id);
    scree_json_close_array(json);
    scree_json_open_array(json, "plugins");
    put_plugin(json, s->gcd, NULL);
    put_plugin(json, s->integrator, NULL);
    if (s->domain)
        put_plugin(json, s->domain, NULL);
    for (size_t l = 0; l < G_N_ELEMENTS(lists); l++)
        for (guint k = 0; k < lists[l]->len; k++)
            put_plugin(json, lists[l]->pdata[k], NULL);
    for (size_t l = 0; l < G_N_ELEMENTS(timed); l++)
        for (guint k = 0; k < timed[l]->len; k++) {
            const scree_timed_choice *one = timed[l]->pdata[k];
            put_plugin(json, one->choice, one->name);
        }
    scree_json_close_array(json);
}

static void put_schedule(scree_json *json, const scree_scene *s)
{
    scree_json_open_array(json, "schedule");
    for (guint k = 0; k < s->schedule->len; k++) {
        const scree_schedule_entry *entry = s->schedule->pdata[k];
        g_autoptr(GString) what = g_string_new(NULL);
        scree_schedule_print(entry, s, what);
        scree_json_open_object(json, NULL);
        scree_json_string(json, "cause", entry->cause);
        scree_json_string(json, "change", what->str);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}

void scree_look_put_scene(scree_json *json, const scree_scene *s, const scree_census *census)
{
    scree_json_string(json, "title", s->title);
    scree_json_string(json, "scene", s->name);
    scree_json_uint(json, "dimension", s->dimension);
    put_bodies(json, s, census);
    scree_json_open_array(json, "materials");
    for (uint32_t i = 0; i < s->materials.n; i++) {
        scree_json_open_object(json, NULL);
        scree_json_string(json, "name", s->materials.names[i]);
        scree_json_real(json, "density", s->density[i]);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
    put_plugins(json, s);
    put_schedule(json, s);
}

/** Puts a critical step and the body that sets it, or null if it is not known. */
static void put_critical(scree_json *json, const char *key, const scree_critical_step *step)
{
    if (!isfinite(step->step)) {
        scree_json_null(json, key);
        return;
    }
    scree_json_open_object(json, key);
    scree_json_real(json, "step", step->step);
    if (step->id == SCREE_ID_NONE) // a body that a modifier makes
        scree_json_null(json, "body");
    else
        scree_json_uint(json, "body", step->id);
    scree_json_close_object(json);
}

void scree_look_put_step(scree_json *json, const scree_scene *s, const scree_critical *c, double dt)
{
    scree_json_open_object(json, "critical");
    put_critical(json, "rayleigh", &c->rayleigh);
    put_critical(json, "spring", &c->spring);
    put_critical(json, "packing", &c->packing);
    scree_json_real(json, "smallest", scree_critical_smallest(c));
    scree_json_close_object(json);
    scree_json_real(json, "dt", dt);
    scree_json_bool(json, "dt_auto", isnan(s->dt));
    scree_json_uint(json, "steps", s->steps);
    scree_json_real(json, "time", (double)s->steps * dt);
}
