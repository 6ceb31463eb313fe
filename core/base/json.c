/* SPDX-License-Identifier: Apache-2.0 */
/* Reads JSON; writes it: objects, arrays, strings, numbers; the text is valid whatever the values are.
 *
 * json-glib, which reads JSON here, cannot write it: measured with 1.6.6, it has no unsigned number
 * (UINT64_MAX becomes -1), writes NaN as nan.0 and 1e100 as 1e+100.0, which is not JSON, and copies
 * bytes that are not UTF-8. It also needs the whole document as a tree first.
 */
#include "base/json.h"

#include <inttypes.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/escape.h"

scree_json *scree_json_new(void)
{
    scree_json *json = g_new0(scree_json, 1);
    json->text = g_string_new(NULL);
    json->first = true;
    return json;
}

void scree_json_free(scree_json *json)
{
    if (!json)
        return;
    g_string_free(json->text, TRUE);
    g_free(json);
}

static void begin_line(scree_json *json)
{
    g_string_append_c(json->text, '\n');
    for (unsigned i = 0; i < json->depth; i++)
        g_string_append(json->text, "  ");
}

static void append_string(GString *text, const char *value)
{
    g_autofree char *valid = g_utf8_make_valid(value, -1);
    g_string_append_c(text, '"');
    for (const char *c = valid; *c; c = g_utf8_next_char(c)) {
        gunichar letter = g_utf8_get_char(c);
        if (letter == '"' || letter == '\\')
            g_string_append_printf(text, "\\%c", (char)letter);
        else if (letter == '\n')
            g_string_append(text, "\\n");
        else if (scree_plain_is_control(letter))
            g_string_append_printf(text, "\\u%04x", letter);
        else
            g_string_append_unichar(text, letter);
    }
    g_string_append_c(text, '"');
}

/** Appends the comma, the line break and the key before a value. */
static void begin_value(scree_json *json, const char *key)
{
    if (!json->first)
        g_string_append_c(json->text, ',');
    if (json->depth > 0)
        begin_line(json);
    json->first = false;
    if (!key)
        return;
    append_string(json->text, key);
    g_string_append(json->text, ": ");
}

static void open_level(scree_json *json, const char *key, char bracket)
{
    begin_value(json, key);
    g_string_append_c(json->text, bracket);
    json->depth++;
    json->first = true;
}

static void close_level(scree_json *json, char bracket)
{
    g_assert(json->depth > 0);
    json->depth--;
    if (!json->first)
        begin_line(json);
    g_string_append_c(json->text, bracket);
    json->first = false;
}

void scree_json_open_object(scree_json *json, const char *key)
{
    open_level(json, key, '{');
}

void scree_json_close_object(scree_json *json)
{
    close_level(json, '}');
}

void scree_json_open_array(scree_json *json, const char *key)
{
    open_level(json, key, '[');
}

void scree_json_close_array(scree_json *json)
{
    close_level(json, ']');
}

void scree_json_string(scree_json *json, const char *key, const char *value)
{
    if (!value) {
        scree_json_null(json, key);
        return;
    }
    begin_value(json, key);
    append_string(json->text, value);
}

void scree_json_real(scree_json *json, const char *key, double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    if (!isfinite(value)) {
        scree_json_null(json, key);
        return;
    }
    begin_value(json, key);
    g_string_append(json->text, g_ascii_formatd(buffer, sizeof buffer, "%.17g", value));
}

void scree_json_int(scree_json *json, const char *key, int64_t value)
{
    begin_value(json, key);
    g_string_append_printf(json->text, "%" PRId64, value);
}

void scree_json_uint(scree_json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    g_string_append_printf(json->text, "%" PRIu64, value);
}

void scree_json_bool(scree_json *json, const char *key, bool value)
{
    begin_value(json, key);
    g_string_append(json->text, value ? "true" : "false");
}

void scree_json_null(scree_json *json, const char *key)
{
    begin_value(json, key);
    g_string_append(json->text, "null");
}

const char *scree_json_text(scree_json *json)
{
    g_assert(json->depth == 0);
    if (!g_str_has_suffix(json->text->str, "\n"))
        g_string_append_c(json->text, '\n');
    return json->text->str;
}

/* Reading. */

/** Depth of nested brackets outside of texts. json-glib recurses at each. */
static uint64_t nesting(const char *text, size_t n)
{
    uint64_t depth = 0, most = 0;
    bool quoted = false;
    for (size_t i = 0; i < n; i++) {
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && (text[i] == '[' || text[i] == '{'))
            depth++;
        else if (!quoted && (text[i] == ']' || text[i] == '}') && depth)
            depth--;
        most = MAX(most, depth);
    }
    return most;
}

JsonNode *scree_json_read(const char *text, size_t n, GError **error)
{
    enum { DEEPEST = 16 };
    g_autoptr(GError) inner = NULL;
    g_autoptr(JsonParser) parser = json_parser_new();
    const uint64_t depth = nesting(text, n);
    JsonNode *root = NULL;
    if (depth > DEEPEST)
        scree_fail(error, SCREE_EXIT_USAGE, "expected at most %d nested brackets, got %" PRIu64,
                   DEEPEST, depth);
    else if (!g_utf8_validate(text, (gssize)n, NULL))
        scree_fail(error, SCREE_EXIT_USAGE, "expected text in UTF-8");
    else if (!json_parser_load_from_data(parser, text, (gssize)n, &inner))
        scree_fail(error, SCREE_EXIT_USAGE, "line %s",
                   inner->message + strlen("<data>:")); // "<data>:LINE:COLUMN: Parse error: .."
    else if (!(root = json_parser_steal_root(parser)))
        scree_fail(error, SCREE_EXIT_USAGE, "expected JSON, got none");
    return root;
}
