/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the builds of a kernel or plugin this CPU can run. */
#ifndef CORE_CPU_H
#define CORE_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define SCREE_CPU_BASELINE "baseline"
#define SCREE_CPU_V3 "x86-64-v3"

/** The level to take: the best the CPU offers, or that of SCREE_CPU_LEVEL. NULL with
 * SCREE_EXIT_USAGE when that is not a level, or one that this CPU or this build lacks. Constant
 * string. */
const char *scree_cpu_level(GError **error);
/** CPUs that this process may run on, 1 or more. */
uint32_t scree_cpu_count(void);

#endif
