/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of a plugin that is called while the scene is read, as notes and problems of the scene. */
#ifndef CORE_SCENE_PLUGIN_TEXTS_H
#define CORE_SCENE_PLUGIN_TEXTS_H

#include "plugin/instance_data.h"
#include "scene/scene_build.h"

/** Texts of the instances of a runtime. */
typedef struct scree_heard {
    scree_runtime *runtime;
    GPtrArray *notes, *failures; /* of char * */
} scree_heard;

/** From now on the runtime's instances are heard; it must not be moved. */
void scree_heard_begin(scree_heard *heard, scree_runtime *runtime);
/** Ends that: notes and, with an error, problems of the group, which may be NULL. */
void scree_heard_end(scree_heard *heard, scree_build *build, const scree_node *group,
                     const GError *error);

#endif
