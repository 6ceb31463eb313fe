// SPDX-License-Identifier: Apache-2.0
/*
 * solids: pairs of convex polyhedra of a batch.
 *
 * Steps    the least axis (polyhedra.c); overlap: the points of the face (clip.c), reduced to four
 *          (../solid/manifold.c); else, within the range, the gap (gaps.c).
 */
#include "polyhedra.h"

enum { POINTS = 4 };
static const double APART = 1e-6; // [-] of the size: closer points are one

static int is_polyhedron(const scree_shape_type *type)
{
    if (type->flags != 0 || type->n_shapes == 0)
        return 0;
    for (uint32_t k = 0; k < type->n_shapes; k++)
        if (type->shapes[k]->flat || !type->shapes[k]->mesh)
            return 0;
    return 1;
}

void cyrus_solids_support(scree_pair_support *pair)
{
    if (is_polyhedron(pair->a) && is_polyhedron(pair->b))
        pair->contacts = SCREE_SUPPORTS_MANY;
    pair->provides &= SCREE_GIVES_DISTANCE;
}

int32_t cyrus_solids_prepare(const scree_host *host, cyrus_solids *self, uint32_t index,
                             const char *name, const scree_shape *shape)
{
    if (shape->flags != 0 || shape->flat || !shape->mesh)
        return SCREE_OK;
    if (!scree_grow(&self->list, &self->capacity, index + 1ull, sizeof *self->list))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for shapes");
    for (; self->n <= index; self->n++)
        memset(&self->list[self->n], 0, sizeof *self->list);
    cyrus_polyhedron_clear(&self->list[index]);
    return cyrus_polyhedron_make(host, name, shape->mesh, &self->list[index]);
}

void cyrus_solids_clear(cyrus_solids *self)
{
    for (uint64_t k = 0; k < self->n; k++)
        cyrus_polyhedron_clear(&self->list[k]);
    free(self->list);
}

uint64_t cyrus_solids_bytes(const cyrus_solids *self)
{
    uint64_t sum = self->capacity * sizeof *self->list;
    for (uint64_t k = 0; k < self->n; k++)
        sum += cyrus_polyhedron_bytes(&self->list[k]);
    return sum;
}

static uint32_t touches_of(const scree_candidates *in, uint32_t p, cyrus_pair *pair,
                           solid_touch *touches)
{
    const double range = in->keep && in->keep[p] ? (double)HUGE_VAL : in->range;
    const cyrus_axis axis = cyrus_least_axis(pair);
    if (axis.depth >= 0.0)
        return solid_reduce(touches, cyrus_touches(pair, &axis, touches), POINTS,
                            APART * pair->size * pair->scale);
    if (-axis.depth * pair->scale > range || !(range > 0.0)) // the gap is at least that
        return 0;
    touches[0] = cyrus_gap(pair);
    return touches[0].depth >= -range;
}

/* Bytes for the pair: doubles, touches, and two polygons. */
static uint64_t bytes_for(const cyrus_polyhedron *a, const cyrus_polyhedron *b)
{
    const uint64_t n = cyrus_most_touches(a, b);
    return (cyrus_room(a, b) + 8) * sizeof(double) + n * 3 * sizeof(solid_touch);
}

int32_t cyrus_solids_resolve(const scree_host *host, const cyrus_solids *self, int printed,
                             const scree_candidates *in, scree_contacts *out, uint32_t *done,
                             uint64_t *tests)
{
    const uint32_t *shape = in->bodies->shape;
    uint64_t most = 0;
    out->n = *done = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        const uint64_t n = bytes_for(&self->list[shape[in->a[p]]], &self->list[shape[in->b[p]]]);
        most = n > most ? n : most;
    }
    double *memory = host->scratch(host->ctx, in->lane, most + 64);
    if (!memory)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a pair");
    for (uint32_t p = 0; p < in->n; p++) {
        const cyrus_polyhedron *a = &self->list[shape[in->a[p]]];
        const cyrus_polyhedron *b = &self->list[shape[in->b[p]]];
        solid_touch *touches = (solid_touch *)(void *)(memory + cyrus_room(a, b));
        cyrus_pair pair;
        cyrus_pair_set(in, p, a, b, memory, &pair);
        pair.printed = printed;
        const uint32_t n = touches_of(in, p, &pair, touches);
        *tests += pair.tests;
        if (n > out->capacity - out->n) {
            out->n = *done > 0 ? out->n : n;
            return SCREE_OK;
        }
        solid_put(out, p, touches, n);
        *done = p + 1;
    }
    return SCREE_OK;
}
