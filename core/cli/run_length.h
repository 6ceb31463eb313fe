/* SPDX-License-Identifier: Apache-2.0 */
/* The length of a run: from --steps, --for, --until, or the scene. */
#ifndef CORE_RUN_LENGTH_H
#define CORE_RUN_LENGTH_H

#include "cli/run_options.h"
#include "run/loop.h"

/** Whether an option gives the length of the run. */
bool scree_run_has_length(const scree_run_options *options);
/** Sets steps and end of a run that is made. */
bool scree_run_set_length(scree_run *run, const scree_run_options *options, GError **error);

#endif
