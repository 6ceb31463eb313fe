/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels for the CPU that the process runs on. */
#include "engine/kernels_best.h"

#include "base/cpu.h"
#include "build_config.h"

const scree_kernels *scree_kernels_best(void)
{
#ifndef SCREE_HAS_V3
    return &scree_kernels_baseline;
#elif !defined(SCREE_HAS_BASELINE)
    return &scree_kernels_v3;
#else
    return g_strcmp0(scree_cpu_level(NULL), SCREE_CPU_V3) ? &scree_kernels_baseline
                                                          : &scree_kernels_v3;
#endif
}
