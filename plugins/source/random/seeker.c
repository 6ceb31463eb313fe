// SPDX-License-Identifier: Apache-2.0
// Source `random`: the search for a place of one body.
#include "scatter.h"

uint32_t scatter_balls(const scatter *s)
{
    const scree_shape *shape = s->p.shape;
    return shape->flags & SCREE_CAP_ROUND ? 1 : shape->balls ? shape->balls->n : 0;
}

/* Ball b of a body at x. Returns its radius. */
static double find_ball(const scatter *s, uint32_t b, double scale, const double x[3],
                        const double q[4], double centre[3])
{
    const scree_balls *balls = s->p.shape->balls;
    double arm[3] = {0.0, 0.0, 0.0};
    memcpy(centre, x, 3 * sizeof *centre);
    if (!balls)
        return packing_reach(&s->p, scale);
    for (int k = 0; k < 3; k++)
        arm[k] = scale * balls->centre[k][b];
    scree_rotate(q, arm, arm);
    for (int k = 0; k < 3; k++)
        centre[k] += arm[k];
    return scale * balls->radius[b];
}

/* Below a solid fraction of 0.1 few tries are in vain. Solids have no map. */
int32_t scatter_begin_cover(scatter *s)
{
    const packing *p = &s->p;
    const scree_balls *balls = p->shape->balls;
    const uint32_t n_balls = balls ? balls->n : 0;
    double sum = 0.0, least = HUGE_VAL, part = balls ? HUGE_VAL : p->shape->radius;
    for (uint64_t i = 0; i < s->n; i++) {
        sum += packing_solid(p, s->bodies[i].scale);
        least = s->bodies[i].scale < least ? s->bodies[i].scale : least;
    }
    for (uint32_t b = 0; b < n_balls; b++)
        part = balls->radius[b] < part ? balls->radius[b] : part;
    if (!(sum / packing_region(p) > 0.1) || !scatter_balls(s))
        return SCREE_OK;
    return cover_init(&s->cover, p->dimension, least * part, p->min, p->max,
                      s->n * scatter_balls(s))
               ? SCREE_OK
               : p->host->fail(p->host->ctx, SCREE_E_MEMORY, "out of memory");
}

void scatter_mark(scatter *s, const seeker *w, const double x[3])
{
    const uint32_t n = s->cover.bits ? scatter_balls(s) : 0;
    for (uint32_t b = 0; b < n; b++) {
        double centre[3], radius = find_ball(s, b, w->scale, x, w->q, centre);
        cover_add(&s->cover, centre, radius);
    }
}

/* Whether the map knows that a body has no room at x. */
static int is_covered(const scatter *s, const seeker *w, const double x[3])
{
    const uint32_t n = s->cover.bits ? scatter_balls(s) : 0;
    int covered = 0;
    for (uint32_t b = 0; b < n && !covered; b++) {
        double centre[3], radius = find_ball(s, b, w->scale, x, w->q, centre);
        covered = cover_hit(&s->cover, centre, radius);
    }
    return covered;
}

void seeker_begin(const scatter *s, seeker *w, uint32_t body)
{
    w->number = s->p.args->first + body;
    w->scale = s->bodies[body].scale;
    packing_turn(&s->p, w->number, w->q);
    w->next = 0;
    w->ahead = 1;
    w->at = w->n = 0;
}

int seeker_draw(const scatter *s, seeker *w)
{
    const packing *p = &s->p;
    const uint64_t call = p->args->step << 32; // a later call tries other places
    const uint64_t left = (uint64_t)s->config->tries - w->next, most = w->ahead;
    const uint64_t ahead = most < left ? most : left;
    double lo[3] = {0.0, 0.0, 0.0}, hi[3] = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < p->dimension; k++)
        packing_range(p, packing_reach(p, w->scale), k, &lo[k], &hi[k]);
    for (uint64_t a = 0; a < ahead; a++) {
        w->x[a][2] = 0.0;
        for (uint32_t k = 0; k < p->dimension; k++)
            w->x[a][k] = lo[k] + (hi[k] - lo[k]) * packing_draw(p, STREAM_PLACE, w->number,
                                                                call + 3 * (w->next + a) + k);
        if (s->cover.bits)
            cover_fetch(&s->cover, w->x[a]);
    }
    w->next += ahead;
    w->ahead = w->ahead < LOOK_AHEAD ? 2 * w->ahead : LOOK_AHEAD;
    w->at = 0;
    w->n = (uint32_t)ahead;
    return ahead > 0;
}

void seeker_keep(const scatter *s, seeker *w)
{
    const double r = packing_reach(&s->p, w->scale);
    uint32_t kept = 0;
    for (uint32_t a = 0; a < w->n; a++) {
        if (!packing_holds(&s->p, w->x[a], r) || is_covered(s, w, w->x[a]))
            continue;
        memmove(w->x[kept++], w->x[a], sizeof w->x[a]);
    }
    w->n = kept;
}

/* Asks about the places that are left. */
static int32_t ask(scatter *s, seeker *w, int *found)
{
    const packing *p = &s->p;
    chunk *c = &s->chunk;
    trial_arrays arrays;
    uint32_t index = 0, n_free = 0, n = w->n - w->at;
    for (uint32_t i = 0; i < n; i++) {
        c->shape[i] = p->config->body->shape;
        c->scale[i] = w->scale;
        for (int k = 0; k < 3; k++)
            c->x[k][i] = w->x[w->at + i][k];
        for (int k = 0; k < 4; k++)
            c->q[k][i] = w->q[k];
    }
    const int32_t code =
        p->query->find_free(p->query->ctx, packing_trials(c, 0, n, &arrays), 1, &index, &n_free);
    *found = code >= 0 && n_free;
    w->at = *found ? w->at + index : w->n;
    return code;
}

int32_t seeker_finish(scatter *s, seeker *w, int *found)
{
    *found = 0;
    for (;;) {
        const int32_t code = w->at < w->n ? ask(s, w, found) : SCREE_OK;
        if (code < 0 || *found || !seeker_draw(s, w))
            return code;
        seeker_keep(s, w);
    }
}
