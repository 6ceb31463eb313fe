/* SPDX-License-Identifier: Apache-2.0 */
/* A force law that is compiled into the host, once per CPU level, instead of being loaded. */
#ifndef BORDER_LAW_H
#define BORDER_LAW_H

#include "scree/sdk.h"

typedef struct border_law {
    const scree_force_ops *ops;
    const void *config[2]; // the second has another friction, larger by a rounding
    /** compute() of n batches; the sum of what it returned. */
    int32_t (*compute)(void *instance, const scree_contact_batch *batches, uint32_t n);
} border_law;

extern const border_law border_law_baseline, border_law_v3;

#endif
