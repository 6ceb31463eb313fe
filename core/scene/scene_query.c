// SPDX-License-Identifier: Apache-2.0
// The key `query` of a scene: the GCD plugin that answers questions about space.
#include "scene/scene_query.h"

#include "config/config_read.h"
#include "plugin/registry.h"
#include "plugin/schema.h"
#include "scene/scene_plugins.h"

#define OTHERWISE "hgrid"

scree_query_settings *scree_query_settings_new(void)
{
    return g_new0(scree_query_settings, 1);
}

void scree_query_settings_free(scree_query_settings *settings)
{
    if (settings)
        scree_choice_of_free(settings->gcd);
    g_free(settings);
}

void scree_build_query(scree_build *b)
{
    scree_node *group = scree_config_group(b->config, b->config->root, "query");
    if (!group)
        return;
    b->scene->query->gcd = scree_build_choice(b, group, "gcd", SCREE_KIND_GCD, OTHERWISE);
    scree_config_report_unknown(b->config, group, NULL);
}

const scree_choice_of *scree_scene_query_gcd(const scree_scene *s, GError **error)
{
    const scree_file *file;
    if (s->query->gcd)
        return s->query->gcd;
    if (!scree_registry_get(s->registry, SCREE_KIND_GCD, OTHERWISE, &file, error)) {
        g_prefix_error(error, "query.gcd: ");
        return NULL;
    }
    s->query->gcd = scree_schema_choose(s->config, NULL, SCREE_KIND_GCD, OTHERWISE, NULL,
                                        &s->materials, s->registry);
    if (!s->query->gcd)
        scree_fail(error, SCREE_EXIT_USAGE, "query.gcd: the plugin gcd/" OTHERWISE " is missing");
    return s->query->gcd;
}
