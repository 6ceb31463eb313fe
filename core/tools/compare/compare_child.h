/* SPDX-License-Identifier: Apache-2.0 */
/* One repeat of a variant in its own process: set-up, warm-up, timed steps, an answer. */
#ifndef CORE_COMPARE_CHILD_H
#define CORE_COMPARE_CHILD_H

#include "tools/compare/compare.h"

/** Runs set-up, warm-up and the timed steps. Adds the sample, or sets the outcome, status and
 * message of the variant. */
scree_trial_end scree_trial_run(scree_comparison *c, scree_variant *v, guint round, guint turn);
/** Hashes of the state after each of `steps` (ascending); NULL: failed, with `message`. */
GPtrArray *scree_trial_hashes(scree_comparison *c, const scree_variant *v, const GArray *steps,
                              char **message);

#endif
