/* SPDX-License-Identifier: Apache-2.0 */
/* A capability that this host does not know. */
#define FAULT_FLAGS (1u << 20)
#include "fault.h"
