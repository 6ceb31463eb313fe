/* SPDX-License-Identifier: Apache-2.0 */
/* Typed access to the tree of a scene. */
#ifndef CORE_CONFIG_READ_H
#define CORE_CONFIG_READ_H

#include "config/config_tree.h"

/** A value as a user would write it, shortened, for messages: 0.5, "0.5 mm", a group. */
char *scree_node_show(const scree_node *node);
/*
 * Accessors. Each marks the key as known. A missing key gives the default; a key of the wrong type,
 * or out of range, adds a problem and gives the default. `group` may be NULL: then every key is
 * missing.
 */
#define SCREE_KEY_REQUIRED (1u << 0) /* missing is a problem */
#define SCREE_KEY_MIN_OPEN (1u << 1)
#define SCREE_KEY_MAX_OPEN (1u << 2)

/** The child, or NULL. */
scree_node *scree_config_child(scree_node *group, const char *key);
/** The child, which must be a group (a list); else a problem, and NULL. */
scree_node *scree_config_group(scree_config *config, scree_node *group, const char *key);
scree_node *scree_config_list(scree_config *config, scree_node *group, const char *key);
bool scree_config_bool(scree_config *config, scree_node *group, const char *key, bool otherwise);
int64_t scree_config_int(scree_config *config, scree_node *group, const char *key,
                         int64_t otherwise, int64_t min, int64_t max, unsigned flags);
/** A number, or a string with a unit that has the dimension of `unit` ("m/s"; NULL: none). SI. */
double scree_config_real(scree_config *config, scree_node *group, const char *key, const char *unit,
                         double otherwise, double min, double max, unsigned flags);
/** Borrowed; `otherwise` (may be NULL) when missing. */
const char *scree_config_string(scree_config *config, scree_node *group, const char *key,
                                const char *otherwise, unsigned flags);
/** Index into the NULL-terminated `names`. */
int scree_config_choice(scree_config *config, scree_node *group, const char *key,
                        const char *const *names, int otherwise);
/** Exactly `n` reals into out; false when missing or wrong (out is then untouched). */
bool scree_config_vector(scree_config *config, scree_node *group, const char *key, const char *unit,
                         unsigned n, double *out, unsigned flags);
/** A file name, made relative to the file that holds it; new string or NULL. */
char *scree_config_path(scree_config *config, scree_node *group, const char *key, unsigned flags);
/** The same for a node at hand (an element of a list): problems name it; false when wrong. */
bool scree_node_real(scree_config *config, const scree_node *node, const char *unit, double min,
                     double max, unsigned flags, double *out);
bool scree_node_int(scree_config *config, const scree_node *node, int64_t min, int64_t max,
                    int64_t *out);
/** Every child of `group` that no accessor has asked for is a problem that names the nearest known
 * key. Call when all keys of the group have been read. `extra`: further names that would have been
 * known, NULL-terminated, or NULL. */
void scree_config_report_unknown(scree_config *config, scree_node *group, const char *const *extra);
#endif
