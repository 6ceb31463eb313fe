/* SPDX-License-Identifier: Apache-2.0 */
/* The good one in another version. */
#define FAULT_VERSION "2.0.0"
#include "fault.h"
