/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a shape of a plugin: instance, measure, frame, exact views. */
#ifndef CORE_PLUGIN_SHAPE_NEW_H
#define CORE_PLUGIN_SHAPE_NEW_H

#include "shape/plugin_shape.h"

/** Makes the instance that the choice names, asks its measure, moves it to its principal frame
 * where its flags say so, and takes its exact views. Takes the choice, also when it fails.
 * `runtime` outlives the shape. To be freed with scree_any_shape_free. */
scree_shape *scree_plugin_shape_new(scree_runtime *runtime, scree_choice_of *choice,
                                    const char *slot, GError **error);

#endif
