/* SPDX-License-Identifier: Apache-2.0 */
/* Whole periodic cells per axis, packed into one sortable number. */
#ifndef CORE_SHIFT_H
#define CORE_SHIFT_H

#include <stdint.h>

/** Whole periodic cells per axis in one sortable number; |s| < 2^20. */
typedef uint64_t scree_cells;
#define SCREE_SHIFT_BIAS (1 << 20)

/** Returns whether whole cells can be packed. */
static inline int scree_shift_fits(const int32_t s[3])
{
    const int32_t most = SCREE_SHIFT_BIAS - 1;
    return s[0] >= -most && s[0] <= most && s[1] >= -most && s[1] <= most && s[2] >= -most &&
           s[2] <= most;
}

static inline scree_cells scree_shift_pack(const int32_t s[3])
{
    return (uint64_t)(uint32_t)(s[0] + SCREE_SHIFT_BIAS) << 42 |
           (uint64_t)(uint32_t)(s[1] + SCREE_SHIFT_BIAS) << 21 |
           (uint64_t)(uint32_t)(s[2] + SCREE_SHIFT_BIAS);
}

static inline void scree_shift_unpack(scree_cells shift, int32_t s[3])
{
    s[0] = (int32_t)(shift >> 42) - SCREE_SHIFT_BIAS;
    s[1] = (int32_t)(shift >> 21 & 0x1fffff) - SCREE_SHIFT_BIAS;
    s[2] = (int32_t)(shift & 0x1fffff) - SCREE_SHIFT_BIAS;
}

static inline scree_cells scree_shift_negate(scree_cells shift)
{
    int32_t s[3];
    scree_shift_unpack(shift, s);
    for (int k = 0; k < 3; k++)
        s[k] = -s[k];
    return scree_shift_pack(s);
}

#define SCREE_SHIFT_ZERO                                                                           \
    ((uint64_t)SCREE_SHIFT_BIAS << 42 | (uint64_t)SCREE_SHIFT_BIAS << 21 | SCREE_SHIFT_BIAS)

#endif
