/* SPDX-License-Identifier: Apache-2.0 */
/* Wants a function that nobody has. */
#define FAULT_COMPUTE scree_no_such_function
#include "scree/force.h"
int32_t scree_no_such_function(void *instance, const scree_contact_batch *batch);
#include "fault.h"
