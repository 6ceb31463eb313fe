/* SPDX-License-Identifier: Apache-2.0 */
/* Which builds of a kernel or plugin this CPU can run. */
#include "base/cpu.h"

#include <sched.h>

#include "base/cpu_v3.h"
#include "build_config.h"

#ifdef SCREE_HAS_BASELINE
enum { HAS_BASELINE = true };
#else
enum { HAS_BASELINE = false };
#endif
#ifdef SCREE_HAS_V3
enum { HAS_V3 = true };
#else
enum { HAS_V3 = false };
#endif

/** Sets an error unless this program was built for the level. */
static const char *take_level(const char *level, bool built, GError **error)
{
    if (built)
        return level;
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                "CPU level %s: this program was built for %s only (configure with -Dlevels=all)",
                level, HAS_V3 ? SCREE_CPU_V3 : SCREE_CPU_BASELINE);
    return NULL;
}

const char *scree_cpu_level(GError **error)
{
    const char *asked = g_getenv("SCREE_CPU_LEVEL");
    if (!asked || !*asked)
        return HAS_V3 && has_v3() ? SCREE_CPU_V3
                                  : take_level(SCREE_CPU_BASELINE, HAS_BASELINE, error);
    if (g_str_equal(asked, SCREE_CPU_BASELINE))
        return take_level(SCREE_CPU_BASELINE, HAS_BASELINE, error);
    if (!g_str_equal(asked, SCREE_CPU_V3))
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                    "SCREE_CPU_LEVEL: expected " SCREE_CPU_BASELINE " or " SCREE_CPU_V3 ", got %s",
                    asked);
    else if (!has_v3())
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                    "SCREE_CPU_LEVEL=%s: this CPU does not offer it", asked);
    else
        return take_level(SCREE_CPU_V3, HAS_V3, error);
    return NULL;
}

uint32_t scree_cpu_count(void)
{
    enum { MOST = 65536 }; // highest number of CPUs in a kernel
    cpu_set_t *set = CPU_ALLOC(MOST);
    int n = 0;
    if (set && !sched_getaffinity(0, CPU_ALLOC_SIZE(MOST), set))
        n = CPU_COUNT_S(CPU_ALLOC_SIZE(MOST), set);
    CPU_FREE(set);
    return n > 0 ? (uint32_t)n : 1;
}
