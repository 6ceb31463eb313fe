/* SPDX-License-Identifier: Apache-2.0 */
/* A law around a law. */
#define FAULT_PARAM_TYPE SCREE_TYPE_PLUGIN
#define FAULT_PARAM_KIND SCREE_KIND_FORCE
#define FAULT_PARAM_FLAGS SCREE_PARAM_REQUIRED
#include "fault.h"
