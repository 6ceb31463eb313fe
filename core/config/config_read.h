/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a scene's tree, checked. */
#ifndef CORE_CONFIG_READ_H
#define CORE_CONFIG_READ_H

#include "config/config_tree.h"

/** A value as a user would write it, shortened, for messages: 0.5, "0.5 mm", a group. */
char *scree_node_show(const scree_node *node);
/** Finds a child, and marks it as known; NULL: it is missing. `group` may be NULL. */
scree_node *scree_config_child(scree_node *group, const char *key);
/** Adds the problem "expected .., got (the value)". Always false. */
bool scree_config_expected(scree_config *config, const scree_node *node, const char *expected);
/** Index of the name that a node holds; otherwise -1, with a problem that names the nearest. */
int scree_config_name(scree_config *config, const scree_node *at, const char *what,
                      const char *const *names, uint32_t n);
/** Reads a number, or a string with a unit of the dimension of `unit` ("m/s"; NULL: none), in SI.
 * `flags`: SCREE_PARAM_MIN_OPEN, SCREE_PARAM_MAX_OPEN. False, with a problem: it is wrong. */
bool scree_node_real(scree_config *config, const scree_node *node, const char *unit, double min,
                     double max, unsigned flags, double *out);
bool scree_node_int(scree_config *config, const scree_node *node, int64_t min, int64_t max,
                    int64_t *out);
/** Returns the end of a message that names the groups with the key of a misplaced child: "; it
 * belongs to the group `scene`". Sets *n to their number; "": no group has the key. New string. */
char *scree_config_home(const scree_config *config, const scree_node *child, unsigned *n);
/** Adds a problem, with the nearest known key or scree_config_home, for each child of `group` that
 * nothing has asked for. Called when all keys of the group have been read. */
void scree_config_report_unknown(scree_config *config, scree_node *group);
#endif
