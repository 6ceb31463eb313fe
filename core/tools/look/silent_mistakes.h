/* SPDX-License-Identifier: Apache-2.0 */
/* Values that a run accepts and that are mistakes more often than not: a note each. */
#ifndef CORE_SILENT_MISTAKES_H
#define CORE_SILENT_MISTAKES_H

#include "scene/scene_data.h"

/** Adds a note to the scene's config for each suspicious value. */
void scree_note_silent_mistakes(const scree_scene *scene);
/** Adds a note for each modifier that starts at the end of the run [s] or later. */
void scree_note_late_modifiers(const scree_scene *scene, double end);

#endif
