/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor that prints, where scree may be writing JSON. */
#include <stdio.h>
#define FAULT_AT_LOAD puts("hello from a constructor");
#include "fault.h"
