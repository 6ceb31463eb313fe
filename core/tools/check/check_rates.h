/* SPDX-License-Identifier: Apache-2.0 */
/* Integrators that move body fields on (extension "draft.rates/1"): `scree check` gives them fields
 * with known solutions. */
#ifndef CORE_CHECK_RATES_H
#define CORE_CHECK_RATES_H

#include "tools/check/check_motion.h"

/** The case `rates`. */
void scree_check_rates(scree_check *check);

#endif
