/* SPDX-License-Identifier: Apache-2.0 */
/* An id that could be no file name. */
#define FAULT_ID "../Minimal"
#include "fault.h"
