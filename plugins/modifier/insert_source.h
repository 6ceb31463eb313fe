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
} own_source;

/** One call of make(). */
typedef struct source_call {
    const scree_host *host;
    const scree_query *query;
    const scree_step *args;
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
    for (int k = 0; k < 4 && from->q[0]; k++)
        spec.q[k] = from->q[k][i];
    for (int k = 0; k < 3; k++) {
        spec.v[k] = from->v[0] ? from->v[k][i] : 0.0;
        spec.w[k] = from->w[0] ? from->w[k][i] : 0.0;
    }
    return spec;
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

/* Finds the pose of the centre of mass; does the body have room there? */
static inline int32_t source_place(source_call *call, const scree_new_bodies *from,
                                   scree_body_spec *spec, uint32_t *is_free)
{
    const scree_step *args = call->args;
    const scree_edits *edits = args->edits;
    uint32_t index;
    *is_free = 1;
    if (from->frame == SCREE_FRAME_OF_SHAPE) {
        int32_t code =
            SCREE_HAS(edits, to_principal)
                ? edits->to_principal(edits->ctx, spec->shape, spec->scale, spec->x, spec->q)
                : call->host->fail(call->host->ctx, SCREE_E_UNSUPPORTED,
                                   "source: this host gives no scree_edits.to_principal");
        if (code < 0)
            return code;
    }
    if (from->has_room || spec->shape >= args->bodies->n_shapes ||
        args->bodies->shapes[spec->shape]->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE))
        return SCREE_OK; /* insert() refuses an unknown shape */
    const scree_trials trial = {.size = sizeof trial,
                                .n = 1,
                                .shape = &spec->shape,
                                .scale = &spec->scale,
                                .x = {&spec->x[0], &spec->x[1], &spec->x[2]},
                                .q = {&spec->q[0], &spec->q[1], &spec->q[2], &spec->q[3]}};
    return call->query->find_free(call->query->ctx, &trial, 1, &index, is_free);
}

/* Refuses a free body that no force could move, by its place in the file. */
static inline int32_t source_check_mass(const source_call *call, const scree_new_bodies *from,
                                        uint32_t i, const scree_body_spec *spec)
{
    const scree_step *args = call->args;
    double mass;
    if (spec->motion != SCREE_MOTION_FREE || spec->shape >= args->bodies->n_shapes ||
        spec->material >= args->bodies->n_materials)
        return SCREE_OK; /* insert() refuses such bodies */
    mass = args->edits->mass(args->edits->ctx, spec->shape, spec->material, spec->scale);
    if (isnormal(mass))
        return SCREE_OK;
    return scree_failf(
        call->host, SCREE_E_CONFIG,
        "%.100s:%u: a body of scale %g has a mass of %g kg: expected one that forces "
        "can move",
        from->file ? from->file : "source", from->file ? from->line[i] : i, spec->scale, mass);
}

/* Adds body i, lets it wait, or gives it up. */
static inline int32_t source_add_one(source_call *call, const scree_new_bodies *from, uint32_t i)
{
    const scree_step *args = call->args;
    scree_body_spec spec = source_spec(from, i, args->bodies->dimension);
    uint32_t is_free;
    uint64_t id;
    int32_t code = source_check_mass(call, from, i, &spec);
    code = code < 0 ? code : source_place(call, from, &spec, &is_free);
    if (code < 0)
        return call->refused = code;
    if (!is_free) {
        source_reason(call, from->file, from->file ? from->line[i] : 0,
                      "a body at (%g, %g, %g) m would overlap others", spec.x[0], spec.x[1],
                      spec.x[2]);
        call->passed += call->drops;
        call->waits = !call->drops;
        return call->drops ? SCREE_OK : SCREE_E_CONFIG;
    }
    code = args->edits->insert(args->edits->ctx, &spec, &id);
    if (code < 0)
        return call->refused = code;
    if (spec.motion == SCREE_MOTION_FREE)
        call->mass += args->edits->mass(args->edits->ctx, spec.shape, spec.material, spec.scale);
    call->made++;
    return SCREE_OK;
}

/* add() of the source: the host checks each body as it does any insertion. */
static inline int32_t source_add(void *ctx, const scree_new_bodies *from)
{
    source_call *call = (source_call *)ctx;
    int32_t code = SCREE_OK;
    if (from->size < sizeof *from)
        return scree_failf(call->host, SCREE_E_INTERNAL,
                           "source: add: expected a struct of size %zu or more, got %u",
                           sizeof *from, from->size);
    if (from->n_fields)
        return scree_failf(
            call->host, SCREE_E_UNSUPPORTED,
            "source: start values of %.80s: expected none, bodies that come in a run "
            "start with the `initial` of each field",
            from->fields[0]->name);
    if (from->frame > SCREE_FRAME_OF_SHAPE)
        return scree_failf(call->host, SCREE_E_INTERNAL, "source: frame %u: expected SCREE_FRAME_*",
                           from->frame);
    if (call->waits)
        return SCREE_E_CONFIG;
    if (from->n > call->most - call->made - call->passed)
        return scree_failf(call->host, SCREE_E_INTERNAL, "source: it adds more than %llu bodies",
                           (unsigned long long)call->most);
    for (uint32_t i = 0; i < from->n && code >= 0; i++)
        code = source_add_one(call, from, i);
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
