/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the velocity along z of body 0 as forces() sees it, as after_step() does, and the times at
 * which. */
#include "probe.h"

typedef struct seen {
    double v, time; /* of the last call of forces() */
} seen;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    *instance = calloc(1, sizeof(seen));
    return *instance ? SCREE_OK : SCREE_E_MEMORY;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    seen *self = instance;
    self->v = args->bodies->v[2][0];
    self->time = args->time;
    return SCREE_OK;
}

static int32_t after_step(void *instance, const scree_step *args)
{
    const seen *self = instance;
    args->global_fields[0] = self->v;
    args->global_fields[1] = self->time;
    args->global_fields[2] = args->bodies->v[2][0];
    args->global_fields[3] = args->time;
    return SCREE_OK;
}

static const scree_field field_seen = {.size = sizeof(scree_field),
                                       .scope = SCREE_SCOPE_GLOBAL,
                                       .components = 4,
                                       .revision = 1,
                                       .name = "seen",
                                       .unit = "-",
                                       .help = "v, time in forces(); v, time in after_step()"};
static const scree_field *const fields[] = {&field_seen};
static const scree_modifier_ops ops = {OPS(modifier, create, free), .forces = forces,
                                       .after_step = after_step};
PROBE(MODIFIER, "sees", PLUGIN_FIELDS(fields));
