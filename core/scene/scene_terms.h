/* SPDX-License-Identifier: Apache-2.0 */
/* Terms of conditions about scalars of observers, "flow.rate < 2 g/s": checked against the observers. */
#ifndef CORE_SCENE_TERMS_H
#define CORE_SCENE_TERMS_H

#include "plugin/scalars.h"
#include "scene/scene_build.h"
#include "scene/scene_condition.h"

/** After `stop` and `schedule` were read: a problem for each term about an observer that neither the
 * scene nor its schedule has, or that gives no scalars. */
void scree_build_terms(scree_build *build);
/** False, with the place of the condition, where a term about the observer of this name asks for a
 * scalar that it does not have, or compares it with another unit. */
bool scree_terms_check(const scree_scene *scene, const char *name, const scree_instance *observer,
                       GError **error);
/** Whether a condition of the schedule reads the observer of this name. */
bool scree_terms_switch_by(const scree_scene *scene, const char *name);
/** The number that a term compares a scalar with [in its unit]. */
bool scree_term_limit(const scree_term *term, const scree_scalar *scalar, double *limit,
                      GError **error);

#endif
