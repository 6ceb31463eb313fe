/* SPDX-License-Identifier: Apache-2.0 */
/* A scene as texts that are kept with a state; tools/restart reads it again without its files. */
#ifndef CORE_SCENE_STORED_H
#define CORE_SCENE_STORED_H

#include "scene/scene_data.h"

/** The texts of a scene and its overrides. Files that the texts name (tables of bodies, meshes) are
 * not included: they are read from their former paths, and their checksums are in the identity. */
typedef struct scree_stored_scene {
    char *name;                  /* name of the file, without folder and .cfg */
    GPtrArray *paths, *texts;    /* char *: absolute paths and texts; the scene's own file first */
    GPtrArray *overrides, *dirs; /* char *: assignments, and the folders for their file names */
} scree_stored_scene;

scree_stored_scene *scree_stored_scene_new(void); /* an empty one */
scree_stored_scene *scree_stored_scene_of(const scree_scene *scene);
void scree_stored_scene_free(scree_stored_scene *stored);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_stored_scene, scree_stored_scene_free)

#endif
