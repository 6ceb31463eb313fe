/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the sources that read a file: bodies row by row, with defaults from the group. */
#ifndef PLUGINS_SOURCE_ROWS_H
#define PLUGINS_SOURCE_ROWS_H

#include "packing.h"

enum { MOST_WRONG = 20 };

/** One body. */
typedef struct row {
    uint32_t shape, material, motion, line;
    double scale, x[3], q[4], v[3], w[3];
    uint64_t id;
} row;

/** Bodies of a file on their way to the host: one column each. */
typedef struct rows {
    const scree_host *host;
    const scree_making *args;
    const char *file;
    uint32_t n, wrong;
    uint32_t *shape, *material, *motion, *line, *source;
    double *scale, *x[3], *q[4], *v[3], *w[3];
    uint64_t *id;
    uint32_t *words;
    double *reals;
    int has_ids;
    uint32_t frame; /* SCREE_FRAME_* */
} rows;

static inline void rows_clear(rows *r)
{
    free(r->words);
    free(r->reals);
    free(r->id);
}

/** Makes room for n bodies; an error without memory. */
static inline int32_t rows_init(rows *r, const scree_host *host, const scree_making *args,
                                const char *file, size_t n)
{
    memset(r, 0, sizeof *r);
    r->host = host;
    r->args = args;
    r->file = file;
    r->frame = SCREE_FRAME_OF_SHAPE;
    r->words = (uint32_t *)malloc((5 * n + 1) * sizeof *r->words);
    r->reals = (double *)malloc((14 * n + 1) * sizeof *r->reals);
    r->id = (uint64_t *)malloc((n + 1) * sizeof *r->id);
    if (!r->words || !r->reals || !r->id) {
        rows_clear(r);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the bodies of the file");
    }
    uint32_t *words = r->words;
    uint32_t **const each[] = {&r->shape, &r->material, &r->motion, &r->line, &r->source};
    for (size_t k = 0; k < SCREE_COUNT(each); k++, words += n)
        *each[k] = words;
    double *reals = r->reals;
    double **const columns[] = {&r->scale, &r->x[0], &r->x[1], &r->x[2], &r->q[0],
                                &r->q[1],  &r->q[2], &r->q[3], &r->v[0], &r->v[1],
                                &r->v[2],  &r->w[0], &r->w[1], &r->w[2]};
    for (size_t k = 0; k < SCREE_COUNT(columns); k++, reals += n)
        *columns[k] = reals;
    return SCREE_OK;
}

/** Reports a mistake of the whole file, or (line > 0) of one of its lines. Returns 0. */
__attribute__((format(printf, 3, 4))) static inline int rows_problem(rows *r, uint32_t line,
                                                                     const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    r->args->problem(r->args->ctx, line ? r->file : NULL, line, text);
    return 0;
}

/** Counts a row with a mistake; 0: mistakes are too many, and the source reads no further row. */
static inline int rows_go_on(rows *r)
{
    if (++r->wrong < MOST_WRONG)
        return 1;
    return rows_problem(r, 0, "%s: further mistakes are not shown", r->file);
}

/** Begins a body with the settings of the group. `number` is that of the body in this source, for
 * random draws. */
static inline row rows_begin(const packing *p, uint64_t number)
{
    const scree_recipe *recipe = p->config->body;
    row one;
    memset(&one, 0, sizeof one);
    one.shape = recipe->shape;
    one.material = recipe->material;
    one.motion = recipe->motion;
    one.scale = recipe->sizes ? packing_scale(p, number) : 1.0;
    packing_velocity(p, number, one.v);
    memcpy(one.q, recipe->turn, sizeof one.q);
    if (recipe->random_orientation)
        packing_turn(p, number, one.q);
    memcpy(one.w, recipe->spin, sizeof one.w);
    return one;
}

/** `source`: the row of the file, to find its start values again. */
static inline void rows_put(rows *r, const row *one, uint32_t source)
{
    const uint32_t i = r->n++;
    r->shape[i] = one->shape;
    r->material[i] = one->material;
    r->motion[i] = one->motion;
    r->line[i] = one->line;
    r->source[i] = source;
    r->scale[i] = one->scale;
    r->id[i] = one->id;
    for (int k = 0; k < 4; k++)
        r->q[k][i] = one->q[k];
    for (int k = 0; k < 3; k++) {
        r->x[k][i] = one->x[k];
        r->v[k][i] = one->v[k];
        r->w[k][i] = one->w[k];
    }
}

/** Hands all bodies to the host. */
static inline int32_t rows_add(const rows *r, uint32_t n_fields,
                               const scree_start_field *const *fields)
{
    scree_new_bodies bodies;
    memset(&bodies, 0, sizeof bodies);
    bodies.size = sizeof bodies;
    bodies.n = r->n;
    bodies.frame = r->frame;
    bodies.shape = r->shape;
    bodies.material = r->material;
    bodies.motion = r->motion;
    bodies.scale = r->scale;
    for (int k = 0; k < 4; k++)
        bodies.q[k] = r->q[k];
    for (int k = 0; k < 3; k++) {
        bodies.x[k] = r->x[k];
        bodies.v[k] = r->v[k];
        bodies.w[k] = r->w[k];
    }
    bodies.id = r->has_ids ? r->id : NULL;
    bodies.file = r->file;
    bodies.line = r->line;
    bodies.n_fields = n_fields;
    bodies.fields = fields;
    return r->n ? r->args->add(r->args->ctx, &bodies) : SCREE_OK;
}

/** Reads the group of a source that reads a file; random draws depend on it. */
static inline void rows_recipe(packing *p, const scree_host *host, const packing_config *config,
                               const scree_making *args)
{
    memset(p, 0, sizeof *p);
    p->host = host;
    p->config = config;
    p->args = args;
    p->stream = packing_stream(host->slot);
    p->dimension = args->bodies->dimension;
    p->shape = args->bodies->shapes[config->body->shape];
}

#endif
