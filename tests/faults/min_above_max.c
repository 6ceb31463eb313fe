/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter whose range has its ends exchanged. */
#define FAULT_PARAM_MIN 10.0
#define FAULT_PARAM_MAX 0.0
#include "fault.h"
