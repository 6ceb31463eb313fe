/* SPDX-License-Identifier: Apache-2.0 */
/* A capability flag of another kind. */
#define FAULT_FLAGS SCREE_CAP_INCREMENTAL
#include "fault.h"
