/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all commands: common options, help, error messages. */
#include "cli/cmd.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "plugin/registry.h"

/* values of the command line, set before a command starts */
static char **plugin_paths, **trusted_files;
static gboolean no_parent; // only program.c uses it
const char *scree_cmd_program = "scree";
static const GOptionEntry globals[] = {
    {"plugin-path", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &plugin_paths, NULL, NULL},
    {"trust", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &trusted_files, NULL, NULL},
    {"no-parent", 0, 0, G_OPTION_ARG_NONE, &no_parent, NULL, NULL},
    G_OPTION_ENTRY_NULL,
};

bool scree_cmd_take_globals(int *argc, char ***argv, GError **error)
{
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_autoptr(GError) inner = NULL;
    scree_cmd_program = *argc > 0 ? (*argv)[0] : scree_cmd_program;
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_ignore_unknown_options(context, TRUE);
    g_option_context_add_main_entries(context, globals, NULL);
    if (!g_option_context_parse(context, argc, argv, &inner))
        return scree_fail(error, SCREE_EXIT_USAGE, "%s", inner->message);
    for (char **path = plugin_paths; path && *path; path++)
        if (!g_file_test(*path, G_FILE_TEST_IS_DIR))
            return scree_fail(error, SCREE_EXIT_USAGE, "--plugin-path %s: no such folder", *path);
    for (char **file = trusted_files; file && *file; file++)
        if (!g_file_test(*file, G_FILE_TEST_IS_REGULAR))
            return scree_fail(error, SCREE_EXIT_USAGE, "--trust %s: no such file", *file);
    return true;
}

void scree_cmd_add_words(GString *command, const char *option, char *const *values)
{
    for (; values && *values; values++) {
        const bool plain = **values && !strpbrk(*values, " \t\n\"'\\$`*?[](){}<>|&;!#~");
        g_autofree char *word = plain ? g_strdup(*values) : g_shell_quote(*values);
        g_string_append_printf(command, "%s%s %s", option ? " --" : "", option ? option : "", word);
    }
}

void scree_cmd_add_globals(GString *command)
{
    scree_cmd_add_words(command, "plugin-path", plugin_paths);
    scree_cmd_add_words(command, "trust", trusted_files);
}

scree_registry *scree_cmd_registry_new(void)
{
    return scree_registry_new((const char *const *)plugin_paths,
                              (const char *const *)trusted_files);
}

/** Finds the first long option of argv that is in none of the tables, a new string without its
 * value; NULL: none. Adds the names of the tables to `names`. */
static char *find_unknown(char **argv, const GOptionEntry *const *tables, GPtrArray *names)
{
    for (; *tables; tables++)
        for (const GOptionEntry *entry = *tables; entry->long_name; entry++)
            g_ptr_array_add(names, g_strconcat("--", entry->long_name, NULL));
    for (char **word = argv + 1; *word && strcmp(*word, "--"); word++) {
        g_autofree char *name = g_strndup(*word, strcspn(*word, "="));
        if (g_str_has_prefix(name, "--") &&
            !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
            return g_steal_pointer(&name);
    }
    return NULL;
}

/** Prints why GLib has refused the options of a command. Returns the exit status. */
static int refuse_options(const char *command, char **argv, const GOptionEntry *const *tables,
                          const GError *error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *unknown = find_unknown(argv, tables, names);
    if (!unknown || !g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
        return scree_cmd_usage(command, "%s", error->message);
    g_ptr_array_add(names, NULL);
    g_autofree char *hint = scree_did_you_mean(unknown, (const char *const *)names->pdata);
    return scree_cmd_usage(command, "expected an option, got \"%s\"%s", unknown, hint);
}

/** The option of a word of the command line, or NULL. */
static const GOptionEntry *find_option(const GOptionEntry *entries, const char *word)
{
    const size_t n = strcspn(word, "=");
    for (; entries->long_name; entries++)
        if (g_str_has_prefix(word, "--")
                ? n == strlen(entries->long_name) + 2 &&
                      !strncmp(word + 2, entries->long_name, n - 2)
                : *word == '-' && entries->short_name && word[1] == entries->short_name)
            return entries;
    return NULL;
}

/** An option of one value that is given twice, or NULL: GLib takes the last one. */
static const GOptionEntry *find_double(char **word, char **end, const GOptionEntry *entries)
{
    uint64_t seen = 0; // a bit per option
    for (; word < end && strcmp(*word, "--"); word++) {
        const GOptionEntry *entry = find_option(entries, *word);
        if (!entry || entry->arg == G_OPTION_ARG_NONE)
            continue;
        const uint64_t bit = UINT64_C(1) << (entry - entries);
        if (seen & bit && entry->arg != G_OPTION_ARG_FILENAME_ARRAY)
            return entry;
        seen |= bit;
        const bool whole = word[0][1] == '-' ? !strchr(*word, '=') : !word[0][2];
        if (whole)
            word++; // its value
    }
    return NULL;
}

bool scree_cmd_parse(int *argc, char ***argv, const GOptionEntry *entries, const char *arguments,
                     const char *summary, int *status)
{
    gboolean help = FALSE;
    g_autoptr(GError) error = NULL;
    g_autofree char *command = g_strdup((*argv)[0]);
    g_autoptr(GOptionContext) context = g_option_context_new(arguments);
    const GOptionEntry common[] = {
        {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "Show this text", NULL},
        G_OPTION_ENTRY_NULL,
    };
    const GOptionEntry *twice = find_double(*argv + 1, *argv + *argc, entries);
    if (twice) {
        *status = scree_cmd_usage(command, "--%s is given twice", twice->long_name);
        return false;
    }
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_summary(context, summary);
    g_option_context_set_description(
        context, "Every command:\n"
                 "  --plugin-path=DIR  Search DIR for plugins first (may be repeated)\n"
                 "  --trust=FILE       Load this plugin although others can write it\n"
                 "  --no-parent        Run in one process, for gdb and other tools\n");
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_add_main_entries(context, common, NULL);
    if (!g_option_context_parse(context, argc, argv, &error)) {
        const GOptionEntry *const tables[] = {entries, common, globals, NULL};
        *status = refuse_options(command, *argv, tables, error);
        return false;
    }
    if (!help)
        return true;
    g_autofree char *before = g_strdup(g_get_prgname()),
                    *name = g_strconcat("scree ", command, NULL);
    g_set_prgname(name); // the usage line begins with it
    g_autofree char *text = g_option_context_get_help(context, TRUE, NULL);
    g_set_prgname(before);
    fputs(text, stdout);
    *status = SCREE_EXIT_OK;
    return false;
}

int scree_cmd_fail(const GError *error)
{
    fprintf(stderr, "scree: %s\n", error->message);
    return error->domain == SCREE_ERROR ? error->code : SCREE_EXIT_RUN;
}

int scree_cmd_usage(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    fprintf(stderr, "scree %s: %s (see scree %s --help)\n", command, text, command);
    return SCREE_EXIT_USAGE;
}

int scree_cmd_operands(const char *command, const char *name, int got)
{
    return got ? scree_cmd_usage(command, "expected one %s, got %d", name, got)
               : scree_cmd_usage(command, "expected one %s, got none", name);
}

bool scree_cmd_count(const char *command, const char *option, const char *text, uint64_t min,
                     uint64_t max, uint64_t *value, int *status)
{
    if (!text || g_ascii_string_to_unsigned(text, 10, min, max, value, NULL))
        return true;
    *status = scree_cmd_usage(command,
                              "--%s: expected a whole number from %" G_GUINT64_FORMAT
                              " to %" G_GUINT64_FORMAT ", got \"%s\"",
                              option, min, max, text);
    return false;
}
