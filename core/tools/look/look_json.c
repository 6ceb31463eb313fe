/* SPDX-License-Identifier: Apache-2.0 */
/* The object that `scree validate --json` and `scree query --json` print. */
#include "tools/look/look_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "change/schedule.h"
#include "cli/cmd.h"
#include "plugin/kinds.h"

/* ---- notes, warnings, errors ---- */

static scree_look *hearing; // the command that hears lines, or NULL
static GMutex lock;         // plugins may speak on any thread

void scree_look_begin(scree_look *look, bool json)
{
    *look = (scree_look){.json = json ? scree_json_new() : NULL,
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
    scree_say_print(who, level, text);
    g_mutex_lock(&lock);
    if (hearing && (level == SCREE_SAY_NOTE || level == SCREE_SAY_WARNING))
        g_ptr_array_add(level == SCREE_SAY_NOTE ? hearing->notes : hearing->warnings,
                        own ? g_strdup(text) : g_strdup_printf("%s: %s", who, text));
    g_mutex_unlock(&lock);
}

int scree_look_fail(scree_look *look, const GError *error)
{
    g_ptr_array_add(look->errors, g_strdup(error->message));
    return scree_cmd_fail(error);
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

int scree_look_end(scree_look *look, int status)
{
    scree_say_set(NULL);
    hearing = NULL;
    if (look->json) {
        put_texts(look->json, "notes", look->notes);
        put_texts(look->json, "warnings", look->warnings);
        put_errors(look->json, look->errors);
        scree_json_close_object(look->json);
        fputs(scree_json_text(look->json), stdout);
        scree_json_free(look->json);
    }
    g_ptr_array_unref(look->notes);
    g_ptr_array_unref(look->warnings);
    g_ptr_array_unref(look->errors);
    return status;
}

/* ---- a scene ---- */

/** Puts { number, min, max } of sizes [m], or null if no body has them. */
static void put_sizes(scree_json *json, const char *key, uint64_t n, double min, double max)
{
    if (!n) {
        scree_json_null(json, key);
        return;
    }
    scree_json_open_object(json, key);
    scree_json_uint(json, "number", n);
    scree_json_real(json, "min", min);
    scree_json_real(json, "max", max);
    scree_json_close_object(json);
}

static void put_bodies(scree_json *json, const scree_scene *s, const scree_census *c)
{
    scree_json_open_object(json, "bodies");
    scree_json_uint(json, "number", s->bodies->len);
    scree_json_uint(json, "free", c->free);
    scree_json_uint(json, "kinematic", c->kinematic);
    scree_json_uint(json, "fixed", c->fixed);
    scree_json_uint(json, "facets", c->facets);
    scree_json_uint(json, "planes", c->planes);
    put_sizes(json, "radii", c->round, c->r_min, c->r_max);
    put_sizes(json, "balls_of_clumps", c->clumps, c->ball_min, c->ball_max);
    put_sizes(json, "half_thickness_of_solids", c->solids, c->thin_min, c->thin_max);
    scree_json_real(json, "solid_fraction", scree_census_solid(s, c));
    scree_json_close_object(json);
}

static void put_plugin(scree_json *json, const scree_choice_of *choice, const char *name)
{
    if (!choice) // an optional observer is not installed
        return;
    scree_json_open_object(json, NULL);
    scree_json_string(json, "kind", scree_kind_name(choice->plugin->kind));
    scree_json_string(json, "id", choice->plugin->id);
    scree_json_string(json, "version", choice->plugin->version);
    scree_json_string(json, "name", name);
    scree_json_close_object(json);
}

static void put_plugins(scree_json *json, const scree_scene *s)
{
    const GPtrArray *lists[] = {s->resolvers, s->forces, s->sources};
    const GPtrArray *timed[] = {s->modifiers, s->observers};
    scree_json_open_array(json, "resolvers");
    for (guint k = 0; k < s->resolvers->len; k++)
        scree_json_string(json, NULL, ((scree_choice_of *)s->resolvers->pdata[k])->plugin->id);
    scree_json_close_array(json);
    scree_json_open_array(json, "plugins");
    put_plugin(json, s->gcd, NULL);
    put_plugin(json, s->integrator, NULL);
    for (size_t l = 0; l < G_N_ELEMENTS(lists); l++)
        for (guint k = 0; k < lists[l]->len; k++)
            put_plugin(json, lists[l]->pdata[k], NULL);
    for (size_t l = 0; l < G_N_ELEMENTS(timed); l++)
        for (guint k = 0; k < timed[l]->len; k++) {
            const scree_timed_choice *one = timed[l]->pdata[k];
            put_plugin(json, one->choice, one->name);
        }
    scree_json_close_array(json);
}

static void put_schedule(scree_json *json, const scree_scene *s)
{
    scree_json_open_array(json, "schedule");
    for (guint k = 0; k < s->schedule->len; k++) {
        const scree_schedule_entry *entry = s->schedule->pdata[k];
        g_autoptr(GString) what = g_string_new(NULL);
        scree_schedule_print(entry, s, what);
        scree_json_open_object(json, NULL);
        scree_json_string(json, "cause", entry->cause);
        scree_json_string(json, "change", what->str);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}

void scree_look_put_scene(scree_json *json, const scree_scene *s, const scree_census *census)
{
    scree_json_string(json, "title", s->title);
    scree_json_string(json, "scene", s->name);
    scree_json_uint(json, "dimension", s->dimension);
    put_bodies(json, s, census);
    scree_json_open_array(json, "materials");
    for (uint32_t i = 0; i < s->materials.n; i++) {
        scree_json_open_object(json, NULL);
        scree_json_string(json, "name", s->materials.names[i]);
        scree_json_real(json, "density", s->density[i]);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
    put_plugins(json, s);
    put_schedule(json, s);
}

/** Puts a critical step and the body that sets it, or null if it is not known. */
static void put_critical(scree_json *json, const char *key, const scree_critical_step *step)
{
    if (!isfinite(step->step)) {
        scree_json_null(json, key);
        return;
    }
    scree_json_open_object(json, key);
    scree_json_real(json, "step", step->step);
    if (step->id == SCREE_ID_NONE) // a body that a modifier makes
        scree_json_null(json, "body");
    else
        scree_json_uint(json, "body", step->id);
    scree_json_close_object(json);
}

void scree_look_put_step(scree_json *json, const scree_scene *s, const scree_critical *c, double dt)
{
    scree_json_open_object(json, "critical");
    put_critical(json, "rayleigh", &c->rayleigh);
    put_critical(json, "spring", &c->spring);
    put_critical(json, "packing", &c->packing);
    scree_json_real(json, "smallest", scree_critical_smallest(c));
    scree_json_close_object(json);
    scree_json_real(json, "dt", dt);
    scree_json_bool(json, "dt_auto", isnan(s->dt));
    scree_json_uint(json, "steps", s->steps);
    scree_json_real(json, "time", (double)s->steps * dt);
}
