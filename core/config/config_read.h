/* SPDX-License-Identifier: Apache-2.0 */
/* Values of the tree of a scene, checked. */
#ifndef CORE_CONFIG_READ_H
#define CORE_CONFIG_READ_H

#include "config/config_tree.h"

/** A value as a user would write it, shortened, for messages: 0.5, "0.5 mm", a group. */
char *scree_node_show(const scree_node *node);
/** The child, or NULL; it is known from now on. `group` may be NULL. */
scree_node *scree_config_child(scree_node *group, const char *key);
/** A problem: "expected .., got (the value)". */
void scree_config_expected(scree_config *config, const scree_node *node, const char *expected);
/** Index of the name that a node holds; otherwise -1, with a problem that names the nearest. */
int scree_config_name(scree_config *config, const scree_node *at, const char *what,
                      const char *const *names, uint32_t n);
/** A number, or a string with a unit that has the dimension of `unit` ("m/s"; NULL: none), in SI;
 * `flags`: SCREE_PARAM_MIN_OPEN, SCREE_PARAM_MAX_OPEN. False, with a problem, when it is wrong. */
bool scree_node_real(scree_config *config, const scree_node *node, const char *unit, double min,
                     double max, unsigned flags, double *out);
bool scree_node_int(scree_config *config, const scree_node *node, int64_t min, int64_t max,
                    int64_t *out);
/** Every child of `group` that nothing has asked for is a problem that names the nearest known key.
 * Call when all keys of the group have been read. */
void scree_config_report_unknown(scree_config *config, scree_node *group);
#endif
