/* SPDX-License-Identifier: Apache-2.0 */
/* A scene as members of a JSON object. */
#ifndef CORE_SCENE_JSON_H
#define CORE_SCENE_JSON_H

#include "base/json.h"
#include "critical/critical.h"
#include "tools/look/census.h"

/** Number of ranks of a run; 0: as many as a launcher starts. */
uint32_t scree_look_ranks(const scree_scene *scene);
/** Puts title, dimension, bodies, materials, plugins and schedule. */
void scree_look_put_scene(scree_json *json, const scree_scene *scene, const scree_census *census);
/** Puts the critical steps, the step (NaN: null), and the end of the run. */
void scree_look_put_step(scree_json *json, const scree_scene *scene, const scree_critical *critical,
                         double dt);

#endif
