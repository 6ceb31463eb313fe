/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of others for a modifier or an observer: made up, by the ids of bodies; and the case `uses`,
 * in which one is not there. */
#ifndef CORE_CHECK_USES_H
#define CORE_CHECK_USES_H

#include "tools/check/check.h"

typedef struct scree_check_used scree_check_used;

/** New, for the uses of an instance, without the one that is absent; never NULL. */
scree_check_used *scree_check_used_new(const scree_check *check, const scree_instance *instance);
void scree_check_used_free(scree_check_used *used);
/** Shows them in `bodies`, with values of the present ones. */
void scree_check_used_show(scree_check_used *used, scree_bodies *bodies);
/** Rates from 0, before forces(); and afterwards none any more: false, with a failure, when one that
 * counts is not finite. */
void scree_check_used_lend(scree_check_used *used, const scree_bodies *bodies);
bool scree_check_used_take(scree_check_used *used, scree_check *check, const scree_bodies *bodies);
/** Adds the rates of the last forces() to `bits`. */
void scree_check_used_digest(const scree_check_used *used, const scree_bodies *bodies,
                             GChecksum *bits);

/** Case `uses`: without the field of an optional use, of each in turn, the plugin works. `exercise`
 * frees the instance. */
void scree_check_uses(scree_check *check,
                      bool (*exercise)(scree_check *check, scree_instance *instance));

#endif
