/* SPDX-License-Identifier: Apache-2.0 */
/* Checks calls that were read from a replay file against the plugin and the scene. */
#ifndef CORE_BLAME_CHECK_H
#define CORE_BLAME_CHECK_H

#include "engine/blame.h"
#include "scene/scene.h"

/* Each returns false with an error (SCREE_EXIT_USAGE) when the host makes no such call. */
bool scree_blame_check_bodies(const scree_bodies *bodies, const scree_scene *scene, GError **error);
/** `in`, `out`: [SCREE_MAX_PAIR_FIELDS], NULL after the last one. */
bool scree_blame_check_batch(const scree_contact_batch *batch, const scree_plugin *plugin,
                             const double *const *in, const double *const *out, GError **error);
/** Call it after scree_blame_check_bodies. */
bool scree_blame_check_candidates(const scree_candidates *candidates, const scree_plugin *plugin,
                                  uint32_t hint_bytes, const double *const *in,
                                  const double *const *out, GError **error);
bool scree_blame_check_boxes(const scree_boxes *boxes, const scree_scene *scene, GError **error);

#endif
