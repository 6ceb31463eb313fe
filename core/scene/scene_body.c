// SPDX-License-Identifier: Apache-2.0
// One body of a scene: template, material, checks, and place in the list.
#include "scene/scene_body.h"

#include <math.h>
#include <string.h>

#include "base/shortage.h"
#include "base/text.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "scene/scene_field_uses.h"
#include "scene/scene_keys.h"
#include "shape/shape.h"

uint32_t scree_build_group_name(scree_build *b, const char *name)
{
    const uint32_t known = scree_scene_group(b->scene, name);
    if (known != SCREE_NONE)
        return known;
    g_ptr_array_add(b->scene->group_names, g_strdup(name));
    return b->scene->group_names->len - 1;
}

/** Returns "FILE:LINE: " of a row, a new string; "" if the message has the scene's own line. */
static char *before_message(const scree_place *row)
{
    return row ? g_strdup_printf("%s:%u: ", row->file, row->line) : g_strdup("");
}

static bool take_material(scree_build *b, scree_node *group, const scree_body_keys *keys,
                          scree_body_template *template)
{
    const uint32_t n = b->scene->materials.n;
    const scree_node *at = scree_node_find(group, "material");
    template->has_material = keys->material || n == 1;
    if (!keys->material && !at && n > 1 && !scree_node_find(group, "file")) // the file may give it
        scree_config_problem(b->config, group, SCREE_KEY_MISSING ": the scene has %u materials",
                             "material", n);
    if (!keys->material)
        return n == 1 || scree_node_find(group, "file");
    const int m = scree_config_name(b->config, at, "material", b->scene->materials.names, n);
    template->material = m < 0 ? 0 : (uint32_t)m;
    return m >= 0;
}

static bool take_shape(scree_build *b, scree_node *group, const scree_body_keys *keys,
                       scree_body_template *template)
{
    const char *usual = b->scene->dimension == 2 ? "disc" : "sphere";
    const char *word = keys->shape ? keys->shape : usual;
    const scree_shape_name *entry = g_hash_table_lookup(b->shape_names, word);
    const scree_node *shapes = scree_node_find(b->config->root, "shapes");
    if (!entry && shapes && shapes->type == SCREE_NODE_GROUP && scree_node_find(shapes, word))
        return false; // already reported
    if (!entry) {
        guint n;
        g_autofree char **names = (char **)g_hash_table_get_keys_as_array(b->shape_names, &n);
        g_autofree char *hint = scree_did_you_mean(word, (const char *const *)names);
        scree_config_problem(b->config, scree_node_find(group, "shape"), "no shape \"%s\"%s", word,
                             hint);
        return false;
    }
    template->shape_index = entry->index;
    template->shape = b->scene->shapes->pdata[entry->index];
    template->shape_scale = entry->scale;
    template->sized = entry->sized;
    if (!template->shape->flat || b->scene->dimension == 2)
        return true;
    scree_config_problem(b->config, scree_node_find(group, "shape"),
                         "a disc needs scene.dimension = 2");
    return false;
}

/** Checks that the keys of a size suit the shape and each other. */
static bool check_size(scree_build *b, scree_body_template *template, const scree_node *radius,
                       const scree_node *diameter, const scree_node *scale)
{
    const scree_node *length = radius ? radius : diameter;
    bool solid = !scree_shape_is_round(template->shape) && !scree_shape_is_wall(template->shape);
    if (length && template->sized && !solid) {
        scree_config_problem(b->config, length,
                             "the shape has its size already; `scale` multiplies it");
        return false;
    }
    if (radius && diameter)
        scree_config_problem(b->config, diameter,
                             "radius is given as well; expected one of the two");
    else if (length && scale && solid)
        scree_config_problem(b->config, scale,
                             "%s is given as well; expected one of radius, diameter and scale",
                             radius ? "radius" : "diameter");
    else if (scale && !template->sized)
        scree_config_problem(b->config, scale,
                             "expected radius or diameter: the shape has no size to multiply");
    else
        return true;
    template->sized = template->size_given = true; // prevents a wrong problem that it is missing
    return false;
}

/** Reads radius, diameter or scale, as the shape allows. If it is not round, its radius is that of
 * the sphere of equal volume, in 2D of the disc of equal area. */
static bool take_size(scree_build *b, scree_node *group, const scree_body_keys *keys,
                      scree_body_template *template)
{
    const scree_node *radius = scree_node_find(group, "radius"),
                     *diameter = scree_node_find(group, "diameter"),
                     *scale = scree_node_find(group, "scale");
    const bool walls = scree_shape_is_wall(template->shape), own = template->sized;
    const double size = radius ? keys->radius : 0.5 * keys->diameter;
    template->equal = walls ? 1.0 : scree_shape_equal_radius(template->shape);
    if (!check_size(b, template, radius, diameter, scale))
        return false;
    template->size_given =
        scale || radius || diameter || (own && (walls || scree_shape_is_round(template->shape)));
    if (own && !radius && !diameter) {
        template->shape_scale *= isnan(keys->scale) ? 1.0 : keys->scale;
        return true;
    }
    if (!radius && !diameter)
        return true;
    template->shape_scale = size / template->equal;
    template->sized = true;
    return !isnan(size);
}

static bool take_motion(scree_build *b, scree_node *group, const scree_body_keys *keys,
                        scree_body_template *template)
{
    const bool heavy = !scree_shape_is_wall(template->shape);
    bool moves = false;
    template->motion = keys->motion >= 0 ? (uint32_t)keys->motion
                       : heavy           ? SCREE_MOTION_FREE
                                         : SCREE_MOTION_FIXED;
    memcpy(template->v, keys->velocity, sizeof template->v);
    memcpy(template->w, keys->spin, sizeof template->w);
    if (template->motion == SCREE_MOTION_FREE && !heavy) {
        scree_config_problem(b->config, scree_node_find(group, "motion"),
                             "a mesh, a box or a plane has no mass and cannot be free; "
                             "\"kinematic\" and \"fixed\" are possible");
        return false;
    }
    for (int k = 0; k < 3; k++)
        moves |= template->v[k] != 0.0 || template->w[k] != 0.0;
    if (template->motion == SCREE_MOTION_FIXED && moves) {
        scree_config_problem(b->config, group,
                             "a fixed body has no velocity and no spin; motion = \"kinematic\"?");
        return false;
    }
    return true;
}

void scree_build_template(scree_build *b, scree_node *group, scree_body_template *template)
{
    scree_body_keys keys = {.shape = NULL};
    scree_build_keys(b, group, SCREE_KEYS_BODY, &keys);
    *template = (scree_body_template){.valid = true};
    template->valid = take_material(b, group, &keys, template);
    if (!take_shape(b, group, &keys, template)) {
        template->valid = false;
        return;
    }
    template->valid &= take_size(b, group, &keys, template);
    template->valid &= take_motion(b, group, &keys, template);
}

void scree_build_check_mass(scree_build *b, const scree_node *at, const scree_place *row,
                            const scree_body *body)
{
    const scree_scene *s = b->scene;
    const scree_shape *shape = s->shapes->pdata[body->shape];
    double mass, inertia[3];
    if (body->motion != SCREE_MOTION_FREE || scree_shape_is_wall(shape) || !s->materials.n ||
        b->told_mass || isnan(s->density[body->material]) || isnan(body->scale)) // reported
        return;
    scree_shape_mass(shape, body->scale, s->density[body->material], s->thickness, &mass, inertia);
    if (scree_shape_mass_moves(mass, inertia))
        return;
    b->told_mass = true;
    g_autofree char *where = before_message(row);
    scree_config_problem(b->config, row ? NULL : at,
                         "%sa %sradius of %g m gives a mass of %g kg and a moment of inertia of %g "
                         "kg m^2, which no force could turn into a motion",
                         where, scree_shape_is_round(shape) ? "" : "bounding ",
                         shape->radius * body->scale, mass, inertia[0]);
}

/** Takes an id. Returns the body that has it already, or SCREE_NONE. */
static uint32_t take_id(scree_build *b, uint64_t id)
{
    const GArray *bodies = b->scene->bodies;
    scree_id_set *ids = &b->ids;
    if (id >= ids->next) {
        ids->next = id + 1;
        return SCREE_NONE;
    }
    for (; ids->listed < bodies->len; ids->listed++) {
        const uint64_t known = g_array_index(bodies, scree_body, ids->listed).id;
        if (known == SCREE_ID_NONE)
            continue;
        if (!ids->taken)
            ids->taken = g_hash_table_new(NULL, NULL);
        g_hash_table_add(ids->taken, GSIZE_TO_POINTER(known));
    }
    if (!ids->taken || !g_hash_table_contains(ids->taken, GSIZE_TO_POINTER(id)))
        return SCREE_NONE;
    uint32_t at = 0;
    while (g_array_index(bodies, scree_body, at).id != id)
        at++;
    return at;
}

/** Notes the place of the next body. */
static void note_place(scree_id_set *ids, const char *file, uint32_t line)
{
    if (!ids->files) {
        ids->files = g_ptr_array_new_with_free_func(g_free);
        ids->places = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    }
    guint last = ids->files->len;
    if (!last || strcmp(ids->files->pdata[last - 1], file) != 0)
        g_ptr_array_add(ids->files, g_strdup(file));
    uint64_t place = (uint64_t)(ids->files->len - 1) << 32 | line;
    g_array_append_val(ids->places, place);
}

void scree_id_set_clear(scree_id_set *ids)
{
    g_clear_pointer(&ids->taken, g_hash_table_unref);
    g_clear_pointer(&ids->places, g_array_unref);
    g_clear_pointer(&ids->files, g_ptr_array_unref);
}

bool scree_build_add(scree_build *b, const scree_node *at, const scree_place *row, scree_body body)
{
    scree_build_check_mass(b, at, row, &body);
    body.start = scree_build_start_of(b, body.start);
    scree_working_bodies(b->scene->bodies->len);
    const uint32_t other = body.id == SCREE_ID_NONE ? SCREE_NONE : take_id(b, body.id);
    if (other != SCREE_NONE) {
        uint64_t before = g_array_index(b->ids.places, uint64_t, other);
        const scree_node first = {.file = b->ids.files->pdata[before >> 32],
                                  .line = (int)(uint32_t)before};
        g_autofree char *where = before_message(row), *place = scree_node_place(&first);
        scree_config_problem(b->config, row ? NULL : at,
                             "%sid %" G_GUINT64_FORMAT " is taken already, at %s", where, body.id,
                             place);
        return false;
    }
    if (row)
        note_place(&b->ids, row->file, row->line);
    else
        note_place(&b->ids, at->file ? at->file : "an override", (uint32_t)at->line);
    g_array_append_val(b->scene->bodies, body);
    return true;
}
