/* SPDX-License-Identifier: Apache-2.0 */
/* The results of swaps, for people (lines) and for programs (JSON). */
#ifndef CORE_SWAP_REPORT_H
#define CORE_SWAP_REPORT_H

#include <stdio.h>

#include "base/json.h"
#include "change/swap.h"

/** Says a line for the swap, one per field, one per difference. */
void scree_swap_say(const scree_swap *swap);
/** How many, and which entries of the schedule never acted. */
void scree_swaps_summary(const scree_sim *sim, FILE *out);
/** The array "swaps". */
void scree_swaps_json(const scree_sim *sim, scree_json *json);

#endif
