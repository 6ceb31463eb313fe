/* SPDX-License-Identifier: Apache-2.0 */
/* Made for another major of the ABI. */
#define FAULT_SYMBOL scree_plugin_v1
#include "fault.h"
