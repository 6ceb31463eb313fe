/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor that changes the locale of what starts later. */
#include <stdlib.h>
#define FAULT_AT_LOAD setenv("LC_ALL", "de_DE.UTF-8", 1);
#include "fault.h"
