/* SPDX-License-Identifier: Apache-2.0 */
/* Makes offers of a manifest, and their text in JSON. */
#include "tools/judge/offer_line.h"

#include <json-glib/json-glib.h>

#include "plugin/kinds.h"

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

void scree_offers_add(GPtrArray *offers, const scree_manifest *manifest)
{
    for (uint32_t i = 0; i < manifest->n_plugins; i++)
        g_ptr_array_add(offers, scree_offer_new(manifest->plugins[i],
                                                list_material_keys(manifest->plugins[i]), ""));
}

char *scree_offers_line(const GPtrArray *offers)
{
    GVariantBuilder list;
    g_variant_builder_init(&list, G_VARIANT_TYPE(SCREE_OFFERS));
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
