/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor that never returns. */
#include <unistd.h>
#define FAULT_AT_LOAD                                                                              \
    for (;;)                                                                                       \
        pause();
#include "fault.h"
