/* SPDX-License-Identifier: Apache-2.0 */
/* Modifier `insert`: does the largest body fit into the region? */
#ifndef PLUGINS_INSERT_ROOM_H
#define PLUGINS_INSERT_ROOM_H

#include "scree/sdk.h"

/** Does a body of that bounding radius fit into an empty region? */
static inline int has_room(const scree_zone *z, uint32_t dimension, double r)
{
    double length2 = 0.0;
    int room = z->type == SCREE_ZONE_BOX || z->radius >= r;
    for (uint32_t k = 0; k < dimension; k++) {
        length2 += (z->b[k] - z->a[k]) * (z->b[k] - z->a[k]);
        room &= z->hi[k] - z->lo[k] >= 2.0 * r;
    }
    return room &&
           (z->type != SCREE_ZONE_CYLINDER ||
            (length2 >= 4.0 * r * r && (z->inner == 0.0 || z->radius - z->inner >= 2.0 * r)));
}

/** Fails if the largest body does not fit; `what`: "" or "bounding ". */
static inline int32_t check_room(const scree_host *host, const scree_zone *z, double r,
                                 const char *what)
{
    const double *lo = z->lo, *hi = z->hi;
    if (has_room(z, host->dimension, r))
        return SCREE_OK;
    return host->dimension == 2
               ? scree_failf(host, SCREE_E_CONFIG,
                             "region: the largest body, of %sradius %g m, has no room in the "
                             "region of %g x %g m",
                             what, r, hi[0] - lo[0], hi[1] - lo[1])
               : scree_failf(host, SCREE_E_CONFIG,
                             "region: the largest body, of %sradius %g m, has no room in the "
                             "region of %g x %g x %g m",
                             what, r, hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]);
}

#endif
