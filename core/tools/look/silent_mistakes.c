/* SPDX-License-Identifier: Apache-2.0 */
/* Values that a run accepts and that are mistakes more often than not: a row each. */
#include "tools/look/silent_mistakes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "config/config_node.h"
#include "config/config_problem.h"
#include "scene/figure_names.h"
#include "scene/scene_plugins.h"
#include "scene/scene_schedule.h"
#include "scree/rotation_sdk.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"
#include "tools/look/closed_walls.h"
#include "tools/look/feed_regions.h"
#include "tools/look/shape_survey.h"

static const double least_density = 20.0; // [kg/m^3] lighter than all grains but foams
static const double most_friction = 2.0;  // [-] rubber on rough rock has about 1.5
static const double most_solid = 1.0;     // [-] of bodies that do not overlap
static const double most_tilt = 1e3;      // [-] cells; a larger tilt is one written in a long way
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
        const scree_node *here = scree_node_find(choice->group, param->name);
        const bool table =
            param->type == SCREE_TYPE_PER_MATERIAL || param->type == SCREE_TYPE_PER_PAIR;
        const scree_node *first =
            here && !here->implied && table ? scree_materials_overriding(s, param->name) : NULL;
        if (!first)
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
    const scree_node *given = scree_node_find(group, "thickness");
    if (s->dimension == 3 && given)
        scree_config_note(s->config, given, "thickness has no effect in 3D");
    if (s->dimension == 2 && !given)
        scree_config_note(s->config, group,
                          "thickness is not given: masses are those of bodies of %g m along z",
                          s->thickness);
}

/** Moves *a by the whole number of lengths that makes it shortest, and *b by as many others. */
static void take_out(double *a, double length, double *b, double other)
{
    const double cells = rint(*a / length);
    *a -= cells * length;
    *b -= cells * other;
}

/** A large tilt costs digits; the same lattice can be written with a small one. */
static void note_tilt(const scree_scene *s)
{
    const double cells = scree_tilt_cells(s->region_min, s->region_max, s->tilt),
                 x = s->region_max[0] - s->region_min[0], y = s->region_max[1] - s->region_min[1];
    double small[3] = {s->tilt[0], s->tilt[1], s->tilt[2]}, none = 0.0;
    if (!(cells > most_tilt))
        return;
    if (small[2] != 0.0)
        take_out(&small[2], y, &small[1], small[0]);
    take_out(&small[1], x, &none, 0.0);
    take_out(&small[0], x, &none, 0.0);
    scree_config_note(
        s->config, scree_node_find(scree_node_find(s->config->root, "scene"), "region"),
        "tilt: neighbours are up to %.4g cells apart, so that distances are rounded to "
        "%.2g m; tilt = (%.9g, %.9g, %.9g) is the same lattice",
        cells, cells * fmax(x, y) * DBL_EPSILON, small[0], small[1], small[2]);
}

/* ---- bodies and shapes ---- */

/** The group in the config that a group of bodies comes from. */
static const scree_node *group_node(const scree_scene *s, uint32_t group)
{
    const char *name = s->group_names->pdata[group];
    const scree_node *root = s->config->root, *bodies = scree_node_find(root, "bodies"),
                     *made = scree_node_find(root, "generate"),
                     *here = bodies ? scree_node_find(bodies, name) : NULL;
    return here ? here : made ? scree_node_find(made, name) : NULL;
}

static void note_walls(const scree_scene *s)
{
    g_autofree bool *noted = g_new0(bool, s->group_names->len + 1);
    for (guint i = 0; s->has_region && i < s->bodies->len; i++) {
        const scree_body *b = &g_array_index(s->bodies, scree_body, i);
        const scree_shape *shape = s->shapes->pdata[b->shape];
        if (b->motion == SCREE_MOTION_FREE || shape->flags & SCREE_CAP_INFINITE ||
            noted[b->group] || !scree_body_is_beyond(s, b))
            continue;
        noted[b->group] = true;
        scree_config_note(s->config, group_node(s, b->group),
                          "the wall %s is outside of scene.region, where no body meets it",
                          (const char *)s->group_names->pdata[b->group]);
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
    const guint n = size > 0.0 ? s->bodies->len : 0;
    g_autofree bool *noted = g_new0(bool, s->shapes->len + 1);
    for (guint i = 0; i < n; i++) {
        const scree_body *b = &g_array_index(s->bodies, scree_body, i);
        const scree_shape *shape = s->shapes->pdata[b->shape];
        double lo[3], hi[3], edge = 0.0;
        if (!(shape->flags & SCREE_CAP_WALL) || noted[b->shape])
            continue;
        noted[b->shape] = true;
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

/** [m] How far a body reaches beyond the region along axis k. */
static double reach_beyond(const scree_scene *s, const scree_body *b, uint32_t k)
{
    const scree_shape *shape = s->shapes->pdata[b->shape];
    const scree_mesh *mesh = shape->mesh;
    double most = mesh ? -HUGE_VAL : b->scale * shape->radius;
    double least = mesh ? HUGE_VAL : -most;
    const uint32_t n = mesh ? mesh->n_vertices : 0;
    for (uint32_t i = 0; i < n; i++) {
        const double v[3] = {mesh->vertex[0][i], mesh->vertex[1][i], mesh->vertex[2][i]};
        double at[3];
        scree_rotate(b->q, v, at);
        most = fmax(most, b->scale * at[k]);
        least = fmin(least, b->scale * at[k]);
    }
    return fmax(b->x[k] + most - s->region_max[k], s->region_min[k] - b->x[k] - least);
}

/** A wall that sticks out of the region leads bodies to where they are destroyed. */
static void note_walls_beyond(const scree_scene *s)
{
    g_autofree bool *noted = g_new0(bool, s->group_names->len + 1);
    for (guint i = 0; s->has_region && i < s->bodies->len; i++) {
        const scree_body *b = &g_array_index(s->bodies, scree_body, i);
        const scree_shape *shape = s->shapes->pdata[b->shape];
        if (b->motion == SCREE_MOTION_FREE || shape->flags & SCREE_CAP_INFINITE ||
            scree_body_is_beyond(s, b))
            continue;
        for (uint32_t k = 0; k < s->dimension && !noted[b->group]; k++) {
            const double by =
                s->boundary[k] == SCREE_BOUNDARY_DESTROY ? reach_beyond(s, b, k) : 0.0;
            if (!(by > 1e-6 * (s->region_max[k] - s->region_min[k])))
                continue;
            noted[b->group] = true;
            scree_config_note(s->config, group_node(s, b->group),
                              "the wall %s reaches %.4g m beyond scene.region along %c, where "
                              "boundary = \"destroy\" removes bodies",
                              (const char *)s->group_names->pdata[b->group], by, "xyz"[k]);
        }
    }
}

static bool is_destroyed(const scree_scene *s, const scree_body *b)
{
    bool out = false;
    for (uint32_t k = 0; k < s->dimension; k++)
        out |= s->boundary[k] == SCREE_BOUNDARY_DESTROY &&
               (b->x[k] < s->region_min[k] || b->x[k] > s->region_max[k]);
    return out && b->motion == SCREE_MOTION_FREE;
}

static void note_bodies_beyond(const scree_scene *s)
{
    g_autofree guint *out = g_new0(guint, s->group_names->len + 1);
    g_autofree guint *all = g_new0(guint, s->group_names->len + 1);
    for (guint i = 0; s->has_region && i < s->bodies->len; i++) {
        const scree_body *b = &g_array_index(s->bodies, scree_body, i);
        out[b->group] += is_destroyed(s, b);
        all[b->group]++;
    }
    for (guint g = 0; g < s->group_names->len; g++)
        if (out[g])
            scree_config_note(s->config, group_node(s, g),
                              "%u of %u bodies start outside of scene.region, where boundary = "
                              "\"destroy\" removes them",
                              out[g], all[g]);
}

static void note_closed_walls(const scree_scene *s)
{
    const scree_closed_walls w = scree_closed_walls_find(s);
    g_autofree char *more = w.n > 1 ? g_strdup_printf(" and of %u more", w.n - 1) : g_strdup("");
    if (w.n && w.out)
        scree_config_note(s->config, group_node(s, w.group),
                          "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                          " free bodies start outside of the closed wall %s%s",
                          w.out, w.free, (const char *)s->group_names->pdata[w.group], more);
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

/* ---- conditions and the schedule ---- */

static void note_condition(const scree_scene *s, const scree_condition *c)
{
    const uint32_t solid = (uint32_t)scree_figure_find("solid_fraction"),
                   all = (uint32_t)scree_figure_find("bodies"),
                   free = (uint32_t)scree_figure_find("free");
    const scree_node place = {.file = c->file, .line = c->line};
    guint n_free = 0;
    for (guint i = 0; i < s->bodies->len; i++)
        n_free += g_array_index(s->bodies, scree_body, i).motion == SCREE_MOTION_FREE;
    for (guint k = 0; k < c->terms->len; k++) {
        const scree_term *term = &g_array_index(c->terms, scree_term, k);
        const bool counts = !term->observer && (term->figure == all || term->figure == free);
        const guint n = term->figure == all ? s->bodies->len : n_free;
        if (term->observer || term->less)
            continue;
        if (term->figure == solid && term->value >= most_solid)
            scree_config_note(s->config, &place,
                              "%s: '%s': a solid_fraction above %g needs bodies that overlap",
                              c->path, c->text, most_solid);
        else if (counts && !s->to_come->len &&
                 (term->value > n || (term->value >= n && !term->or_equal)))
            scree_config_note(s->config, &place,
                              "%s: '%s': no modifier makes bodies, and the scene has %u%s", c->path,
                              c->text, n, term->figure == free ? " free ones" : "");
    }
}

static void note_conditions(const scree_scene *s)
{
    for (guint k = 0; k < s->schedule->len; k++) {
        const scree_schedule_entry *entry = s->schedule->pdata[k];
        if (entry->when)
            note_condition(s, entry->when);
    }
    for (guint k = 0; k < s->stop->len; k++)
        note_condition(s, s->stop->pdata[k]);
}

/** Replaces modifiers of the list by those of the same name in a set, adds and removes. */
static void follow_modifiers(GPtrArray *now, const GPtrArray *set)
{
    const guint n = set ? set->len : 0;
    for (guint k = 0; k < n; k++) {
        scree_timed_choice *timed = set->pdata[k];
        for (guint i = now->len; i-- > 0;)
            if (!strcmp(((const scree_timed_choice *)now->pdata[i])->name, timed->name))
                g_ptr_array_remove_index(now, i);
        if (timed->choice)
            g_ptr_array_add(now, timed);
    }
}

static bool names_word(const scree_node *node, const char *word)
{
    bool found = node->type == SCREE_NODE_STRING && !strcmp(node->s, word);
    if (node->type == SCREE_NODE_LIST)
        for (guint k = 0; k < node->children->len; k++)
            found = found || names_word(node->children->pdata[k], word);
    return found;
}

/** Whether a modifier moves the kinematic bodies of a group. */
static bool moves_group(const scree_choice_of *choice, const char *group)
{
    bool moves = false;
    for (uint32_t p = 0; choice->group && p < choice->plugin->n_params; p++) {
        const scree_param *param = choice->plugin->params[p];
        const scree_node *node = param->flags & SCREE_PARAM_KINEMATIC_GROUP
                                     ? scree_node_find(choice->group, param->name)
                                     : NULL;
        moves = moves || (node && names_word(node, group));
    }
    return moves;
}

static void note_moved_group(const scree_scene *s, guint k, const GPtrArray *modifiers,
                             const scree_group_change *change)
{
    const scree_schedule_entry *entry = s->schedule->pdata[k];
    const scree_node place = {.file = entry->file, .line = entry->line};
    const char *group = s->group_names->pdata[change->group];
    const guint n = change->off ? 0 : modifiers->len;
    for (guint m = 0; m < n; m++) {
        const scree_timed_choice *timed = modifiers->pdata[m];
        if (moves_group(timed->choice, group))
            scree_config_note(
                s->config, &place,
                "schedule[%u] (%s): modifiers.%s moves bodies.%s, and adds its motion "
                "to the velocity and spin of this entry; modifiers = { %s = \"off\"; } "
                "ends that",
                k, entry->cause, timed->name, group, timed->name);
    }
}

static void note_moved_groups(const scree_scene *s)
{
    g_autoptr(GPtrArray) modifiers = g_ptr_array_new();
    follow_modifiers(modifiers, s->modifiers);
    for (guint k = 0; k < s->schedule->len; k++) {
        const scree_schedule_entry *entry = s->schedule->pdata[k];
        const GArray *groups = entry->settings.groups;
        follow_modifiers(modifiers, entry->set->modifiers);
        const guint n = groups ? groups->len : 0;
        for (guint g = 0; g < n; g++)
            note_moved_group(s, k, modifiers, &g_array_index(groups, scree_group_change, g));
    }
}

static void note_late_one(const scree_scene *s, const GPtrArray *modifiers, double end)
{
    const guint n = modifiers ? modifiers->len : 0;
    for (guint k = 0; k < n; k++) {
        const scree_choice_of *choice = ((const scree_timed_choice *)modifiers->pdata[k])->choice;
        const uint32_t n_params = choice ? choice->plugin->n_params : 0;
        for (uint32_t p = 0; p < n_params; p++) {
            const scree_param *param = choice->plugin->params[p];
            double start;
            if (strcmp(param->name, "start") || param->type != SCREE_TYPE_REAL)
                continue;
            memcpy(&start, (const char *)choice->config + param->offset, sizeof start);
            if (start >= end)
                scree_config_note(s->config, scree_node_find(choice->group, param->name),
                                  "%.9g s is not before the end of the run, %.9g s: the modifier "
                                  "never acts",
                                  start, end);
        }
    }
}

void scree_note_late_modifiers(const scree_scene *s, double end)
{
    note_late_one(s, s->modifiers, end);
    for (guint k = 0; k < s->schedule->len; k++)
        note_late_one(s, ((const scree_schedule_entry *)s->schedule->pdata[k])->set->modifiers,
                      end);
}

/* ---- the table ---- */

/* A row for each kind of mistake; tests/cli/test_notes.py has an example of each. */
static void (*const kinds[])(const scree_scene *s) = {
    note_density,            // in g/cm^3 instead of kg/m^3
    note_friction,           // an angle, or in percent
    note_angles,             // degrees for radians
    note_thickness,          // masses per metre, or 2D meant
    note_tilt,               // a strain of a million
    note_walls,              // a surface in mm
    note_giants,             // a surface in mm, read as m
    scree_note_feed_regions, // a box across a hopper
    note_walls_beyond,       // a region smaller than a drum
    note_bodies_beyond,      // a region smaller than that of the bodies
    note_closed_walls,       // a drum smaller than its bed, or elsewhere
    note_clumps,             // the mass of another grain
    note_twice,              // a value without effect
    note_conditions,         // never true
    note_moved_groups,       // a drum that is to stop
};

void scree_note_silent_mistakes(const scree_scene *s)
{
    for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++)
        kinds[k](s);
}
