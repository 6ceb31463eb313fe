/* SPDX-License-Identifier: Apache-2.0 */
/* An input that this host does not know. */
#define FAULT_NEEDS (1ull << 40)
#include "fault.h"
