/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a contact for values that no contact of two bodies can have. */
#ifndef CORE_CONTACT_FAULT_H
#define CORE_CONTACT_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include "scree/scree.h"

/** True when contact c of `out`, whose pair is one of `in`, names a part that its body does not
 * have, with parts; `text` then names the fault. */
bool scree_parts_fault(const scree_candidates *in, const scree_contacts *out, uint32_t c,
                       char *text, size_t size);
/** True when contact c of `out`, whose pair is one of `in`, has a normal that is not a unit
 * vector, a depth or an arm beyond the sizes of its bodies, a gap beyond the range, or flat faces
 * on both sides where a law needs curvature; a volume below 0, or a volume or twist across a gap; principal curvatures
 * out of order, or with a direction that is not a unit vector across the normal; a part that its
 * body does not have. `text` then names the fault. */
bool scree_contact_fault(const scree_candidates *in, const scree_contacts *out, uint32_t c,
                         char *text, size_t size);

#endif
