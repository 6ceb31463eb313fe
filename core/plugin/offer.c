/* SPDX-License-Identifier: Apache-2.0 */
/* Offers of a plugin file, and their text in JSON. */
#include "plugin/offer.h"

#include <json-glib/json-glib.h>

#include "plugin/kinds.h"

#define OFFERS "a(sssssass)" /* kind, id, version, licence, help, material_keys, left_out */

static void free_offer(void *data)
{
    scree_offer *offer = data;
    g_free(offer->id);
    g_free(offer->version);
    g_free(offer->licence);
    g_free(offer->help);
    g_strfreev(offer->material_keys);
    g_free(offer->left_out);
    g_free(offer);
}

/** Names of the parameters per material, or per pair of materials. */
static char **list_material_keys(const scree_plugin *plugin)
{
    GStrvBuilder *names = g_strv_builder_new();
    for (uint32_t i = 0; i < plugin->n_params; i++)
        if (plugin->params[i]->type == SCREE_TYPE_PER_MATERIAL ||
            plugin->params[i]->type == SCREE_TYPE_PER_PAIR)
            g_strv_builder_add(names, plugin->params[i]->name);
    char **list = g_strv_builder_end(names);
    g_strv_builder_unref(names);
    return list;
}

GPtrArray *scree_offers_new(void)
{
    return g_ptr_array_new_with_free_func(free_offer);
}

static scree_offer *new_offer(const scree_plugin *plugin, char **material_keys,
                              const char *left_out)
{
    const scree_offer one = {plugin->kind,
                             g_strdup(plugin->id),
                             g_strdup(plugin->version),
                             g_strdup(plugin->licence),
                             g_strdup(plugin->help),
                             material_keys,
                             g_strdup(left_out)};
    return g_memdup2(&one, sizeof one);
}

scree_offer *scree_offer_left_out(const scree_plugin *plugin, const char *reason)
{
    return new_offer(plugin, g_new0(char *, 1), reason);
}

void scree_offers_add(GPtrArray *offers, const scree_manifest *manifest)
{
    for (uint32_t i = 0; i < manifest->n_plugins; i++)
        g_ptr_array_add(
            offers, new_offer(manifest->plugins[i], list_material_keys(manifest->plugins[i]), ""));
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
    g_autoptr(GVariant) all = json_gvariant_deserialize(list, OFFERS, NULL);
    GVariantIter iter;
    const char *kind;
    scree_offer one;
    if (!all || g_variant_iter_init(&iter, g_variant_ref_sink(all)) == 0)
        return NULL;
    while (g_variant_iter_next(&iter, "(&sssss^ass)", &kind, &one.id, &one.version, &one.licence,
                               &one.help, &one.material_keys, &one.left_out)) {
        one.kind = scree_kind_from_name(kind);
        if (!one.kind && *one.left_out)
            one.kind = (uint32_t)g_ascii_strtoull(kind, NULL, 10);
        g_ptr_array_add(offers, g_memdup2(&one, sizeof one));
        if (!one.kind)
            return NULL;
    }
    return g_steal_pointer(&offers);
}

char *scree_offers_line(const GPtrArray *offers)
{
    GVariantBuilder list;
    g_variant_builder_init(&list, G_VARIANT_TYPE(OFFERS));
    for (guint i = 0; i < offers->len; i++) {
        const scree_offer *one = offers->pdata[i];
        g_autofree char *number = g_strdup_printf("%u", one->kind);
        const char *kind = scree_kind_name(one->kind);
        g_variant_builder_add(&list, "(sssss^ass)", kind ? kind : number, one->id, one->version,
                              one->licence, one->help, one->material_keys, one->left_out);
    }
    g_autoptr(GVariant) all = g_variant_ref_sink(g_variant_builder_end(&list));
    return json_gvariant_serialize_data(all, NULL);
}
