/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies in a box or ball that is given as text. */
#ifndef CORE_ZONE_BODIES_H
#define CORE_ZONE_BODIES_H

#include "base/json.h"
#include "engine/world.h"

/** A body in a zone. */
typedef struct scree_zone_hit {
    uint64_t index; /* in the list of bodies */
    bool by_box;    /* only its box is known to be in the zone */
} scree_zone_hit;

/** Puts the bodies of a world in place of those of a list (scree_body). */
void scree_zone_take_world(GArray *bodies, const scree_world *w);
/** Finds the bodies (scree_body) in a zone, by their ids: hits has scree_zone_hit.
 * `option`: "--box" or "box", "--ball" or "ball"; `value`: "X0,Y0,Z0:X1,Y1,Z1",
 * "X,Y,Z:R". `resolvers`: as scree_query_service_open. */
bool scree_zone_bodies(const scree_scene *scene, GArray *bodies, const GPtrArray *resolvers,
                       const char *option, const char *value, GArray *hits, GError **error);
/** Puts the array "bodies": id, group, shape, position and by_box of each. */
void scree_zone_bodies_json(scree_json *json, const scree_scene *scene, const GArray *bodies,
                            const GArray *hits);

#endif
