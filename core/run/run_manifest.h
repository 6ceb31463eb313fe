/* SPDX-License-Identifier: Apache-2.0 */
/* manifest.json: the inputs of a run, from which it can be repeated and its result compared. */
#ifndef CORE_RUN_MANIFEST_H
#define CORE_RUN_MANIFEST_H

#include "engine/observers.h"
#include "run/checkpoint.h"

/** The contents of a file; tools/again reads it. */
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
/** The same before the first step, to compare runs: equal scenes have equal texts, whatever the
 * order of overrides of different settings. */
char *scree_run_manifest_inputs(const scree_sim *sim, const scree_checkpoint *from);

#endif
