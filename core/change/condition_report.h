/* SPDX-License-Identifier: Apache-2.0 */
/* Unmet conditions of a run, for people (a line each) and for programs (JSON). */
#ifndef CORE_CONDITION_REPORT_H
#define CORE_CONDITION_REPORT_H

#include <stdio.h>

#include "base/json.h"
#include "change/condition_state.h"

void scree_conditions_print(scree_sim *sim, FILE *out);
/** Writes the array "conditions": all of `stop` and `schedule`. */
void scree_conditions_json(scree_sim *sim, scree_json *json);

#endif
