/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a scene that a continued run must find again: bodies, shapes, names, region. */
#ifndef CORE_IDENTITY_H
#define CORE_IDENTITY_H

#include "base/h5io.h"
#include "scene/scene_data.h"

/** A material, shape or group of bodies, and the SHA-256 of what it is. */
typedef struct scree_identity_part {
    char *name, *sha256;
    uint64_t n; /* bodies of a group */
} scree_identity_part;

typedef struct scree_identity {
    uint64_t dimension, has_region, boundary[3];
    double thickness, region_min[3], region_max[3];
    GArray *materials, *shapes, *groups; /* of scree_identity_part */
} scree_identity;

/** The identity of a scene that still has its bodies. */
scree_identity *scree_identity_of(const scree_scene *scene);
void scree_identity_free(scree_identity *identity);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_identity, scree_identity_free)
/** To a file, or from it (then *identity is new). */
void scree_identity_transfer(scree_h5 *h5, scree_identity **identity);
/** False with an error (SCREE_EXIT_USAGE) that names all that a run cannot go on with. `modifiers`
 * may be others, and their groups with them. */
bool scree_identity_match(const scree_identity *stored, const scree_identity *given,
                          GError **error);
/** Number of a part of that name, or SCREE_NONE. */
uint32_t scree_identity_find(const GArray *parts, const char *name);

#endif
