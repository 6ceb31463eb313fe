/* SPDX-License-Identifier: Apache-2.0 */
/* Resolver `gjk`: its instance, and what its files share. */
#ifndef GJK_RESOLVER_H
#define GJK_RESOLVER_H

#include "../solid/served.h"
#include "cover.h"
#include "spread.h"
#include "wall.h"

typedef struct body_shape {
    const scree_support *view;
    polytope *flat;
    wall *wall;
    spread spread;                  /* for shapes without faces */
    const smooth_view *smooth;      /* or NULL */
    const scree_implicit *implicit; /* of a smooth shape, or NULL */
    double half[3];                 /* [m] reach of a smooth shape along its axes */
} body_shape;

typedef struct resolver {
    const scree_host *host;
    body_shape *shapes; /* [n] by index of shape */
    uint64_t n, capacity;
    const char *point, *facets; /* names of the first point and the first wall, or NULL */
} resolver;

/* States in which the previous search left a pair. */
enum { HINT_NONE, HINT_APART, HINT_OVERLAP, HINT_EXCHANGED };

typedef struct hint {
    uint32_t type;     /* HINT_*; HINT_EXCHANGED: an overlap of b and a, in this order */
    uint32_t reserved; /* 0 */
    union {
        double axis[3]; /* [-] along which the bodies were apart */
        surface cover;  /* surface of two polytopes that overlap */
    } of;
} hint;

/* Memory of one call. */
typedef struct work {
    touches found;
    void *room[2]; /* memory for bodies a and b */
    void *search;
} work;

static inline int is_kept(const scree_candidates *in, uint32_t p)
{
    return in->keep && in->keep[p];
}

static inline double range_of(const scree_candidates *in, uint32_t p)
{
    return is_kept(in, p) ? (double)INFINITY : in->range;
}

/* Body i, its corners and faces not yet placed. */
static inline convex frame(const resolver *self, const scree_bodies *bodies, uint32_t i,
                           scree_vec at, void *room)
{
    const body_shape *s = &self->shapes[bodies->shape[i]];
    convex c = convex_frame(bodies, i, s->flat, s->view, at, room);
    c.spread = s->spread.half > 0.0 ? &s->spread : NULL;
    c.smooth = s->smooth;
    c.implicit = s->implicit;
    c.half = s->half;
    return c;
}

static inline convex place(const resolver *self, const scree_bodies *bodies, uint32_t i,
                           scree_vec at, void *room)
{
    convex c = frame(self, bodies, i, at, room);
    convex_place_corners(&c);
    convex_place_faces(&c);
    return c;
}

/** Writes the touches that were found as the contacts of pair p; b NULL: flat. 0: no room is left. */
int put_touches(const touches *t, const convex *a, const convex *b, uint32_t p, scree_contacts *out,
                uint32_t *done);

int32_t resolve_bodies(const resolver *self, const scree_candidates *in, scree_contacts *out,
                       work *w, uint32_t *done);
int32_t resolve_planes(const resolver *self, const scree_candidates *in, scree_contacts *out,
                       work *w, uint32_t *done);
int32_t resolve_walls(const resolver *self, const scree_candidates *in, scree_contacts *out,
                      work *w, uint32_t *done);

/** 1 when a touch can slide from one of two features to the other. */
int touches_adjoin(const body_shape *a, const body_shape *b, uint64_t feature, uint64_t other);

#endif
