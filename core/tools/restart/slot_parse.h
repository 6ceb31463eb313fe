/* SPDX-License-Identifier: Apache-2.0 */
/* Reads slots as text. */
#ifndef CORE_SLOT_PARSE_H
#define CORE_SLOT_PARSE_H

#include "plugin/slot.h"

/** Reads a text as scree_slot_print writes it; the name points into it. False: it is not a slot,
 * and *slot is unchanged. */
bool scree_slot_parse(const char *text, scree_slot *slot);

#endif
