/* SPDX-License-Identifier: Apache-2.0 */
/* A help text of two lines, which would spoil the list. */
#define FAULT_HELP "one\ntwo"
#include "fault.h"
