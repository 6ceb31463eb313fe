/* SPDX-License-Identifier: Apache-2.0 */
/* Free bodies that start outside of the closed walls of their scene. */
#ifndef CORE_CLOSED_WALLS_H
#define CORE_CLOSED_WALLS_H

#include "scene/scene_data.h"

/** The closed walls of a scene that are meant to hold bodies: some bodies are inside, or all
 * normals point inward. */
typedef struct scree_closed_walls {
    uint32_t n;     /* number of these walls */
    uint32_t group; /* group of the first one */
    uint64_t free;  /* free bodies whose centres were tried: all, or each k-th of very many */
    uint64_t out;   /* of these, bodies outside of every closed wall */
} scree_closed_walls;

/** Whether no part of a body can be in the scene's region. */
bool scree_body_is_beyond(const scree_scene *scene, const scree_body *body);
/** Finds the walls of facets (2D: segments) without an open edge, and counts the bodies outside. */
scree_closed_walls scree_closed_walls_find(const scree_scene *scene);

#endif
