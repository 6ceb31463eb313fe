/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this CPU runs x86-64-v3 code. GLib is not used, because the build asks it, too
 * (meson.build). */
#ifndef CORE_CPU_V3_H
#define CORE_CPU_V3_H

#include <cpuid.h>
#include <stdbool.h>

static inline bool has_v3(void)
{
    /* The compiler's test covers what the system must save (AVX state). It does not know all
     * features of the level by name: the CPU answers for the others. */
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
}

#endif
