/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a shape of a plugin: instance, measure, frame, exact views. */
#ifndef CORE_PLUGIN_SHAPE_NEW_H
#define CORE_PLUGIN_SHAPE_NEW_H

#include "shape/plugin_shape.h"

/** Makes the instance given by the choice, measures it, moves it to its principal frame if its
 * flags ask for this, and takes its exact views. Owns the choice, even on failure. `runtime`
 * outlives the shape. scree_any_shape_free frees it. */
scree_shape *scree_plugin_shape_new(scree_runtime *runtime, scree_choice_of *choice,
                                    const char *slot, GError **error);

#endif
