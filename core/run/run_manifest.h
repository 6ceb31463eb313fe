/* SPDX-License-Identifier: Apache-2.0 */
/* What a run was made of, as manifest.json: enough to do it again and to see whether it repeats. */
#ifndef CORE_RUN_MANIFEST_H
#define CORE_RUN_MANIFEST_H

#include "engine/observers.h"
#include "run/checkpoint.h"

typedef struct scree_run_manifest {
    scree_stored_scene *scene;
    char *restart, *restart_sha256; /* what it went on from, and the state in it; NULL: nothing */
    GArray *plugins;                /* of scree_kept_plugin; observers too */
    char *host, *compiler, *flags, *cpu_level, *state_sha256;
    uint64_t threads, steps; /* done */
} scree_run_manifest;

/** The JSON text of a run that is over; new string. `from`: what it went on from, or NULL. */
char *scree_run_manifest_text(const scree_sim *sim, const scree_observers *observers,
                              const scree_checkpoint *from, uint64_t steps,
                              const char *state_sha256);
scree_run_manifest *scree_run_manifest_read(const char *path, GError **error);
void scree_run_manifest_free(scree_run_manifest *manifest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_run_manifest, scree_run_manifest_free)
/** What of a run is not as the manifest has it, plugins first; GPtrArray of char *. */
GPtrArray *scree_run_manifest_differences(const scree_run_manifest *manifest, const scree_sim *sim,
                                          const scree_observers *observers);

#endif
