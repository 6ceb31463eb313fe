/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter in a unit that is none. */
#define FAULT_PARAM_UNIT "N per parsec"
#include "fault.h"
