/* SPDX-License-Identifier: Apache-2.0 */
/* Problems and notes of a scene text, each with its place. */
#include "config/config_problem.h"

#include "config/config_node.h"

#define MAX_MESSAGES 200

/** "FILE:LINE: PATH: ", without missing parts. */
static char *before_text(const scree_node *at)
{
    g_autofree char *path = scree_node_path(at), *place = at ? scree_node_place(at) : NULL;
    return g_strconcat(place ? place : "", place ? ": " : "", path, *path ? ": " : "", NULL);
}

static void add_message(GPtrArray *messages, const scree_node *at, const char *format,
                        va_list arguments)
{
    g_autofree char *before = before_text(at), *what = g_strdup_vprintf(format, arguments);
    scree_message_add(messages, g_strconcat(before, what, NULL));
}

void scree_message_add(GPtrArray *messages, char *message)
{
    g_autofree char *owned = message;
    if (messages->len > MAX_MESSAGES ||
        g_ptr_array_find_with_equal_func(messages, message, g_str_equal, NULL))
        return;
    if (messages->len == MAX_MESSAGES)
        g_ptr_array_add(messages, g_strdup("further messages are not shown"));
    else
        g_ptr_array_add(messages, g_steal_pointer(&owned));
}

bool scree_config_problem(scree_config *config, const scree_node *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_message(config->problems, at, format, arguments);
    va_end(arguments);
    return false;
}

void scree_config_found(scree_config *config, const scree_node *group, const char *key)
{
    g_autofree char *before = before_text(group);
    g_autofree char *alone = g_strdup_printf("%s" SCREE_KEY_MISSING, before, key);
    g_autofree char *paired = g_strdup_printf("%s" SCREE_PAIR_MISSING, before, key);
    for (guint k = config->problems->len; k-- > 0;)
        if (g_str_has_prefix(config->problems->pdata[k], alone) ||
            g_str_has_prefix(config->problems->pdata[k], paired))
            g_ptr_array_remove_index(config->problems, k);
}

void scree_config_note(scree_config *config, const scree_node *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_message(config->notes, at, format, arguments);
    va_end(arguments);
}

bool scree_config_failed(const scree_config *config, GError **error)
{
    if (config->problems->len == 0)
        return false;
    g_autoptr(GString) all = g_string_new(NULL);
    for (guint k = 0; k < config->problems->len; k++)
        g_string_append_printf(all, "%s%s", k > 0 ? "\n" : "",
                               (const char *)g_ptr_array_index(config->problems, k));
    const int status = config->refused  ? SCREE_EXIT_PLUGIN
                       : config->failed ? SCREE_EXIT_RUN
                                        : SCREE_EXIT_USAGE;
    g_set_error_literal(error, SCREE_ERROR, status, all->str);
    return true;
}
