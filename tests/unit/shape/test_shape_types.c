/* SPDX-License-Identifier: Apache-2.0 */
/* Codes of shape types: their order, what is one type, their limit. */
#include "../../test.h"
#include "shape/shape_types.h"

/** A shape of a type by its name. */
static scree_shape *make(uint32_t flags, const char *id, bool flat)
{
    scree_shape *shape = g_new0(scree_shape, 1);
    scree_plugin *plugin = g_new0(scree_plugin, 1);
    plugin->id = id;
    shape->flags = flags;
    shape->flat = flat;
    shape->plugin = plugin;
    return shape;
}

static void drop(void *data)
{
    scree_shape *shape = data;
    g_free((void *)shape->plugin);
    g_free(shape);
}

TEST("/shape_types/order")
{
    g_autoptr(GPtrArray) shapes = g_ptr_array_new_with_free_func(drop);
    g_autoptr(GError) error = NULL;
    const struct {
        uint32_t flags;
        const char *id, *name;
        uint32_t code;
    } given[] = {
        {SCREE_CAP_INFINITE, "plane", "plane", 7}, {0, "rod", "rod", 5},
        {SCREE_CAP_WALL, "box", "mesh", 6},        {0, "ellipsoid", "ellipsoid", 4},
        {SCREE_CAP_BALLS, "clump", "clump", 3},    {SCREE_CAP_ROUND, "disc", "disc", 1},
        {SCREE_CAP_ROUND, "bubble", "bubble", 2},  {SCREE_CAP_ROUND, "sphere", "sphere", 0},
        {SCREE_CAP_WALL, "mesh", "mesh", 6},       {0, "rod", "rod", 5}};
    for (size_t i = 0; i < G_N_ELEMENTS(given); i++)
        g_ptr_array_add(shapes, make(given[i].flags, given[i].id, false));
    g_autoptr(GPtrArray) types =
        scree_shape_types_new((scree_shape *const *)shapes->pdata, shapes->len, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(types->len, ==, 8);
    for (size_t i = 0; i < G_N_ELEMENTS(given); i++) {
        const scree_shape *shape = shapes->pdata[i];
        const scree_shape_type *type = types->pdata[shape->type];
        g_assert_cmpuint(shape->type, ==, given[i].code);
        g_assert_cmpuint(type->code, ==, given[i].code);
        g_assert_cmpuint(type->flags, ==, given[i].flags);
        g_assert_cmpstr(type->name, ==, given[i].name);
    }
    g_assert_cmpuint(((const scree_shape_type *)types->pdata[5])->n_shapes, ==, 2);
    g_assert_cmpuint(((const scree_shape_type *)types->pdata[6])->n_shapes, ==, 2);
}

TEST("/shape_types/limit")
{
    static const char letters[][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k",
                                      "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v",
                                      "w", "x", "y", "z", "A", "B", "C", "D", "E", "F", "G"};
    g_autoptr(GPtrArray) shapes = g_ptr_array_new_with_free_func(drop);
    for (size_t i = 0; i < G_N_ELEMENTS(letters); i++)
        g_ptr_array_add(shapes, make(0, letters[i], false));
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) most =
        scree_shape_types_new((scree_shape *const *)shapes->pdata, SCREE_MAX_TYPES, NULL);
    g_assert_nonnull(most);
    g_assert_null(scree_shape_types_new((scree_shape *const *)shapes->pdata, shapes->len, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_cmpstr(error->message, ==, "expected at most 32 types of shapes in a scene, got 33");
}
