// SPDX-License-Identifier: Apache-2.0
// The `generate` groups of a scene, in their order: each names a source.
#include "scene/scene_generate.h"

#include <string.h>

#include "base/shortage.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "plugin/loader.h"
#include "scene/scene_source.h"
#include "scene/scene_uses.h"

/* Words of scenes from before sources were plugins. */
enum { RANDOM, LATTICE, INTEGRATOR };
static const char *const methods[] = {"random", "lattice", "integrator", NULL};

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
    if (scree_node_find(group, "plugin")) {
        scree_build_source(b, group, NULL, NULL);
        return;
    }
    const int method = scree_config_choice(b->config, group, "method", methods, RANDOM);
    const char *const source = method == INTEGRATOR ? find_own_source(b, group) : methods[method];
    const guint before = b->config->problems->len;
    if (!source)
        return;
    scree_build_source(b, group, source, "method");
    if (b->config->problems->len == before)
        note_word(b, group, source);
}

void scree_build_generate(scree_build *b)
{
    g_autoptr(GPtrArray) groups = scree_build_groups(b, "generate");
    if (groups)
        for (uint32_t i = 0; i < groups->len; i++) {
            scree_working_on("generate");
            scree_working_part(((const scree_node *)groups->pdata[i])->name);
            scree_build_start_from(b, groups->pdata[i]);
            generate_group(b, groups->pdata[i]);
        }
}
