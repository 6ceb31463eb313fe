// SPDX-License-Identifier: Apache-2.0
// The texts of a plugin that is called while the scene is read, as notes and problems of the scene.
#include "scene/scene_plugin_texts.h"

#include <string.h>

#include "config/config_problem.h"

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

/** Whether the text begins with the place of a mistake in another file. */
static bool names_file(const char *text)
{
    const char *colon = strchr(text, ':');
    g_autofree char *file = colon ? g_strndup(text, (gsize)(colon - text)) : NULL;
    return file && g_ascii_isdigit(colon[1]) && g_file_test(file, G_FILE_TEST_IS_REGULAR);
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
        scree_config_problem(b->config, names_file(one->str) ? NULL : group, "%s", one->str);
        g_string_truncate(one, 0);
    }
    g_string_free(one, TRUE);
}

/** The text after the place of the group, which a problem has by itself. */
static const char *after_place(const scree_node *group, const char *text)
{
    g_autofree char *place =
        g_strdup_printf("%s:%d: ", group ? group->file : "", group ? group->line : 0);
    return g_str_has_prefix(text, place) ? text + strlen(place) : text;
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
