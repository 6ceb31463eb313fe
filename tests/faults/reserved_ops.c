/* SPDX-License-Identifier: Apache-2.0 */
/* A vtable whose reserved word is in use. */
#define FAULT_OPS_RESERVED 7
#include "fault.h"
