/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters that speak of the scene: a part of space, what bodies are made of, names. */
#include "scene/schema_scene.h"

#include <math.h>
#include <string.h>

#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "plugin/schema.h"
#include "plugin/schema_fill.h"
#include "scene/scene_body.h"
#include "scene/scene_keys.h"
#include "scene/scene_made.h"
#include "scene/scene_placing.h"
#include "scene/scene_sizes.h"
#include "scree/sdk.h"

static void place_ball(scree_build *b, const scree_zone_keys *keys, scree_zone *z)
{
    for (uint32_t k = 0; k < 3; k++) {
        double reach = k < b->scene->dimension ? z->radius : 0.0;
        z->a[k] = z->b[k] = keys->centre[k];
        z->lo[k] = z->a[k] - reach;
        z->hi[k] = z->a[k] + reach;
    }
}

static bool place_cylinder(scree_build *b, scree_node *group, const scree_zone_keys *keys,
                           scree_zone *z)
{
    double length2 = 0.0;
    z->inner = keys->inner;
    if (!(z->inner < z->radius)) {
        scree_config_problem(b->config, scree_node_find(group, "inner"),
                             "expected 0 <= inner < radius, %g m, got %g m", z->radius, z->inner);
        return false;
    }
    for (int k = 0; k < 3; k++) {
        z->a[k] = keys->from[k];
        z->b[k] = keys->to[k];
        length2 += (z->b[k] - z->a[k]) * (z->b[k] - z->a[k]);
    }
    if (!(length2 > 0.0)) {
        scree_config_problem(b->config, group, "`from` and `to` are one point");
        return false;
    }
    for (int k = 0; k < 3; k++) {
        double d = z->b[k] - z->a[k], reach = z->radius * sqrt(fmax(0.0, 1.0 - d * d / length2));
        z->lo[k] = fmin(z->a[k], z->b[k]) - reach;
        z->hi[k] = fmax(z->a[k], z->b[k]) + reach;
    }
    return true;
}

/** A ball or a cylinder; false with a problem. */
static bool read_round_zone(scree_build *b, scree_node *group, scree_zone *z)
{
    scree_zone_keys keys;
    const guint before = b->config->problems->len;
    const bool ball = z->type == SCREE_ZONE_BALL;
    scree_build_group(b, group, ball ? SCREE_KEYS_BALL : SCREE_KEYS_CYLINDER, &keys);
    if (!ball && b->scene->dimension == 2)
        scree_config_problem(b->config, group, "a cylinder needs scene.dimension = 3");
    if (b->config->problems->len > before)
        return false;
    z->radius = keys.radius;
    if (!ball)
        return place_cylinder(b, group, &keys, z);
    place_ball(b, &keys, z);
    return true;
}

/** A problem when the zone lies wholly outside of the scene's region. At the start bodies may be there
 * where the boundary is open. */
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

/** The scene's region, or everywhere. */
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
    if (b->config->problems->len > before) // which keys it may have depends on the type
        return;
    scree_zone zone = {.size = sizeof zone, .type = (uint32_t)keys.type};
    const bool ok = zone.type == SCREE_ZONE_BOX ? scree_build_region(b, node, zone.lo, zone.hi)
                                                : read_round_zone(b, node, &zone);
    if (!ok)
        return;
    check_outside(b, node, &zone);
    *out = zone;
}

/** The smallest and the largest body that can come of a recipe: what a scene must reckon with. A
 * recipe that leaves size or material to a file says only of which shape its bodies are. */
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
            scree_build_check_mass(b, NULL, &body);
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
    const bool by_file = is_inline && param->flags & SCREE_PARAM_OPTIONAL; // it says the rest
    if (!node || (!is_inline && !is_group(b, node)))
        return;
    scree_made_keys keys;
    b->lacks_recipe = true; // until there is one
    scree_build_keys(b, node, SCREE_KEYS_MADE, &keys);
    scree_build_template(b, node, &template);
    if (!template.shape) // the shape is at fault
        return;
    if (!by_file && !scree_build_check_made(b, node, template.shape))
        return;
    const bool sizeless = by_file && !template.size_given && !keys.distribution;
    g_autoptr(scree_sizes) sizes =
        sizeless ? NULL : scree_build_sizes(b, node, keys.distribution, &template);
    double amplitude = scree_build_velocity_random(b, keys.velocity_random, &uniform), q[4],
           turn[4];
    bool random = scree_build_orientation(b, keys.orientation, template.shape, q, turn);
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
    bool list = node && node->type == SCREE_NODE_LIST;
    uint32_t n = !node ? 0 : list ? node->children->len : 1;
    const scree_materials *m = fill->materials;
    int64_t *v = scree_keys_alloc(&fill->keys, n, sizeof *v);
    for (uint32_t i = 0; i < n; i++)
        v[i] = scree_config_name(fill->keys.config, list ? node->children->pdata[i] : node,
                                 "material", m->names, m->n);
    *out = (scree_ints){n, v};
}

void scree_schema_fill_scene(scree_fill *fill, const scree_param *param, scree_node *node, void *at)
{
    if (param->type == SCREE_TYPE_ZONE)
        fill_zone(fill, param, node, at);
    else if (param->type == SCREE_TYPE_PLACING)
        scree_fill_placing(fill, at);
    else if (param->type == SCREE_TYPE_RECIPE)
        fill_recipe(fill, param, node, at);
    else
        fill_materials(fill, node, at);
}
