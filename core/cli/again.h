/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of `scree run` for --repeat and --break, which scree-tools has (tools/again). */
#ifndef CORE_AGAIN_H
#define CORE_AGAIN_H

#include "run/run_manifest.h"

typedef struct scree_again {
    /* --repeat: the manifest, and a run compared with it */
    scree_run_manifest *(*read_manifest)(const char *path, GError **error);
    void (*free_manifest)(scree_run_manifest *manifest);
    bool (*check_start)(const scree_run_manifest *manifest, const scree_checkpoint *from,
                        GError **error);
    void (*say_differences)(const scree_run_manifest *manifest, const scree_sim *sim,
                            const scree_observers *observers);
    bool (*check_state)(const scree_run_manifest *manifest, const char *state_sha256,
                        GError **error);
    /* --break: before the first step; number of steps; after the last step */
    bool (*check_break)(const scree_sim *sim, uint64_t end, GError **error);
    bool (*count_steps)(const scree_sim *sim, uint64_t *steps);
    bool (*report_break)(const scree_sim *sim, GError **error);
} scree_again;

/** The functions; NULL: this program has none, and neither option is given. */
extern const scree_again *scree_again_here;

#endif
