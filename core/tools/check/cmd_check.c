/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: tries the plugins of a file, case by case, and says how to install it. */
#include "tools/check/cmd_check.h"

#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "base/json.h"
#include "cli/cmd.h"
#include "plugin/kinds.h"
#include "plugin/offer.h"
#include "plugin/registry.h"
#include "tools/check/check.h"
#include "tools/check/check_cases.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"

typedef struct checking {
    gboolean as_json;
    char *case_id; // the only case to run; NULL: all
    char *plugin;  // ID or KIND/ID of the only plugin to check; NULL: all
    char **settings;
    char *solid_id; // value of --solid; NULL: none
    const scree_plugin *solid;
    scree_registry *registry;
    const scree_file *file;
    scree_json *json;
    uint32_t counts[3]; /* counts by outcome */
    uint32_t n_found;   /* number of cases that were run */
    uint32_t threads;   /* that the file has started when it was loaded */
} checking;

static void put_lines(const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++)
        if (**line)
            printf("        %s\n", *line);
}

static void print_verdict(const scree_check_verdict *verdict, void *user)
{
    static const char *const words[] = {"ok", "not ok", "skip"};
    checking *c = user;
    c->counts[verdict->outcome]++;
    if (!c->as_json) {
        printf("%-7s %s: %s\n", words[verdict->outcome], verdict->id, verdict->claim);
        put_lines(verdict->text);
        fflush(stdout);
        return;
    }
    scree_json_open_object(c->json, NULL);
    scree_json_string(c->json, "id", verdict->id);
    scree_json_string(c->json, "claim", verdict->claim);
    scree_json_string(c->json, "verdict", words[verdict->outcome]);
    scree_json_string(c->json, "text", *verdict->text ? verdict->text : NULL);
    scree_json_real(c->json, "seconds", verdict->seconds);
    scree_json_close_object(c->json);
}

static void open_plugin(checking *c, const scree_plugin *plugin)
{
    const char *kind = scree_kind_name(plugin->kind);
    if (!c->as_json) {
        printf("%s/%s %s, %s build: %s\n", kind ? kind : "?", plugin->id, plugin->version,
               c->file->cpu_level, c->file->path);
        return;
    }
    scree_json_open_object(c->json, NULL);
    scree_json_string(c->json, "kind", kind);
    scree_json_string(c->json, "id", plugin->id);
    scree_json_string(c->json, "version", plugin->version);
    scree_json_string(c->json, "licence", plugin->licence);
    scree_json_string(c->json, "citation", plugin->citation);
    scree_json_open_array(c->json, "cases");
}

static void close_plugin(checking *c)
{
    if (!c->as_json)
        return;
    scree_json_close_array(c->json);
    scree_json_close_object(c->json);
}

/** Fails a plugin that the host leaves out. */
static void check_left_out(checking *c, const scree_offer *offer)
{
    open_plugin(c,
                &(scree_plugin){.kind = offer->kind, .id = offer->id, .version = offer->version});
    print_verdict(&(scree_check_verdict){.id = (char *)"loads",
                                         .claim = "the host serves the plugin",
                                         .text = offer->left_out,
                                         .outcome = SCREE_CHECK_FAILED},
                  c);
    close_plugin(c);
    c->n_found++;
}

static bool check_plugin(checking *c, const scree_plugin *plugin, GError **error)
{
    g_autoptr(GPtrArray) settings =
        scree_check_own_settings((const char *const *)c->settings, plugin);
    scree_check subject = {.plugin = plugin,
                           .file = c->file,
                           .registry = c->registry,
                           .settings = (const char *const *)settings->pdata,
                           .given = (const char *const *)c->settings,
                           .solid = c->solid,
                           .threads = c->threads};
    if (settings->len > 1 && !scree_check_settings(&subject, error))
        return false;
    open_plugin(c, plugin);
    g_autoptr(GPtrArray) verdicts = scree_check_run(&subject, c->case_id, print_verdict, c, error);
    close_plugin(c);
    c->n_found += verdicts ? verdicts->len : 0;
    return verdicts != NULL;
}

static bool is_wanted(const checking *c, uint32_t kind, const char *id)
{
    g_autofree char *name = g_strdup_printf("%s/%s", scree_kind_name(kind), id);
    return !c->plugin || strcmp(c->plugin, id) == 0 || strcmp(c->plugin, name) == 0;
}

/** The command that installs the file for this user. New string. */
static char *install_line(const char *path)
{
    g_autofree char *quoted = g_shell_quote(path);
    return g_strdup_printf("scree install %s", quoted);
}

static void put_end(checking *c, const char *path)
{
    bool good = c->counts[SCREE_CHECK_FAILED] == 0;
    g_autofree char *install = good && !c->case_id && !c->plugin ? install_line(path) : NULL;
    if (c->as_json) {
        scree_json_close_array(c->json);
        scree_json_uint(c->json, "ok", c->counts[SCREE_CHECK_OK]);
        scree_json_uint(c->json, "failed", c->counts[SCREE_CHECK_FAILED]);
        scree_json_uint(c->json, "skipped", c->counts[SCREE_CHECK_SKIPPED]);
        scree_json_string(c->json, "install", install);
        scree_json_close_object(c->json);
        fputs(scree_json_text(c->json), stdout);
        return;
    }
    printf("\n%u ok, %u failed, %u skipped\n", c->counts[SCREE_CHECK_OK],
           c->counts[SCREE_CHECK_FAILED], c->counts[SCREE_CHECK_SKIPPED]);
    if (install)
        printf("To install it for yourself:\n    %s\n", install);
}

/** Reports a file that the host refuses. */
static int put_refusal(checking *c, const char *path, const GError *error)
{
    if (error->domain != SCREE_ERROR || error->code != SCREE_EXIT_PLUGIN)
        return scree_cmd_fail(error);
    if (!c->as_json) {
        printf("not ok  loads: the host takes the file\n        %s\n", error->message);
        return SCREE_EXIT_PLUGIN;
    }
    scree_json_string(c->json, "file", path);
    scree_json_string(c->json, "refused", error->message);
    scree_json_close_object(c->json);
    fputs(scree_json_text(c->json), stdout);
    return SCREE_EXIT_PLUGIN;
}

/** Loads the host's own plugins for the scenes of the check, once for all children. */
static bool load_own(scree_registry *registry, GError **error)
{
    static const struct {
        uint32_t kind;
        const char *id;
    } own[] = {{SCREE_KIND_GCD, "grid"},
               {SCREE_KIND_RESOLVER, "sphere"},
               {SCREE_KIND_INTEGRATOR, "velocity_verlet"}};
    for (size_t i = 0; i < G_N_ELEMENTS(own); i++)
        if (!scree_registry_get(registry, own[i].kind, own[i].id, NULL, error))
            return false;
    return true;
}

/** The installed shape with which a resolver is tested. */
static bool find_solid(checking *c, GError **error)
{
    const uint32_t others = SCREE_CAP_ROUND | SCREE_CAP_BALLS | SCREE_CAP_WALL | SCREE_CAP_INFINITE;
    c->solid = scree_registry_get(c->registry, SCREE_KIND_SHAPE, c->solid_id, NULL, error);
    if (!c->solid)
        return false;
    return !(c->solid->flags & others) ||
           scree_fail(error, SCREE_EXIT_USAGE,
                      "--solid %s: expected a shape whose bodies are solids, got balls, clumps or "
                      "walls",
                      c->solid_id);
}

static int check_file(checking *c, const char *path)
{
    g_autoptr(GError) error = NULL;
    c->json = scree_json_new();
    scree_json_open_object(c->json, NULL);
    const uint32_t before = scree_check_entries("/proc/self/task");
    c->file = scree_registry_load(c->registry, path, &error);
    if (!c->file)
        return put_refusal(c, path, error);
    c->threads = scree_check_entries("/proc/self/task") - before;
    scree_registry_give(c->registry, c->file);
    if (!load_own(c->registry, &error))
        return scree_cmd_fail(error);
    const scree_manifest *manifest = c->file->manifest;
    uint32_t n_wanted = 0;
    if (c->solid_id && !find_solid(c, &error))
        return scree_cmd_fail(error);
    for (char **s = c->settings; s && *s; s++) {
        bool known = c->solid && scree_check_has_param(c->solid, *s);
        for (uint32_t k = 0; k < manifest->n_plugins; k++)
            known = known || scree_check_has_param(manifest->plugins[k], *s);
        if (!known)
            return scree_cmd_usage("check", "--set %s: no plugin of the %s has this parameter", *s,
                                   c->solid ? "file, nor the solid," : "file");
    }
    scree_json_string(c->json, "file", c->file->path);
    scree_json_string(c->json, "sha256", c->file->sha256);
    scree_json_string(c->json, "cpu_level", c->file->cpu_level);
    scree_json_open_array(c->json, "plugins");
    for (guint k = 0; k < c->file->left_out->len; k++) {
        const scree_offer *offer = c->file->left_out->pdata[k];
        if (!is_wanted(c, offer->kind, offer->id))
            continue;
        check_left_out(c, offer);
        n_wanted++;
    }
    for (uint32_t k = 0; k < manifest->n_plugins; k++) {
        if (!is_wanted(c, manifest->plugins[k]->kind, manifest->plugins[k]->id))
            continue;
        if (!check_plugin(c, manifest->plugins[k], &error))
            return scree_cmd_fail(error);
        n_wanted++;
    }
    if (n_wanted == 0)
        return scree_cmd_usage("check", "--plugin: expected a plugin of the file, got \"%s\"",
                               c->plugin);
    if (c->n_found == 0)
        return scree_cmd_usage("check", "--case: expected a case of the plugin, got \"%s\"",
                               c->case_id);
    put_end(c, path);
    return c->counts[SCREE_CHECK_FAILED] ? SCREE_EXIT_PLUGIN : SCREE_EXIT_OK;
}

int scree_cmd_check(int argc, char **argv)
{
    checking c = {0};
    const GOptionEntry entries[] = {
        {"case", 0, 0, G_OPTION_ARG_FILENAME, &c.case_id, "Run only this case", "ID"},
        {"plugin", 0, 0, G_OPTION_ARG_STRING, &c.plugin,
         "Check only this plugin of the file: ID or KIND/ID", "NAME"},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &c.settings,
         "Give a parameter another value than its default (may be repeated)", "NAME=VALUE"},
        {"solid", 0, 0, G_OPTION_ARG_STRING, &c.solid_id,
         "Try resolvers with bodies of this installed shape", "SHAPE"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &c.as_json, "Print one JSON object", NULL},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!scree_cmd_parse(&argc, &argv, entries, "FILE.so",
                         "Checks the plugins of a file against the rules for every plugin, then "
                         "against those of its kind, each\ncase in a process of its own. The exit "
                         "status is 3 when a case fails.",
                         &status))
        return status;
    if (argc != 2)
        return scree_cmd_operands("check", "FILE.so", argc - 1);
    if (!g_file_test(argv[1], G_FILE_TEST_EXISTS))
        return scree_cmd_usage(
            "check",
            "%s: no such file; expected the path of a plugin file; scree plugins "
            "KIND/ID prints that of an installed plugin",
            argv[1]);
    c.registry = scree_cmd_registry_new();
    status = check_file(&c, argv[1]);
    scree_registry_free(c.registry);
    scree_json_free(c.json);
    g_strfreev(c.settings);
    g_free(c.case_id);
    g_free(c.plugin);
    g_free(c.solid_id);
    return status;
}
