/* SPDX-License-Identifier: Apache-2.0 */
/* A vtable that ends before its last member. */
#define FAULT_OPS_SIZE offsetof(scree_force_ops, uses)
#include "fault.h"
