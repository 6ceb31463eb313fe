/* SPDX-License-Identifier: Apache-2.0 */
/* A range beyond touch: a pull that grows linearly from nothing at a gap of `reach` to touch. */
#include "probe.h"

typedef struct config {
    double stiffness, reach; /* [N/m], [m] */
} config;

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const config *self = instance;
    for (uint32_t c = 0; c < b->n; c++) {
        double inside = self->reach + b->depth[c], pull = self->stiffness * inside;
        for (int k = 0; k < 3; k++)
            b->f[k][c] = inside > 0.0 ? pull * b->normal[k][c] : 0.0;
        b->stored[c] = inside > 0.0 ? -0.5 * pull * inside : 0.0;
    }
    return SCREE_OK;
}

static int32_t range(void *instance, scree_range_query *query)
{
    query->gap = ((const config *)instance)->reach;
    return SCREE_OK;
}

PROBE_REAL(stiffness, "N/m", 0.0);
PROBE_REAL(reach, "m", 0.0);
static const scree_param *const params[] = {&param_stiffness, &param_reach};
static const scree_force_ops ops = {OPS(force, plain_create, plain_destroy), .compute = compute,
                                    .range = range};
PROBE(FORCE, "attract", PLUGIN_CONFIG, .provides = SCREE_OUT_STORED);
