/* SPDX-License-Identifier: Apache-2.0 */
/* Case `state`: what save() gives, load() takes (scree.state/1). */
#ifndef CORE_CHECK_STATE_H
#define CORE_CHECK_STATE_H

#include "tools/check/check.h"

/** Case `state`. `use`: makes some calls of an instance, as in a run; false: the check has
 * failed. */
void scree_check_state(scree_check *check,
                       bool (*use)(scree_check *check, scree_instance *instance));

#endif
