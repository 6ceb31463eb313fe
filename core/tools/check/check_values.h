/* SPDX-License-Identifier: Apache-2.0 */
/* Values of parameters, made up from the schema of the plugin under test. */
#ifndef CORE_CHECK_VALUES_H
#define CORE_CHECK_VALUES_H

#include "tools/check/check.h"

/* How the check chooses values for parameters. */
#define SCREE_CHECK_DEFAULTS 0u /* defaults, or the middle of the range */

#define SCREE_CHECK_LOWEST 1u         /* each number at the lower end of its range, first choices */
#define SCREE_CHECK_HIGHEST 2u        /* each number at the upper end of its range, last choices */
#define SCREE_CHECK_MOST_OPTIONAL 24u /* optional parameters that are chosen by a mask */
/** Writes set k of optional parameters: none, one, two, all. False: all sets are done. */
bool scree_check_choose_optional(const scree_check *check, uint32_t k, uint32_t *mask);
/** Writes the keys of the plugin's group in a scene: its name, an interval, made-up parameters
 * without those in `settings`; `optional`: mask of optional parameters that are given. */
void scree_check_append_keys(const scree_check *check, uint32_t dimension, uint32_t parameters,
                             uint32_t optional, const char *const *settings, GString *text);
/** Whether "NAME=VALUE" names a parameter of the plugin. */
bool scree_check_has_param(const scree_plugin *plugin, const char *setting);
/** The settings that name such parameters, ended by NULL; the caller keeps the strings. */
GPtrArray *scree_check_own_settings(const char *const *settings, const scree_plugin *plugin);
/** Whether a list of "NAME=VALUE" (NULL: none) has the parameter. */
bool scree_check_has_setting(const char *const *settings, const scree_param *p);
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

/** The value of a parameter in these settings, the user's, or made up, or its default, in the text of
 * a scene; NULL: none. New string. */
char *scree_check_value(const scree_check *check, uint32_t dimension, const char *const *settings,
                        const scree_param *p);
/** A key of a recipe that the check makes up; its numbers have the unit; NULL: it has others. */
typedef struct scree_check_key {
    const char *name, *unit, *value;
} scree_check_key;
/** The keys in the group of a source; without a recipe, or if a file gives a part of it, no sizes. The
 * last one has no name. */
const scree_check_key *scree_check_recipe_keys(const scree_plugin *plugin, uint32_t dimension);

#endif
