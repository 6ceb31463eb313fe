/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor as JSON, and the words for its codes. */
#ifndef CORE_DESCRIBE_JSON_H
#define CORE_DESCRIBE_JSON_H

#include "base/json.h"
#include "config/keys.h"
#include "plugin/plugin_file.h"

/** A bit or code of descriptors, and its word. A table ends in {0, NULL}. */
typedef struct scree_word {
    uint64_t value;
    const char *text;
} scree_word;
extern const scree_word scree_dimension_words[], scree_type_words[], scree_mixing_words[],
    scree_return_words[], scree_access_words[];
/** Words of the mask `needs`, and of the mask `provides` of a kind. New tables, freed by g_free. */
scree_word *scree_needs_words(const scree_plugin *plugin);
scree_word *scree_provides_words(const scree_plugin *plugin);
/** The word for a code; "": none. */
const char *scree_word_of(const scree_word *words, uint64_t value);

/** "real", "list of groups": the type in words. */
const char *scree_param_type(const scree_param *param);
bool scree_param_is_rows(const scree_param *param);

/** Puts the members of a descriptor into the open object; `file` NULL: without those of the
 * file. */
void scree_describe_json(scree_json *json, const scree_plugin *plugin, const scree_file *file);

/** Puts a table of the host's own keys as an object. */
void scree_describe_keys_json(scree_json *json, const scree_key_table *table);

#endif
