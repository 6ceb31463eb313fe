/* SPDX-License-Identifier: Apache-2.0 */
/* Routes: runs of the real engine that must give one state, or one to rounding. */
#ifndef CORE_ROUTES_H
#define CORE_ROUTES_H

#include "tools/check/check.h"

/** The cases of all kinds that run routes; the last one has no id. */
extern const scree_check_case scree_check_routes[];

#endif
