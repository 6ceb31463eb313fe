/* SPDX-License-Identifier: Apache-2.0 */
/* Whether each number among the parameters changes a run. */
#ifndef CORE_ROUTE_EFFECTS_H
#define CORE_ROUTE_EFFECTS_H

#include "tools/check/check.h"

void scree_route_effects(scree_check *check);

#endif
