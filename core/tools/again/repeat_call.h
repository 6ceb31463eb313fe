/* SPDX-License-Identifier: Apache-2.0 */
/* A run that repeats a call (plugin/break.h) ends after the step of this call. */
#ifndef CORE_REPEAT_CALL_H
#define CORE_REPEAT_CALL_H

#include "engine/state.h"

/** Reads SLOT/CALL[@STEP][#N]: the calls of that step, or only its N-th one. Without a step it
 * names the calls of the first step, or of the set-up, that has any. Called once, before the first
 * call into a plugin. */
bool scree_repeat_set(const char *text, GError **error);
/** Once the run is set up: checks that it makes such calls, and that their step is one of the steps
 * before `end`. */
bool scree_repeat_check(const scree_sim *sim, uint64_t end, GError **error);
/** Counts the steps to the end of the step of the call. False: unknown. */
bool scree_repeat_count(const scree_sim *sim, uint64_t *steps);
/** At the end of the run: prints that the plugin did not misbehave, and possible reasons. False: no
 * call had the name. */
bool scree_repeat_report(const scree_sim *sim, GError **error);

#endif
