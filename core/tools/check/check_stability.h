/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an integrator is stable up to its claimed step, and not far beyond. */
#ifndef CORE_CHECK_STABILITY_H
#define CORE_CHECK_STABILITY_H

#include "tools/check/check.h"

void scree_check_stability(scree_check *check);

#endif
