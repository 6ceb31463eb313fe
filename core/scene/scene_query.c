// SPDX-License-Identifier: Apache-2.0
// The key `query` of a scene: the GCD plugin that answers questions about space.
#include "scene/scene_query.h"

#include "config/config_read.h"
#include "plugin/registry.h"
#include "plugin/schema.h"
#include "scene/scene_keys.h"
#include "scene/scene_plugins.h"

#define OTHERWISE "hgrid"

void scree_build_query(scree_build *b)
{
    scree_query_keys keys;
    if (!b->top->query)
        return;
    scree_build_group(b, b->top->query, SCREE_KEYS_QUERY, &keys);
    b->scene->query->gcd = scree_build_choice(b, b->top->query, "gcd", SCREE_KIND_GCD, OTHERWISE);
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
    s->query->gcd =
        scree_schema_choose(s->config, NULL, SCREE_KIND_GCD, OTHERWISE, &s->materials, s->registry);
    if (!s->query->gcd)
        scree_fail(error, SCREE_EXIT_USAGE, "query.gcd: the plugin gcd/" OTHERWISE " is missing");
    return s->query->gcd;
}
