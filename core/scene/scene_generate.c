// SPDX-License-Identifier: Apache-2.0
// The `generate` groups of a scene, in their order: each names a source.
#include "scene/scene_generate.h"

#include "base/shortage.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "plugin/loader.h"
#include "scene/scene_field_uses.h"
#include "scene/scene_keys.h"
#include "scene/scene_source.h"

/** The line that says, once in a scene, how it is written now. */
static void note_word(scree_build *b, scree_node *group, const char *source)
{
    const bool first = !b->told_word;
    b->told_word = true;
    if (first)
        scree_config_note(b->config, group,
                          "plugin = \"%s\"; is the word for %s now, here and in other groups; it "
                          "makes the same bodies",
                          source,
                          scree_node_find(group, "method") ? "method" : "a group without method");
}

/** The source of the integrator's file, for method = "integrator"; NULL with a problem. */
static const char *find_own_source(scree_build *b, scree_node *group)
{
    const scree_choice_of *integrator = b->scene->integrator;
    const scree_plugin *source = integrator ? scree_file_own_source(integrator->file) : NULL;
    if (!source && integrator)
        scree_config_problem(b->config, group,
                             "integrator/%s brings no bodies (`scree plugins source` lists what "
                             "makes some)",
                             integrator->plugin->id);
    return source ? source->id : NULL;
}

static void generate_group(scree_build *b, scree_node *group)
{
    scree_generate_keys keys;
    const bool old = !scree_node_find(group, "plugin");
    const guint before = b->config->problems->len;
    scree_build_keys(b, group, old ? SCREE_KEYS_METHOD : SCREE_KEYS_GENERATE, &keys);
    scree_build_start_from(b, keys.fields);
    const char *source = !old ? NULL
                         : keys.method == SCREE_METHOD_INTEGRATOR
                             ? find_own_source(b, group)
                             : scree_keys_word(SCREE_KEYS_METHOD, "method", keys.method);
    if (old && !source)
        return;
    scree_build_source(b, group, source);
    if (old && b->config->problems->len == before)
        note_word(b, group, source);
}

void scree_build_generate(scree_build *b)
{
    g_autoptr(GPtrArray) groups = scree_build_groups(b, "generate");
    const guint n = groups ? groups->len : 0;
    for (guint i = 0; i < n; i++) {
        scree_working_on("generate");
        scree_working_part(((const scree_node *)groups->pdata[i])->name);
        generate_group(b, groups->pdata[i]);
    }
}
