// SPDX-License-Identifier: Apache-2.0
/*
 * The parallel configuration space.
 *
 * Source: R. M. O'Connor, A distributed discrete element modeling environment, MIT 1996, section
 * 8.2.1.
 *
 * Idea: all bodies move at once, from site 0 to site 1. A body keeps its pose of site 1 if this
 * pose overlaps no pose of either site, its own pose of site 0 excepted. So no overlap appears, no
 * matter which others keep theirs.
 *
 * Steps: 1. Site 1 against the bodies of the scene: walls, and bodies that were there before.
 *        2. Site 1 against site 1: of each pair the body with the lower number reverts.
 *        3. Site 1 against site 0: the body of site 1 reverts.
 *
 * Deviations: the paper lets the first body of a pair revert in the order of its spatial sort. Here
 * the numbers decide, and each pass looks at all pairs that site 1 had at its begin, so that
 * neither the contact detection nor an order shows. The paper does not say where walls count; here
 * they count first: a pose that a wall refuses blocks no other.
 */
#include "sites.h"

#include <stdlib.h>

int sites_reserve(sites *s, uint64_t n)
{
    double **const reals[] = {&s->x[0], &s->x[1], &s->x[2], &s->q[0],
                              &s->q[1], &s->q[2], &s->q[3], &s->scale};
    int good = 1;
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) {
        uint64_t room = s->room;
        good = good && scree_grow(reals[k], &room, n, sizeof(double));
    }
    uint64_t room[3] = {s->room, s->room, s->room};
    good = good && scree_grow(&s->shape, &room[0], n, sizeof *s->shape) &&
           scree_grow(&s->body, &room[1], n, sizeof *s->body) &&
           scree_grow(&s->index, &room[2], n, sizeof *s->index);
    if (good)
        s->room = room[0];
    return good;
}

void sites_clear(sites *s)
{
    for (int k = 0; k < 3; k++)
        free(s->x[k]);
    for (int k = 0; k < 4; k++)
        free(s->q[k]);
    free(s->scale);
    free(s->shape);
    free(s->body);
    free(s->index);
    memset(s, 0, sizeof *s);
}

void sites_want(sites *s, uint64_t body, uint32_t shape, double scale, const double x[3],
                const double q[4])
{
    const uint32_t i = s->n0 + s->n1++;
    for (int k = 0; k < 3; k++)
        s->x[k][i] = x[k];
    for (int k = 0; k < 4; k++)
        s->q[k][i] = q[k];
    s->scale[i] = scale;
    s->shape[i] = shape;
    s->body[i] = body;
}

void sites_copy(sites *s, uint32_t from, uint32_t to)
{
    for (int k = 0; k < 3; k++)
        s->x[k][to] = s->x[k][from];
    for (int k = 0; k < 4; k++)
        s->q[k][to] = s->q[k][from];
    s->scale[to] = s->scale[from];
    s->shape[to] = s->shape[from];
    s->body[to] = s->body[from];
}

/* The poses from `first` on, as trials. */
static scree_new_bodies trials_from(const sites *s, uint32_t first)
{
    scree_new_bodies trials = {.size = sizeof trials,
                               .n = s->n0 + s->n1 - first,
                               .shape = s->shape + first,
                               .scale = s->scale + first};
    for (int k = 0; k < 3; k++)
        trials.x[k] = s->x[k] + first;
    for (int k = 0; k < 4; k++)
        trials.q[k] = s->q[k] + first;
    return trials;
}

/* Keeps the poses index[0] to index[n - 1] of site 1; they ascend. */
static void keep(sites *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        sites_copy(s, s->n0 + s->index[i], s->n0 + i);
    s->n1 = n;
}

/* Which bodies of site 1 the others refuse. */
static int32_t part(sites *s, const scree_query *query)
{
    scree_new_bodies trials = trials_from(s, 0);
    scree_trial_pairs found = {.size = sizeof found};
    uint32_t n = 0;
    trials.instead = s->body; // both poses of a body have its number
    const int32_t code = query->find_pairs(query->ctx, &trials, s->n0, &found);
    if (code < 0)
        return code;
    for (uint32_t i = 0; i < s->n1; i++)
        s->index[i] = 1;
    for (uint64_t p = 0; p < found.n; p++) {
        const uint32_t a = found.pair[p].a, b = found.pair[p].b;
        s->index[(a >= s->n0 && s->body[a] < s->body[b] ? a : b) - s->n0] = 0;
    }
    for (uint32_t i = 0; i < s->n1; i++)
        if (s->index[i])
            s->index[n++] = i;
    keep(s, n);
    return SCREE_OK;
}

int32_t sites_settle(sites *s, const scree_query *query)
{
    const scree_new_bodies trials = trials_from(s, s->n0);
    uint32_t n = 0;
    const int32_t code = query->find_free(query->ctx, &trials, s->n1, s->index, &n);
    if (code < 0)
        return code;
    keep(s, n);
    return part(s, query);
}
