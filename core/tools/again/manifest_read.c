/* SPDX-License-Identifier: Apache-2.0 */
/* Reads manifest.json of a run, and compares a repeated run with it. */
#include "tools/again/manifest_read.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "base/json.h"
#include "base/say.h"
#include "build_config.h"
#include "config/config.h"
#include "run/checkpoint.h"

#define NOT_ONE "%s is not the manifest of a run, manifest.json of its folder: "

/** The reader and its first mistake. */
typedef struct json_place {
    JsonReader *reader;
    char *wrong;
} json_place;

static void wrong(json_place *at, const char *key, const char *expected)
{
    if (!at->wrong)
        at->wrong = g_strdup_printf("expected the key %s with %s", key, expected);
}

/** Reads a text; new string. */
static char *read_text(json_place *at, const char *key)
{
    char *text = NULL;
    if (json_reader_read_member(at->reader, key) && json_reader_is_value(at->reader))
        text = g_strdup(json_reader_get_string_value(at->reader));
    json_reader_end_member(at->reader);
    if (!text)
        wrong(at, key, "a text");
    return text;
}

static uint64_t read_count(json_place *at, const char *key)
{
    int64_t value = -1;
    if (json_reader_read_member(at->reader, key) && json_reader_is_value(at->reader) &&
        json_node_get_value_type(json_reader_get_value(at->reader)) == G_TYPE_INT64)
        value = json_reader_get_int_value(at->reader);
    json_reader_end_member(at->reader);
    if (value < 0)
        wrong(at, key, "a whole number of 0 or more");
    return value < 0 ? 0 : (uint64_t)value;
}

typedef void (*element_fn)(json_place *at, void *user);

static void read_list(json_place *at, const char *key, element_fn take, void *user)
{
    bool list = json_reader_read_member(at->reader, key) && json_reader_is_array(at->reader);
    int n = list ? json_reader_count_elements(at->reader) : 0;
    if (!list)
        wrong(at, key, "a list");
    for (int i = 0; i < n && !at->wrong; i++) {
        if (json_reader_read_element(at->reader, (guint)i) && json_reader_is_object(at->reader))
            take(at, user);
        else
            wrong(at, key, "a list of objects");
        json_reader_end_element(at->reader);
    }
    json_reader_end_member(at->reader);
}

static void take_plugin(json_place *at, void *user)
{
    scree_saved_plugin one = {.slot = read_text(at, "slot"),
                              .kind = read_text(at, "kind"),
                              .id = read_text(at, "id"),
                              .version = read_text(at, "version"),
                              .path = read_text(at, "path"),
                              .sha256 = read_text(at, "sha256"),
                              .cpu_level = read_text(at, "cpu_level")};
    g_array_append_val(user, one);
}

static void take_file(json_place *at, void *user)
{
    scree_stored_scene *scene = user;
    g_ptr_array_add(scene->paths, read_text(at, "path"));
    g_ptr_array_add(scene->texts, read_text(at, "text"));
}

static void take_override(json_place *at, void *user)
{
    scree_stored_scene *scene = user;
    g_ptr_array_add(scene->dirs, read_text(at, "folder"));
    g_ptr_array_add(scene->overrides, read_text(at, "assignment"));
}

static void read_restart(json_place *at, scree_run_manifest *m)
{
    bool there = json_reader_read_member(at->reader, "restart");
    if (there && json_reader_is_object(at->reader)) {
        m->restart = read_text(at, "path");
        m->restart_sha256 = read_text(at, "state_sha256");
    } else if (!there || !json_reader_get_null_value(at->reader)) {
        wrong(at, "restart", "an object or null");
    }
    json_reader_end_member(at->reader);
}

static void read_all(json_place *at, scree_run_manifest *m)
{
    m->host = read_text(at, "scree");
    m->compiler = read_text(at, "compiler");
    m->flags = read_text(at, "flags");
    m->cpu_level = read_text(at, "cpu_level");
    m->threads = read_count(at, "threads");
    m->steps = read_count(at, "steps");
    m->state_sha256 = read_text(at, "state_sha256");
    read_restart(at, m);
    read_list(at, "plugins", take_plugin, m->plugins);
    if (json_reader_read_member(at->reader, "scene") && json_reader_is_object(at->reader)) {
        m->scene->name = read_text(at, "name");
        read_list(at, "files", take_file, m->scene);
        read_list(at, "overrides", take_override, m->scene);
    } else {
        wrong(at, "scene", "an object");
    }
    json_reader_end_member(at->reader);
}

/** Parses the text of the file. */
static JsonNode *load(const char *path, GError **error)
{
    enum { LARGEST = 1 << 28 };
    g_autoptr(GError) inner = NULL;
    g_autofree char *text = NULL;
    size_t n;
    GStatBuf status;
    JsonNode *root = NULL;
    bool there = g_stat(path, &status) == 0;
    if (there && !S_ISREG(status.st_mode))
        scree_fail(error, SCREE_EXIT_USAGE, NOT_ONE "expected a file", path);
    else if (there && status.st_size > LARGEST)
        scree_fail(error, SCREE_EXIT_USAGE, NOT_ONE "expected at most %d bytes, got %" PRId64, path,
                   LARGEST, (int64_t)status.st_size);
    else if (!g_file_get_contents(path, &text, &n, &inner))
        scree_fail(error, SCREE_EXIT_USAGE, "cannot read %s: %s", path,
                   there ? inner->message : "the file is missing");
    else if (!(root = scree_json_read(text, n, &inner)))
        scree_fail(error, SCREE_EXIT_USAGE, NOT_ONE "%s", path, inner->message);
    return root;
}

scree_run_manifest *scree_run_manifest_read(const char *path, GError **error)
{
    g_autoptr(JsonNode) root = load(path, error);
    if (!root)
        return NULL;
    g_autoptr(scree_run_manifest) m = g_new0(scree_run_manifest, 1);
    g_autoptr(JsonReader) reader = json_reader_new(root);
    json_place at = {reader, NULL};
    m->scene = scree_stored_scene_new();
    m->plugins = scree_saved_plugins_new();
    if (json_reader_is_object(reader))
        read_all(&at, m);
    else
        at.wrong = g_strdup("expected an object");
    if (!at.wrong)
        return g_steal_pointer(&m);
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, NOT_ONE "%s", path, at.wrong);
    g_free(at.wrong);
    return NULL;
}

void scree_run_manifest_free(scree_run_manifest *m)
{
    if (!m)
        return;
    char *texts[] = {m->restart, m->restart_sha256, m->host,        m->compiler,
                     m->flags,   m->cpu_level,      m->state_sha256};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    scree_stored_scene_free(m->scene);
    g_array_unref(m->plugins);
    g_free(m);
}

static void compare_text(const char *what, const char *before, const char *now)
{
    if (strcmp(before, now))
        scree_say(SCREE_SAY_NEWS, "differs from the manifest: %s: expected %s, got %s", what,
                  before, now);
}

/** The plugin of the list with the kind, id and slot of `one`; NULL: none. */
static const scree_saved_plugin *find_plugin(const GArray *list, const scree_saved_plugin *one)
{
    for (guint k = 0; k < list->len; k++) {
        const scree_saved_plugin *other = &g_array_index(list, scree_saved_plugin, k);
        if (!strcmp(other->kind, one->kind) && !strcmp(other->id, one->id) &&
            !strcmp(other->slot, one->slot))
            return other;
    }
    return NULL;
}

/** Names the plugins of `a` that `b` lacks: a swap may bring or take them. */
static void say_missing(const GArray *a, const GArray *b, const char *has, const char *lacks)
{
    for (guint k = 0; k < a->len; k++) {
        const scree_saved_plugin *one = &g_array_index(a, scree_saved_plugin, k);
        if (!find_plugin(b, one))
            scree_say(SCREE_SAY_NEWS, "%s with %s/%s (%s), %s without it", has, one->kind, one->id,
                      one->slot, lacks);
    }
}

void scree_run_manifest_say_differences(const scree_run_manifest *m, const scree_sim *sim,
                                        const scree_observers *observers)
{
    g_autoptr(GArray) now = scree_run_plugins(sim, observers);
    for (guint i = 0; i < m->plugins->len; i++) {
        const scree_saved_plugin *a = &g_array_index(m->plugins, scree_saved_plugin, i);
        const scree_saved_plugin *b = find_plugin(now, a);
        g_autofree char *what = g_strdup_printf("%s/%s (%s)", a->kind, a->id, a->slot);
        if (b)
            compare_text(what, a->sha256, b->sha256);
    }
    say_missing(m->plugins, now, "the manifest's run ended", "this run begins");
    say_missing(now, m->plugins, "this run begins", "the manifest's run ended");
    compare_text("scree", m->host, SCREE_VERSION);
    compare_text("compiler", m->compiler, SCREE_COMPILER);
    compare_text("flags", m->flags, SCREE_FLAGS);
    compare_text("cpu_level", m->cpu_level, sim->kernels->level);
}

bool scree_run_manifest_check_start(const scree_run_manifest *m, const scree_checkpoint *from,
                                    GError **error)
{
    return !strcmp(from->state_sha256, m->restart_sha256) ||
           scree_fail(error, SCREE_EXIT_RUN,
                      "%s: expected the state that the repeated run continued from, %s, got %s",
                      m->restart, m->restart_sha256, from->state_sha256);
}

bool scree_run_manifest_check_state(const scree_run_manifest *m, const char *state_sha256,
                                    GError **error)
{
    if (strcmp(m->state_sha256, state_sha256))
        return scree_fail(error, SCREE_EXIT_RUN,
                          "it does not repeat: expected state_sha256 %s as in the manifest, got %s",
                          m->state_sha256, state_sha256);
    scree_say(SCREE_SAY_NEWS, "it repeats: state_sha256 %s", state_sha256);
    return true;
}
