/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of a scene's tree. */
#ifndef CORE_CONFIG_NODE_H
#define CORE_CONFIG_NODE_H

#include "config/config_tree.h"

scree_node *scree_node_new(scree_node_type type, const char *file, const char *dir, int line);
void scree_node_free(scree_node *node);
/** Appends a child and takes it. False: the group has a child of this name; the caller keeps it. */
bool scree_node_add(scree_node *parent, scree_node *child);
/** Copies a node, without its parent. */
scree_node *scree_node_copy(const scree_node *node);
/** Replaces `old`, which is freed, by `by`. */
void scree_node_replace(scree_node *old, scree_node *by);
void scree_node_set_layer(scree_node *node, unsigned layer);
/** Removes the node from its group, and frees it. */
void scree_node_remove(scree_node *node);

/** Path of a node for messages: "force[0].kn". */
char *scree_node_path(const scree_node *node);
/** "FILE:LINE", or "--set" of an override, for messages. */
char *scree_node_place(const scree_node *node);
/** Puts the place before an error; without a node or a place, nothing. */
void scree_node_blame(const scree_node *node, GError **error);
/** Number of elements of a list; another node counts as its only element. NULL: 0. */
guint scree_node_count(const scree_node *node);
/** Element k of those. */
scree_node *scree_node_at(const scree_node *node, guint k);
/** Finds a child, or NULL; unlike scree_config_child it does not set `known`. */
scree_node *scree_node_find(const scree_node *group, const char *key);

#endif
