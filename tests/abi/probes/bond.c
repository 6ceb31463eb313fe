/* SPDX-License-Identifier: Apache-2.0 */
/* A kept bond: what once touched pulls at any distance until it breaks at a strain. */
#include "probe.h"

typedef struct config {
    double stiffness, strain; /* [N/m], [-] gap over the sum of the radii */
} config;

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const config *self = instance;
    for (uint32_t c = 0; c < b->n; c++) {
        double gap = -b->depth[c], longest = self->strain * (b->radius[0][c] + b->radius[1][c]);
        int holds = (b->keep[c] || gap <= 0.0) && gap <= longest;
        double pull = holds ? self->stiffness * gap : 0.0;
        for (int k = 0; k < 3; k++)
            b->f[k][c] = pull * b->normal[k][c];
        b->stored[c] = 0.5 * pull * gap;
        b->keep[c] = (uint8_t)holds;
    }
    return SCREE_OK;
}

PROBE_REAL(stiffness, "N/m", 0.0);
PROBE_REAL(strain, "-", 0.0);
static const scree_param *const params[] = {&param_stiffness, &param_strain};
static const scree_force_ops ops = {OPS(force, plain_create, plain_destroy), .compute = compute};
PROBE(FORCE, "bond", PLUGIN_CONFIG, .needs = SCREE_IN_RADII,
      .provides = SCREE_OUT_STORED | SCREE_OUT_KEEP);
