/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter beyond the end of the config struct. */
#define FAULT_PARAM_OFFSET sizeof(config)
#include "fault.h"
