/* SPDX-License-Identifier: Apache-2.0 */
/* Problems and notes of a scene text, each with its place. */
#ifndef CORE_CONFIG_PROBLEM_H
#define CORE_CONFIG_PROBLEM_H

#include "config/config_tree.h"

/** Adds a new message, and takes it: a key may be asked for twice. After 200 messages none is
 * added. */
void scree_message_add(GPtrArray *messages, char *message);

/** Adds an error, "FILE:LINE: PATH: text"; `at` may be NULL. Always false. */
bool scree_config_problem(scree_config *config, const scree_node *at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
void scree_config_note(scree_config *config, const scree_node *at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/** Start of the problem of a missing key; its group is the place. */
#define SCREE_KEY_MISSING "the key %s is missing"
#define SCREE_PAIR_MISSING "no %s between"

/** Removes the problem that `key` is missing in `group`: it is misspelt, which is another
 * problem. */
void scree_config_found(scree_config *config, const scree_node *group, const char *key);
/** True if problems were found; the error lists them all. */
bool scree_config_failed(const scree_config *config, GError **error);

#endif
