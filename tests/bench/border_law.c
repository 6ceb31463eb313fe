/* SPDX-License-Identifier: Apache-2.0 */
/* force/linear as a part of the host: no border, all of it inlined into the loop over batches.
 * BORDER_LAW is the name of what this level exports, BORDER_MANIFEST that of its manifest. */
#define scree_plugin_v0 BORDER_MANIFEST
#include "../../plugins/force/linear.c"

#include "border_law.h"

static const double border_values[] = {1e5, 0.4, 0.4 + 0x1p-53, 0.6, (double)NAN};

#define BORDER_CONFIG(friction_at)                                                                 \
    {                                                                                              \
        .kn = {1, border_values}, .kt = {1, border_values + 4},                                    \
        .friction = {1, border_values + (friction_at)}, .restitution = {1, border_values + 3},     \
        .damping_n = {1, border_values}, .damping_t = {1, border_values},                          \
        .gamma_n = {1, border_values}, .gamma_t = {1, border_values}, .damping = RESTITUTION,      \
        .pull = 1                                                                                  \
    }

static const config border_config = BORDER_CONFIG(1), border_other = BORDER_CONFIG(2);

__attribute__((flatten)) static int32_t
border_compute(void *instance, const scree_contact_batch *batches, uint32_t n)
{
    int32_t status = 0;
    for (uint32_t k = 0; k < n; k++)
        status += compute(instance, &batches[k]);
    return status;
}

const border_law BORDER_LAW = {&ops, {&border_config, &border_other}, border_compute};
