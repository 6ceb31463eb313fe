/* SPDX-License-Identifier: Apache-2.0 */
/* Touches of a pair of solids, and few contacts of many. */
#ifndef RESOLVER_SOLID_MANIFOLD_H
#define RESOLVER_SOLID_MANIFOLD_H

#include "surface.h"

/** A touch of two bodies, in world axes from x_a. */
typedef struct solid_touch {
    double depth;     /* [m] */
    scree_vec normal; /* [-] from a to b */
    scree_vec at;     /* [m] the middle of the overlap or gap along the normal */
    uint64_t feature;
    uint32_t part, state; /* facet of a wall; see manifold.c */
} solid_touch;

/** [lane] Reduces n touches: of each patch with about one normal the deepest and the outermost points,
 * `most` of them; those that stay come first, by feature. `apart` [m]: closer ones are one. */
uint32_t solid_reduce(solid_touch *touches, uint32_t n, uint32_t most, double apart);

/** Writes the touches of pair p, for which the batch has room. */
static inline void solid_put(scree_contacts *out, uint32_t p, const solid_touch *touches,
                             uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t c = out->n++;
        out->pair[c] = p;
        out->depth[c] = touches[k].depth;
        scree_vec_put(out->normal, c, touches[k].normal);
        scree_vec_put(out->arm, c, touches[k].at);
        if (out->feature)
            out->feature[c] = touches[k].feature;
        if (out->part[0])
            out->part[0][c] = 0;
        if (out->part[1])
            out->part[1][c] = touches[k].part;
    }
}

#endif
