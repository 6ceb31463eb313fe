/* SPDX-License-Identifier: Apache-2.0 */
/* Two bodies that touch: at random, as they move, and how far a law reaches between them. */
#ifndef CORE_CHECK_TOUCH_H
#define CORE_CHECK_TOUCH_H

#include "tools/check/check_contacts.h"

/** Deep and shallow, slow and fast, alike and not, a few across a gap or at a wall. */
void scree_check_touch_random(scree_check_contacts *contacts, uint64_t *state);
/** [m] The law's range between the materials of a touch. */
double scree_check_range(scree_check_contacts *contacts, const scree_check_touch *touch);
/** Velocity of a's contact point as seen from b's in contact i, and its arms from the centres: as
 * the law wants them (SCREE_IN_LEVER_RADIUS). */
void scree_check_velocity(const scree_check_contacts *contacts, uint32_t i, double v[3],
                          double arm[2][3]);
/** The bodies move for `since`: distance and direction follow. */
void scree_check_touch_move(scree_check_touch *touch, double since);
/** Both bodies turn for `since`. */
void scree_check_touch_turn(scree_check_touch *touch, double since);

#endif
