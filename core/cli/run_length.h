/* SPDX-License-Identifier: Apache-2.0 */
/* How many steps a run takes: --steps, --for, --until, or what the scene says. */
#ifndef CORE_RUN_LENGTH_H
#define CORE_RUN_LENGTH_H

#include "cli/run_options.h"
#include "run/loop.h"

/** Whether an option says how long the run is. */
bool scree_run_has_length(const scree_run_options *options);
/** Sets run->steps, and run->end, of a run that is made. */
bool scree_run_set_length(scree_run *run, const scree_run_options *options, GError **error);

#endif
