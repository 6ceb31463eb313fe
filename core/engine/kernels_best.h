/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels for the CPU that the process runs on. */
#ifndef CORE_KERNELS_BEST_H
#define CORE_KERNELS_BEST_H

#include "engine/kernels.h"

/** The best level that this CPU has; SCREE_CPU_LEVEL=baseline in the environment selects the
 * lower one. */
const scree_kernels *scree_kernels_best(void);

#endif
