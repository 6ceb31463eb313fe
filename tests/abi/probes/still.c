/* SPDX-License-Identifier: Apache-2.0 */
/* An integrator that moves nothing; each body has a mark of 7. */
#include "probe.h"

static int32_t begin(void *instance, const scree_motion *motion)
{
    return SCREE_OK;
}

static int32_t stage(void *instance, const scree_motion *motion, uint32_t k, scree_stage *out)
{
    out->action = k == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    return SCREE_OK;
}

PROBE_FIELD(mark, BODY, 1, 7.0);
static const scree_integrator_ops ops = {OPS(integrator, plain_create, plain_destroy),
                                         .begin = begin, .stage = stage};
PROBE(INTEGRATOR, "still", PLUGIN_FIELDS(fields));
