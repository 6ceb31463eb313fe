/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor that ends before its last member. */
#define FAULT_PLUGIN_SIZE offsetof(scree_plugin, get_extension)
#include "fault.h"
