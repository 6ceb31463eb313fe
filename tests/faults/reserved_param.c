/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter whose reserved word is in use. */
#define FAULT_PARAM_RESERVED 7
#include "fault.h"
