/* SPDX-License-Identifier: Apache-2.0 */
/* Reads JSON; writes it: objects, arrays, strings, numbers; the text is valid whatever the values are.
 */
#ifndef CORE_JSON_H
#define CORE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/** A text that grows. `key` of all functions: the name in an object, NULL in an array and at the
 * top. */
typedef struct scree_json {
    GString *text;
    unsigned depth;
    bool first; /* nothing yet in the innermost object or array */
} scree_json;

scree_json *scree_json_new(void);
void scree_json_free(scree_json *json);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_json, scree_json_free)

void scree_json_open_object(scree_json *json, const char *key);
void scree_json_close_object(scree_json *json);
void scree_json_open_array(scree_json *json, const char *key);
void scree_json_close_array(scree_json *json);
/** NULL gives null; bytes that are not UTF-8 are replaced. */
void scree_json_string(scree_json *json, const char *key, const char *value);
/** 17 significant digits, so that the same double is read back; null for NaN and infinities. */
void scree_json_real(scree_json *json, const char *key, double value);
void scree_json_int(scree_json *json, const char *key, int64_t value);
void scree_json_uint(scree_json *json, const char *key, uint64_t value);
void scree_json_bool(scree_json *json, const char *key, bool value);
void scree_json_null(scree_json *json, const char *key);
/** The whole text with a newline at its end, once every object is closed; borrowed. */
const char *scree_json_text(scree_json *json);
/** The same on one line, without a newline at its end. New string. */
char *scree_json_line(scree_json *json);

typedef struct _JsonNode JsonNode; /* of json-glib */
/** A text of `n` bytes as a tree, after checks that protect json-glib. NULL: it is not JSON, nested
 * more than 16 deep, or empty. Free with json_node_unref. */
JsonNode *scree_json_read(const char *text, size_t n, GError **error);

#endif
