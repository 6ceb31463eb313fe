/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps all that a modifier may: ages of bodies (body field), their sum over steps (global field),
 * ids by body number of its own, as long as `numbering` stays; at step 5 it puts a body onto another. */
#include "probe.h"

typedef struct config {
    double overlap; /* [m] of the body put at step 5, 0: none */
} config;

static int32_t put(const scree_bodies *b, double overlap, const scree_edits *edits)
{
    uint64_t id;
    scree_one_body spec = {.shape = b->shape[0],
                           .material = b->material[0],
                           .motion = SCREE_MOTION_FREE,
                           .scale = b->scale[0],
                           .q = {1.0}};
    for (int k = 0; k < 3; k++)
        spec.x[k] = b->x[k][0];
    spec.x[0] += 2.0 * b->radius[0] - overlap;
    return scree_insert_one(edits, &spec, &id);
}

/** The fields that `bodies` shows are the modifier's own, in each of its calls. */
static int32_t judge_fields(const scree_bodies *b, const double *age)
{
    return b->fields && b->global_fields && (!age || b->fields[0] == age) ? SCREE_OK
                                                                          : SCREE_E_INTERNAL;
}

static int32_t enter(void *instance, const scree_entry *args)
{
    return judge_fields(args->bodies, args->body_fields[0]);
}

static int32_t pose(void *instance, const scree_poses *args)
{
    return judge_fields(args->bodies, NULL);
}

static int32_t after_step(void *instance, const scree_step *args)
{
    probe_memory *self = instance;
    const config *c = self->config;
    const scree_bodies *b = args->bodies;
    uint64_t *ids = self->data;
    const int known = ids && ids[0] == b->numbering; // then numbers mean the same bodies
    if (judge_fields(b, args->body_fields[0]) < 0)
        return SCREE_E_INTERNAL;
    if (!known) {
        free(ids);
        ids = self->data = calloc((size_t)b->n + 1, sizeof *ids);
        if (!ids)
            return SCREE_E_MEMORY;
        ids[0] = b->numbering;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        if (known && ids[1 + i] != b->id[i])
            return SCREE_E_INTERNAL; // another body has the number, and `numbering` is the same
        ids[1 + i] = b->id[i];
        args->body_fields[0][i] += 1.0;
        args->global_fields[0] += 1.0;
    }
    return c->overlap > 0.0 && args->step == 5 ? put(b, c->overlap, args->edits) : SCREE_OK;
}

PROBE_REAL(overlap, "m", 0.0);
static const scree_param *const params[] = {&param_overlap};
#define FIELD(name_, scope_)                                                                       \
    static const scree_field field_##name_ = {.size = sizeof(scree_field),                         \
                                              .scope = scope_,                                     \
                                              .components = 1,                                     \
                                              .revision = 1,                                       \
                                              .name = #name_,                                      \
                                              .unit = "-",                                         \
                                              .help = "steps counted"}
FIELD(age, SCREE_SCOPE_BODY);
FIELD(total, SCREE_SCOPE_GLOBAL);
static const scree_field *const fields[] = {&field_age, &field_total};
static const scree_modifier_ops ops = {OPS(modifier, memory_create, memory_destroy), .enter = enter,
                                       .pose = pose, .after_step = after_step};
PROBE(MODIFIER, "tally", PLUGIN_CONFIG, PLUGIN_FIELDS(fields));
