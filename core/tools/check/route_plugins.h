/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins of the check itself, which act next to the plugin under test in the scenes of routes. */
#ifndef CORE_ROUTE_PLUGINS_H
#define CORE_ROUTE_PLUGINS_H

#include "tools/check/check.h"

/** Makes four modifiers known: check_fields has the fields that the plugin under test uses and that
 * it has not itself; check_before adds stored energy, losses, work and rates, check_after
 * takes the same away; check_churn inserts bodies and removes them. */
void scree_route_plugins_give(const scree_check *check);
/** Calls of check_warm and check_pull, which act on bodies that a case moves (check_motion.h). */
typedef struct scree_route_puller {
    void (*fill)(const scree_entry *args);
    void (*pull)(const scree_forces *args);
} scree_route_puller;
void scree_route_plugins_pull(const scree_route_puller *by);

#endif
