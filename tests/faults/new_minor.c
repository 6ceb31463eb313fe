/* SPDX-License-Identifier: Apache-2.0 */
/* Needs a newer minor than there is. */
#define FAULT_MINOR (SCREE_ABI_MINOR + 1u)
#include "fault.h"
