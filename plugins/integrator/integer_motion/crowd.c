/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the bodies of integrator/integer_motion. */
#include "motion.h"

static void *grow(void *old, uint64_t n, uint64_t size)
{
    free(old);
    return calloc(n ? n : 1, size);
}

int crowd_resize(crowd *c, uint32_t dimension, uint32_t n)
{
    cells *s = &c->cells;
    int ok = 1;
    if (c->n == n && c->dimension == dimension && c->r)
        return 1;
    c->dimension = dimension;
    c->n = n;
    for (uint32_t k = 0; k < dimension; k++) {
        ok &= (c->x[k] = grow(c->x[k], n, sizeof *c->x[k])) != NULL;
        ok &= (c->v[k] = grow(c->v[k], n, sizeof *c->v[k])) != NULL;
    }
    ok &= (c->r = grow(c->r, n, sizeof *c->r)) != NULL;
    ok &= (c->fixed = grow(c->fixed, n, sizeof *c->fixed)) != NULL;
    ok &= (s->level_of = grow(s->level_of, n, sizeof *s->level_of)) != NULL;
    ok &= (s->cell_of = grow(s->cell_of, n, sizeof *s->cell_of)) != NULL;
    ok &= (s->body = grow(s->body, n, sizeof *s->body)) != NULL;
    ok &= (s->spot = grow(s->spot, n, sizeof *s->spot)) != NULL;
    ok &= (s->force = grow(s->force, n, sizeof *s->force)) != NULL;
    if (!ok)
        crowd_clear(c);
    return ok;
}

void crowd_clear(crowd *c)
{
    cells *s = &c->cells;
    void *all[] = {c->x[0],  c->x[1],     c->x[2],    c->v[0],  c->v[1], c->v[2], c->r,
                   c->fixed, s->level_of, s->cell_of, s->start, s->body, s->spot, s->force};
    for (uint32_t k = 0; k < SCREE_COUNT(all); k++)
        free(all[k]);
    *c = (crowd){.host = c->host, .side = c->side};
}

uint64_t crowd_bytes(const crowd *c)
{
    uint64_t of_body = 2u * c->dimension * sizeof(int64_t) + sizeof(int64_t) + 2 +
                       2 * sizeof(uint32_t) + sizeof(spot) + sizeof(force);
    return of_body * c->n + (uint64_t)c->cells.room * sizeof(uint32_t);
}
