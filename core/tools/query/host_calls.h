/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the host, as the module gets them. */
#ifndef CORE_HOST_CALLS_H
#define CORE_HOST_CALLS_H

#include "scene/query_module.h"

/** Set before the first question. */
extern const scree_query_host *query_host;

#endif
