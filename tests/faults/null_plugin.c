/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor that is not there. */
#define FAULT_PLUGINS 0
#include "fault.h"
