/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a scene that must be the same in a continued run: bodies, shapes, names, region. */
#ifndef CORE_IDENTITY_H
#define CORE_IDENTITY_H

#include "scene/scene_data.h"

/** A material, shape or group of bodies, with its SHA-256. */
typedef struct scree_identity_part {
    char *name, *sha256; /* of a shape "" until a checkpoint is written or read (shape_sum.h) */
    uint64_t n;          /* number of bodies in a group */
} scree_identity_part;

typedef struct scree_identity {
    uint64_t dimension, has_region, boundary[3];
    double thickness, region_min[3], region_max[3], tilt[3];
    GArray *materials, *shapes, *groups; /* elements: scree_identity_part */
} scree_identity;

/** Returns an empty array of scree_identity_part. */
GArray *scree_identity_parts_new(void);
/** Returns the identity of a scene; its bodies are not yet freed. */
scree_identity *scree_identity_of(const scree_scene *scene);
void scree_identity_free(scree_identity *identity);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_identity, scree_identity_free)

#endif
