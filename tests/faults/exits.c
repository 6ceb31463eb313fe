/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor that ends the process and calls it a success. */
#include <stdlib.h>
#define FAULT_AT_LOAD exit(0);
#include "fault.h"
