/* SPDX-License-Identifier: Apache-2.0 */
/* Problems and notes of a scene text, each with the place that it is about. */
#ifndef CORE_CONFIG_PROBLEM_H
#define CORE_CONFIG_PROBLEM_H

#include "config/config_tree.h"

/** Adds a message, which it takes, if it is not there yet: a key may be asked for more than once.
 * Nobody reads the 201st. */
void scree_message_add(GPtrArray *messages, char *message);

/** Adds an error, "FILE:LINE: PATH: text"; `at` may be NULL. */
void scree_config_problem(scree_config *config, const scree_node *at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
void scree_config_note(scree_config *config, const scree_node *at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/** How the problem of a missing key starts; its group is the place. */
#define SCREE_KEY_MISSING "the key %s is missing"
#define SCREE_PAIR_MISSING "no %s between"

/** Takes back the problem that `key` is missing in `group`: it is there, misspelt, which is a
 * problem of its own. */
void scree_config_found(scree_config *config, const scree_node *group, const char *key);
/** True, with an error that lists every problem, when there are any. */
bool scree_config_failed(const scree_config *config, GError **error);

#endif
