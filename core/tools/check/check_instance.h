/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of a plugin under test. */
#ifndef CORE_CHECK_INSTANCE_H
#define CORE_CHECK_INSTANCE_H

#include "tools/check/check.h"

/* Parameters that the check makes up from the schema. */
#define SCREE_CHECK_DEFAULTS 0u /* defaults; what has none, in the middle of its range */
typedef struct scree_check_query scree_check_query; /* check_query.h */

#define SCREE_CHECK_LOWEST 1u  /* each number at the lower end of its range, first choices */
#define SCREE_CHECK_HIGHEST 2u /* each number at its upper end, last choices */
/** An instance of the plugin under test on `lanes` lanes, in 2 or 3 dimensions, with two materials;
 * `settings` ("sort=\"heap\""; may be NULL) come on top. Modifiers and observers find two groups of
 * bodies, "ball" and, kinematic, "wall". NULL: it refused, and the check has failed with its text.
 * Free with scree_check_instance_free. */
scree_instance *scree_check_instance(scree_check *check, uint32_t dimension, uint32_t lanes,
                                     uint32_t parameters, const char *settings);
/** The same with `settings` as a list. */
scree_instance *scree_check_instance_with(scree_check *check, uint32_t dimension, uint32_t lanes,
                                          uint32_t parameters, const char *const *settings);
/** One more on the same parameters and lanes. */
scree_instance *scree_check_instance_again(scree_check *check, scree_instance *instance);
/** The made-up scene around an instance. */
const scree_scene *scree_check_scene_of(const scree_instance *instance);
/** The questions that it may ask. */
scree_check_query *scree_check_query_of(const scree_instance *instance);
void scree_check_instance_free(scree_instance *instance);
/** Whether "NAME=VALUE" is about a parameter of the plugin. */
bool scree_check_has_param(const scree_plugin *plugin, const char *setting);
/** Those of the settings that are, ended by NULL; the strings stay the caller's. */
GPtrArray *scree_check_own_settings(const char *const *settings, const scree_plugin *plugin);
/** Whether the user's settings can be read; calls no function of the plugin. */
bool scree_check_settings(const scree_check *check, GError **error);
/** 3 if the plugin serves it, else 2. */
uint32_t scree_check_dimension(const scree_check *check);
/** "NAME=VALUE" for parameter p at its lowest or highest (`end`: SCREE_CHECK_LOWEST, ..HIGHEST);
 * NULL: it has no such end. */
char *scree_check_at_end(const scree_param *param, uint32_t end);

/** An instance of the first integrator in the file of a source with SCREE_CAP_BY_INTEGRATOR, in a
 * scene of its own; NULL: there is none, or it refused, and `why` (cleared first) says so. Free with
 * scree_check_instance_free. */
scree_instance *scree_check_integrator_of(const scree_check *check, uint32_t dimension,
                                          GString *why);
/** A parameter for a file to be read, which the check cannot make up and the user's settings do not
 * give: of the plugin under test, or of the others of its file that it works with. NULL: none. */
const scree_param *scree_check_missing_file(const scree_check *check);

/** A solid of the first plugin of such shapes in the file of the plugin under test, with the user's
 * parameters, the others made up from its schema. NULL: there is none that serves the dimension, or,
 * with *error, it could not be made. It lives no longer than the instance; scree_any_shape_free frees
 * it. */
scree_shape *scree_check_solid(const scree_check *check, scree_instance *instance, GError **error);

#endif
