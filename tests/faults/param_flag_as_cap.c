/* SPDX-License-Identifier: Apache-2.0 */
/* A flag of parameters among those of the descriptor. */
#define FAULT_FLAGS SCREE_PARAM_LIVE
#include "fault.h"
