/* SPDX-License-Identifier: Apache-2.0 */
/* `scree replay`: repeats the call that a plugin was blamed for. */
#include "cli/cmd_replay.h"

#include <stdio.h>

#include "base/cpu.h"
#include "cli/cmd.h"
#include "run/call_replay.h"

static bool replay_file(const char *path, char **overrides, bool by_steps, GError **error)
{
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    g_autoptr(scree_checkpoint) file =
        scree_cpu_level(error) ? scree_checkpoint_read(path, error) : NULL;
    if (!file)
        return false;
    if (!file->blame)
        return scree_fail(
            error, SCREE_EXIT_USAGE,
            "%s: expected a replay file, got a checkpoint; scree run --restart continues "
            "from it",
            path);
    scree_scene *scene =
        scree_stored_scene_load(file->scene, (const char *const *)overrides, registry, error);
    if (!scene)
        return false;
    printf("blamed at step %" G_GUINT64_FORMAT ": %s\n", file->blame_step, file->blame_text);
    return scree_replay(file, scene, by_steps, error);
}

int scree_cmd_replay(int argc, char **argv)
{
    g_auto(GStrv) overrides = NULL;
    gboolean by_steps = FALSE;
    g_autoptr(GError) error = NULL;
    const GOptionEntry entries[] = {
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &overrides, "Override a setting of the scene",
         "PATH=VALUE"},
        {"steps", 0, 0, G_OPTION_ARG_NONE, &by_steps,
         "Repeat all steps from the saved state up to the call, not only the call", NULL},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!scree_cmd_parse(
            &argc, &argv, entries, "FILE",
            "Repeats the call that a plugin was blamed for, from the replay file of the "
            "run: nothing else\nruns, so that a debugger or valgrind can watch it.",
            &status))
        return status;
    if (argc != 2)
        return scree_cmd_operands("replay", "FILE", argc - 1);
    if (!replay_file(argv[1], overrides, by_steps, &error))
        return scree_cmd_fail(error);
    puts("it does not misbehave this time");
    return SCREE_EXIT_OK;
}
