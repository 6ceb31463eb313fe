/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor that writes into the current folder. */
#include <stdio.h>
#define FAULT_AT_LOAD                                                                              \
    FILE *file = fopen("litter", "w");                                                             \
    if (file)                                                                                      \
        fclose(file);
#include "fault.h"
