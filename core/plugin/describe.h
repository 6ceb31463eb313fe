/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor as JSON, and the words for its codes. */
#ifndef CORE_DESCRIBE_H
#define CORE_DESCRIBE_H

#include "base/json.h"
#include "config/keys.h"
#include "plugin/plugin_file.h"

/** A bit or code of descriptors and its word; a table ends in {0, NULL}. */
typedef struct scree_word {
    uint64_t value;
    const char *text;
} scree_word;
extern const scree_word scree_dimension_words[], scree_type_words[], scree_mixing_words[],
    scree_return_words[], scree_access_words[], scree_scope_words[];
/** Those for the mask `needs`, and for the mask `provides` of a plugin of this kind. New tables: g_free. */
scree_word *scree_needs_words(void);
scree_word *scree_provides_words(const scree_plugin *plugin);
/** The word for a code; "": none. */
const char *scree_word_of(const scree_word *words, uint64_t value);

bool scree_param_holds_reals(const scree_param *param);
bool scree_param_holds_ints(const scree_param *param);
bool scree_param_is_array(const scree_param *param);
bool scree_param_is_rows(const scree_param *param);
/** The unit as it is printed, NULL when there is none. */
const char *scree_unit_shown(const char *unit);
double scree_unit_factor(const char *unit);
/** A number in SI as text in the unit of that factor, with the 15 digits that an author wrote: the
 * division leaves noise behind them. */
char *scree_real_shown(double si, double factor);
/** "real", "list of groups": the type in words. */
const char *scree_param_type(const scree_param *param);
/** The default as one writes it in a scene; NULL when there is none. `exact`: in SI, with as many digits
 * as it takes to read back the same number; `dimension`: of a vector. */
char *scree_param_default(const scree_param *param, bool exact, uint32_t dimension);

/** Members of the open object; those of the file unless it is NULL. */
void scree_describe_json(scree_json *json, const scree_plugin *plugin, const scree_file *file);

/** A table of the host's own keys, as an object. */
void scree_describe_keys_json(scree_json *json, const scree_key_table *table);

#endif
