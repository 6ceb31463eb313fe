/* SPDX-License-Identifier: Apache-2.0 */
/* Makes offers of a manifest, and their text in JSON. */
#include "tools/judge/offer_line.h"

#include <json-glib/json-glib.h>

#include "base/cpu.h"
#include "plugin/kinds.h"
#include "tools/judge/notes.h"

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

void scree_offers_add(GPtrArray *offers, const scree_manifest *manifest, int fd)
{
    for (uint32_t i = 0; i < manifest->n_plugins; i++)
        g_ptr_array_add(offers, scree_offer_new(manifest->plugins[i],
                                                list_material_keys(manifest->plugins[i]), ""));
    g_autofree char *build_id = scree_file_build_id(fd);
    const char *level = scree_file_needs_v3(fd) ? SCREE_CPU_V3 : SCREE_CPU_BASELINE;
    for (guint i = 0; i < offers->len; i++) {
        scree_offer *one = offers->pdata[i];
        one->build_id = g_strdup(build_id ? build_id : "");
        one->cpu_level = g_strdup(level);
    }
}

char *scree_offers_line(const GPtrArray *offers)
{
    GVariantBuilder list;
    g_variant_builder_init(&list, G_VARIANT_TYPE(SCREE_OFFERS));
    for (guint i = 0; i < offers->len; i++) {
        const scree_offer *one = offers->pdata[i];
        g_autofree char *number = g_strdup_printf("%u", one->kind);
        const char *kind = scree_kind_name(one->kind);
        g_variant_builder_add(&list, "(sssss^assss)", kind ? kind : number, one->id, one->version,
                              one->licence, one->help, one->material_keys, one->left_out,
                              one->build_id, one->cpu_level);
    }
    g_autoptr(GVariant) all = g_variant_ref_sink(g_variant_builder_end(&list));
    return json_gvariant_serialize_data(all, NULL);
}
