/* SPDX-License-Identifier: Apache-2.0 */
/* Results of swaps, for people (lines) and for programs (JSON). */
#ifndef CORE_SWAP_REPORT_H
#define CORE_SWAP_REPORT_H

#include <stdio.h>

#include "base/json.h"
#include "change/swap.h"

/** Prints a line for the swap, for each field, and for each difference. */
void scree_swap_say(const scree_swap *swap);
/** Prints the number of swaps, and the entries of the schedule that never acted. */
void scree_swaps_summary(const scree_sim *sim, FILE *out);
/** Writes a swap as an object. */
void scree_swap_json(const scree_swap *swap, scree_json *json);
/** Writes the array "swaps". */
void scree_swaps_json(const scree_sim *sim, scree_json *json);

#endif
