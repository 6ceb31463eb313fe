/* SPDX-License-Identifier: Apache-2.0 */
/* Scene files as text: reads them, checks that they are text, shows a line. */
#include "config/config_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/paths.h"
#include "config/config_problem.h"

#define MAX_FILE_BYTES (64u << 20)

void scree_source_free(scree_source *source)
{
    if (!source)
        return;
    g_free(source->text);
    g_free(source->canonical);
    g_free(source);
}

/** A source that owns `text` [length], which is checked to be text. */
static scree_source *take_text(scree_config *config, char *text, size_t length, const char *name,
                               const char *dir, GError **error)
{
    const char *end;
    g_autoptr(scree_source) source = g_new0(scree_source, 1);
    source->text = text;
    source->name = g_string_chunk_insert_const(config->names, name);
    source->dir = g_string_chunk_insert_const(config->names, dir);
    if (!g_utf8_validate_len(text, length, &end)) {
        int line = 1;
        for (const char *c = text; c < end; c++)
            line += *c == '\n';
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                    "%s:%d: expected UTF-8 text, got byte 0x%02x", name, line,
                    (unsigned)(unsigned char)*end);
        return NULL;
    }
    if (g_str_has_prefix(text, "\xef\xbb\xbf"))
        memset(text, ' ', 3); /* byte-order mark of some editors */
    return g_steal_pointer(&source);
}

scree_source *scree_source_text(scree_config *config, const char *text, const char *name,
                                const char *dir)
{
    g_autoptr(GError) error = NULL;
    const size_t length = strlen(text);
    scree_source *source = take_text(config, g_strndup(text, length), length, name, dir, &error);
    if (!source)
        scree_message_add(config->problems, g_strdup(error->message));
    return source;
}

static char *read_all(const char *path, size_t *length, GError **error)
{
    g_autofree char *bad = scree_plain_refuse_name(path);
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    char *text = bad ? NULL : scree_paths_read(path, path, MAX_FILE_BYTES, length, problems);
    if (!text)
        scree_fail(error, SCREE_EXIT_USAGE, "cannot read %s",
                   bad ? bad : (const char *)problems->pdata[0]);
    return text;
}

static char *take_stored(const scree_config *config, const char *path, size_t *length,
                         GError **error)
{
    const char *text = g_hash_table_lookup(config->stored, path);
    if (!text) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "the text of %s was not kept", path);
        return NULL;
    }
    *length = strlen(text);
    return g_strdup(text);
}

scree_source *scree_source_read(scree_config *config, const char *path, GError **error)
{
    size_t length;
    g_autofree char *dir = g_path_get_dirname(path);
    g_autofree char *absolute = g_canonicalize_filename(path, NULL);
    char *text = config->stored ? take_stored(config, absolute, &length, error)
                                : read_all(path, &length, error);
    if (!text)
        return NULL;
    scree_source *source = take_text(config, text, length, path, dir, error);
    if (!source)
        return NULL;
    // A kept text replaces its file, which may be gone. strdup: malloc, as realpath does.
    source->canonical = config->stored ? strdup(absolute) : realpath(path, NULL);
    g_string_append_printf(config->text, "# file %s\n", path);
    g_ptr_array_add(config->parts->paths, g_steal_pointer(&absolute));
    g_ptr_array_add(config->parts->texts, g_strdup(text));
    g_string_append_len(config->text, text, (gssize)length);
    if (length > 0 && text[length - 1] != '\n')
        g_string_append_c(config->text, '\n');
    return source;
}

/** The line around an offset, and a caret below it: two indented lines. */
static char *excerpt(const scree_source *source, size_t offset)
{
    const char *text = source->text, *start = text + offset, *end = start;
    while (start > text && start[-1] != '\n' && text + offset - start < 100)
        start--;
    while ((*start & 0xc0) == 0x80) /* inside a character */
        start++;
    while (*end && *end != '\n' && *end != '\r' && end - start < 120)
        end++;
    while ((*end & 0xc0) == 0x80)
        end++;
    g_autofree char *line = g_strndup(start, (size_t)(end - start));
    g_strdelimit(line, "\t\r", ' ');
    const glong column = g_utf8_strlen(start, text + offset - start);
    return g_strdup_printf("    %s\n    %*s^", line, (int)column, "");
}

void scree_token_problem(scree_config *config, const scree_token *token, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *shown = excerpt(token->source, token->offset);
    char *problem =
        token->line > 0
            ? g_strdup_printf("%s:%d: %s\n%s", token->source->name, token->line, what, shown)
            : g_strdup_printf("%s: %s\n%s", token->source->name, what, shown);
    scree_message_add(config->problems, problem);
}
