/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the builds of a kernel or plugin this CPU can run. */
#include "base/cpu.h"

#include <sched.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

bool scree_cpu_has_v3(void)
{
#if defined(__x86_64__)
    /* The compiler's own test covers what the system must save (AVX state); it does not know every
     * feature of the level under every name, so the rest is asked of the CPU. */
    unsigned a, b, c, d;
    const unsigned fma = 1u << 12, movbe = 1u << 22, osxsave = 1u << 27, f16c = 1u << 29;
    const unsigned want = fma | movbe | osxsave | f16c;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2"))
        return false;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & want) != want)
        return false;
    const unsigned lzcnt = 1u << 5;
    return __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c & lzcnt);
#else
    return false;
#endif
}

const char *scree_cpu_level(GError **error)
{
    const char *asked = g_getenv("SCREE_CPU_LEVEL");
    if (!asked || !*asked)
        return scree_cpu_has_v3() ? SCREE_CPU_V3 : SCREE_CPU_BASELINE;
    if (g_str_equal(asked, SCREE_CPU_BASELINE))
        return SCREE_CPU_BASELINE;
    if (!g_str_equal(asked, SCREE_CPU_V3))
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                    "SCREE_CPU_LEVEL: expected " SCREE_CPU_BASELINE " or " SCREE_CPU_V3 ", got %s",
                    asked);
    else if (!scree_cpu_has_v3())
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                    "SCREE_CPU_LEVEL=%s: this CPU does not offer it", asked);
    else
        return SCREE_CPU_V3;
    return NULL;
}

uint32_t scree_cpu_count(void)
{
    enum { MOST = 65536 }; // CPUs that a kernel may number
    cpu_set_t *set = CPU_ALLOC(MOST);
    int n = 0;
    if (set && !sched_getaffinity(0, CPU_ALLOC_SIZE(MOST), set))
        n = CPU_COUNT_S(CPU_ALLOC_SIZE(MOST), set);
    CPU_FREE(set);
    return n > 0 ? (uint32_t)n : 1;
}
