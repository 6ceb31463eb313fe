/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor that crashes. */
#include <signal.h>
#define FAULT_AT_LOAD raise(SIGSEGV);
#include "fault.h"
