/* SPDX-License-Identifier: Apache-2.0 */
/* Tries unknown plugin files in child processes with a time limit. */
#ifndef CORE_PROBE_H
#define CORE_PROBE_H

#include "plugin/trial.h"

/** Makes this process try files itself. */
void scree_judge_begin(void);

#endif
