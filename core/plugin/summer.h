/* SPDX-License-Identifier: Apache-2.0 */
/* The service scree.sum/1: sums over bodies and contacts that no order changes. */
#ifndef CORE_SUMMER_H
#define CORE_SUMMER_H

#include "plugin/instance_data.h"

/** The plugin's SCREE_SERVICE_SUM; NULL: it is neither a modifier nor an observer. */
const scree_summer *scree_summer_give(scree_instance *instance);

#endif
