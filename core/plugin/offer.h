/* SPDX-License-Identifier: Apache-2.0 */
/* Offers of a plugin file, as far as they are known without loading it. */
#ifndef CORE_OFFER_H
#define CORE_OFFER_H

#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stdint.h>

/** One algorithm that a file offers. */
typedef struct scree_offer {
    uint32_t kind;
    char *id, *version, *help;
    char **material_keys; /* names of its parameters per material or pair of them; ends in NULL */
} scree_offer;

/** GPtrArray of scree_offer. */
GPtrArray *scree_offers_new(void);
/** Reads what scree_describe_json has written, or scree_offers_line. False: malformed; nothing was
 * added. */
bool scree_offers_add(GPtrArray *offers, JsonObject *plugin);
/** Reads an array of such objects; NULL: malformed, or no plugin. */
GPtrArray *scree_offers_read(JsonArray *plugins);
/** The offers as an array in JSON, on one line. New string. */
char *scree_offers_line(const GPtrArray *offers);

/** The text, the array; NULL: `object` has no such member, or another value there. */
const char *scree_offer_text(JsonObject *object, const char *member);
JsonArray *scree_offer_array(JsonObject *object, const char *member);
/** The object; NULL: `node` is NULL or holds another value. */
JsonObject *scree_offer_object(JsonNode *node);

#endif
