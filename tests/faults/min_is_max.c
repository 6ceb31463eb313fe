/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter whose range is one value. */
#define FAULT_PARAM_MIN 1.0
#define FAULT_PARAM_MAX 1.0
#include "fault.h"
