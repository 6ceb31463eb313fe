/* SPDX-License-Identifier: Apache-2.0 */
/* Reads manifest.json of a run, and compares a repeated run with it. */
#ifndef CORE_MANIFEST_READ_H
#define CORE_MANIFEST_READ_H

#include "run/run_manifest.h"

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
