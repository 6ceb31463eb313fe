/* SPDX-License-Identifier: Apache-2.0 */
/* Modifier `insert`: bodies that a source of its own makes, handed on to the edits of the step. */
#ifndef PLUGINS_INSERT_SOURCE_H
#define PLUGINS_INSERT_SOURCE_H

#include <math.h>

#include "scree/sdk.h"

enum { REASON_BYTES = 256 };

/** The instance that `insert` owns; ops NULL: none. */
typedef struct own_source {
    const scree_source_ops *ops;
    void *self;
} own_source;

/** One call of make(). */
typedef struct source_call {
    const scree_host *host;
    const scree_step *args;
    uint64_t most, made;
    double mass;               /* [kg] of what is made */
    int full;                  /* the source has reported a problem: `reason` */
    char reason[REASON_BYTES]; /* the first one */
} source_call;

static inline int32_t source_begin(own_source *source, const scree_host *host,
                                   const scree_plugin_ref *ref)
{
    const scree_plugin *plugin;
    const void *ops;
    int32_t code = ref ? host->make_instance(host->ctx, ref, &plugin, &ops, &source->self) : 0;
    source->ops = ref && code >= 0 ? (const scree_source_ops *)ops : NULL;
    return code;
}

static inline void source_end(own_source *source)
{
    if (source->ops)
        source->ops->destroy(source->self);
    source->ops = NULL;
}

/* Body i of the arrays, as an edit. */
static inline scree_body_spec source_spec(const scree_new_bodies *from, uint32_t i,
                                          uint32_t dimension)
{
    scree_body_spec spec = {.size = sizeof spec,
                            .shape = from->shape[i],
                            .material = from->material[i],
                            .motion = from->motion ? from->motion[i] : SCREE_MOTION_FREE,
                            .scale = from->scale[i],
                            .q = {1.0, 0.0, 0.0, 0.0}};
    for (uint32_t k = 0; k < dimension; k++)
        spec.x[k] = from->x[k][i];
    for (int k = 0; k < 4 && from->q[k]; k++)
        spec.q[k] = from->q[k][i];
    for (int k = 0; k < 3; k++) {
        spec.v[k] = from->v[0] ? from->v[k][i] : 0.0;
        spec.w[k] = from->w[0] ? from->w[k][i] : 0.0;
    }
    return spec;
}

/* add() of the source: the host checks each body as it does any insertion. */
static inline int32_t source_add(void *ctx, const scree_new_bodies *from)
{
    source_call *call = (source_call *)ctx;
    const scree_step *args = call->args;
    if (from->id || from->n_fields)
        return call->host->fail(call->host->ctx, SCREE_E_UNSUPPORTED,
                                "source: in a run its bodies have the next numbers, and no start "
                                "values of fields");
    if (from->n > call->most - call->made)
        return scree_failf(call->host, SCREE_E_INTERNAL, "source: it adds more than %llu bodies",
                           (unsigned long long)call->most);
    for (uint32_t i = 0; i < from->n; i++) {
        const scree_body_spec spec = source_spec(from, i, args->bodies->dimension);
        uint64_t id;
        int32_t code = args->edits->insert(args->edits->ctx, &spec, &id);
        if (code < 0)
            return code;
        if (spec.motion == SCREE_MOTION_FREE)
            call->mass +=
                args->edits->mass(args->edits->ctx, spec.shape, spec.material, spec.scale);
        call->made++;
    }
    return SCREE_OK;
}

/* problem() of the source: in a run a lack of room, as a rule. */
static inline void source_problem(void *ctx, const char *file, uint32_t line, const char *text)
{
    source_call *call = (source_call *)ctx;
    (void)file;
    (void)line;
    if (!call->full)
        snprintf(call->reason, sizeof call->reason, "%s", text ? text : "no reason given");
    call->full = 1;
}

/* Lets the source make up to `most` bodies, after `first` earlier ones. */
static inline int32_t source_make(const own_source *source, source_call *call, uint64_t first)
{
    const scree_step *args = call->args;
    const scree_making making = {.size = sizeof making,
                                 .ctx = call,
                                 .bodies = args->bodies,
                                 .first = first,
                                 .most = call->most,
                                 .step = args->step,
                                 .time = args->time,
                                 .dt = args->dt,
                                 .add = source_add,
                                 .problem = source_problem};
    int32_t code = source->ops->make(source->self, &making);
    return code == SCREE_E_CONFIG && call->full ? SCREE_OK : code;
}

#endif
