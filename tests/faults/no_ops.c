/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor without a vtable. */
#define FAULT_OPS 0
#include "fault.h"
