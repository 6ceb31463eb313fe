// SPDX-License-Identifier: Apache-2.0
// Which touches can follow each other, so that history goes on.
#include "resolver.h"

/* A part of a polytope that a feature names. */
typedef struct part {
    enum { PART_CORNER, PART_EDGE, PART_FACE } type;
    uint32_t number;
} part;

static part part_of(uint64_t feature, int of_b)
{
    const uint32_t number[2] = {feature_first(feature), feature_second(feature)};
    switch (feature_type(feature)) {
    case TOUCH_CORNER: // face of b, corner of a
        return of_b ? (part){PART_FACE, number[0]} : (part){PART_CORNER, number[1]};
    case TOUCH_OTHER_CORNER:
        return of_b ? (part){PART_CORNER, number[1]} : (part){PART_FACE, number[0]};
    case TOUCH_CROSSING:
        return (part){PART_EDGE, number[of_b]};
    default:
        return (part){PART_CORNER, number[of_b]};
    }
}

static int has_corner(const polytope *p, part x, uint32_t v)
{
    if (x.type == PART_CORNER)
        return x.number == v;
    if (x.type == PART_EDGE)
        return x.number < p->n_edges &&
               (p->edges[x.number].from == v || p->edges[x.number].to == v);
    if (x.number >= p->n_faces)
        return 0;
    for (uint32_t k = p->first[x.number]; k < p->first[x.number + 1]; k++)
        if (p->ring[k] == v)
            return 1;
    return 0;
}

static int share_corner(const polytope *p, part x, part y)
{
    for (uint32_t v = 0; v < p->n_vertices; v++)
        if (has_corner(p, x, v) && has_corner(p, y, v))
            return 1;
    return 0;
}

/* Do points of lines and round faces adjoin? The number on each body stays, or becomes the next. */
static int spreads_adjoin(uint64_t feature, uint64_t other)
{
    const uint32_t i = feature_first(feature), j = feature_first(other);
    const uint32_t k = feature_second(feature), l = feature_second(other);
    return feature_type(feature) == TOUCH_SPREAD && feature_type(other) == TOUCH_SPREAD &&
           (i == j || spread_adjoins(i, j)) && (k == l || spread_adjoins(k, l));
}

int touches_adjoin(const body_shape *a, const body_shape *b, uint64_t feature, uint64_t other)
{
    if (a->spread.half > 0.0 || b->spread.half > 0.0)
        return spreads_adjoin(feature, other) || (b->wall && wall_adjoins(b->wall, feature, other));
    if (b->wall)
        return wall_adjoins(b->wall, feature, other);
    if (!a->flat || !b->flat) // a plane: each corner has its own
        return 0;
    return share_corner(a->flat, part_of(feature, 0), part_of(other, 0)) &&
           share_corner(b->flat, part_of(feature, 1), part_of(other, 1));
}
