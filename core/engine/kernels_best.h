/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels for the CPU that the process runs on. */
#ifndef CORE_KERNELS_BEST_H
#define CORE_KERNELS_BEST_H

#include "engine/kernels.h"

/** Returns the kernels of scree_cpu_level(), which the program has called before: a build for one
 * level has no others. */
const scree_kernels *scree_kernels_best(void);

#endif
