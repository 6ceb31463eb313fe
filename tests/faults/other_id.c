/* SPDX-License-Identifier: Apache-2.0 */
/* A good one of another id. */
#define FAULT_ID "other"
#include "fault.h"
