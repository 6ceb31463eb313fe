// SPDX-License-Identifier: Apache-2.0
// The `shapes` of a scene: named geometry that bodies share.
#include "scene/scene_shapes.h"

#include <math.h>
#include <string.h>

#include "base/shortage.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "scene/plugin_shape_new.h"
#include "scene/scene_mesh.h"
#include "shape/shape.h"
#include "shape/shape_types.h"

static const char *const shape_types[] = {"sphere", "disc",     "plane", "mesh",
                                          "facets", "segments", "box",   NULL};
enum { TYPE_SPHERE, TYPE_DISC, TYPE_PLANE, TYPE_MESH, TYPE_FACETS, TYPE_SEGMENTS, TYPE_BOX };

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

/** A sphere or disc is the host's unit shape with a size. */
static void read_round(scree_build *b, scree_node *group, uint32_t index)
{
    double radius = scree_config_real(b->config, group, "radius", "m", (double)NAN, 0.0, HUGE_VAL,
                                      SCREE_KEY_MIN_OPEN | SCREE_KEY_REQUIRED);
    scree_shape_name *entry = g_new0(scree_shape_name, 1);
    entry->index = index;
    entry->scale = isnan(radius) ? 1.0 : radius;
    entry->sized = true;
    g_hash_table_insert(b->shape_names, g_strdup(group->name), entry);
    if (index == 1 && b->scene->dimension == 3)
        scree_config_problem(b->config, group, "a disc needs scene.dimension = 2");
}

static void read_plane(scree_build *b, scree_node *group)
{
    double n[3];
    if (!scree_build_vector(b, group, "normal", NULL, n, SCREE_KEY_REQUIRED))
        return;
    if (n[0] == 0.0 && n[1] == 0.0 && n[2] == 0.0) {
        scree_config_problem(b->config, scree_config_child(group, "normal"),
                             "a normal of length 0");
        return;
    }
    add_shape(b, group->name, scree_shape_new_plane(n));
}

/** Corners of vertices ((x, y, z), ..), three each, z = 0 in 2D. */
static GArray *read_vertices(scree_build *b, scree_node *group)
{
    scree_node *list = scree_config_list(b->config, group, "vertices");
    if (!list) {
        if (!scree_config_child(group, "vertices"))
            scree_config_problem(b->config, group, "vertices = ((x, y, ..), ..) are missing");
        return NULL;
    }
    uint32_t dimension = b->scene->dimension;
    GArray *xyz = g_array_new(FALSE, TRUE, sizeof(double));
    bool ok = true;
    for (uint32_t i = 0; i < list->children->len; i++) {
        const scree_node *point = list->children->pdata[i];
        double x[3] = {0};
        if (point->type != SCREE_NODE_LIST || point->children->len != dimension) {
            scree_config_problem(b->config, point, "a vertex has %u coordinates", dimension);
            ok = false;
            continue;
        }
        for (uint32_t k = 0; k < dimension; k++)
            ok &= scree_node_real(b->config, point->children->pdata[k], "m", -HUGE_VAL, HUGE_VAL, 0,
                                  &x[k]);
        g_array_append_vals(xyz, x, 3);
    }
    if (ok)
        return xyz;
    g_array_free(xyz, TRUE);
    return NULL;
}

/** Places of ((0, 1, 2), ..), four each. */
static GArray *read_facets(scree_build *b, scree_node *group, const char *key, uint32_t least,
                           uint32_t most, uint32_t n_vertices)
{
    scree_node *list = scree_config_list(b->config, group, key);
    if (!list) {
        if (!scree_config_child(group, key))
            scree_config_problem(b->config, group, "%s = ((0, 1, ..), ..) are missing", key);
        return NULL;
    }
    GArray *facets = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    bool ok = true;
    for (uint32_t i = 0; i < list->children->len; i++) {
        const scree_node *facet = list->children->pdata[i];
        uint32_t n = facet->type == SCREE_NODE_LIST ? facet->children->len : 0;
        uint32_t place[4] = {SCREE_NONE, SCREE_NONE, SCREE_NONE, SCREE_NONE};
        if (n < least || n > most) {
            scree_config_problem(b->config, facet,
                                 most == 2 ? "a segment has 2 vertices"
                                           : "a facet has 3 or 4 vertices");
            ok = false;
            continue;
        }
        for (uint32_t k = 0; k < n; k++) {
            int64_t v = 0;
            ok &= scree_node_int(b->config, facet->children->pdata[k], 0, (int64_t)n_vertices - 1,
                                 &v);
            place[k] = (uint32_t)v;
        }
        g_array_append_vals(facets, place, 4);
    }
    if (ok)
        return facets;
    g_array_free(facets, TRUE);
    return NULL;
}

static void add_facets(scree_build *b, scree_node *group, scree_shape *shape)
{
    uint32_t branching = scree_shape_branching(shape);
    if (branching)
        scree_config_note(b->config, group,
                          "%u edges have more than two facets; they count as open edges of each",
                          branching);
    add_shape(b, group->name, shape);
}

static void finish_facets(scree_build *b, scree_node *group, const GArray *xyz,
                          const GArray *facets)
{
    g_autoptr(GError) error = NULL;
    scree_shape *shape =
        scree_shape_new_facets(b->scene->dimension, xyz->len / 3, (const double *)(void *)xyz->data,
                               facets->len / 4, (const uint32_t *)(void *)facets->data, &error);
    if (!shape) {
        scree_config_problem(b->config, group, "%s", error->message);
        return;
    }
    add_facets(b, group, shape);
}

static void read_mesh(scree_build *b, scree_node *group, bool segments)
{
    if (segments != (b->scene->dimension == 2)) {
        scree_config_problem(b->config, group,
                             segments
                                 ? "segments need scene.dimension = 2"
                                 : "a mesh needs scene.dimension = 3 (2D: type = \"segments\")");
        return;
    }
    if (!segments && scree_config_child(group, "file")) {
        scree_shape *shape = scree_build_mesh(b, group);
        if (shape)
            add_facets(b, group, shape);
        return;
    }
    g_autoptr(GArray) xyz = read_vertices(b, group);
    if (!xyz)
        return;
    g_autoptr(GArray) facets = read_facets(b, group, segments ? "segments" : "facets",
                                           segments ? 2 : 3, segments ? 2 : 4, xyz->len / 3);
    if (facets)
        finish_facets(b, group, xyz, facets);
}

/* Sides of a box: vertex numbers have bit k set at the upper end of axis k; normals point outward.
 */
typedef struct box_side {
    const char *name;
    uint32_t corner[4];
} box_side;
static const box_side sides_3d[] = {
    {"left", {0, 4, 6, 2}}, {"right", {1, 3, 7, 5}},  {"front", {0, 1, 5, 4}},
    {"back", {2, 6, 7, 3}}, {"bottom", {0, 2, 3, 1}}, {"top", {4, 5, 7, 6}},
};
static const box_side sides_2d[] = {
    {"left", {2, 0, SCREE_NONE, SCREE_NONE}},
    {"right", {1, 3, SCREE_NONE, SCREE_NONE}},
    {"bottom", {0, 1, SCREE_NONE, SCREE_NONE}},
    {"top", {3, 2, SCREE_NONE, SCREE_NONE}},
};

/** Bit per side that `open` names. */
static uint32_t read_open(scree_build *b, scree_node *group, const box_side *sides, uint32_t n)
{
    scree_node *list = scree_config_list(b->config, group, "open");
    const char *names[7] = {0};
    uint32_t open = 0;
    for (uint32_t s = 0; s < n; s++)
        names[s] = sides[s].name;
    if (list)
        for (uint32_t i = 0; i < list->children->len; i++) {
            const scree_node *word = list->children->pdata[i];
            uint32_t s = 0;
            if (word->type == SCREE_NODE_STRING)
                while (s < n && strcmp(word->s, sides[s].name) != 0)
                    s++;
            if (word->type != SCREE_NODE_STRING || s == n) {
                g_autofree char *all = g_strjoinv(", ", (char **)names);
                scree_config_problem(b->config, word, "no side of a box; its sides are %s", all);
                continue;
            }
            open |= 1u << s;
        }
    if (open == (1u << n) - 1u)
        scree_config_problem(b->config, list, "a box with all sides open has none left");
    return open;
}

/** Around the origin: `size` along each axis, `facing` says where the normals point. */
static void read_box(scree_build *b, scree_node *group)
{
    static const char *const facings[] = {"inward", "outward", NULL};
    bool flat = b->scene->dimension == 2;
    const box_side *sides = flat ? sides_2d : sides_3d;
    uint32_t n = flat ? 4 : 6, corners = flat ? 4 : 8, n_corners = flat ? 2 : 4;
    double size[3];
    int facing = scree_config_choice(b->config, group, "facing", facings, 0);
    uint32_t open = read_open(b, group, sides, n);
    if (!scree_build_vector(b, group, "size", "m", size, SCREE_KEY_REQUIRED))
        return;
    for (uint32_t k = 0; k < b->scene->dimension; k++)
        if (!(size[k] > 0.0)) {
            scree_config_problem(b->config, scree_config_child(group, "size"),
                                 "%g m; the sides of a box must be > 0", size[k]);
            return;
        }
    g_autoptr(GArray) xyz = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) facets = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t c = 0; c < corners; c++)
        for (uint32_t k = 0; k < 3; k++) {
            double x = k < b->scene->dimension ? (c >> k & 1u ? 0.5 : -0.5) * size[k] : 0.0;
            g_array_append_val(xyz, x);
        }
    for (uint32_t s = 0; s < n; s++) {
        uint32_t place[4] = {SCREE_NONE, SCREE_NONE, SCREE_NONE, SCREE_NONE};
        if (open >> s & 1u)
            continue;
        for (uint32_t k = 0; k < n_corners; k++) // inward: the other way round
            place[k] = sides[s].corner[facing == 0 ? n_corners - 1 - k : k];
        g_array_append_vals(facets, place, 4);
    }
    if (facets->len > 0)
        finish_facets(b, group, xyz, facets);
}

/* ---- shapes of plugins ---- */

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

/** The shape that the choice makes, which it takes; NULL with problems. */
static scree_shape *make_shape(scree_build *b, scree_node *group, scree_choice_of *choice)
{
    g_autoptr(GError) error = NULL;
    said heard = {g_ptr_array_new_with_free_func(g_free), g_ptr_array_new_with_free_func(g_free)};
    scree_runtime *runtime = shape_runtime(b);
    g_autofree char *slot = g_strdup_printf("shapes.%s", group->name);
    runtime->say = listen;
    runtime->listener = &heard;
    scree_shape *shape = scree_plugin_shape_new(runtime, choice, slot, &error);
    runtime->say = NULL;
    for (guint i = 0; i < heard.notes->len; i++)
        scree_config_note(b->config, group, "%s", (const char *)heard.notes->pdata[i]);
    if (!shape && error->code == SCREE_EXIT_USAGE && heard.failures->len)
        report_lines(b, group, heard.failures->pdata[0]);
    else if (!shape)
        scree_config_problem(b->config, group, "%s", error->message);
    b->config->refused |= !shape && error->code == SCREE_EXIT_PLUGIN;
    g_ptr_array_unref(heard.notes);
    g_ptr_array_unref(heard.failures);
    return shape;
}

static void read_plugin_shape(scree_build *b, scree_node *group)
{
    guint before = b->config->problems->len;
    scree_choice_of *choice = scree_schema_choose(b->config, group, SCREE_KIND_SHAPE, NULL, NULL,
                                                  &b->scene->materials, b->scene->registry);
    uint32_t bit = b->scene->dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3;
    if (choice && !(choice->plugin->dimensions & bit))
        scree_config_problem(b->config, group, "shape/%s does not serve %uD", choice->plugin->id,
                             b->scene->dimension);
    if (!choice || b->config->problems->len > before) {
        scree_choice_of_free(choice);
        return;
    }
    scree_shape *shape = make_shape(b, group, choice);
    if (shape)
        add_shape(b, group->name, shape);
}

/** The type is one of the host's own; else it names a plugin. */
static bool is_own_type(const char *type)
{
    return g_strv_contains(shape_types, type);
}

static void read_shape(scree_build *b, scree_node *group)
{
    const char *type = scree_config_string(b->config, group, "type", NULL, SCREE_KEY_REQUIRED);
    if (!type)
        return;
    if (g_hash_table_contains(b->shape_names, group->name)) {
        scree_config_problem(b->config, group, "the host has a shape of this name itself");
        return;
    }
    if (!is_own_type(type)) {
        read_plugin_shape(b, group);
        return;
    }
    switch (scree_config_choice(b->config, group, "type", shape_types, -1)) {
    case TYPE_SPHERE:
        read_round(b, group, 0);
        break;
    case TYPE_DISC:
        read_round(b, group, 1);
        break;
    case TYPE_PLANE:
        read_plane(b, group);
        break;
    case TYPE_MESH:
    case TYPE_FACETS:
        read_mesh(b, group, false);
        break;
    case TYPE_SEGMENTS:
        read_mesh(b, group, true);
        break;
    case TYPE_BOX:
        read_box(b, group);
        break;
    default:
        return;
    }
    scree_config_report_unknown(b->config, group, NULL);
}

void scree_build_shapes(scree_build *b)
{
    add_shape(b, "sphere", scree_shape_new_round(false));
    add_shape(b, "disc", scree_shape_new_round(true));
    ((scree_shape_name *)g_hash_table_lookup(b->shape_names, "sphere"))->sized = false;
    ((scree_shape_name *)g_hash_table_lookup(b->shape_names, "disc"))->sized = false;
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
