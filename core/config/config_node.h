/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of the tree of a scene. */
#ifndef CORE_CONFIG_NODE_H
#define CORE_CONFIG_NODE_H

#include "config/config_tree.h"

scree_node *scree_node_new(scree_node_type type, const char *file, const char *dir, int line);
void scree_node_free(scree_node *node);
/** Appends, taking the child; false when the group has one of that name (it is then not taken). */
bool scree_node_add(scree_node *parent, scree_node *child);
/** The same again, without a parent. */
scree_node *scree_node_copy(const scree_node *node);
/** Replaces `old`, which is freed, by `by`. */
void scree_node_replace(scree_node *old, scree_node *by);
void scree_node_set_layer(scree_node *node, unsigned layer);
/** Takes the node out of its group and frees it. */
void scree_node_remove(scree_node *node);

/** "force[0].kn", for messages. */
char *scree_node_path(const scree_node *node);
/** "FILE:LINE", or "--set" of an override, for messages. */
char *scree_node_place(const scree_node *node);
/** Puts the place before an error; without a node or a place, nothing. */
void scree_node_blame(const scree_node *node, GError **error);
/** The child, or NULL; unlike scree_config_child it leaves `known` alone. */
scree_node *scree_node_find(const scree_node *group, const char *key);

#endif
