/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter between whose open ends there is no value. */
#define FAULT_PARAM_MIN 1.0
#define FAULT_PARAM_MAX (1.0 + 2.220446049250313e-16)
#define FAULT_PARAM_FLAGS (SCREE_PARAM_MIN_OPEN | SCREE_PARAM_MAX_OPEN)
#include "fault.h"
