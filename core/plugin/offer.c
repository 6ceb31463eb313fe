/* SPDX-License-Identifier: Apache-2.0 */
/* Reads from JSON what a plugin file offers; any value may be anywhere in it. */
#include "plugin/offer.h"

#include "base/json.h"
#include "plugin/kinds.h"

#define MATERIAL_KEYS "material_keys"

const char *scree_offer_text(JsonObject *object, const char *member)
{
    JsonNode *node = json_object_get_member(object, member);
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
}

JsonArray *scree_offer_array(JsonObject *object, const char *member)
{
    JsonNode *node = json_object_get_member(object, member);
    return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

JsonObject *scree_offer_object(JsonNode *node)
{
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static void free_offer(void *data)
{
    scree_offer *offer = data;
    g_free(offer->id);
    g_free(offer->version);
    g_free(offer->help);
    g_strfreev(offer->material_keys);
    g_free(offer);
}

/** The offer_texts of an array; NULL: one of them is another value. */
static char **read_texts(JsonArray *array)
{
    const guint n = json_array_get_length(array);
    g_auto(GStrv) all = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++) {
        JsonNode *node = json_array_get_element(array, i);
        all[i] = JSON_NODE_HOLDS_VALUE(node) ? json_node_dup_string(node) : NULL;
        if (!all[i])
            return NULL;
    }
    return g_steal_pointer(&all);
}

/** False: malformed; the offer is free with free_offer in any case. */
static bool read_offer(JsonObject *plugin, scree_offer *offer)
{
    const char *kind = scree_offer_text(plugin, "kind");
    JsonArray *keys = scree_offer_array(plugin, MATERIAL_KEYS);
    offer->kind = kind ? scree_kind_from_name(kind) : 0;
    offer->id = g_strdup(scree_offer_text(plugin, "id"));
    offer->version = g_strdup(scree_offer_text(plugin, "version"));
    offer->help = g_strdup(scree_offer_text(plugin, "help"));
    offer->material_keys = keys ? read_texts(keys) : NULL;
    return offer->kind && offer->id && offer->version && offer->help && offer->material_keys;
}

GPtrArray *scree_offers_new(void)
{
    return g_ptr_array_new_with_free_func(free_offer);
}

bool scree_offers_add(GPtrArray *offers, JsonObject *plugin)
{
    scree_offer *offer = g_new0(scree_offer, 1);
    const bool good = read_offer(plugin, offer);
    if (good)
        g_ptr_array_add(offers, offer);
    else
        free_offer(offer);
    return good;
}

GPtrArray *scree_offers_read(JsonArray *plugins)
{
    const guint n = json_array_get_length(plugins);
    g_autoptr(GPtrArray) offers = scree_offers_new();
    for (guint i = 0; i < n; i++) {
        JsonObject *plugin = scree_offer_object(json_array_get_element(plugins, i));
        if (!plugin || !scree_offers_add(offers, plugin))
            return NULL;
    }
    return n ? g_steal_pointer(&offers) : NULL;
}

char *scree_offers_line(const GPtrArray *offers)
{
    g_autoptr(scree_json) json = scree_json_new();
    scree_json_open_array(json, NULL);
    for (guint i = 0; i < offers->len; i++) {
        const scree_offer *offer = offers->pdata[i];
        scree_json_open_object(json, NULL);
        scree_json_string(json, "kind", scree_kind_name(offer->kind));
        scree_json_string(json, "id", offer->id);
        scree_json_string(json, "version", offer->version);
        scree_json_string(json, "help", offer->help);
        scree_json_open_array(json, MATERIAL_KEYS);
        for (char **key = offer->material_keys; *key; key++)
            scree_json_string(json, NULL, *key);
        scree_json_close_array(json);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
    return scree_json_line(json);
}
