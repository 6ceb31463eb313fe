/* SPDX-License-Identifier: Apache-2.0 */
/* A vtable that lacks a function. */
#define FAULT_COMPUTE 0
#include "fault.h"
