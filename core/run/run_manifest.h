/* SPDX-License-Identifier: Apache-2.0 */
/* manifest.json: the inputs of a run, from which it can be repeated and its result compared. */
#ifndef CORE_RUN_MANIFEST_H
#define CORE_RUN_MANIFEST_H

#include "engine/observers.h"
#include "run/checkpoint.h"

typedef struct scree_run_manifest {
    scree_stored_scene *scene;
    char *restart, *restart_sha256; /* checkpoint from which it continued, its state; NULL: none */
    GArray *plugins;                /* elements: scree_saved_plugin, also of observers */
    char *host, *compiler, *flags, *cpu_level, *state_sha256;
    uint64_t threads, steps; /* `steps`: steps of the run */
} scree_run_manifest;

/** Lists all plugins of a run, slot by slot, also sources and the GCD of queries; new array of
 * scree_saved_plugin. */
GArray *scree_run_plugins(const scree_sim *sim, const scree_observers *observers);
/** Returns the JSON text of a run that has ended; new string. `from`: the checkpoint from which it
 * continued, or NULL. */
char *scree_run_manifest_text(const scree_sim *sim, const scree_observers *observers,
                              const scree_checkpoint *from, uint64_t steps,
                              const char *state_sha256);
scree_run_manifest *scree_run_manifest_read(const char *path, GError **error);
void scree_run_manifest_free(scree_run_manifest *manifest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_run_manifest, scree_run_manifest_free)
/** Prints how a run differs from the manifest, plugins first. */
void scree_run_manifest_say_differences(const scree_run_manifest *manifest, const scree_sim *sim,
                                        const scree_observers *observers);
/** Returns whether the checkpoint has the state from which the manifest's run continued. */
bool scree_run_manifest_check_start(const scree_run_manifest *manifest,
                                    const scree_checkpoint *from, GError **error);
/** Returns whether a repeated run has reached the same state; if so, prints it. */
bool scree_run_manifest_check_state(const scree_run_manifest *manifest, const char *state_sha256,
                                    GError **error);

#endif
