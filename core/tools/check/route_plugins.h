/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins of the check itself, which act next to the plugin under test in the scenes of routes. */
#ifndef CORE_ROUTE_PLUGINS_H
#define CORE_ROUTE_PLUGINS_H

#include "tools/check/check.h"

/** Makes four modifiers known: check_fields has the fields that the plugin under test uses and that
 * it has not itself; check_before adds stored energy, losses, work and rates, check_after
 * takes the same away; check_churn inserts bodies and removes them. */
void scree_route_plugins_give(const scree_check *check);

#endif
