/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters about the scene: a part of space, recipes of bodies, names. */
#include "scene/schema_scene.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/units.h"
#include "plugin/schema.h"
#include "plugin/schema_tables.h"
#include "scene/scene_bodies.h"
#include "scene/scene_body.h"
#include "scene/scene_keys.h"
#include "scene/scene_sizes.h"
#include "scene/scene_zone.h"
#include "scree/sdk.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"

/** Checks that bodies of the shape can be generated; a wall is a problem. */
static bool check_made_shape(scree_build *b, scree_node *group, const scree_shape *shape)
{
    if (!scree_shape_is_wall(shape))
        return true;
    scree_config_problem(b->config, scree_node_find(group, "shape"),
                         "expected a shape with a volume: a mesh, a box or a plane has no mass");
    return false;
}

/** Returns the sizes, as scales of the shape, of a group with this template: its radius, or its
 * `distribution` (NULL: none). NULL with a problem. */
static scree_sizes *read_made_sizes(scree_build *b, scree_node *group, scree_node *node,
                                    const scree_body_template *template)
{
    scree_config *c = b->config;
    if (node && template->size_given) {
        static const char *const keys[] = {"radius", "diameter", "scale"};
        const char *other = NULL;
        for (size_t k = 0; k < G_N_ELEMENTS(keys) && !other; k++)
            other = scree_node_find(group, keys[k]) ? keys[k] : NULL;
        if (other)
            scree_config_problem(c, node,
                                 "%s is given as well; expected one of radius, diameter, scale and "
                                 "distribution",
                                 other);
        else
            scree_config_problem(c, node, "the shape has its size already");
        return NULL;
    }
    if (!node && !template->sized) {
        scree_config_problem(c, group, SCREE_KEY_MISSING, "radius or distribution");
        return NULL;
    }
    if (!node)
        return scree_sizes_new_single(template->shape_scale);
    scree_sizes *sizes = scree_sizes_read(b, node, template->shape->flat ? 2 : 3);
    if (sizes)
        scree_sizes_divide(sizes, template->equal);
    return sizes;
}

/** Returns whether a string is a word, and not a number with a unit. */
static bool is_word(const scree_node *node)
{
    return node && node->type == SCREE_NODE_STRING && g_ascii_isalpha(node->s[0]);
}

/** Reads an `orientation`, or NULL. True: "random". Otherwise `q` turns the principal frame of the
 * shape, and `turn` the shape as the scene has it. */
static bool read_orientation(scree_build *b, scree_node *node, const scree_shape *shape,
                             double q[4], double turn[4])
{
    static const char *const words[] = {"fixed", "random", NULL};
    double origin[3] = {0.0, 0.0, 0.0};
    const bool word = is_word(node), random = word && !strcmp(node->s, "random");
    q[0] = 1.0;
    q[1] = q[2] = q[3] = 0.0;
    if (!word)
        scree_build_turn(b, node, "\"random\", \"fixed\", ", q);
    else if (!random && strcmp(node->s, "fixed")) {
        g_autofree char *hint = scree_did_you_mean(node->s, words);
        scree_config_problem(b->config, node,
                             "expected \"random\", \"fixed\", or a rotation, got \"%s\"%s", node->s,
                             hint);
    }
    if (turn)
        memcpy(turn, q, 4 * sizeof *turn);
    scree_shape_enter_frame(shape, 1.0, origin, q);
    return random;
}

/** [m/s] Reads a `velocity_random`, or NULL: a Gaussian's deviation, or a uniform amplitude. */
static double read_velocity_random(scree_build *b, scree_node *node, bool *uniform)
{
    scree_spread_keys keys = {0};
    if (node && node->type == SCREE_NODE_GROUP)
        scree_build_group(b, node, SCREE_KEYS_SPREAD, &keys);
    else if (node)
        scree_node_real(b->config, node, "m/s", 0.0, HUGE_VAL, 0, &keys.amplitude);
    *uniform = keys.type == 1;
    return keys.amplitude;
}

/* ---- placings ---- */

/** The steps so far. */
typedef struct step_list {
    scree_fill *fill;
    scree_build *build;
    GPtrArray *steps; // elements: scree_place_step, owned by the choice
} step_list;

static scree_place_step *add_step(step_list *l, uint32_t type)
{
    scree_place_step *step = scree_keys_alloc(&l->fill->keys, 1, sizeof *step);
    *step = (scree_place_step){.size = sizeof *step, .type = type};
    g_ptr_array_add(l->steps, step);
    return step;
}

/** Takes the length of a unit in metres. */
static void take_unit(step_list *l, const char *word)
{
    const scree_node *node = scree_node_find(l->fill->keys.group, "unit");
    scree_unit have, want;
    g_autoptr(GError) error = NULL;
    scree_unit_parse("m", &want, NULL);
    if (!scree_unit_parse(word, &have, &error)) {
        scree_config_problem(l->build->config, node, "%s", error->message);
        return;
    }
    if (!scree_unit_same_dimension(&have, &want)) {
        scree_config_problem(l->build->config, node, "expected a unit of length, got \"%s\"", word);
        return;
    }
    scree_place_step *step = add_step(l, SCREE_PLACE_SCALE);
    step->v[0] = step->v[1] = step->v[2] = have.factor;
}

/** Takes a number, or one per axis. */
static void take_scale(step_list *l, const scree_node *node, const scree_reals *s)
{
    if (s->n != 1 && s->n != 3) {
        scree_config_expected(l->build->config, node, "a number, or 3 numbers, one per axis");
        return;
    }
    scree_place_step *step = add_step(l, SCREE_PLACE_SCALE);
    for (int k = 0; k < 3; k++)
        step->v[k] = s->v[s->n == 3 ? k : 0];
}

/** Reads { axis = (..); angle = ..; }. */
static void read_rotation(step_list *l, scree_node *group)
{
    scree_turn_keys turn;
    scree_config *c = l->build->config;
    const guint before = c->problems->len;
    if (group->type != SCREE_NODE_GROUP) {
        scree_config_expected(c, group, "{ axis = (x, y, z); angle = ..; }, or a list of them");
        return;
    }
    scree_build_group(l->build, group, SCREE_KEYS_TURN, &turn);
    const double length = hypot(hypot(turn.axis[0], turn.axis[1]), turn.axis[2]);
    if (c->problems->len == before && !(length > 0.0))
        scree_config_problem(c, group, "an axis of length 0");
    if (c->problems->len > before)
        return;
    scree_place_step *step = add_step(l, SCREE_PLACE_ROTATE);
    step->angle = turn.angle;
    for (int k = 0; k < 3; k++)
        step->v[k] = turn.axis[k] / length;
}

/** Takes the step of a key that belongs to a placing. */
static void take_step(step_list *l, scree_node *node, const scree_placing_keys *keys)
{
    const guint n = scree_node_count(node);
    if (strcmp(node->name, "scale") == 0)
        take_scale(l, node, &keys->scale);
    else if (strcmp(node->name, "rotate") == 0)
        for (guint i = 0; i < n; i++)
            read_rotation(l, scree_node_at(node, i));
    else if (strcmp(node->name, "move") == 0)
        memcpy(add_step(l, SCREE_PLACE_MOVE)->v, keys->move, sizeof keys->move);
}

/** Fills a placing from the keys of the plugin's group. */
static void fill_placing(scree_fill *fill, const scree_placing **out)
{
    scree_node *group = fill->keys.group;
    scree_placing *steps = scree_keys_alloc(&fill->keys, 1, sizeof *steps);
    g_autoptr(GPtrArray) list = g_ptr_array_new(), words = g_ptr_array_new_with_free_func(g_free);
    step_list l = {fill, fill->materials->build, list};
    scree_placing_keys keys;
    const scree_keys own = {.config = l.build->config,
                            .group = group,
                            .to = &keys,
                            .memory = words, // copied by the steps: a choice may be made often
                            .dimension = l.build->scene->dimension};
    scree_keys_read(&own, &scree_scene_tables[SCREE_KEYS_PLACING]);
    const guint n = group ? group->children->len : 0;
    if (group)
        take_unit(&l, keys.unit);
    for (guint i = 0; i < n; i++)
        take_step(&l, group->children->pdata[i], &keys);
    const scree_place_step **v = scree_keys_alloc(&fill->keys, list->len, sizeof *v);
    if (list->len)
        memcpy(v, list->pdata, list->len * sizeof *v);
    *steps = (scree_placing){.size = sizeof *steps, .n = list->len, .v = v};
    *out = steps;
}

/* ---- generated bodies ---- */

/** Checks a cylinder; false with a problem. */
static bool check_cylinder(scree_build *b, scree_node *group, const scree_zone *z)
{
    double length2 = 0.0;
    for (int k = 0; k < 3; k++)
        length2 += (z->b[k] - z->a[k]) * (z->b[k] - z->a[k]);
    if (!(z->inner < z->radius))
        scree_config_problem(b->config, scree_node_find(group, "inner"),
                             "expected 0 <= inner < radius, %g m, got %g m", z->radius, z->inner);
    else if (!(length2 > 0.0))
        scree_config_problem(b->config, group, "`from` and `to` are one point");
    else
        return true;
    return false;
}

/** Reads a ball or a cylinder; false with a problem. */
static bool read_round_zone(scree_build *b, scree_node *group, scree_zone *z)
{
    scree_zone_keys keys = {.inner = 0.0};
    const guint before = b->config->problems->len;
    const bool ball = z->type == SCREE_ZONE_BALL;
    scree_build_group(b, group, ball ? SCREE_KEYS_BALL : SCREE_KEYS_CYLINDER, &keys);
    if (!ball && b->scene->dimension == 2)
        scree_config_problem(b->config, group, "a cylinder needs scene.dimension = 3");
    if (b->config->problems->len > before)
        return false;
    z->radius = keys.radius;
    z->inner = keys.inner;
    memcpy(z->a, ball ? keys.centre : keys.from, sizeof z->a);
    memcpy(z->b, ball ? keys.centre : keys.to, sizeof z->b);
    scree_zone_enclose(z, b->scene->dimension, z->lo, z->hi);
    return ball || check_cylinder(b, group, z);
}

/** Adds a problem if the zone is outside of the scene's region. At the start, bodies may be there
 * if the boundary is open. */
static void check_outside(scree_build *b, const scree_node *group, const scree_zone *z)
{
    const scree_scene *s = b->scene;
    for (uint32_t k = 0; s->has_region && k < s->dimension; k++)
        if ((z->hi[k] <= s->region_min[k] || z->lo[k] >= s->region_max[k]) &&
            !(b->starting && s->boundary[k] == SCREE_BOUNDARY_OPEN)) {
            scree_config_problem(b->config, group,
                                 "it lies outside of scene.region: %g m to %g m along %c, where "
                                 "the scene has %g m to %g m",
                                 z->lo[k], z->hi[k], "xyz"[k], s -> region_min[k],
                                 s -> region_max[k]);
            return;
        }
}

/** Takes the scene's region, or everywhere. */
static void take_scene_region(const scree_scene *s, scree_zone *out)
{
    out->type = s->has_region ? SCREE_ZONE_BOX : SCREE_ZONE_ALL;
    for (uint32_t k = 0; k < 3; k++) {
        bool flat = k >= s->dimension;
        out->lo[k] = s->has_region ? s->region_min[k] : flat ? 0.0 : -HUGE_VAL;
        out->hi[k] = s->has_region ? s->region_max[k] : flat ? 0.0 : HUGE_VAL;
    }
}

static bool is_group(scree_build *b, const scree_node *node)
{
    if (node->type != SCREE_NODE_GROUP)
        scree_config_expected(b->config, node, "a group { .. }");
    return node->type == SCREE_NODE_GROUP;
}

static void fill_zone(scree_fill *fill, const scree_param *param, scree_node *node,
                      const scree_zone **at)
{
    scree_build *b = fill->materials->build;
    scree_zone *out = scree_keys_alloc(&fill->keys, 1, sizeof *out);
    out->size = sizeof *out;
    take_scene_region(b->scene, out);
    *at = out;
    if (!node || !is_group(b, node))
        return;
    scree_zone_keys keys;
    const guint before = b->config->problems->len;
    scree_build_keys(b, node, SCREE_KEYS_ZONE, &keys);
    if (b->config->problems->len > before) // the allowed keys depend on the type
        return;
    scree_zone zone = {.size = sizeof zone, .type = (uint32_t)keys.type};
    const bool ok = zone.type == SCREE_ZONE_BOX
                        ? scree_build_region(b, node, zone.lo, zone.hi, NULL)
                        : read_round_zone(b, node, &zone);
    if (!ok)
        return;
    check_outside(b, node, &zone);
    *out = zone;
}

/** Notes the smallest and the largest body of a recipe, for which a scene must be ready. If a file
 * has size or material, a recipe gives only the shape. */
static void note_kinds(scree_build *b, const scree_recipe *r)
{
    const bool known = r->sizes && r->material != SCREE_NONE;
    const double radii[] = {known ? r->sizes->radius[0] : (double)NAN,
                            known ? scree_size_max(r->sizes) : (double)NAN};
    const int n = known ? 2 : 1;
    for (int i = 0; i < n; i++) {
        scree_body body = {.id = SCREE_ID_NONE,
                           .shape = r->shape,
                           .material = known ? r->material : 0,
                           .motion = r->motion,
                           .scale = radii[i]};
        memcpy(body.v, r->velocity, sizeof body.v);
        if (known)
            scree_build_check_mass(b, NULL, NULL, &body);
        g_array_append_val(b->scene->to_come, body);
    }
}

static const scree_size_table *copy_sizes(scree_fill *fill, const scree_sizes *from)
{
    scree_size_table *to = scree_keys_alloc(&fill->keys, 1, sizeof *to);
    scree_sizes_table(from, to);
    size_t n = to->n, n_radii = to->n + (to->discrete ? 0 : 1);
    double *radius = scree_keys_alloc(&fill->keys, n_radii, sizeof *radius);
    double *sum = scree_keys_alloc(&fill->keys, n, sizeof *sum);
    to->radius = memcpy(radius, to->radius, n_radii * sizeof *radius);
    to->sum = memcpy(sum, to->sum, n * sizeof *sum);
    return to;
}

static void fill_recipe(scree_fill *fill, const scree_param *param, scree_node *node,
                        const scree_recipe **out)
{
    scree_build *b = fill->materials->build;
    scree_body_template template;
    bool uniform, is_inline = param->flags & SCREE_PARAM_INLINE;
    const bool by_file = is_inline && param->flags & SCREE_PARAM_OPTIONAL; // the file has the rest
    if (!node || (!is_inline && !is_group(b, node)))
        return;
    scree_made_keys keys;
    b->lacks_recipe = true; // reset by a recipe
    scree_build_keys(b, node, SCREE_KEYS_MADE, &keys);
    scree_build_template(b, node, &template);
    if (!template.shape) // the shape is wrong
        return;
    if (!by_file && !check_made_shape(b, node, template.shape))
        return;
    const bool sizeless = by_file && !template.size_given && !keys.distribution;
    g_autoptr(scree_sizes) sizes =
        sizeless ? NULL : read_made_sizes(b, node, keys.distribution, &template);
    double amplitude = read_velocity_random(b, keys.velocity_random, &uniform), q[4], turn[4];
    bool random = read_orientation(b, keys.orientation, template.shape, q, turn);
    if (!is_inline)
        scree_config_report_unknown(b->config, node);
    if ((!sizes && !sizeless) || !template.valid)
        return;
    scree_recipe *recipe = scree_keys_alloc(&fill->keys, 1, sizeof *recipe);
    *recipe = (scree_recipe){.size = sizeof *recipe,
                             .shape = template.shape_index,
                             .material = template.has_material ? template.material : SCREE_NONE,
                             .motion = template.motion,
                             .velocity_random = amplitude,
                             .velocity_uniform = uniform,
                             .random_orientation = random};
    memcpy(recipe->q, q, sizeof q);
    memcpy(recipe->turn, turn, sizeof turn);
    memcpy(recipe->velocity, template.v, sizeof template.v);
    memcpy(recipe->spin, template.w, sizeof template.w);
    recipe->sizes = sizes ? copy_sizes(fill, sizes) : NULL;
    if (!b->starting)
        note_kinds(b, recipe);
    *out = recipe;
    b->lacks_recipe = false;
}

static void fill_materials(scree_fill *fill, scree_node *node, scree_ints *out)
{
    const uint32_t n = scree_node_count(node);
    const scree_materials *m = fill->materials;
    int64_t *v = scree_keys_alloc(&fill->keys, n, sizeof *v);
    for (uint32_t i = 0; i < n; i++)
        v[i] = scree_config_name(fill->keys.config, scree_node_at(node, i), "material", m->names,
                                 m->n);
    *out = (scree_ints){n, v};
}

void scree_schema_fill_scene(scree_fill *fill, const scree_param *param, scree_node *node, void *at)
{
    if (param->type == SCREE_TYPE_ZONE)
        fill_zone(fill, param, node, at);
    else if (param->type == SCREE_TYPE_PLACING)
        fill_placing(fill, at);
    else if (param->type == SCREE_TYPE_RECIPE)
        fill_recipe(fill, param, node, at);
    else
        fill_materials(fill, node, at);
}
