// SPDX-License-Identifier: Apache-2.0
// Shared by the readers of a scene: regions, named groups, files, intervals, texts of plugins.
#include "scene/scene_build.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/shortage.h"
#include "base/text.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/table.h"
#include "plugin/kinds.h"
#include "plugin/schema.h"
#include "scene/scene_keys.h"

bool scree_build_region(scree_build *b, scree_node *group, double min[3], double max[3],
                        double *tilt)
{
    scree_region_keys box;
    const guint before = b->config->problems->len;
    scree_build_group(b, group, tilt ? SCREE_KEYS_REGION : SCREE_KEYS_BOX, &box);
    if (b->config->problems->len > before)
        return false;
    for (uint32_t k = 0; k < b->scene->dimension; k++)
        if (!(box.max[k] > box.min[k])) {
            scree_config_problem(b->config, group,
                                 "expected max > min along %c, got min %g m and max %g m", "xyz"[k],
                                 box.min[k], box.max[k]);
            return false;
        }
    memcpy(min, box.min, sizeof box.min);
    memcpy(max, box.max, sizeof box.max);
    if (tilt)
        memcpy(tilt, box.tilt, sizeof box.tilt);
    return true;
}

/** Returns whether a node has settings of one thing instead of named groups. */
static bool lacks_names(const scree_node *node)
{
    static const char *const typical[] = {"plugin", "density", "radius", "position",
                                          "shape",  "type",    "method", "count"};
    for (size_t k = 0; k < G_N_ELEMENTS(typical); k++) {
        const scree_node *child = scree_node_find(node, typical[k]);
        if (child && (child->type != SCREE_NODE_GROUP))
            return true;
    }
    return false;
}

/** Adds the problem that `at` should be named groups. */
static void want_named(scree_build *b, const scree_node *at, bool plugins)
{
    if (plugins)
        scree_schema_want_named(b->config, at);
    else if (at->type == SCREE_NODE_GROUP)
        scree_config_problem(b->config, at,
                             "expected named groups, got settings; write %s = { NAME = { %s = "
                             "..; }; };",
                             at->name, ((scree_node *)at->children->pdata[0])->name);
    else {
        g_autofree char *expected =
            g_strdup_printf("named groups, %s = { NAME = { .. }; };", at->name);
        scree_config_expected(b->config, at, expected);
    }
}

GPtrArray *scree_build_groups(scree_build *b, const char *key)
{
    scree_node *node = scree_config_child(b->config->root, key);
    const uint32_t kind = scree_slot_kind_of(key, strlen(key));
    bool plugins = kind && kind != SCREE_KIND_SHAPE; // a shape's `type` names its plugin
    bool lacking = node && node->type == SCREE_NODE_GROUP && lacks_names(node);
    if (!node)
        return NULL;
    GPtrArray *groups = g_ptr_array_new();
    if (node->type != SCREE_NODE_GROUP || lacking) {
        want_named(b, node, plugins);
        return groups;
    }
    for (uint32_t i = 0; i < node->children->len; i++) {
        scree_node *child =
            scree_config_child(node, ((scree_node *)node->children->pdata[i])->name);
        if (child->type == SCREE_NODE_GROUP)
            g_ptr_array_add(groups, child);
        else if (plugins)
            scree_schema_want_plugin(b->config, child, false);
        else
            scree_config_expected(b->config, child, "a group { .. }");
    }
    return groups;
}

void scree_build_each(scree_build *b, const char *key,
                      void (*read)(scree_build *b, scree_node *group))
{
    g_autoptr(GPtrArray) groups = scree_build_groups(b, key);
    const guint n = groups ? groups->len : 0;
    for (guint i = 0; i < n; i++) {
        scree_working_on(key);
        scree_working_part(((const scree_node *)groups->pdata[i])->name);
        read(b, groups->pdata[i]);
    }
}

bool scree_build_file(scree_build *b, scree_node *group, const char *key, const char *path)
{
    g_autofree char *bad = scree_plain_refuse_name(path);
    if (!bad && access(path, R_OK) == 0)
        return true;
    scree_config_problem(b->config, scree_node_find(group, key), "cannot read %s%s%s",
                         bad ? bad : path, bad ? "" : ": ", bad ? "" : g_strerror(errno));
    return false;
}

scree_table *scree_build_table(scree_build *b, scree_node *group, const char *key, const char *path,
                               const scree_column *known, uint32_t n_known,
                               const char *const *columns)
{
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    scree_table *table = scree_build_file(b, group, key, path)
                             ? scree_table_load(path, path, known, n_known, columns, problems)
                             : NULL;
    for (guint i = 0; i < problems->len; i++)
        scree_config_problem(b->config, NULL, "%s", (const char *)problems->pdata[i]);
    return table;
}

int scree_build_interval(scree_build *b, const scree_node *group)
{
    static const char *const keys[] = {"every_steps", "every_time", "every_wall"};
    int given = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(keys); k++)
        given += scree_node_find(group, keys[k]) != NULL;
    if (given > 1)
        scree_config_problem(b->config, group, "one of every_steps, every_time, every_wall, not %d",
                             given);
    return given;
}

void scree_build_check_files(scree_build *b, const scree_choice_of *choice)
{
    for (uint32_t k = 0; k < choice->plugin->n_params; k++) {
        const scree_param *param = choice->plugin->params[k];
        if (!(param->flags & SCREE_PARAM_FILE))
            continue;
        const char *path;
        memcpy(&path, (const char *)choice->config + param->offset, sizeof path);
        if (path && *path)
            scree_build_file(b, choice->group, param->name, path);
    }
}

/* ---- messages of plugins ---- */

static void listen(void *listener, int32_t level_or_code, const char *text)
{
    scree_heard *heard = listener;
    if (level_or_code == SCREE_LOG_DEBUG)
        return;
    g_ptr_array_add(level_or_code < 0 ? heard->failures : heard->notes, g_strdup(text));
}

void scree_heard_begin(scree_heard *heard, scree_runtime *runtime)
{
    *heard = (scree_heard){runtime, g_ptr_array_new_with_free_func(g_free),
                           g_ptr_array_new_with_free_func(g_free)};
    runtime->say = listen;
    runtime->listener = heard;
}

/** Returns whether the text begins with a place in another file. */
static bool names_file(const char *text)
{
    const char *colon = strchr(text, ':');
    g_autofree char *file = colon ? g_strndup(text, (gsize)(colon - text)) : NULL;
    return file && g_ascii_isdigit(colon[1]) && g_file_test(file, G_FILE_TEST_IS_REGULAR);
}

/** Adds a problem per mistake: further lines of a mistake begin with a space. */
static void report_lines(scree_build *b, const scree_node *group, const char *text)
{
    GString *one = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        g_string_append_printf(one, "%s%s", one->len ? "\n" : "", lines[i]);
        if (lines[i + 1] && lines[i + 1][0] == ' ')
            continue;
        scree_config_problem(b->config, names_file(one->str) ? NULL : group, "%s", one->str);
        g_string_truncate(one, 0);
    }
    g_string_free(one, TRUE);
}

/** Returns the text without the place of the group, which a problem adds itself. */
static const char *after_place(const scree_node *group, const char *text)
{
    g_autofree char *place = group && group->file ? scree_node_place(group) : NULL;
    const bool placed = place && g_str_has_prefix(text, place);
    const char *rest = placed ? text + strlen(place) : "";
    return g_str_has_prefix(rest, ": ") ? rest + strlen(": ") : text;
}

void scree_heard_end(scree_heard *heard, scree_build *b, const scree_node *group,
                     const GError *error)
{
    heard->runtime->say = NULL;
    for (guint i = 0; i < heard->notes->len; i++)
        scree_config_note(b->config, group, "%s", (const char *)heard->notes->pdata[i]);
    if (error && error->code == SCREE_EXIT_USAGE && heard->failures->len)
        report_lines(b, group, heard->failures->pdata[0]);
    else if (error)
        scree_config_problem(b->config, group, "%s", after_place(group, error->message));
    b->config->refused |= error && error->code == SCREE_EXIT_PLUGIN;
    b->config->failed |= error && error->code == SCREE_EXIT_RUN;
    g_ptr_array_unref(heard->notes);
    g_ptr_array_unref(heard->failures);
}

char *scree_build_group_hint(const scree_build *b, const char *name)
{
    const GPtrArray *groups = b->scene->group_names;
    g_autofree const char **names = g_new0(const char *, groups->len + 1);
    for (guint k = 0; k < groups->len; k++)
        names[k] = groups->pdata[k];
    return scree_did_you_mean(name, names);
}
