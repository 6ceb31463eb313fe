/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of new bodies (scree_new_bodies), by which sources, edits and questions about room
 * give them: reads and checks them. */
#ifndef CORE_NEW_BODIES_H
#define CORE_NEW_BODIES_H

#include "scene/scene_data.h"

/** For what a description serves: how much of it is read, and how strictly. */
typedef enum scree_new_as {
    SCREE_NEW_TRIAL, /* only its shape and pose */
    SCREE_NEW_ROW,   /* a row of a file, of which the scene checks velocities, too */
    SCREE_NEW_BODY
} scree_new_as;

/** Returns which member is missing or too short, or NULL. */
const char *scree_new_bodies_gap(const scree_new_bodies *from, uint32_t dimension, scree_new_as as);
/** Returns body i, in its frame. */
scree_body scree_new_bodies_read(const scree_new_bodies *from, uint32_t i, uint32_t dimension,
                                 scree_new_as as);
/** Returns a mistake in a body, or NULL. */
const char *scree_new_body_fault(const scree_scene *scene, const scree_body *body, scree_new_as as);

#endif
