/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of resolvers of solids in cells: the distance of a surface from that of the shape, and the
 * depth of contacts. */
#ifndef RESOLVER_SOLID_SERVED_H
#define RESOLVER_SOLID_SERVED_H

#include "scree/sdk.h"

/* Part of a shape's longest side up to which `dfr3d` and `sdf` serve: the limit for the depth of
 * contacts (table in docs/explanation/contact-resolution.md) and for corners lost by cells. */
#define SOLID_SERVED 0.01
/* The same for volumes of `sdf`: deeper overlaps of solids whose faces cross are off by more than a sixth. */
#define SOLID_SERVED_VOLUME 0.1

/** The deepest contact of a lane, in a cache line of its own. */
typedef struct solid_deepest {
    double share; /* [-] depth over the size of the smaller body's shape */
    uint32_t shape, reserved;
    uint64_t line[6];
} solid_deepest;

/** A shape that was prepared; size 0: it was not. */
typedef struct solid_known {
    double size; /* [m] the longest side */
    const char *name;
} solid_known;

typedef struct solid_served {
    const scree_host *host;
    solid_deepest *lane; /* [host->lanes] */
    solid_known *shape;  /* [n] by index of shape */
    uint64_t n, room;
} solid_served;

/** [config] Makes room for the lanes; fails with the host. */
int32_t solid_served_start(solid_served *s, const scree_host *host);
/** [config] Adds a shape that was prepared; fails with the host. */
int32_t solid_served_add(solid_served *s, uint32_t index, double size);
/** [lane] Notes the deepest of the contacts of a call. */
void solid_served_note(const solid_served *s, const scree_candidates *in,
                       const scree_contacts *out);
/** [config] Warns of the deepest contact of all lanes if it exceeds `most` of its shape, the limit
 * of `what` (NULL: no warning). `advice`: what deeper contacts do, and what helps. Frees the
 * memory. */
void solid_served_end(solid_served *s, const char *what, double most, const char *advice);
uint64_t solid_served_bytes(const solid_served *s);

/** [any] 1: bodies of the type are points, which are balls of radius 0. */
static inline int solid_is_point(const scree_shape_type *type)
{
    int all = type->n_shapes > 0;
    for (uint32_t k = 0; k < type->n_shapes; k++)
        all &= type->shapes[k]->plugin && strcmp(type->shapes[k]->plugin->id, "point") == 0;
    return all;
}

/** [config] Name of a shape of the scene, "?" if it has none. */
const char *solid_name_of(const scree_host *host, uint32_t index);
/** [config] [m] Distance of x from the zero surface of a function, to first order. */
double solid_off_function(const scree_implicit *view, const double x[3]);

#endif
