// SPDX-License-Identifier: Apache-2.0
// `scree validate`: prints all mistakes of a scene at once, or a description of its run.
#include "tools/look/cmd_validate.h"

#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "cli/cmd.h"
#include "plugin/registry.h"
#include "run/checkpoint.h"
#include "run/h5_module.h"
#include "scene/scene.h"
#include "tools/look/cmd_picture.h"
#include "tools/look/look_scene.h"
#include "tools/look/scene_print.h"
#include "tools/look/silent_mistakes.h"
#include "tools/restart/checkpoint_read.h"
#include "tools/restart/scene_again.h"

/** Whether --picture names a PNG file. */
static bool is_png(const char *path, int *status)
{
    if (g_str_has_suffix(path, ".png") && !g_str_has_suffix(path, "/.png") && strlen(path) > 4)
        return true;
    *status = scree_cmd_usage("validate", "--picture: expected the name of a .png file, got \"%s\"",
                              path);
    return false;
}

static int draw_start(const char *name, char **overrides, const char *picture, scree_look *look)
{
    g_autoptr(GError) error = NULL;
    if (!scree_cmd_picture(name, overrides, picture, &error))
        return scree_look_fail(look, error);
    return SCREE_EXIT_OK;
}

static int validate(const char *name, char **given, const scree_look_from *from, bool print,
                    bool timed, scree_look *look)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    const char *const *overrides = (const char *const *)given;
    g_autoptr(scree_scene) s =
        name ? scree_scene_load(name, overrides, registry, &error)
             : scree_stored_scene_load(from->checkpoint->scene, overrides, registry, &error);
    if (!s || (from->checkpoint && !scree_restart_say_differences(from->checkpoint, s, &error)))
        return scree_look_fail(look, error);
    scree_note_silent_mistakes(s);
    scree_look_notes(s, 0);
    if (!print)
        return scree_look_describe(g_steal_pointer(&s), from, timed, look);
    g_autofree char *text = scree_scene_print(s);
    fputs(text, stdout);
    return SCREE_EXIT_OK;
}

/** Prints the scene with each set of overrides of a file: texts that end with NUL, an empty one
 * after each set. An empty line ends each scene; no scene has one. */
static int print_each(const char *name, char **given, const char *file, scree_look *look)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *sets = NULL;
    g_autoptr(GPtrArray) set = g_ptr_array_new(); // elements are borrowed
    gsize n_bytes = 0;
    for (char **one = given; one && *one; one++)
        g_ptr_array_add(set, *one);
    const guint n_given = set->len;
    if (!g_file_get_contents(file, &sets, &n_bytes, &error))
        return scree_look_fail(look, error);
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    for (char *at = sets; at < sets + n_bytes; at += strlen(at) + 1) {
        g_ptr_array_add(set, *at ? at : NULL);
        if (*at)
            continue;
        g_autoptr(scree_scene) s =
            scree_scene_load(name, (const char *const *)set->pdata, registry, &error);
        if (!s)
            return scree_look_fail(look, error);
        g_autofree char *text = scree_scene_print(s);
        printf("%s\n", text);
        g_ptr_array_set_size(set, (gint)n_given);
    }
    if (set->len == n_given)
        return SCREE_EXIT_OK;
    scree_fail_of(&error, SCREE_EXIT_USAGE, "--each", file, "expected two NULs at its end");
    return scree_look_fail(look, error);
}

/** Reads the checkpoint of --restart. */
static bool find_start(const char *path, scree_look_from *from, GError **error)
{
    if (!path)
        return true;
    from->checkpoint = scree_h5_load(error) ? scree_checkpoint_find(path, error) : NULL;
    if (!from->checkpoint)
        g_prefix_error(error, "--restart: ");
    return from->checkpoint != NULL;
}

int scree_cmd_validate(int argc, char **argv)
{
    g_auto(GStrv) overrides = NULL;
    g_autofree char *picture = NULL, *restart = NULL, *each = NULL;
    gboolean print = FALSE, timed = FALSE, json = FALSE, changed = FALSE;
    scree_look look;
    const GOptionEntry entries[] = {
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &overrides,
         "Override a setting of the scene; add to a list", "PATH[+]=VALUE"},
        {"print", 0, 0, G_OPTION_ARG_NONE, &print,
         "Print the scene with all overrides and defaults", NULL},
        {"each", 0, 0, G_OPTION_ARG_FILENAME, &each,
         "Print the scene for each set of overrides in a file; NUL ends each override, two each "
         "set",
         "FILE"},
        {"time", 0, 0, G_OPTION_ARG_NONE, &timed,
         "Run 60 steps, and print how long the run will take", NULL},
        {"restart", 0, 0, G_OPTION_ARG_FILENAME, &restart,
         "Check that the scene can continue from a checkpoint, or from the newest good one of a "
         "folder",
         "FILE|DIR"},
        {"allow-plugin-change", 0, 0, G_OPTION_ARG_NONE, &changed,
         "Continue although the file of a plugin has changed", NULL},
        {"json", 0, 0, G_OPTION_ARG_NONE, &json,
         "Print one JSON object on standard output; all else goes to standard error", NULL},
        {"picture", 0, 0, G_OPTION_ARG_FILENAME, &picture,
         "Draw the start, as the scene's observer `image` would", "FILE.png"},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!scree_cmd_parse(&argc, &argv, entries, "[SCENE]",
                         "Checks a scene. Prints all mistakes at once, or a description of its "
                         "run. It makes the\n"
                         "scene's plugins, and shows the start to its observers. As in a run, "
                         "create() has no limit\n"
                         "of time: Ctrl-C ends the command, and names the call. Without SCENE, "
                         "--restart takes the\n"
                         "scene of the checkpoint.",
                         &status))
        return status;
    if (argc != 2 && !(argc == 1 && restart))
        return scree_cmd_operands("validate", "SCENE", argc - 1);
    if (picture && !is_png(picture, &status))
        return status;
    if (print + json + !!each > 1 || (each && (picture || restart || timed)))
        return scree_cmd_usage("validate", "expected one of --print, --json and --each, got both; "
                                           "--each takes no --time, --picture and --restart");
    if (picture && restart)
        return scree_cmd_usage("validate", "expected one of --picture and --restart, got both");
    if (changed && !restart)
        return scree_cmd_usage("validate", "--allow-plugin-change: expected --restart with it");
    scree_look_begin(&look, json, false);
    g_autoptr(GError) error = NULL;
    const char *name = argc == 2 ? argv[1] : NULL;
    scree_look_from from = {.allow_plugin_change = changed};
    status = each ? print_each(name, overrides, each, &look)
             : find_start(restart, &from, &error)
                 ? validate(name, overrides, &from, print, timed, &look)
                 : scree_look_fail(&look, error);
    scree_checkpoint_free(from.checkpoint);
    if (status == SCREE_EXIT_OK && picture)
        status = draw_start(name, overrides, picture, &look);
    return scree_look_end(&look, status);
}
