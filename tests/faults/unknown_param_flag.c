/* SPDX-License-Identifier: Apache-2.0 */
/* A flag of a parameter that this host does not know: one of descriptors. */
#define FAULT_PARAM_FLAGS SCREE_CAP_SERIAL
#include "fault.h"
