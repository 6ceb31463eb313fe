/* SPDX-License-Identifier: Apache-2.0 */
/* Offers of a plugin file, as the host knows them without loading it. */
#ifndef CORE_OFFER_H
#define CORE_OFFER_H

#include "base/json.h"
#include "scree/scree.h"

/** One algorithm that a file offers. */
typedef struct scree_offer {
    uint32_t kind;
    char *id, *version, *licence, *help;
    char **material_keys; /* names of its parameters of materials; ends in NULL */
    char *left_out;       /* "force/x: REASON" why this host leaves it out; "": it serves */
    char *build_id;       /* of its file, hex; "": it has none */
    char *cpu_level;      /* that its file needs: SCREE_CPU_V3 or SCREE_CPU_BASELINE */
} scree_offer;

/** An empty list of offers: GPtrArray of scree_offer. */
GPtrArray *scree_offers_new(void);
/** An offer of a plugin; it takes `material_keys`. */
scree_offer *scree_offer_new(const scree_plugin *plugin, char **material_keys,
                             const char *left_out);
/** The offer of kind/id; NULL: none. */
const scree_offer *scree_offers_find(const GPtrArray *offers, uint32_t kind, const char *id);
/** Reads the array that scree_offers_line has written, whatever the node holds; NULL: it is
 * malformed, or empty. */
GPtrArray *scree_offers_read(JsonNode *list);
/** The type of offers in JSON: kind, id, version, licence, help, material_keys, left_out, build_id,
 * cpu_level. */
#define SCREE_OFFERS "a(sssssassss)"

#endif
