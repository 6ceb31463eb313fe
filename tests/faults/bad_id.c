/* SPDX-License-Identifier: Apache-2.0 */
/* An id that cannot be a file name. */
#define FAULT_ID "../Minimal"
#include "fault.h"
