/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the run of a scene as it begins: what it is made of, its steps, its first state. */
#ifndef CORE_LOOK_SCENE_H
#define CORE_LOOK_SCENE_H

#include "engine/sim.h"
#include "tools/look/look_json.h"
#include "tools/restart/restart.h"

/** The checkpoint that a scene is to continue; `checkpoint` NULL: none. */
typedef struct scree_look_from {
    scree_checkpoint *checkpoint;
    bool allow_plugin_change;
} scree_look_from;

/** Evaluates the start of a sim that `waits`, or (`goes_on`) takes that of its checkpoint, and shows
 * it to all observers of its scene. */
bool scree_show_start(scree_sim *sim, bool goes_on, GError **error);
/** Says the notes of the scene's config, from number `from` on. */
void scree_look_notes(const scree_scene *s, guint from);
/** Prints the scene or puts it into the object, and frees it. It makes the plugins and the first state. `timed`:
 * also takes steps, and says how long the run will take. Returns the exit status. */
int scree_look_describe(scree_scene *s, const scree_look_from *from, bool timed, scree_look *look);

#endif
