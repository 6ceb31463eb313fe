/* SPDX-License-Identifier: Apache-2.0 */
/* Resolver `closest_feature`: what its files share. */
#ifndef CLOSEST_FEATURE_RESOLVER_H
#define CLOSEST_FEATURE_RESOLVER_H

#include "ends.h"
#include "overlap.h"
#include "track.h"
#include "wall.h"

enum { GEOMETRY_OVERLAP, GEOMETRY_DISTANCE };

typedef struct resolver {
    const scree_host *host;
    outline *outlines; /* [n] by index of shape; n = 0 when the shape has no outline */
    wall *walls;       /* [n] open walls, likewise */
    uint64_t n, capacity, wall_capacity;
    int32_t geometry; /* GEOMETRY_* */
    uint32_t reserved;
} resolver;

/** The outline of body i, or NULL after host->fail. */
const outline *outline_of(const resolver *self, const scree_bodies *bodies, uint32_t i);

/** The open wall that body i is, or NULL. */
static inline const wall *wall_of(const resolver *self, const scree_bodies *bodies, uint32_t i)
{
    const uint32_t shape = bodies->shape[i];
    return shape < self->n && self->walls[shape].n_lines > 0 ? &self->walls[shape] : NULL;
}

/** Memory of the lane; its contents are lost when the size changes. */
typedef struct memory {
    void *at;
    uint64_t bytes;
} memory;
int32_t get_memory(const resolver *self, const scree_candidates *in, uint64_t bytes, memory *m);

/** Does a contact of pair p count? */
static inline int counts(const scree_candidates *in, uint32_t p, double depth)
{
    return depth >= -in->range || (in->keep && in->keep[p]);
}

/** Writes a contact of pair p; `origin` of the search, from x_a. */
static inline void put_touch(const scree_candidates *in, scree_contacts *out, uint32_t p,
                             const touch *t, point origin)
{
    const uint32_t c = out->n++;
    out->pair[c] = p;
    out->depth[c] = t->depth;
    out->normal[0][c] = t->normal.x;
    out->normal[1][c] = t->normal.y;
    out->normal[2][c] = 0.0;
    out->arm[0][c] = origin.x + t->at.x;
    out->arm[1][c] = origin.y + t->at.y;
    out->arm[2][c] = 0.0;
    if (out->feature)
        out->feature[c] = t->feature;
    if (out->area)
        out->area[c] = t->area;
    if (out->chord)
        out->chord[c] = t->chord;
    if (out->twist)
        out->twist[c] = t->turn * in->bodies->thickness;
    if (out->eccentricity)
        eccentricity_put(&t->off, out, c);
}

/** A contact of an overlap. The depth is area / chord, but no more than `across`; a piece
 * without a chord gets the direction `between` the centres, of any length, as its normal. */
touch touch_of_piece(const piece *one, point between);

/** A contact of a distance. */
touch touch_of_gap(const gap *g);

/** The gap of outlines that do not overlap: the least distance of any vertex from any edge. */
gap outlines_gap(const placed *a, const placed *b);

/** [lane] The contacts of pair p, where b is an open wall, in m. plain: without eccentricities. */
int32_t resolve_wall(const resolver *self, const scree_candidates *in, uint32_t p, const wall *w,
                     int plain, memory *m, touch **list, uint32_t *n);

/** [lane] resolve() of the pairs of types. */
int32_t resolve_outlines(const resolver *self, const scree_candidates *in, scree_contacts *out,
                         uint32_t *done);
int32_t resolve_planes(const resolver *self, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done);
int32_t resolve_discs(const resolver *self, const scree_candidates *in, scree_contacts *out,
                      uint32_t *done);

#endif
