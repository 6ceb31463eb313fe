/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor that changes the rounding. */
#include <fenv.h>
#define FAULT_AT_LOAD fesetround(FE_UPWARD);
#include "fault.h"
