/* SPDX-License-Identifier: Apache-2.0 */
/* Two bodies that touch: at random, as they move, and how far a law reaches between them. */
#ifndef CORE_CHECK_TOUCH_H
#define CORE_CHECK_TOUCH_H

#include "tools/check/check_contacts.h"

/** Sets a random touch: deep or shallow, slow or fast, alike or not; some are across a gap or at a
 * wall. */
void scree_check_touch_random(scree_check_contacts *contacts, uint64_t *state);
/** [m] The law's range between the materials of a touch. */
double scree_check_range(scree_check_contacts *contacts, const scree_check_touch *touch);
/** Velocity of a's contact point relative to b's in contact i, and arms from the centres, as the
 * law needs them (SCREE_IN_LEVER_RADIUS). */
void scree_check_velocity(const scree_check_contacts *contacts, uint32_t i, double v[3],
                          double arm[2][3]);
/** Moves the bodies for `since`; distance and direction follow. */
void scree_check_touch_move(scree_check_touch *touch, double since);
/** Turns both bodies for `since`. */
void scree_check_touch_turn(scree_check_touch *touch, double since);

#endif
