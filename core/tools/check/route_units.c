/* SPDX-License-Identifier: Apache-2.0 */
/* A scene in other units: the same motion, in which every number is another one. */
#include "tools/check/route_units.h"

#include <math.h>
#include <string.h>

#include "config/units.h"
#include "scene/bonds_rule.h"
#include "tools/check/check_values.h"

double scree_route_units_factor(const scree_route_units *units, const char *unit)
{
    scree_unit u;
    if (!scree_unit_parse(unit, &u, NULL))
        return 1.0;
    return ldexp(1.0, units->length * u.exponent[0] + units->mass * u.exponent[1] +
                          units->time * u.exponent[2]);
}

/** Multiplies numbers that the scene owns. */
static void multiply(const double *x, uint64_t n, double by)
{
    for (double *at = (double *)(uintptr_t)x; n > 0; n--)
        *at++ *= by;
}

static void change_zone(const scree_zone *zone, double by)
{
    const double *const each[] = {zone->lo, zone->hi, zone->a, zone->b};
    for (size_t k = 0; k < G_N_ELEMENTS(each); k++)
        multiply(each[k], 3, by);
    multiply(&zone->radius, 1, by);
    multiply(&zone->inner, 1, by);
}

static void change_recipe(const scree_route_units *units, const scree_recipe *r)
{
    const scree_size_table *sizes = r->sizes;
    const double speed = scree_route_units_factor(units, "m/s");
    if (sizes)
        multiply(sizes->radius, sizes->n + !sizes->discrete, scree_route_units_factor(units, "m"));
    multiply(r->velocity, 3, speed);
    multiply(r->spin, 3, scree_route_units_factor(units, "1/s"));
    multiply(&r->velocity_random, 1, speed);
}

static void change_choice(const scree_route_units *units, const scree_choice_of *choice);

static void change_param(const scree_route_units *units, const scree_param *p, void *at)
{
    const double by = scree_route_units_factor(units, p->unit);
    const scree_reals *reals = at;
    const void *points = *(void **)at; // of the types that are pointers
    const scree_real_rows *rows = points;
    if (p->type == SCREE_TYPE_REAL)
        multiply(at, 1, by);
    else if (p->type == SCREE_TYPE_REAL_ARRAY || p->type == SCREE_TYPE_PER_MATERIAL ||
             p->type == SCREE_TYPE_PER_PAIR)
        multiply(reals->v, reals->n, by);
    else if (p->type == SCREE_TYPE_REAL_ROWS && rows)
        multiply(rows->v, rows->first[rows->n], by);
    else if (p->type == SCREE_TYPE_ZONE)
        change_zone(points, scree_route_units_factor(units, "m"));
    else if (p->type == SCREE_TYPE_RECIPE && points)
        change_recipe(units, points);
    else if (p->type == SCREE_TYPE_PLUGIN && points)
        change_choice(units, points);
}

/** A nested choice begins where its handle does. */
static void change_choice(const scree_route_units *units, const scree_choice_of *choice)
{
    const uint32_t n = choice ? choice->plugin->n_params : 0;
    for (uint32_t k = 0; k < n; k++)
        change_param(units, choice->plugin->params[k],
                     (char *)choice->config + choice->plugin->params[k]->offset);
}

static void change_bonds(const scree_route_units *units, const GPtrArray *bonds)
{
    const guint n = bonds ? bonds->len : 0;
    for (guint k = 0; k < n; k++) {
        scree_bond_rule *rule = bonds->pdata[k];
        rule->gap *= scree_route_units_factor(units, "m");
        rule->from *= scree_route_units_factor(units, "s");
        rule->until *= scree_route_units_factor(units, "s");
    }
}

static void change_bodies(const scree_route_units *units, const scree_scene *scene,
                          const GArray *bodies)
{
    const double length = scree_route_units_factor(units, "m");
    for (guint k = 0; k < bodies->len; k++) {
        scree_body *b = &g_array_index(bodies, scree_body, k);
        const scree_shape *shape = scene->shapes->pdata[b->shape];
        if (!(shape->flags & SCREE_CAP_INFINITE))
            b->scale *= length;
        multiply(b->x, 3, length);
        multiply(b->v, 3, scree_route_units_factor(units, "m/s"));
        multiply(b->w, 3, scree_route_units_factor(units, "1/s"));
        b->density *= scree_route_units_factor(units, "kg/m^3");
    }
}

static void change_plugins(const scree_route_units *units, const scree_scene *scene)
{
    const GPtrArray *const lists[] = {scene->resolvers, scene->forces};
    const GPtrArray *const timed[] = {scene->modifiers, scene->observers};
    change_choice(units, scene->gcd);
    change_choice(units, scene->integrator);
    for (size_t l = 0; l < G_N_ELEMENTS(lists); l++)
        for (guint k = 0; k < lists[l]->len; k++) {
            const scree_choice_of *choice = lists[l]->pdata[k];
            change_choice(units, choice);
            change_bonds(units, choice->bonds);
        }
    for (size_t l = 0; l < G_N_ELEMENTS(timed); l++)
        for (guint k = 0; k < timed[l]->len; k++) {
            scree_timed_choice *t = timed[l]->pdata[k];
            t->every_time *= scree_route_units_factor(units, "s");
            change_choice(units, t->choice);
        }
}

void scree_route_units_change(const scree_route_units *units, scree_scene *scene)
{
    const double length = scree_route_units_factor(units, "m");
    const double *const places[] = {scene->region_min, scene->region_max, scene->tilt};
    for (size_t k = 0; k < G_N_ELEMENTS(places); k++)
        multiply(places[k], 3, length);
    scene->dt *= scree_route_units_factor(units, "s");
    multiply(scene->gravity, 3, scree_route_units_factor(units, "m/s^2"));
    scene->thickness *= length;
    scene->extent.eps_c *= length;
    multiply(scene->density, scene->materials.n, scree_route_units_factor(units, "kg/m^3"));
    multiply(scene->young, scene->materials.n, scree_route_units_factor(units, "Pa"));
    change_bodies(units, scene, scene->bodies);
    change_bodies(units, scene, scene->to_come);
    change_plugins(units, scene);
}

/* ---- a scene that is read ---- */

/** A value with all its numbers multiplied, a new string; NULL: it has more than numbers. */
static char *multiply_text(const char *value, double by)
{
    GString *out = g_string_new(NULL);
    if (strspn(value, "0123456789+-.eE(), ") != strlen(value))
        return g_string_free(out, TRUE);
    while (*value) {
        char *end, number[G_ASCII_DTOSTR_BUF_SIZE];
        const double x = g_ascii_strtod(value, &end);
        if (end == value) {
            g_string_append_c(out, *value++);
            continue;
        }
        g_string_append(out, g_ascii_formatd(number, sizeof number, "%.17e", by * x));
        value = end;
    }
    return g_string_free(out, FALSE);
}

/** Adds "PATH=VALUE" with a value that has this unit. False: it has more than numbers. */
static bool add(GPtrArray *sets, const scree_route_units *units, const char *path, const char *unit,
                const char *value)
{
    g_autofree char *other = multiply_text(value, scree_route_units_factor(units, unit));
    if (other)
        g_ptr_array_add(sets, g_strdup_printf("%s=%s", path, other));
    return other != NULL;
}

/** The parameter of the plugin, if its value is not that of all units. */
static bool add_param(GPtrArray *sets, const scree_route_units *units,
                      const scree_route_scene *from, const scree_param *p)
{
    g_autofree char *path =
        g_strdup_printf("%s.%s", scree_route_scene_path(from->check->plugin), p->name);
    g_autofree char *value = scree_check_value(from->check, from->dimension, from->settings, p);
    if (value && (p->type == SCREE_TYPE_ZONE || p->type == SCREE_TYPE_PLUGIN))
        return false;
    return scree_route_units_factor(units, p->unit) == 1.0 || !value ||
           add(sets, units, path, p->unit, value);
}

GPtrArray *scree_route_units_write(const scree_route_units *units, const scree_route_scene *from)
{
    const bool solid = from->dimension == 3;
    const scree_plugin *plugin = from->check->plugin;
    g_autoptr(GPtrArray) sets = g_ptr_array_new_with_free_func(g_free);
    const struct {
        const char *path, *unit, *value;
    } world[] = {{"scene.dt", "s", "2.0e-4"},
                 {"scene.gravity", "m/s^2", solid ? "(0.5, -9.81, 0.25)" : "(0.5, -9.81)"},
                 {"scene.region.max", "m", solid ? "(1.0, 1.0, 1.0)" : "(1.0, 1.0)"},
                 {"materials.first.density", "kg/m^3", "2500.0"},
                 {"materials.second.density", "kg/m^3", "1000.0"},
                 {solid ? NULL : "scene.thickness", "m", "0.07"}};
    for (size_t k = 0; k < G_N_ELEMENTS(world); k++)
        if (world[k].path)
            add(sets, units, world[k].path, world[k].unit, world[k].value);
    for (uint32_t k = 0; k < plugin->n_params; k++)
        if (!add_param(sets, units, from, plugin->params[k]))
            return NULL;
    for (const scree_check_key *key = scree_check_recipe_keys(plugin, from->dimension); key->name;
         key++) {
        g_autofree char *path = g_strdup_printf("%s.%s", scree_route_scene_path(plugin), key->name);
        if (key->unit)
            add(sets, units, path, key->unit, key->value);
    }
    g_ptr_array_add(sets, NULL);
    return g_steal_pointer(&sets);
}
