/* SPDX-License-Identifier: Apache-2.0 */
/* A kind that this host does not know. */
#define FAULT_KIND 99u
#include "fault.h"
