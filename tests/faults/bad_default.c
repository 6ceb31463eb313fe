/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter whose default is out of its own range. */
#define FAULT_PARAM_DEFAULT 11.0
#include "fault.h"
