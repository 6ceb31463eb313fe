/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor that sets the locale of the whole process. */
#include <locale.h>
#define FAULT_AT_LOAD setlocale(LC_ALL, "C.UTF-8");
#include "fault.h"
