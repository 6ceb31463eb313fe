/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `scree run`. */
#ifndef CORE_RUN_OPTIONS_H
#define CORE_RUN_OPTIONS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** The values of the command line. */
typedef struct scree_run_options {
    char **overrides;
    char *steps_text, *until_text, *for_text, *threads_text, *blocks_text, *batch_text, *folder,
        *restart, *repeat, *break_at;
    gboolean json, quiet, allow_plugin_change, oversubscribe;
    uint64_t steps, threads, blocks, batch;
    double until, duration; // [s] --until: a moment; --for: a time from the start of this run
} scree_run_options;

/** Takes the options out of the command line; at most the name of a scene is left. False: *status
 * is the exit status. */
bool scree_run_options_read(scree_run_options *o, int *argc, char ***argv, int *status);
void scree_run_options_clear(scree_run_options *o);
/** The number of threads. `former`: that of the run that is repeated, or 0. */
uint32_t scree_run_options_threads(const scree_run_options *o, uint64_t former);
/** The command that gives the same states, a new string: from the scene `name` (NULL: that of
 * --restart or --repeat), or from a saved state (`from`, not NULL). It leaves out options about
 * length and output. `one_rank`: on one rank, whatever domain the scene has. */
char *scree_run_options_command(const scree_run_options *o, const char *name, const char *from,
                                bool one_rank);

#endif
