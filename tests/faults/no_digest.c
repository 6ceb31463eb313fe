/* SPDX-License-Identifier: Apache-2.0 */
/* Built with headers without a digest. */
#define FAULT_DIGEST 0
#include "fault.h"
