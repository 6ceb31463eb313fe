/* SPDX-License-Identifier: Apache-2.0 */
/* A force law that allocates in every batch, as no plugin should: what the count must see. */
#include <stdlib.h>

#include "../plugin.h"

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    static const scree_host *kept;
    kept = host;
    *instance = &kept;
    return SCREE_OK;
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    double *copy = malloc((b->n + 1) * sizeof *copy);
    if (!copy)
        return SCREE_E_MEMORY;
    for (uint32_t c = 0; c < b->n; c++)
        copy[c] = 1000.0 * b->depth[c];
    for (int k = 0; k < 3; k++)
        for (uint32_t c = 0; c < b->n; c++)
            b->f[k][c] = -copy[c] * b->normal[k][c];
    free(copy);
    return SCREE_OK;
}

static const scree_force_ops ops = {OPS(force, create, plain_destroy), .compute = compute};
static const scree_plugin greedy = {PLUGIN(FORCE, "greedy", "a spring that allocates"),
                                    .ops = &ops};
SCREE_DEFINE_MANIFEST(&greedy);
