/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor for readers: as a page of text, as a block for a scene. */
#ifndef CORE_DESCRIBE_TEXT_H
#define CORE_DESCRIBE_TEXT_H

#include "config/keys.h"
#include "plugin/plugin_file.h"

/** A descriptor as text for a terminal. New string. */
char *scree_describe_text(const scree_plugin *plugin, const scree_file *file);
/** Appends a table of the host's own keys, for a terminal. */
void scree_describe_keys(GString *page, const scree_key_table *table);
/** A block to paste into a scene, with the meaning of each parameter; a new string. Defaults are
 * commented out. A required parameter has the value "?", which the reader of scenes refuses. */
char *scree_describe_template(const scree_plugin *plugin);
/** A key of a plugin and its value, as a scene has it. Arrays of settings end in {NULL}. */
typedef struct scree_setting {
    const char *key, *value;
} scree_setting;
/** Lines for a plugin's group, a new string: its name, each setting below its meaning, then a
 * comment with the names of other parameters. NULL: a parameter is unknown. */
char *scree_describe_settings(const scree_plugin *plugin, const scree_setting *settings,
                              const char *indent, GError **error);

/** The kind with this name; 0 with an error that lists the kinds and names the nearest. `more`:
 * another allowed word, or NULL. */
uint32_t scree_named_kind(const char *name, const char *more, GError **error);

#endif
