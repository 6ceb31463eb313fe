/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: tries the plugins of a file, case by case, and says how to install it. */
#include "tools/check/cmd_check.h"

#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/cpu.h"
#include "base/json.h"
#include "cli/cmd.h"
#include "plugin/kinds.h"
#include "plugin/loader.h"
#include "plugin/registry.h"
#include "plugin/trial.h"
#include "scene/scene.h"
#include "scree/draft/domain.h"
#include "tools/check/check.h"
#include "tools/check/check_cases.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/solid_numbers.h"

enum { DEFAULT_STEPS = 60, MOST_STEPS = 100000, UNSET = INT_MIN };

typedef struct checking {
    gboolean as_json, isotropic;
    char *case_id; // the only case to run; NULL: all
    char *plugin;  // ID or KIND/ID of the only plugin to check; NULL: all
    char **settings;
    char *scene;      // value of --scene; NULL: made-up scenes
    const char *path; // name or absolute path of this scene
    int steps;        // value of --steps
    char *idle;       // value of --idle; NULL: none
    char *launcher;   // value of --launcher; NULL: none
    char *as_rank;    // value of --as-rank; NULL: none
    char *solid_id;   // value of --solid; NULL: none
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
                           .scene = c->path,
                           .steps = (uint32_t)c->steps,
                           .threads = c->threads,
                           .isotropic = c->isotropic,
                           .idle = c->idle,
                           .launcher = c->launcher,
                           .as_rank = c->as_rank};
    if (settings->len > 1 && !scree_check_settings(&subject, error))
        return false;
    if (c->as_rank)
        scree_check_be_rank(&subject, c->case_id);
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

/** Prints the sums, and for a file that is good how to install it; path NULL: of a scene. */
static void put_end(checking *c, const char *path)
{
    bool good = c->counts[SCREE_CHECK_FAILED] == 0;
    const bool whole = path && !c->case_id && !c->plugin;
    g_autofree char *install = good && whole ? install_line(path) : NULL;
    if (c->as_json) {
        scree_json_close_array(c->json);
        scree_json_uint(c->json, "ok", c->counts[SCREE_CHECK_OK]);
        scree_json_uint(c->json, "failed", c->counts[SCREE_CHECK_FAILED]);
        scree_json_uint(c->json, "skipped", c->counts[SCREE_CHECK_SKIPPED]);
        if (path)
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

/** The name or the absolute path of a scene: cases run in other folders. New string. */
static char *find_scene(const char *name)
{
    return g_file_test(name, G_FILE_TEST_EXISTS) ? g_canonicalize_filename(name, NULL)
                                                 : g_strdup(name);
}

/** Whether the scene can be read; otherwise the status, and the error was printed. */
static int read_scene(const checking *c, const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_scene) scene =
        scree_scene_load(path, (const char *const[]){NULL}, c->registry, &error);
    return scene ? SCREE_EXIT_OK : scree_cmd_fail(error);
}

/** Runs the routes of a scene, without a plugin to blame. */
static int check_scene(checking *c, const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = find_scene(name);
    const int status = read_scene(c, path);
    if (status != SCREE_EXIT_OK)
        return status;
    const scree_check subject = {
        .registry = c->registry, .scene = path, .steps = (uint32_t)c->steps};
    c->json = scree_json_new();
    scree_json_open_object(c->json, NULL);
    scree_json_string(c->json, "scene", path);
    scree_json_uint(c->json, "steps", (uint64_t)c->steps);
    scree_json_open_array(c->json, "cases");
    if (!c->as_json)
        printf("%s, %d steps\n", name, c->steps);
    g_autoptr(GPtrArray) verdicts = scree_check_run(&subject, c->case_id, print_verdict, c, &error);
    if (!verdicts)
        return scree_cmd_fail(error);
    if (!verdicts->len)
        return scree_cmd_usage("check", "--case: expected a case of a scene, got \"%s\"",
                               c->case_id);
    put_end(c, NULL);
    return c->counts[SCREE_CHECK_FAILED] ? SCREE_EXIT_RUN : SCREE_EXIT_OK;
}

static int check_file(checking *c, const char *path)
{
    g_autoptr(GError) error = NULL;
    c->json = scree_json_new();
    scree_json_open_object(c->json, NULL);
    const uint32_t before = scree_check_entries("/proc/self/task");
    c->file = scree_file_load(path, c->registry->trusted, &error);
    if (!c->file)
        return put_refusal(c, path, error);
    c->threads = scree_check_entries("/proc/self/task") - before;
    scree_registry_give(c->registry, c->file, true);
    if (!load_own(c->registry, &error))
        return scree_cmd_fail(error);
    const scree_manifest *manifest = c->file->manifest;
    uint32_t n_wanted = 0;
    if (c->solid_id && !find_solid(c, &error))
        return scree_cmd_fail(error);
    g_autofree char *scene = c->scene ? find_scene(c->scene) : NULL;
    scree_registry_give(c->registry, c->file, true); // load_own may have asked for it
    const int status = scene ? read_scene(c, scene) : SCREE_EXIT_OK;
    if (status != SCREE_EXIT_OK)
        return status;
    if (scene && !scree_registry_asked(c->registry, c->file))
        return scree_cmd_usage("check", "--scene %s: the scene chooses no plugin of %s", c->scene,
                               path);
    c->path = scene;
    for (char **s = c->settings; s && *s; s++) {
        bool known = c->solid && scree_check_has_param(c->solid, *s);
        for (uint32_t k = 0; k < manifest->n_plugins; k++)
            known = known || scree_check_has_param(manifest->plugins[k], *s);
        if (!known)
            return scree_cmd_usage("check", "--set %s: no plugin of the %s has this parameter", *s,
                                   c->solid ? "file, nor the solid," : "file");
    }
    bool domain = !c->launcher;
    for (uint32_t k = 0; k < manifest->n_plugins; k++)
        domain = domain || manifest->plugins[k]->kind == SCREE_DRAFT_KIND_DOMAIN;
    if (!domain)
        return scree_cmd_usage("check", "--launcher: the file has no plugin of kind domain");
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

/** Prints the numbers of solids; frees the settings. */
static int describe_solids(checking *c)
{
    const bool others = c->case_id || c->plugin || c->scene || c->steps != INT_MIN || c->isotropic;
    scree_registry *registry = scree_cmd_registry_new();
    const int status =
        others ? scree_cmd_usage("check", "--solid FILE goes with --set and --json, or with a "
                                          "plugin file")
               : scree_check_solid_numbers(c->solid_id, c->settings, c->as_json, registry);
    scree_registry_free(registry);
    g_strfreev(c->settings);
    g_free(c->solid_id);
    return status;
}

/** Stands for a function of a program that uses libscree: a share of the weight for each free
 * body. */
static int32_t stand_in(void *ctx, const scree_host *host, const scree_forces *args)
{
    const scree_bodies *b = args->bodies;
    (void)ctx;
    (void)host;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->motion[i] == SCREE_MOTION_FREE) {
            const double force = 2e-3 * b->gravity[0] / b->inv_mass[i];
            args->wrench[8 * (size_t)i] += force;
            args->power[i] += force * b->v[0][i];
        }
    return SCREE_OK;
}

/** Refuses options that do not go together; sets the number of steps. */
static int refuse_words(checking *c, const char *path, bool of_scene)
{
    if (c->steps != UNSET && !of_scene && !c->scene)
        return scree_cmd_usage("check", "--steps is for a scene: SCENE.cfg, or --scene SCENE");
    if (c->steps == UNSET)
        c->steps = DEFAULT_STEPS;
    if (c->steps < 1 || c->steps > MOST_STEPS)
        return scree_cmd_usage("check", "--steps: expected 1 to %d, got %d", MOST_STEPS, c->steps);
    if (of_scene && (c->plugin || c->settings || c->solid_id || c->scene || c->isotropic ||
                     c->idle || c->launcher || c->as_rank))
        return scree_cmd_usage("check",
                               "--plugin, --set, --solid, --scene, --isotropic, --idle and "
                               "--launcher are for a plugin file, not for a scene");
    if (c->as_rank && (!c->case_id || !strchr(c->as_rank, ':')))
        return scree_cmd_usage("check", "--as-rank: expected FILE:CALL, and --case");
    if (!of_scene && !g_file_test(path, G_FILE_TEST_EXISTS))
        return scree_cmd_usage(
            "check",
            "%s: no such file; expected the path of a plugin file; scree plugins "
            "KIND/ID prints that of an installed plugin",
            path);
    return SCREE_EXIT_OK;
}

int scree_cmd_check(int argc, char **argv)
{
    static const scree_embed embed = {.size = sizeof embed, .forces = stand_in};
    checking c = {.steps = UNSET};
    scree_context_now->embed = &embed;
    const GOptionEntry entries[] = {
        {"case", 0, 0, G_OPTION_ARG_FILENAME, &c.case_id, "Run only this case", "ID"},
        {"plugin", 0, 0, G_OPTION_ARG_STRING, &c.plugin,
         "Check only this plugin of the file: ID or KIND/ID", "NAME"},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &c.settings,
         "Give a parameter another value than its default (may be repeated)", "NAME=VALUE"},
        {"solid", 0, 0, G_OPTION_ARG_STRING, &c.solid_id,
         "Try resolvers with bodies of this installed shape; without another file: a scene, or a "
         "surface (STL, OBJ), whose solids are described",
         "SHAPE|FILE"},
        {"scene", 0, 0, G_OPTION_ARG_FILENAME, &c.scene,
         "Run this scene, which uses the plugin, where the check would make one up", "SCENE"},
        {"steps", 0, 0, G_OPTION_ARG_INT, &c.steps, "Steps of a run of SCENE (60)", "N"},
        {"isotropic", 0, 0, G_OPTION_ARG_NONE, &c.isotropic,
         "The plugin has no directions but those of its parameters: try it with axes renamed",
         NULL},
        {"idle", 0, 0, G_OPTION_ARG_STRING, &c.idle,
         "The numbers among the parameters that change none of the check's runs, and a modifier's "
         "fields that none changes, \"\" for none",
         "NAME,.."},
        {"launcher", 0, 0, G_OPTION_ARG_STRING, &c.launcher,
         "Start the ranks of a domain by this command, to which a number and a command are added: "
         "'mpirun -n'",
         "COMMAND"},
        {"as-rank", 0, 0, G_OPTION_ARG_FILENAME, &c.as_rank,
         "Be one of these ranks: the check gives the launcher this option", "FILE:CALL"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &c.as_json, "Print one JSON object", NULL},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!scree_cmd_parse(
            &argc, &argv, entries, "FILE.so | SCENE.cfg | --solid FILE",
            "Checks the plugins of a file against the rules for every plugin, then "
            "against those of its kind, each\ncase in a process of its own. The exit "
            "status is 3 when a case fails.\nOr checks that runs of a scene give one state: "
            "again, on lanes, saved and loaded after each step, with\nother numbers of bodies. "
            "The exit status is 1 when they do not.\nOr, with only --solid FILE, prints how "
            "resolvers represent the solids of a scene or a surface: cells, facets, bytes.",
            &status))
        return status;
    if (argc == 1 && c.solid_id)
        return describe_solids(&c);
    if (argc != 2)
        return scree_cmd_operands("check", "FILE.so or SCENE.cfg", argc - 1);
    const bool of_scene = g_str_has_suffix(argv[1], ".cfg");
    status = refuse_words(&c, argv[1], of_scene);
    if (status != SCREE_EXIT_OK)
        return status;
    c.registry = scree_cmd_registry_new();
    status = of_scene ? check_scene(&c, argv[1]) : check_file(&c, argv[1]);
    scree_registry_free(c.registry);
    scree_json_free(c.json);
    g_strfreev(c.settings);
    g_free(c.case_id);
    g_free(c.plugin);
    g_free(c.solid_id);
    g_free(c.scene);
    g_free(c.idle);
    g_free(c.launcher);
    g_free(c.as_rank);
    return status;
}
