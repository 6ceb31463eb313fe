/* SPDX-License-Identifier: Apache-2.0 */
/* `scree run`: runs a scene from its first state to its last, with its observers. Its functions for
 * --restart, --repeat and --break are those of scree-tools (tools/again). */
#ifndef CORE_CMD_RUN_H
#define CORE_CMD_RUN_H

#include "cli/run_options.h"
#include "run/loop.h"
#include "run/run_manifest.h"

int scree_cmd_run(int argc, char **argv);

typedef struct scree_again {
    /** Reads --break, the manifest of the run that is repeated, and the checkpoint from which the
     * run continues; NULL: not given. */
    bool (*find_start)(const scree_run_options *given, scree_run_manifest **manifest,
                       scree_checkpoint **from, GError **error);
    void (*free_start)(scree_run_manifest *manifest, scree_checkpoint *from);
    /** Loads the scene `name`, or (NULL) that of the manifest or the checkpoint. Prints how it
     * differs from that of the checkpoint. */
    scree_scene *(*load_scene)(const scree_run_manifest *manifest, const scree_checkpoint *from,
                               const char *name, const char *const *overrides,
                               scree_registry *registry, GError **error);
    scree_restart_fn restart;
    /* --repeat: the run compared with the manifest */
    void (*say_differences)(const scree_run_manifest *manifest, const scree_sim *sim,
                            const scree_observers *observers);
    bool (*check_state)(const scree_run_manifest *manifest, const char *state_sha256,
                        GError **error);
    /* --break: before the first step; number of steps; after the last step */
    bool (*check_break)(const scree_sim *sim, uint64_t end, GError **error);
    bool (*count_steps)(const scree_sim *sim, uint64_t *steps);
    bool (*report_break)(const scree_sim *sim, GError **error);
} scree_again;

/** The functions; NULL: this program has none, and none of the options is given. */
extern const scree_again *scree_again_here;

#endif
