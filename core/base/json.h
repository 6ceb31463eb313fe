/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON that is valid whatever the values are; reads JSON. */
#ifndef CORE_JSON_H
#define CORE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/** A document that is being written. `key` of each function: the name in an object; NULL in an
 * array and at the top. */
typedef struct scree_json {
    GString *text;
    unsigned depth;
    bool first; /* the innermost object or array is empty */
} scree_json;

scree_json *scree_json_new(void);
void scree_json_free(scree_json *json);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_json, scree_json_free)

void scree_json_open_object(scree_json *json, const char *key);
void scree_json_close_object(scree_json *json);
void scree_json_open_array(scree_json *json, const char *key);
void scree_json_close_array(scree_json *json);
/** NULL becomes null; invalid UTF-8 is replaced. */
void scree_json_string(scree_json *json, const char *key, const char *value);
/** Writes 17 significant digits, from which the same double is read back; NaN and infinities become
 * null. */
void scree_json_real(scree_json *json, const char *key, double value);
void scree_json_int(scree_json *json, const char *key, int64_t value);
void scree_json_uint(scree_json *json, const char *key, uint64_t value);
void scree_json_bool(scree_json *json, const char *key, bool value);
void scree_json_null(scree_json *json, const char *key);
/** The document with a line break at its end, borrowed; all its objects are closed. */
const char *scree_json_text(scree_json *json);

typedef struct _JsonNode JsonNode; /* of json-glib */
/** Reads `n` bytes of JSON, after checks that protect json-glib. NULL: it is not JSON, is nested
 * more than 16 deep, or is empty. json_node_unref frees the tree. */
JsonNode *scree_json_read(const char *text, size_t n, GError **error);

#endif
