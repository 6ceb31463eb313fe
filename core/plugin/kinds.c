/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of plugins: their names and their calls. */
#include "plugin/kinds.h"

#include <string.h>

#define C (1u << SCREE_SCOPE_CONTACT)
#define P (1u << SCREE_SCOPE_PAIR)
#define B (1u << SCREE_SCOPE_BODY)
#define G (1u << SCREE_SCOPE_GLOBAL)
const scree_kind scree_kinds[] = {
    [SCREE_KIND_GCD] = {"gcd", "gcd", SCREE_SLOT_ONE, false, 0, 0, 0},
    [SCREE_KIND_RESOLVER] = {"resolver", "resolvers", SCREE_SLOT_LIST, true, P, 0, 0},
    [SCREE_KIND_FORCE] = {"force", "force", SCREE_SLOT_LIST, true, C | P | B | G, B | G, B},
    [SCREE_KIND_INTEGRATOR] = {"integrator", "integrator", SCREE_SLOT_ONE, true, B | G, 0, 0},
    [SCREE_KIND_OBSERVER] = {"observer", "observers", SCREE_SLOT_NAMED, true, 0, C | P | B | G, 0},
    [SCREE_KIND_MODIFIER] = {"modifier", "modifiers", SCREE_SLOT_NAMED, true, B | G, B | G, B},
    [SCREE_KIND_SHAPE] = {"shape", "shapes", SCREE_SLOT_NAMED, false, 0, 0, 0},
    [SCREE_KIND_SOURCE] = {"source", "generate", SCREE_SLOT_NAMED, false, 0, 0, 0},
    [SCREE_DRAFT_KIND_DOMAIN] = {"domain", "domain", SCREE_SLOT_ONE, false, 0, 0, 0},
    {0},
};
#undef C
#undef P
#undef B
#undef G

bool scree_kind_has_intervals(const scree_plugin *plugin)
{
    if (plugin->kind != SCREE_KIND_MODIFIER)
        return plugin->kind == SCREE_KIND_OBSERVER;
    const scree_modifier_ops *ops = plugin->ops;
    return ops && ops->after_step;
}

const char *scree_kind_name(uint32_t kind)
{
    return kind < G_N_ELEMENTS(scree_kinds) ? scree_kinds[kind].name : NULL;
}

uint32_t scree_kind_from_name(const char *name)
{
    for (uint32_t kind = 1; scree_kinds[kind].name; kind++)
        if (g_str_equal(scree_kinds[kind].name, name))
            return kind;
    return 0;
}
