/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a contact for values that no contact of two bodies can have. */
#ifndef CORE_CONTACT_FAULT_H
#define CORE_CONTACT_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include "scree/scree.h"

/** Returns whether contact c of `out`, whose pair is in `in`, names a part that its body lacks;
 * `text` then names the fault. */
bool scree_parts_fault(const scree_candidates *in, const scree_contacts *out, uint32_t c,
                       char *text, size_t size);
/** Returns whether contact c of `out`, whose pair is in `in`, is invalid; `text` then names the
 * fault. Faults: a normal that is not a unit vector; a depth or an arm beyond the sizes of the
 * bodies; a gap beyond the range; flat faces on both sides if a law needs curvature; a negative
 * volume; a volume or twist across a gap; principal curvatures out of order, or with a direction
 * that is not a unit vector across the normal; a part that its body lacks. */
bool scree_contact_fault(const scree_candidates *in, const scree_contacts *out, uint32_t c,
                         char *text, size_t size);

#endif
