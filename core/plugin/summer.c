/* SPDX-License-Identifier: Apache-2.0 */
/* The service scree.sum/1: sums over bodies and contacts that no order changes. */
#include "plugin/summer.h"

#include <string.h>

#include "base/exact_sum.h"
#include "plugin/guard.h"

static int32_t sum_bodies(void *ctx, uint32_t components, const double *const *v, double *sum)
{
    const scree_runtime *runtime = ctx;
    const scree_bodies *bodies = runtime->summed.bodies;
    const char *call = scree_guard_here()->now.call;
    if (!bodies || (call && !strcmp(call, "create")))
        return SCREE_E_UNSUPPORTED;
    for (uint32_t k = 0; k < components; k++)
        sum[k] = v[k] ? scree_leaf_sum(bodies->number, v[k], bodies->n) : 0.0;
    return SCREE_OK;
}

static int32_t sum_contacts(void *ctx, uint32_t components, const double *const *v, double *sum)
{
    const scree_runtime *runtime = ctx;
    if (!runtime->summed.contacts)
        return SCREE_E_UNSUPPORTED;
    for (uint32_t k = 0; k < components; k++)
        sum[k] = v[k] ? scree_exact_sum_of(v[k], runtime->summed.contacts->n, 1) : 0.0;
    return SCREE_OK;
}

const scree_summer *scree_summer_give(scree_instance *instance)
{
    const uint32_t kind = instance->plugin->kind;
    if (kind != SCREE_KIND_MODIFIER && kind != SCREE_KIND_OBSERVER)
        return NULL;
    instance->summer = (scree_summer){.size = sizeof(scree_summer),
                                      .ctx = instance->runtime,
                                      .bodies = sum_bodies,
                                      .contacts = sum_contacts};
    return &instance->summer;
}
