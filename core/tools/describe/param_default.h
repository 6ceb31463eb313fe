/* SPDX-License-Identifier: Apache-2.0 */
/* The default of a parameter, as a scene has it. */
#ifndef CORE_PARAM_DEFAULT_H
#define CORE_PARAM_DEFAULT_H

#include <stdbool.h>

#include "config/keys.h"

bool scree_param_holds_reals(const scree_param *param);
bool scree_param_holds_ints(const scree_param *param);
bool scree_param_is_array(const scree_param *param);
/** Whether a key of the host holds a node: string_default is then its type in words. */
bool scree_param_is_node(const scree_param *param);
/** Whether a scene without the key gets a default. */
bool scree_param_has_default(const scree_param *param);

/** The unit for a message; NULL: a bare number. */
const char *scree_unit_shown(const char *unit);
double scree_unit_factor(const char *unit);
/** A number in SI as text, in the unit of that factor, with 15 digits: later ones are noise of the
 * division. New string. */
char *scree_real_shown(double si, double factor);
/** The default as a scene has it, a new string; NULL: none. `exact`: in SI, with all digits that
 * the same number needs. `dimension`: length of a vector. */
char *scree_param_default(const scree_param *param, bool exact, uint32_t dimension);

#endif
