/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of a plugin under test. */
#ifndef CORE_CHECK_INSTANCE_H
#define CORE_CHECK_INSTANCE_H

#include "tools/check/check.h"

/* How the check chooses values for parameters. */
#define SCREE_CHECK_DEFAULTS 0u /* defaults, or the middle of the range */

#define SCREE_CHECK_LOWEST 1u  /* each number at the lower end of its range, first choices */
#define SCREE_CHECK_HIGHEST 2u /* each number at the upper end of its range, last choices */
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
/** Writes the keys of the plugin's group in a scene: its name, an interval, made-up parameters
 * without those in `settings`; `optional`: mask of optional parameters that are given. */
void scree_check_append_keys(scree_check *check, uint32_t dimension, uint32_t parameters,
                             uint32_t optional, const char *const *settings, GString *text);
/** The scene around an instance. */
const scree_scene *scree_check_scene_of(const scree_instance *instance);
/** The config struct of its plugin, as create() got it. */
const void *scree_check_config_of(const scree_instance *instance);
void scree_check_instance_free(scree_instance *instance);
/** Whether "NAME=VALUE" names a parameter of the plugin. */
bool scree_check_has_param(const scree_plugin *plugin, const char *setting);
/** The settings that name such parameters, ended by NULL; the caller keeps the strings. */
GPtrArray *scree_check_own_settings(const char *const *settings, const scree_plugin *plugin);
/** Whether the user's settings are valid; it calls no function of the plugin. */
bool scree_check_settings(const scree_check *check, GError **error);
/** 3 if the plugin serves 3D, otherwise 2. */
uint32_t scree_check_dimension(const scree_check *check);
/** "NAME=VALUE" for parameter p at an end of its range (SCREE_CHECK_LOWEST, ..HIGHEST); NULL: it
 * has no such end. */
char *scree_check_at_end(const scree_param *param, uint32_t end);
/** "NAME=VALUE" for a parameter without a default; NULL: nothing can be made up for it. */
char *scree_check_made_up(const scree_check *check, uint32_t dimension, const scree_param *param);

/** A parameter that names a file to read, which only the user can give. NULL: none. */
const scree_param *scree_check_missing_file(const scree_check *check);

/** The plugin of solids for the check: the plugin under test, the user's, the first in its file;
 * NULL: none serves the dimension. */
const scree_plugin *scree_check_solid_plugin(const scree_check *check, uint32_t dimension);
/** A solid of the first such plugin in the file of the plugin under test, with the user's
 * parameters and made-up ones. NULL: none serves the dimension, or, with *error, it could not be
 * made. scree_any_shape_free frees it, before the instance. */
scree_shape *scree_check_solid(const scree_check *check, scree_instance *instance, GError **error);

#endif
