/* SPDX-License-Identifier: Apache-2.0 */
/* Which builds of a kernel or plugin this CPU can run. */
#ifndef CORE_CPU_H
#define CORE_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define SCREE_CPU_BASELINE "baseline"
#define SCREE_CPU_V3 "x86-64-v3"

/** The CPU level to take, a constant: the best one, or that of SCREE_CPU_LEVEL. NULL with
 * SCREE_EXIT_USAGE: that is not a level, or this CPU or this build lacks it. */
const char *scree_cpu_level(GError **error);
/** Number of CPUs on which this process may run, at least 1. */
uint32_t scree_cpu_count(void);

#endif
