/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels for the CPU that the process runs on. */
#include "engine/kernels_best.h"

#include <glib.h>

#include "build_config.h"

const scree_kernels *scree_kernels_best(void)
{
#ifdef SCREE_V3
    if (g_strcmp0(g_getenv("SCREE_CPU_LEVEL"), "baseline") && __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2"))
        return &scree_kernels_v3;
#endif
    return &scree_kernels_baseline;
}
