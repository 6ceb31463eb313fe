/* SPDX-License-Identifier: Apache-2.0 */
/* `scree run --restart`, `scree run --repeat` and `scree run --break`. */
#include "tools/again/cmd_again.h"

#include "cli/cmd_run.h"
#include "run/h5_module.h"
#include "scene/scene.h"
#include "tools/again/manifest_read.h"
#include "tools/again/repeat_call.h"
#include "tools/restart/checkpoint_read.h"
#include "tools/restart/restart.h"
#include "tools/restart/scene_again.h"

/** Reads --break, the manifest and the checkpoint. A repeated run needs the same checkpoint. */
static bool find_start(const scree_run_options *given, scree_run_manifest **manifest,
                       scree_checkpoint **from, GError **error)
{
    if ((given->break_at && !scree_repeat_set(given->break_at, error)) ||
        (given->repeat && !(*manifest = scree_run_manifest_read(given->repeat, error))))
        return false;
    const char *path = given->restart ? given->restart : *manifest ? (*manifest)->restart : NULL;
    if (!path)
        return true;
    *from = scree_h5_load(error) ? scree_checkpoint_find(path, error) : NULL;
    if (!*from && given->restart)
        g_prefix_error(error, "--restart: ");
    return *from && (!*manifest || scree_run_manifest_check_start(*manifest, *from, error));
}

static void free_start(scree_run_manifest *manifest, scree_checkpoint *from)
{
    scree_checkpoint_free(from);
    scree_run_manifest_free(manifest);
}

static scree_scene *load_scene(const scree_run_manifest *manifest, const scree_checkpoint *from,
                               const char *name, const char *const *overrides,
                               scree_registry *registry, GError **error)
{
    const scree_stored_scene *stored = manifest ? manifest->scene : from ? from->scene : NULL;
    g_autoptr(scree_scene) scene =
        name ? scree_scene_load(name, overrides, registry, error)
             : scree_stored_scene_load(stored, overrides, registry, error);
    return scene && (!from || scree_restart_say_differences(from, scene, error))
               ? g_steal_pointer(&scene)
               : NULL;
}

int scree_cmd_run_again(int argc, char **argv)
{
    static const scree_again again = {.find_start = find_start,
                                      .free_start = free_start,
                                      .load_scene = load_scene,
                                      .restart = scree_restart_begin,
                                      .say_differences = scree_run_manifest_say_differences,
                                      .check_state = scree_run_manifest_check_state,
                                      .check_break = scree_repeat_check,
                                      .count_steps = scree_repeat_count,
                                      .report_break = scree_repeat_report};
    scree_again_here = &again;
    return scree_cmd_run(argc, argv);
}
