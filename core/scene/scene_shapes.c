// SPDX-License-Identifier: Apache-2.0
// The `shapes` of a scene: named geometry that bodies share.
#include "scene/scene_shapes.h"

#include <string.h>

#include "config/config.h"
#include "config/config_problem.h"
#include "plugin/schema.h"
#include "scene/scene_build.h"
#include "scene/scene_runtime.h"
#include "shape/plugin_shape_new.h"
#include "shape/shape.h"
#include "shape/shape_types.h"

enum { N_OWN = 2 }; // unit sphere and unit disc

/** Gives a shape a name; a scale above 0 is its size. */
static void name_shape(scree_build *b, const char *name, uint32_t index, double scale, bool sized)
{
    scree_shape_name *entry = g_new0(scree_shape_name, 1);
    entry->index = index;
    entry->scale = scale;
    entry->sized = sized;
    g_hash_table_insert(b->shape_names, g_strdup(name), entry);
}

static void add_shape(scree_build *b, const char *name, scree_shape *shape, bool sized)
{
    name_shape(b, name, b->scene->shapes->len, 1.0, sized);
    g_ptr_array_add(b->scene->shapes, shape);
    g_ptr_array_add(b->scene->shape_names, g_strdup(name));
}

/** Returns the index of the host's own shape of the same type; N_OWN: none. */
static uint32_t find_own(const scree_build *b, const scree_shape *shape)
{
    uint32_t i = 0;
    while (i < N_OWN && ((const scree_shape *)b->scene->shapes->pdata[i])->plugin != shape->plugin)
        i++;
    return i;
}

static scree_runtime *shape_runtime(scree_build *b)
{
    scree_scene *s = b->scene;
    if (s->shape_runtime)
        return s->shape_runtime;
    s->shape_runtime = g_new(scree_runtime, 1);
    *s->shape_runtime = scree_scene_runtime(s, scree_pool_new(1));
    return s->shape_runtime;
}

void scree_scene_free_shape_runtime(scree_scene *s)
{
    if (s->shape_runtime)
        scree_pool_free(s->shape_runtime->pool);
    g_clear_pointer(&s->shape_runtime, g_free);
}

static bool serves(const scree_scene *s, const scree_choice_of *choice)
{
    return choice->plugin->dimensions & (s->dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3);
}

/** Makes the shape of the choice, and takes the choice; NULL with problems. */
static scree_shape *make_shape(scree_build *b, scree_node *group, const char *name,
                               scree_choice_of *choice)
{
    g_autoptr(GError) error = NULL;
    scree_heard heard;
    scree_runtime *runtime = shape_runtime(b);
    g_autofree char *slot = g_strdup_printf("shapes.%s", name);
    scree_heard_begin(&heard, runtime);
    scree_shape *shape = scree_plugin_shape_new(runtime, choice, slot, &error);
    scree_heard_end(&heard, b, group, error);
    return shape;
}

static void read_shape_group(scree_build *b, scree_node *group)
{
    guint before = b->config->problems->len;
    if (g_hash_table_contains(b->shape_names, group->name)) {
        scree_config_problem(b->config, group, "the host has a shape of this name itself");
        return;
    }
    scree_choice_of *choice = scree_schema_choose(b->config, group, SCREE_KIND_SHAPE, NULL,
                                                  &b->scene->materials, b->scene->registry);
    if (choice && !serves(b->scene, choice))
        scree_config_problem(b->config, group, "shape/%s does not serve %uD", choice->plugin->id,
                             b->scene->dimension);
    if (choice)
        scree_build_check_files(b, choice);
    if (!choice || b->config->problems->len > before) {
        scree_choice_of_free(choice);
        return;
    }
    scree_shape *shape = make_shape(b, group, group->name, choice);
    const uint32_t own = shape ? find_own(b, shape) : N_OWN;
    if (own < N_OWN) { // the host's own shape replaces one of its type
        name_shape(b, group->name, own, shape->radius, true);
        scree_any_shape_free(shape);
    } else if (shape) {
        add_shape(b, group->name, shape, true);
    }
}

/** Makes the host's own unit sphere or disc with the plugin of the same name. */
static scree_shape *make_own(scree_build *b, const char *name)
{
    g_autofree char *text = g_strdup_printf("type = \"%s\"; radius = 1.0;", name);
    scree_config *own = scree_config_parse(text, name, ".");
    scree_choice_of *choice =
        scree_schema_choose(own, own->root, SCREE_KIND_SHAPE, NULL, NULL, b->scene->registry);
    scree_shape *shape = NULL;
    for (guint i = 0; i < own->problems->len; i++)
        scree_config_problem(b->config, NULL, "%s", (const char *)own->problems->pdata[i]);
    b->config->refused |= own->refused;
    if (choice)
        choice->group = NULL;
    if (choice && own->problems->len == 0)
        shape = make_shape(b, NULL, name, choice);
    else
        scree_choice_of_free(choice);
    scree_config_free(own);
    return shape;
}

/** Adds a unit shape; a disc has no instance in 3D. */
static void add_own(scree_build *b, const char *name, bool flat)
{
    scree_shape *shape = flat && b->scene->dimension == 3 ? NULL : make_own(b, name);
    add_shape(b, name, shape ? shape : scree_shape_new_round(flat), false);
}

void scree_build_shapes(scree_build *b)
{
    add_own(b, "sphere", false);
    add_own(b, "disc", true);
    scree_build_each(b, "shapes", read_shape_group);
    scree_build_type_shapes(b);
}

void scree_build_type_shapes(scree_build *b)
{
    g_autoptr(GError) error = NULL;
    scree_scene *scene = b->scene;
    g_clear_pointer(&scene->shape_types, g_ptr_array_unref);
    scene->shape_types = scree_shape_types_new((scree_shape *const *)scene->shapes->pdata,
                                               scene->shapes->len, &error);
    if (!scene->shape_types)
        scree_config_problem(b->config, NULL, "%s", error->message);
}

/** Adds a problem in a text from a source. */
static void report_text(scree_build *b, const scree_node *at, const char *name,
                        const scree_config *own)
{
    for (guint i = 0; i < own->problems->len; i++)
        scree_config_problem(b->config, at, "shape %s: %s", name,
                             (const char *)own->problems->pdata[i]);
    b->config->refused |= own->refused;
}

/** Checks that a shape may have this name. */
static bool check_name(scree_build *b, const scree_node *at, const char *name)
{
    if (!*name || name[strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-")] ||
        !g_ascii_isalpha(*name))
        scree_config_problem(b->config, at, "shape %s: expected a name of letters, digits, _ and -",
                             name);
    else if (g_hash_table_contains(b->shape_names, name))
        scree_config_problem(b->config, at, "there is a shape %s already", name);
    else
        return true;
    return false;
}

bool scree_build_add_shape(scree_build *b, const scree_node *at, const char *name, const char *text,
                           uint32_t *index)
{
    if (!check_name(b, at, name))
        return false;
    g_autoptr(scree_config) own = scree_config_parse(text, name, at->dir ? at->dir : ".");
    scree_choice_of *choice = own->root && !own->broken
                                  ? scree_schema_choose(own, own->root, SCREE_KIND_SHAPE, NULL,
                                                        &b->scene->materials, b->scene->registry)
                                  : NULL;
    const bool serving = !choice || serves(b->scene, choice);
    report_text(b, at, name, own);
    if (!serving)
        scree_config_problem(b->config, at, "shape %s: shape/%s does not serve %uD", name,
                             choice->plugin->id, b->scene->dimension);
    if (!choice || !serving || own->problems->len) {
        scree_choice_of_free(choice);
        return false;
    }
    choice->group = NULL; // its node ends with the text
    scree_shape *shape = make_shape(b, (scree_node *)at, name, choice);
    if (!shape)
        return false;
    if (find_own(b, shape) < N_OWN) {
        scree_config_problem(b->config, at, "shape %s: the host has that shape itself: %u", name,
                             find_own(b, shape));
        scree_any_shape_free(shape);
        return false;
    }
    add_shape(b, name, shape, true);
    *index = b->scene->shapes->len - 1;
    b->untyped = true;
    return true;
}
