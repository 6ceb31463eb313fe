/* SPDX-License-Identifier: Apache-2.0 */
/* A shared object that is not a plugin. */
#define FAULT_SYMBOL scree_plugin_vest
#include "fault.h"
