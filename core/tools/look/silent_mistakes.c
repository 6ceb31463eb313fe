/* SPDX-License-Identifier: Apache-2.0 */
/* Values that a run accepts and that are mistakes more often than not: a row each. */
#include "tools/look/silent_mistakes.h"

#include <math.h>
#include <string.h>

#include "config/config_node.h"
#include "config/config_problem.h"
#include "scene/scene_schedule.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"
#include "tools/look/feed_regions.h"
#include "tools/look/shape_survey.h"

static const double least_density = 20.0; // [kg/m^3] lighter than all grains but foams
static const double most_friction = 2.0;  // [-] rubber on rough rock has about 1.5
static const double turn = 2.0 * G_PI;    // [rad]

static bool is_number(const scree_node *node)
{
    return node && (node->type == SCREE_NODE_INT || node->type == SCREE_NODE_REAL);
}

/* ---- values of the config ---- */

static void note_density(const scree_scene *s)
{
    for (uint32_t k = 0; k < s->materials.n; k++)
        if (s->density[k] < least_density)
            scree_config_note(s->config, scree_node_find(s->materials.groups[k], "density"),
                              "%g kg/m^3 is less than foam has: expected %g or more, in kg/m^3",
                              s->density[k], least_density);
}

/** Calls `look` for each node of the tree below a group or list. */
static void each_node(const scree_scene *s, const scree_node *from,
                      void (*look)(const scree_scene *s, const scree_node *node))
{
    for (guint k = 0; from->children && k < from->children->len; k++) {
        look(s, from->children->pdata[k]);
        each_node(s, from->children->pdata[k], look);
    }
}

static void look_at_friction(const scree_scene *s, const scree_node *node)
{
    if (is_number(node) && node->name && !node->implied &&
        g_str_has_suffix(node->name, "friction") && node->d > most_friction)
        scree_config_note(s->config, node,
                          "a coefficient of %g is more than that of rubber: expected at most %g",
                          node->d, most_friction);
}

static void note_friction(const scree_scene *s)
{
    each_node(s, s->config->root, look_at_friction);
}

static void note_degrees(const scree_scene *s, const scree_node *node)
{
    if (is_number(node) && fabs(node->d) > turn)
        scree_config_note(s->config, node,
                          "%g rad is more than a turn: expected radians, or \"%g deg\"", node->d,
                          node->d);
}

static void look_at_turn(const scree_scene *s, const scree_node *node)
{
    const bool turns =
        node->name && (!strcmp(node->name, "orientation") || !strcmp(node->name, "rotate"));
    if (turns)
        note_degrees(s, node->type == SCREE_NODE_GROUP ? scree_node_find(node, "angle") : node);
}

/** Calls `look` for each plugin of the scene that has a group. */
static void each_choice(const scree_scene *s,
                        void (*look)(const scree_scene *s, const scree_choice_of *choice))
{
    const GPtrArray *lists[] = {s->resolvers, s->forces, s->sources};
    const GPtrArray *timed[] = {s->modifiers, s->observers};
    for (size_t l = 0; l < G_N_ELEMENTS(lists); l++)
        for (guint k = 0; k < lists[l]->len; k++)
            look(s, lists[l]->pdata[k]);
    for (size_t l = 0; l < G_N_ELEMENTS(timed); l++)
        for (guint k = 0; k < timed[l]->len; k++)
            look(s, ((const scree_timed_choice *)timed[l]->pdata[k])->choice);
    for (guint k = 0; k < s->shapes->len; k++)
        if (scree_shape_choice(s->shapes->pdata[k]))
            look(s, scree_shape_choice(s->shapes->pdata[k]));
}

static void look_at_radians(const scree_scene *s, const scree_choice_of *choice)
{
    for (uint32_t p = 0; choice->group && p < choice->plugin->n_params; p++) {
        const scree_param *param = choice->plugin->params[p];
        if (param->unit && !strcmp(param->unit, "rad"))
            note_degrees(s, scree_node_find(choice->group, param->name));
    }
}

static void note_angles(const scree_scene *s)
{
    each_choice(s, look_at_radians);
    each_node(s, s->config->root, look_at_turn);
}

static void look_at_twice(const scree_scene *s, const scree_choice_of *choice)
{
    for (uint32_t p = 0; choice->group && p < choice->plugin->n_params; p++) {
        const scree_param *param = choice->plugin->params[p];
        const scree_node *here = scree_node_find(choice->group, param->name),
                         *first = scree_materials_overriding(&s->materials, param->name);
        if (!here || here->implied || !first ||
            (param->type != SCREE_TYPE_PER_MATERIAL && param->type != SCREE_TYPE_PER_PAIR))
            continue;
        g_autofree char *path = scree_node_path(first), *place = scree_node_place(first);
        scree_config_note(s->config, here, "given twice: %s (%s) comes before this", path, place);
    }
}

static void note_twice(const scree_scene *s)
{
    each_choice(s, look_at_twice);
}

static void note_thickness(const scree_scene *s)
{
    const scree_node *group = scree_node_find(s->config->root, "scene");
    if (s->dimension == 2 && !scree_node_find(group, "thickness"))
        scree_config_note(s->config, group,
                          "thickness is not given: masses are those of bodies of %g m along z",
                          s->thickness);
}

/* ---- bodies and shapes ---- */

/** Whether no part of a body can be in the region. */
static bool is_out(const scree_scene *s, const scree_body *b)
{
    const double r = b->scale * ((const scree_shape *)s->shapes->pdata[b->shape])->radius;
    bool out = false;
    for (uint32_t k = 0; k < s->dimension; k++)
        out = out || b->x[k] - r > s->region_max[k] || b->x[k] + r < s->region_min[k];
    return out;
}

static void note_walls(const scree_scene *s)
{
    g_autofree bool *told = g_new0(bool, s->group_names->len + 1);
    for (guint i = 0; s->has_region && i < s->bodies->len; i++) {
        const scree_body *b = &g_array_index(s->bodies, scree_body, i);
        const scree_shape *shape = s->shapes->pdata[b->shape];
        if (b->motion == SCREE_MOTION_FREE || shape->flags & SCREE_CAP_INFINITE || told[b->group] ||
            !is_out(s, b))
            continue;
        told[b->group] = true;
        const char *name = s->group_names->pdata[b->group];
        scree_config_note(s->config,
                          scree_node_find(scree_node_find(s->config->root, "bodies"), name),
                          "the wall %s is outside of scene.region, where no body meets it", name);
    }
}

/** [m] The longest edge of scene.region, else of the box around the centres and bounding balls of
 * free bodies; 0: neither exists. */
static double size_of_scene(const scree_scene *s)
{
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double size = 0.0;
    for (guint i = 0; i < s->bodies->len; i++) {
        const scree_body *b = &g_array_index(s->bodies, scree_body, i);
        const double r = b->scale * ((const scree_shape *)s->shapes->pdata[b->shape])->radius;
        if (b->motion != SCREE_MOTION_FREE)
            continue;
        for (uint32_t k = 0; k < s->dimension; k++) {
            lo[k] = fmin(lo[k], b->x[k] - r);
            hi[k] = fmax(hi[k], b->x[k] + r);
        }
    }
    for (uint32_t k = 0; k < s->dimension; k++)
        size = fmax(size, s->has_region ? s->region_max[k] - s->region_min[k] : hi[k] - lo[k]);
    return size;
}

static void note_giants(const scree_scene *s)
{
    const double size = size_of_scene(s), most = s->has_region ? 100.0 : 1000.0;
    g_autofree bool *told = g_new0(bool, s->shapes->len + 1);
    if (!(size > 0.0))
        return;
    for (guint i = 0; i < s->bodies->len; i++) {
        const scree_body *b = &g_array_index(s->bodies, scree_body, i);
        const scree_shape *shape = s->shapes->pdata[b->shape];
        double lo[3], hi[3], edge = 0.0;
        if (!(shape->flags & SCREE_CAP_WALL) || told[b->shape])
            continue;
        told[b->shape] = true;
        scree_shape_extents(shape, lo, hi);
        for (uint32_t k = 0; k < s->dimension; k++)
            edge = fmax(edge, b->scale * (hi[k] - lo[k]));
        if (edge > most * size)
            scree_config_note(
                s->config, scree_shape_choice(shape)->group,
                "the wall is %.4g m long, %.3g times %s: expected a `unit` or `scale` "
                "that makes it smaller",
                edge, edge / size,
                s->has_region ? "the longest edge of scene.region"
                              : "the box around the free bodies");
    }
}

/** A union of balls is at least as large as the largest, and at most as all together. */
static void note_clumps(const scree_scene *s)
{
    for (guint k = 0; k < s->shapes->len; k++) {
        const scree_shape *shape = s->shapes->pdata[k];
        double sum = 0.0, largest = 0.0;
        if (!(shape->flags & SCREE_CAP_BALLS))
            continue;
        for (uint32_t i = 0; i < shape->balls->n; i++) {
            const double r = shape->balls->radius[i],
                         one = s->dimension == 2 ? G_PI * r * r : 4.0 / 3.0 * G_PI * r * r * r;
            sum += one;
            largest = fmax(largest, one);
        }
        const double volume = scree_shape_volume(shape, 1.0, 1.0);
        if (volume < largest * (1.0 - 1e-6) || volume > sum * (1.0 + 1e-6))
            scree_config_note(s->config, scree_shape_choice(shape)->group,
                              "its volume of %.4g m^%u is not that of its balls, %.4g to %.4g",
                              volume, s->dimension, largest, sum);
    }
}

/* ---- the table ---- */

/* A row for each kind of mistake; tests/cli/test_notes.py has an example of each. */
static void (*const kinds[])(const scree_scene *s) = {
    note_density,            // in g/cm^3 instead of kg/m^3
    note_friction,           // an angle, or in percent
    note_angles,             // degrees for radians
    note_thickness,          // masses per metre
    note_walls,              // a surface in mm
    note_giants,             // a surface in mm, read as m
    scree_note_feed_regions, // a box across a hopper
    note_clumps,             // the mass of another grain
    note_twice,              // a value without effect
};

void scree_note_silent_mistakes(const scree_scene *s)
{
    for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++)
        kinds[k](s);
}
