/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor for readers: as a page of text, as a block for a scene. */
#ifndef CORE_DESCRIBE_TEXT_H
#define CORE_DESCRIBE_TEXT_H

#include "config/keys.h"
#include "plugin/plugin_file.h"

/** All that a descriptor says, for a terminal. */
char *scree_describe_text(const scree_plugin *plugin, const scree_file *file);
/** Appends a table of the host's own keys, for a terminal. */
void scree_describe_keys(GString *page, const scree_key_table *table);
/** A libconfig block to paste into a scene; every parameter with what it means. Defaults are
 * commented out; a required parameter has the value "?", which the reader of scenes refuses. */
char *scree_describe_template(const scree_plugin *plugin);
/** A key of a plugin and its value as one writes it in a scene; arrays of them end in {NULL}. */
typedef struct scree_setting {
    const char *key, *value;
} scree_setting;
/** Lines for the inside of the plugin's group: its name, these settings each below what its
 * parameter means, then a comment with the names of the others. NULL: no such parameter. */
char *scree_describe_settings(const scree_plugin *plugin, const scree_setting *settings,
                              const char *indent, GError **error);

#endif
