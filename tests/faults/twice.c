/* SPDX-License-Identifier: Apache-2.0 */
/* Two descriptors of one id. */
#define FAULT_PLUGINS &plugin, &plugin
#include "fault.h"
