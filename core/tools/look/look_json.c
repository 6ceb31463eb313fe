/* SPDX-License-Identifier: Apache-2.0 */
/* The object that `scree validate --json` and `scree query --json` print. */
#include "tools/look/look_json.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"

/* ---- notes, warnings, errors ---- */

static _Thread_local scree_look *hearing; // the call that hears lines, or NULL

/** [s] */
static double thread_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double scree_look_spent(const scree_look *look)
{
    return thread_time() - look->began;
}

void scree_look_begin(scree_look *look, bool json, bool silent)
{
    *look = (scree_look){.json = json ? scree_json_new() : NULL,
                         .silent = silent,
                         .began = thread_time(),
                         .notes = g_ptr_array_new_with_free_func(g_free),
                         .warnings = g_ptr_array_new_with_free_func(g_free),
                         .errors = g_ptr_array_new_with_free_func(g_free)};
    hearing = look;
    scree_say_set(scree_look_say);
    if (json)
        scree_json_open_object(look->json, NULL);
}

void scree_look_say(const char *who, scree_say_level level, const char *text)
{
    const bool own = !strcmp(who, "scree");
    if (!hearing || !hearing->silent)
        scree_say_print(who, level, text);
    if (hearing && (level == SCREE_SAY_NOTE || level == SCREE_SAY_WARNING))
        g_ptr_array_add(level == SCREE_SAY_NOTE ? hearing->notes : hearing->warnings,
                        own ? g_strdup(text) : g_strdup_printf("%s: %s", who, text));
}

int scree_look_fail(scree_look *look, const GError *error)
{
    g_ptr_array_add(look->errors, g_strdup(error->message));
    if (!look->silent)
        fprintf(stderr, "scree: %s\n", error->message);
    return error->domain == SCREE_ERROR ? error->code : SCREE_EXIT_RUN;
}

/** Puts one problem, "FILE:LINE: KEY: message", whose first three parts may be missing
 * (config_problem.c). */
static void put_error(scree_json *json, const GRegex *form, const char *text)
{
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(form, text, 0, &match);
    g_autofree char *file = g_match_info_fetch_named(match, "file"),
                    *line = g_match_info_fetch_named(match, "line"),
                    *key = g_match_info_fetch_named(match, "key"),
                    *message = g_match_info_fetch_named(match, "message");
    scree_json_open_object(json, NULL);
    scree_json_string(json, "file", file && *file ? file : NULL);
    if (line && *line)
        scree_json_int(json, "line", g_ascii_strtoll(line, NULL, 10));
    else
        scree_json_null(json, "line");
    scree_json_string(json, "key", key && *key ? key : NULL);
    scree_json_string(json, "message", message);
    scree_json_close_object(json);
}

/** Puts the errors; one of a scene holds a problem a line, and more lines of it are indented. */
static void put_errors(scree_json *json, const GPtrArray *errors)
{
    g_autoptr(GRegex) form =
        g_regex_new("^(?:(?<file>--set(?=: )|[^\\n]+?(?=:\\d+: )|[^\\n]+?\\.cfg(?=: )):"
                    "(?:(?<line>\\d+):)? (?:(?<key>[\\w*.\\[\\]-]+): )?)?"
                    "(?<message>.*)$",
                    G_REGEX_DOTALL | G_REGEX_OPTIMIZE, 0, NULL);
    scree_json_open_array(json, "errors");
    for (guint k = 0; k < errors->len; k++) {
        g_auto(GStrv) all = g_regex_split_simple("\\n(?! )", errors->pdata[k], 0, 0);
        for (char **one = all; *one; one++)
            put_error(json, form, *one);
    }
    scree_json_close_array(json);
}

static void put_texts(scree_json *json, const char *key, const GPtrArray *texts)
{
    scree_json_open_array(json, key);
    for (guint k = 0; k < texts->len; k++)
        scree_json_string(json, NULL, texts->pdata[k]);
    scree_json_close_array(json);
}

char *scree_look_take(scree_look *look)
{
    char *text = NULL;
    scree_say_set(NULL);
    hearing = NULL;
    if (look->json) {
        put_texts(look->json, "notes", look->notes);
        put_texts(look->json, "warnings", look->warnings);
        put_errors(look->json, look->errors);
        scree_json_close_object(look->json);
        text = g_strdup(scree_json_text(look->json));
        scree_json_free(look->json);
    }
    g_ptr_array_unref(look->notes);
    g_ptr_array_unref(look->warnings);
    g_ptr_array_unref(look->errors);
    return text;
}

int scree_look_end(scree_look *look, int status)
{
    g_autofree char *text = scree_look_take(look);
    if (text)
        fputs(text, stdout);
    return status;
}
