/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of a plugin under test. */
#ifndef CORE_CHECK_INSTANCE_H
#define CORE_CHECK_INSTANCE_H

#include "tools/check/check_values.h"

/** An instance of the plugin under test on `lanes` lanes, in 2 or 3 dimensions, with two materials;
 * `settings` ("sort=\"heap\"", or NULL) come on top. Modifiers and observers find two groups of
 * bodies: "ball", and "wall", which is kinematic. NULL: it refused, and the check has failed with
 * its text. scree_check_instance_free frees it. */
scree_instance *scree_check_instance(scree_check *check, uint32_t dimension, uint32_t lanes,
                                     uint32_t parameters, const char *settings);
/** The same with `settings` as a list. */
scree_instance *scree_check_instance_with(scree_check *check, uint32_t dimension, uint32_t lanes,
                                          uint32_t parameters, const char *const *settings);
/** Another instance with the same parameters and lanes. */
scree_instance *scree_check_instance_again(scree_check *check, scree_instance *instance);
/** The cell without a region. */
extern const scree_cell scree_check_open_cell;
/** The scene around an instance. */
const scree_scene *scree_check_scene_of(const scree_instance *instance);
/** The config struct of its plugin, as create() got it. */
const void *scree_check_config_of(const scree_instance *instance);
/** Whether the user's settings have lists that the plugin takes in the plane and refuses in
 * space. */
bool scree_check_is_flat(scree_check *check);
void scree_check_instance_free(scree_instance *instance);
/** Whether the user's settings are valid; it calls no function of the plugin. */
bool scree_check_settings(const scree_check *check, GError **error);
/** A solid of the first such plugin in the file of the plugin under test, with the user's
 * parameters and made-up ones. NULL: none serves the dimension, or, with *error, it could not be
 * made. scree_any_shape_free frees it, before the instance. */
scree_shape *scree_check_solid(const scree_check *check, scree_instance *instance, GError **error);

#endif
