// SPDX-License-Identifier: Apache-2.0
// The `shapes` of a scene: named geometry that bodies share.
#include "scene/scene_shapes.h"

#include <string.h>

#include "base/shortage.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "scene/plugin_shape_new.h"
#include "shape/shape.h"
#include "shape/shape_types.h"

enum { N_OWN = 2 }; // the unit sphere and the unit disc

static void add_shape(scree_build *b, const char *name, scree_shape *shape)
{
    scree_shape_name *entry = g_new0(scree_shape_name, 1);
    entry->index = b->scene->shapes->len;
    entry->scale = 1.0;
    entry->sized = true;
    g_ptr_array_add(b->scene->shapes, shape);
    g_ptr_array_add(b->scene->shape_names, g_strdup(name));
    g_hash_table_insert(b->shape_names, g_strdup(name), entry);
}

/** Messages of a shape while it is made. */
typedef struct said {
    GPtrArray *notes, *failures; // of char *
} said;

static void listen(void *listener, int32_t level_or_code, const char *text)
{
    said *s = listener;
    g_ptr_array_add(level_or_code < 0 ? s->failures : s->notes, g_strdup(text));
}

static scree_runtime *shape_runtime(scree_build *b)
{
    scree_scene *s = b->scene;
    if (s->shape_runtime)
        return s->shape_runtime;
    s->shape_runtime = g_new0(scree_runtime, 1);
    s->shape_runtime->pool = scree_pool_new(1);
    s->shape_runtime->dimension = s->dimension;
    s->shape_runtime->n_materials = s->materials.n;
    s->shape_runtime->seed = s->seed;
    s->shape_runtime->thickness = s->thickness;
    return s->shape_runtime;
}

void scree_scene_free_shape_runtime(scree_scene *s)
{
    if (s->shape_runtime)
        scree_pool_free(s->shape_runtime->pool);
    g_clear_pointer(&s->shape_runtime, g_free);
}

/** One problem a mistake: further lines of one begin with a space. */
static void report_lines(scree_build *b, const scree_node *group, const char *text)
{
    GString *one = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        g_string_append_printf(one, "%s%s", one->len ? "\n" : "", lines[i]);
        if (lines[i + 1] && lines[i + 1][0] == ' ')
            continue;
        scree_config_problem(b->config, group, "%s", one->str);
        g_string_truncate(one, 0);
    }
    g_string_free(one, TRUE);
}

static bool serves(const scree_scene *s, const scree_choice_of *choice)
{
    return choice->plugin->dimensions & (s->dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3);
}

/** The text after the place of the group, which a problem has by itself. */
static const char *after_place(const scree_node *group, const char *text)
{
    g_autofree char *place =
        g_strdup_printf("%s:%d: ", group ? group->file : "", group ? group->line : 0);
    return g_str_has_prefix(text, place) ? text + strlen(place) : text;
}

/** The shape that the choice makes, which it takes; NULL with problems. */
static scree_shape *make_shape(scree_build *b, scree_node *group, const char *name,
                               scree_choice_of *choice)
{
    g_autoptr(GError) error = NULL;
    said heard = {g_ptr_array_new_with_free_func(g_free), g_ptr_array_new_with_free_func(g_free)};
    scree_runtime *runtime = shape_runtime(b);
    g_autofree char *slot = g_strdup_printf("shapes.%s", name);
    runtime->say = listen;
    runtime->listener = &heard;
    scree_shape *shape = scree_plugin_shape_new(runtime, choice, slot, &error);
    runtime->say = NULL;
    for (guint i = 0; i < heard.notes->len; i++)
        scree_config_note(b->config, group, "%s", (const char *)heard.notes->pdata[i]);
    if (!shape && error->code == SCREE_EXIT_USAGE && heard.failures->len)
        report_lines(b, group, heard.failures->pdata[0]);
    else if (!shape)
        scree_config_problem(b->config, group, "%s", after_place(group, error->message));
    b->config->refused |= !shape && error->code == SCREE_EXIT_PLUGIN;
    b->config->failed |= !shape && error->code == SCREE_EXIT_RUN;
    g_ptr_array_unref(heard.notes);
    g_ptr_array_unref(heard.failures);
    return shape;
}

/** A shape of a round type that the host has itself: that one, with a size. */
static bool take_own(scree_build *b, const char *name, scree_shape *shape)
{
    for (uint32_t i = 0; i < N_OWN; i++) {
        const scree_shape *own = b->scene->shapes->pdata[i];
        if (!own->plugin || own->plugin != shape->plugin)
            continue;
        scree_shape_name *entry = g_new0(scree_shape_name, 1);
        entry->index = i;
        entry->scale = shape->radius;
        entry->sized = true;
        g_hash_table_insert(b->shape_names, g_strdup(name), entry);
        scree_any_shape_free(shape);
        return true;
    }
    return false;
}

/** A problem at its key for each file that cannot be read. */
static void check_files(scree_build *b, const scree_choice_of *choice)
{
    for (uint32_t k = 0; k < choice->plugin->n_params; k++) {
        const scree_param *param = choice->plugin->params[k];
        if (param->flags & SCREE_PARAM_FILE)
            g_free(scree_build_file(b, choice->group, param->name));
    }
}

static void read_shape(scree_build *b, scree_node *group)
{
    guint before = b->config->problems->len;
    if (g_hash_table_contains(b->shape_names, group->name)) {
        scree_config_problem(b->config, group, "the host has a shape of this name itself");
        return;
    }
    scree_choice_of *choice = scree_schema_choose(b->config, group, SCREE_KIND_SHAPE, NULL, NULL,
                                                  &b->scene->materials, b->scene->registry);
    if (choice && !serves(b->scene, choice))
        scree_config_problem(b->config, group, "shape/%s does not serve %uD", choice->plugin->id,
                             b->scene->dimension);
    if (choice)
        check_files(b, choice);
    if (!choice || b->config->problems->len > before) {
        scree_choice_of_free(choice);
        return;
    }
    scree_shape *shape = make_shape(b, group, group->name, choice);
    if (shape && !take_own(b, group->name, shape))
        add_shape(b, group->name, shape);
}

/** The host's own unit sphere or disc, made by the type of the same name. */
static scree_shape *make_own(scree_build *b, const char *name)
{
    g_autofree char *text = g_strdup_printf("type = \"%s\"; radius = 1.0;", name);
    scree_config *own = scree_config_parse(text, name, ".");
    scree_choice_of *choice =
        scree_schema_choose(own, own->root, SCREE_KIND_SHAPE, NULL, NULL, NULL, b->scene->registry);
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

/** A unit disc has no instance in 3D, where there are none. */
static void add_own(scree_build *b, const char *name, bool flat)
{
    scree_shape *shape = flat && b->scene->dimension == 3 ? NULL : make_own(b, name);
    add_shape(b, name, shape ? shape : scree_shape_new_round(flat));
    ((scree_shape_name *)g_hash_table_lookup(b->shape_names, name))->sized = false;
}

void scree_build_shapes(scree_build *b)
{
    add_own(b, "sphere", false);
    add_own(b, "disc", true);
    g_autoptr(GPtrArray) groups = scree_build_groups(b, "shapes");
    if (groups)
        for (uint32_t i = 0; i < groups->len; i++) {
            scree_working_on("shapes");
            scree_working_part(((const scree_node *)groups->pdata[i])->name);
            read_shape(b, groups->pdata[i]);
        }
    g_autoptr(GError) error = NULL;
    scree_scene *scene = b->scene;
    scene->shape_types = scree_shape_types_new((scree_shape *const *)scene->shapes->pdata,
                                               scene->shapes->len, &error);
    if (!scene->shape_types)
        scree_config_problem(b->config, NULL, "%s", error->message);
}
