/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter in an unknown unit. */
#define FAULT_PARAM_UNIT "N per parsec"
#include "fault.h"
