/* SPDX-License-Identifier: Apache-2.0 */
/* Modifier `insert`: bodies that a source of its own makes, handed on to the edits of the step. */
#ifndef PLUGINS_INSERT_SOURCE_H
#define PLUGINS_INSERT_SOURCE_H

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "scree/sdk.h"

enum { REASON_BYTES = 256 };

/** The instance that `insert` owns; ops NULL: none. */
typedef struct own_source {
    const char *id; /* id of its plugin */
    const scree_source_ops *ops;
    void *self;
    /* Room for the start values of one body. */
    scree_start_field *field;
    const scree_start_field **fields;
    const double **v;
    uint64_t field_room, fields_room, v_room;
} own_source;

/** One call of make(). */
typedef struct source_call {
    const scree_host *host;
    const scree_query *query;
    const scree_step *args;
    own_source *source;
    uint64_t most, made;
    double mass;               /* [kg] mass made so far */
    uint64_t passed;           /* bodies without room that are given up */
    int drops;                 /* 1: they are given up; 0: the first one waits, with all later
                                * ones */
    int waits;                 /* 1: a body waits */
    int short_of;              /* the source has reported a problem: no room, or a mistake */
    int full;                  /* a problem was reported, or a body has no room: `reason` */
    int32_t refused;           /* < 0: the host's answer to an invalid body */
    char reason[REASON_BYTES]; /* the first reason */
} source_call;

static inline int32_t source_begin(own_source *source, const scree_host *host,
                                   const scree_plugin_ref *ref)
{
    const scree_plugin *plugin;
    const void *ops;
    int32_t code = ref ? host->make_instance(host->ctx, ref, &plugin, &ops, &source->self) : 0;
    source->ops = ref && code >= 0 ? (const scree_source_ops *)ops : NULL;
    source->id = source->ops ? plugin->id : NULL;
    return code;
}

static inline void source_end(own_source *source)
{
    if (source->ops)
        source->ops->destroy(source->self);
    free(source->field);
    free(source->fields);
    free(source->v);
    *source = (own_source){0};
}

/* Notes the first reason why some bodies are not made. */
__attribute__((format(printf, 4, 5))) static inline void
source_reason(source_call *call, const char *file, uint32_t line, const char *format, ...)
{
    va_list arguments;
    size_t n = 0;
    if (call->full)
        return;
    call->full = 1;
    if (file && line)
        snprintf(call->reason, sizeof call->reason, "%.100s:%u: ", file, line);
    else if (file)
        snprintf(call->reason, sizeof call->reason, "%.100s: ", file);
    n = strlen(call->reason);
    va_start(arguments, format);
    vsnprintf(call->reason + n, sizeof call->reason - n, format, arguments);
    va_end(arguments);
}

/* Makes room for the start values of a body; 0: no memory. */
static inline int source_grow(own_source *source, const scree_new_bodies *from)
{
    uint64_t n_values = 0;
    for (uint32_t f = 0; f < from->n_fields; f++)
        n_values += from->fields[f]->components;
    return scree_grow(&source->field, &source->field_room, from->n_fields, sizeof *source->field) &&
           scree_grow(&source->fields, &source->fields_room, from->n_fields,
                      sizeof *source->fields) &&
           scree_grow(&source->v, &source->v_room, n_values, sizeof *source->v);
}

/* Body i of `from`, with its start values in the room of the source. */
static inline scree_new_bodies source_body(own_source *source, const scree_new_bodies *from,
                                           uint32_t i)
{
    const double **v = source->v;
    scree_new_bodies one = *from;
    one.size = sizeof one;
    one.n = 1;
    one.shape += i;
    one.material += i;
    one.scale += i;
    one.motion = from->motion ? from->motion + i : NULL;
    one.instead = from->instead ? from->instead + i : NULL;
    one.line = from->file ? from->line + i : NULL;
    one.fields = source->fields;
    for (int k = 0; k < 4; k++) {
        one.q[k] = from->q[0] ? from->q[k] + i : NULL;
        if (k == 3)
            break;
        one.x[k] = from->x[k] ? from->x[k] + i : NULL;
        one.v[k] = from->v[0] ? from->v[k] + i : NULL;
        one.w[k] = from->w[0] ? from->w[k] + i : NULL;
    }
    for (uint32_t f = 0; f < from->n_fields; f++) {
        source->fields[f] = &source->field[f];
        source->field[f] = *from->fields[f];
        source->field[f].v = v;
        for (uint32_t k = 0; k < from->fields[f]->components; k++)
            *v++ = from->fields[f]->v[k] + i;
    }
    return one;
}

/* Asks whether a body has room; of bodies that insert() refuses, 1. */
static inline int32_t source_has_room(const source_call *call, const scree_new_bodies *one,
                                      uint32_t *is_free)
{
    const scree_bodies *b = call->args->bodies;
    uint32_t index;
    *is_free = 1;
    if (one->has_room || *one->shape >= b->n_shapes || *one->material >= b->n_materials ||
        !isnormal(scree_body_mass(b, *one->shape, *one->material, *one->scale)) ||
        b->shapes[*one->shape]->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE))
        return SCREE_OK;
    return call->query->find_free(call->query->ctx, one, 1, &index, is_free);
}

/* Adds one body, lets it wait, or gives it up. */
static inline int32_t source_add_one(source_call *call, const scree_new_bodies *one)
{
    const scree_step *args = call->args;
    uint32_t is_free;
    int32_t code = source_has_room(call, one, &is_free);
    if (code < 0)
        return call->refused = code;
    if (!is_free) {
        source_reason(call, one->file, one->file ? *one->line : 0,
                      "a body at (%g, %g, %g) m would overlap others", *one->x[0], *one->x[1],
                      args->bodies->dimension == 3 ? *one->x[2] : 0.0);
        call->passed += call->drops;
        call->waits = !call->drops;
        return call->drops ? SCREE_OK : SCREE_E_CONFIG;
    }
    code = args->edits->insert(args->edits->ctx, one, NULL);
    if (code < 0)
        return call->refused = code;
    if (!one->motion || *one->motion == SCREE_MOTION_FREE)
        call->mass += scree_body_mass(args->bodies, *one->shape, *one->material, *one->scale);
    call->made++;
    return SCREE_OK;
}

/* add() of the source: the host checks each body as it does any insertion. */
static inline int32_t source_add(void *ctx, const scree_new_bodies *from)
{
    source_call *call = (source_call *)ctx;
    if (from->size < sizeof *from)
        return scree_failf(call->host, SCREE_E_INTERNAL,
                           "source: add: expected a struct of size %zu or more, got %u",
                           sizeof *from, from->size);
    if (call->waits)
        return SCREE_E_CONFIG;
    scree_new_bodies none = *from; /* the host judges its fields */
    none.size = sizeof none;
    none.n = 0;
    if (from->n > call->most - call->made - call->passed)
        return scree_failf(call->host, SCREE_E_INTERNAL, "source: it adds more than %llu bodies",
                           (unsigned long long)call->most);
    int32_t code = call->args->edits->insert(call->args->edits->ctx, &none, NULL);
    if (code < 0)
        return call->refused = code;
    if (!source_grow(call->source, from))
        return call->host->fail(call->host->ctx, SCREE_E_MEMORY, "no memory for start values");
    for (uint32_t i = 0; i < from->n && code >= 0; i++) {
        const scree_new_bodies one = source_body(call->source, from, i);
        code = source_add_one(call, &one);
    }
    return code;
}

/* problem() of the source: a lack of room if make() then returns SCREE_OK, else a mistake. */
static inline void source_problem(void *ctx, const char *file, uint32_t line, const char *text)
{
    source_call *call = (source_call *)ctx;
    call->short_of = 1;
    source_reason(call, file, line, "%s", text ? text : "no reason given");
}

/* Lets the source make up to `most` bodies, after `first` earlier ones, made or given up. */
static inline int32_t source_make(own_source *source, source_call *call, uint64_t first)
{
    call->source = source;
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
                                 .problem = source_problem,
                                 .density = args->bodies->material_density};
    int32_t code = source->ops->make(source->self, &making);
    if (call->refused < 0)
        return call->refused;
    if (code == SCREE_E_CONFIG && call->short_of)
        return scree_failf(call->host, code, "source/%.60s: %s", source->id, call->reason);
    return code == SCREE_E_CONFIG && call->full ? SCREE_OK : code;
}

#endif
