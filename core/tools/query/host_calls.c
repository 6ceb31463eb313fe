/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the host, as the module gets them. */
#include "tools/query/host_calls.h"

const scree_query_host *query_host;
