// SPDX-License-Identifier: Apache-2.0
/*
 * Random sequential addition, for the sources `random` and `polygons` (see random.c).
 *
 * Steps: 1. Sizes are drawn by number until `count` or `fraction` is reached.
 *        2. By descending size a place is found for each body (seeker.c).
 *        3. All bodies are added in the order of their numbers.
 *
 * Bodies of a family are placed as the balls that hold them.
 */
#include "seeker.h"
#include "sizes.h"

static int32_t draw_sizes(scatter *s)
{
    double *scale = NULL;
    int32_t code = sizes_draw(&s->p, &scale, &s->n);
    if (code >= 0 && !scree_grow(&s->bodies, &s->capacity, s->n + 1, sizeof *s->bodies))
        code = s->p.host->fail(s->p.host->ctx, SCREE_E_MEMORY, "out of memory");
    const uint64_t n = code >= 0 ? s->n : 0;
    for (uint64_t i = 0; i < n; i++)
        s->bodies[i].scale = scale[i];
    free(scale);
    return code;
}

static int compare(const void *pa, const void *pb)
{
    const rank *a = (const rank *)pa, *b = (const rank *)pb;
    if (a->scale != b->scale)
        return a->scale > b->scale ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static int32_t sort_sizes(scatter *s)
{
    if (!scree_grow(&s->order, &s->n_order, s->n + 1, sizeof *s->order))
        return s->p.host->fail(s->p.host->ctx, SCREE_E_MEMORY, "out of memory");
    for (uint64_t i = 0; i < s->n; i++) {
        s->order[i].scale = s->bodies[i].scale;
        s->order[i].number = (uint32_t)i;
    }
    if (s->p.args->add_shape) // in a run, by number: those before the first without room are added
        qsort(s->order, s->n, sizeof *s->order, compare);
    return SCREE_OK;
}

/* Reports that the body of rank i has no place. */
static int32_t refuse_one(scatter *s, uint64_t i)
{
    const packing *p = &s->p;
    double sum = 0.0;
    for (uint64_t k = 0; k < i; k++)
        sum += packing_solid_of(p, p->args->first + s->order[k].number, s->order[k].scale);
    s->placed = p->args->add_shape ? 0 : i;
    return PACKING_FULL(p,
                        "no place for a body of %s %g m after %lld tries: %llu of %llu "
                        "are placed, solid fraction %.3f; take a larger region, fewer "
                        "bodies or more `tries`",
                        packing_radius(p), packing_reach(p, s->order[i].scale),
                        (long long)s->config->tries, (unsigned long long)i,
                        (unsigned long long)s->n, sum / packing_region(p));
}

static int32_t place_all(scatter *s)
{
    const packing *p = &s->p;
    for (uint64_t i = 0; i < s->n; i++) {
        int found = 0;
        if (!packing_fits(p, packing_reach(p, s->order[i].scale)))
            return SCREE_E_CONFIG;
        const int32_t code = scatter_find_place(s, s->order[i].number, &found);
        if (code < 0)
            return code;
        if (!found)
            return refuse_one(s, i);
        if (i % 1024 == 1023 && p->host->cancelled(p->host->ctx))
            return SCREE_E_CANCELLED;
    }
    s->placed = s->n;
    return SCREE_OK;
}

static int32_t add_all(scatter *s)
{
    const packing *p = &s->p;
    chunk c = {0};
    for (uint64_t i = 0; i < s->placed; i++) {
        packing_put(p, &c, p->args->first + i, s->bodies[i].scale, s->bodies[i].x);
        if (c.n < CHUNK && i + 1 < s->placed)
            continue;
        int32_t code = packing_add(p, &c, c.n);
        if (code < 0)
            return code;
        c.n = 0;
    }
    return SCREE_OK;
}

int32_t scatter_make(const scatter_config *config, const scree_host *host, const scree_query *query,
                     const packing_family *family, const scree_making *args)
{
    scatter s = {.config = config};
    int32_t code = packing_begin(&s.p, host, query, &config->packing, args);
    s.p.family = family;
    if (code >= 0)
        code = draw_sizes(&s);
    if (code >= 0)
        code = sort_sizes(&s);
    if (code >= 0)
        code = scatter_begin(&s);
    if (code >= 0)
        code = place_all(&s);
    const int32_t added = add_all(&s);
    code = code < 0 ? code : added;
    scatter_end(&s);
    free(s.bodies);
    free(s.order);
    return code;
}
