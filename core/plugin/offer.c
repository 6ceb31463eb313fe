/* SPDX-License-Identifier: Apache-2.0 */
/* Offers of a plugin file, and their text in JSON. */
#include "plugin/offer.h"

#include <json-glib/json-glib.h>

#include "plugin/kinds.h"

static void free_offer(void *data)
{
    scree_offer *offer = data;
    g_free(offer->id);
    g_free(offer->version);
    g_free(offer->licence);
    g_free(offer->help);
    g_strfreev(offer->material_keys);
    g_free(offer->left_out);
    g_free(offer->build_id);
    g_free(offer->cpu_level);
    g_free(offer);
}

GPtrArray *scree_offers_new(void)
{
    return g_ptr_array_new_with_free_func(free_offer);
}

scree_offer *scree_offer_new(const scree_plugin *plugin, char **material_keys, const char *left_out)
{
    const scree_offer one = {plugin->kind,
                             g_strdup(plugin->id),
                             g_strdup(plugin->version),
                             g_strdup(plugin->licence),
                             g_strdup(plugin->help),
                             material_keys,
                             g_strdup(left_out),
                             NULL,
                             NULL};
    return g_memdup2(&one, sizeof one);
}

const scree_offer *scree_offers_find(const GPtrArray *offers, uint32_t kind, const char *id)
{
    for (guint i = 0; i < offers->len; i++) {
        const scree_offer *offer = offers->pdata[i];
        if (offer->kind == kind && g_str_equal(offer->id, id))
            return offer;
    }
    return NULL;
}

GPtrArray *scree_offers_read(JsonNode *list)
{
    g_autoptr(GPtrArray) offers = scree_offers_new();
    g_autoptr(GVariant) all = json_gvariant_deserialize(list, SCREE_OFFERS, NULL);
    GVariantIter iter;
    const char *kind;
    scree_offer one;
    if (!all || g_variant_iter_init(&iter, g_variant_ref_sink(all)) == 0)
        return NULL;
    while (g_variant_iter_next(&iter, "(&sssss^assss)", &kind, &one.id, &one.version, &one.licence,
                               &one.help, &one.material_keys, &one.left_out, &one.build_id,
                               &one.cpu_level)) {
        one.kind = scree_kind_from_name(kind);
        if (!one.kind && *one.left_out)
            one.kind = (uint32_t)g_ascii_strtoull(kind, NULL, 10);
        g_ptr_array_add(offers, g_memdup2(&one, sizeof one));
        if (!one.kind)
            return NULL;
    }
    return g_steal_pointer(&offers);
}
