/* SPDX-License-Identifier: Apache-2.0 */
/* Built with headers of which nothing is said. */
#define FAULT_DIGEST 0
#include "fault.h"
