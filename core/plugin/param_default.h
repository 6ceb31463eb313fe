/* SPDX-License-Identifier: Apache-2.0 */
/* The default of a parameter, as a scene has it. */
#ifndef CORE_PARAM_DEFAULT_H
#define CORE_PARAM_DEFAULT_H

#include <stdbool.h>

#include "config/keys.h"

bool scree_param_holds_reals(const scree_param *param);
bool scree_param_holds_ints(const scree_param *param);
bool scree_param_is_array(const scree_param *param);
/** Whether a key of the host holds a node: then string_default is the type of the value in words. */
bool scree_param_is_node(const scree_param *param);
/** Whether a missing value gives a default. */
bool scree_param_has_default(const scree_param *param);

/** The unit as it is printed; NULL: none. */
const char *scree_unit_shown(const char *unit);
double scree_unit_factor(const char *unit);
/** A number in SI as text in the unit of that factor, with the 15 digits that an author wrote: the
 * division leaves noise behind them. New string. */
char *scree_real_shown(double si, double factor);
/** The default as one writes it in a scene, a new string; NULL: none. `exact`: in SI, with as many digits
 * as it takes to read back the same number; `dimension`: of a vector. */
char *scree_param_default(const scree_param *param, bool exact, uint32_t dimension);

#endif
