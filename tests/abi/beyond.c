/* SPDX-License-Identifier: Apache-2.0 */
/* Law force/beyond, built with grown headers (grow.py): it takes the host's new member `tail` only
 * where the host has it; with CARELESS it reads beyond the end of a smaller host. With TALKATIVE its
 * descriptor says something in the tail. */
#include "../plugin.h"

typedef struct config {
    int64_t least; /* [bytes] size of the host's struct; 0: any */
} config;

typedef struct law {
    double kn; /* [N/m] */
} law;

#ifdef CARELESS
#define HAS_TAIL(host) ((host)->tail != 0)
#else
#define HAS_TAIL(host) SCREE_HAS(host, tail)
#endif

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    law *self = malloc(sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    if (host->size < (uint64_t)c->least) {
        free(self);
        return host->fail(host->ctx, SCREE_E_CONFIG, "least: the host is smaller");
    }
    self->kn = HAS_TAIL(host) ? 2e4 : 1e4;
    *instance = self;
    return SCREE_OK;
}

static int32_t compute(void *instance, const scree_contact_batch *batch)
{
    const law *self = instance;
    for (uint32_t c = 0; c < batch->n; c++) {
        double depth = batch->depth[c] > 0.0 ? batch->depth[c] : 0.0;
        for (int k = 0; k < 3; k++)
            batch->f[k][c] = -self->kn * depth * batch->normal[k][c];
    }
    return SCREE_OK;
}

SCREE_INT_PARAM(config, least, SCREE_PARAM_LIVE, 0, 0, 1 << 20, "least size of the host's struct");
static const scree_param *const params[] = {&param_least};
static const scree_force_ops ops = {OPS(force, create, free), .compute = compute};
static const scree_plugin plugin = {
    PLUGIN(FORCE, "beyond", "springs, and a look at the end of the host's struct"),
    PLUGIN_CONFIG,
    .ops = &ops,
#ifdef TALKATIVE
    .tail = 1,
#endif
};
SCREE_DEFINE_MANIFEST(&plugin);
