/* SPDX-License-Identifier: Apache-2.0 */
/* Made-up fields of others for a modifier or an observer; the case `uses`, in which one is
 * missing. */
#ifndef CORE_CHECK_USES_H
#define CORE_CHECK_USES_H

#include "tools/check/check.h"

typedef struct scree_check_used scree_check_used;

/** Makes the fields for the uses of an instance, without the absent one; never NULL. */
scree_check_used *scree_check_used_new(const scree_check *check, const scree_instance *instance);
void scree_check_used_free(scree_check_used *used);
/** Puts the fields into `bodies`, with values for the current bodies. */
void scree_check_used_show(scree_check_used *used, scree_bodies *bodies);
/** Sets the rates to 0 before forces(), and judges them afterwards. False: a rate that counts is
 * not finite, and the check has failed. */
void scree_check_used_lend(scree_check_used *used, const scree_bodies *bodies);
bool scree_check_used_take(scree_check_used *used, scree_check *check, const scree_bodies *bodies);
/** Adds the rates of the last forces() to `bits`. */
void scree_check_used_digest(const scree_check_used *used, const scree_bodies *bodies,
                             GChecksum *bits);

/** Case `uses`: the plugin works without the field of each optional use. `exercise` frees the
 * instance. */
void scree_check_uses(scree_check *check,
                      bool (*exercise)(scree_check *check, scree_instance *instance));

#endif
