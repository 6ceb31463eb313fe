/* SPDX-License-Identifier: Apache-2.0 */
/* Terms about observers' scalars, "flow.rate < 2 g/s", are checked against the observers. */
#ifndef CORE_SCENE_TERMS_H
#define CORE_SCENE_TERMS_H

#include "plugin/scalars.h"
#include "scene/scene_build.h"
#include "scene/scene_condition.h"

/** After `stop` and `schedule` were read: adds a problem for each term whose observer is missing in
 * the scene and its schedule, or has no scalars. */
void scree_build_terms(scree_build *build);
/** Checks the terms about the observer with this name. False, with the place of the condition: it
 * has no such scalar, or the unit differs. */
bool scree_terms_check(const scree_scene *scene, const char *name, const scree_instance *observer,
                       GError **error);
/** Finds the number, in the scalar's unit, that a term compares it with. */
bool scree_term_limit(const scree_term *term, const scree_scalar *scalar, double *limit,
                      GError **error);

#endif
