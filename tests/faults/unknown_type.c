/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter of an unknown type code. */
#define FAULT_PARAM_TYPE 99u
#include "fault.h"
