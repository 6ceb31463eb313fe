/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the flags, the id and the vtable of a descriptor by its kind. */
#include "tools/judge/kind_check.h"

#include <string.h>

#include "plugin/kinds.h"
#include "tools/judge/struct_check.h"

/** Bits of kinds. */
#define OF(kind) (1u << SCREE_KIND_##kind)
#define OF_ANY UINT32_MAX

const scree_cap scree_caps[] = {
    {SCREE_CAP_SERIAL, "serial", OF_ANY},
    {SCREE_CAP_USES_LIBM, "uses_libm", OF_ANY},
    {SCREE_CAP_INCREMENTAL, "incremental", OF(GCD)},
    {SCREE_CAP_DISPLACEMENT, "displacement", OF(INTEGRATOR)},
    {SCREE_CAP_ACTS_LAST, "acts_last", OF(MODIFIER)},
    {SCREE_CAP_ROUND_ONLY, "round_only", OF(INTEGRATOR)},
    {SCREE_CAP_ROUND, "round", OF(SHAPE)},
    {SCREE_CAP_BALLS, "balls", OF(SHAPE)},
    {SCREE_CAP_WALL, "wall", OF(SHAPE)},
    {SCREE_CAP_INFINITE, "infinite", OF(SHAPE)},
    {SCREE_CAP_RANKS, "ranks",
     OF(RESOLVER) | OF(FORCE) | OF(INTEGRATOR) | OF(MODIFIER) | OF(OBSERVER)},
    {SCREE_CAP_BY_INTEGRATOR, "by_integrator", OF(SOURCE)},
    {0, NULL, 0},
};

const scree_cap scree_wants[] = {
    {SCREE_WANTS_CONTACTS, "contacts", OF(OBSERVER)},
    {SCREE_WANTS_LAWS, "laws", OF(OBSERVER)},
    {SCREE_WANTS_EVERY_STEP, "every_step", OF(OBSERVER)},
    {SCREE_WANTS_LOADS, "loads", OF(MODIFIER)},
    {0, NULL, 0},
};

uint64_t scree_kind_wants(uint32_t kind)
{
    uint64_t mask = 0;
    for (const scree_cap *want = scree_wants; want->name; want++)
        mask |= want->kinds & (1u << kind) ? want->flag : 0;
    return mask;
}

/* A shape has at most one of them. */
#define BODY_FLAGS (SCREE_CAP_ROUND | SCREE_CAP_BALLS | SCREE_CAP_WALL | SCREE_CAP_INFINITE)

/** A function that every vtable of a kind must set. */
typedef struct ops_function {
    const char *name;
    size_t offset;
} ops_function;

/** Vtables of a kind. */
typedef struct kind_ops {
    scree_known known;
    ops_function functions[8];
} kind_ops;

#define MUST(type, member)                                                                         \
    {                                                                                              \
#member, offsetof(type, member)                                                            \
    }

/* By SCREE_KIND_*; functions of the head are not repeated. */
static const kind_ops ops_of[] = {
    [SCREE_KIND_GCD] = {SCREE_KNOWN(scree_gcd_ops, find_objects),
                        {MUST(scree_gcd_ops, init), MUST(scree_gcd_ops, step_init),
                         MUST(scree_gcd_ops, find_neighbors), MUST(scree_gcd_ops, find_objects)}},
    [SCREE_KIND_RESOLVER] = {SCREE_KNOWN(scree_resolver_ops, adjoins),
                             {MUST(scree_resolver_ops, supports),
                              MUST(scree_resolver_ops, resolve)}},
    [SCREE_KIND_FORCE] = {SCREE_KNOWN(scree_force_ops, after_step),
                          {MUST(scree_force_ops, compute)}},
    [SCREE_KIND_INTEGRATOR] = {SCREE_KNOWN(scree_integrator_ops, move),
                               {MUST(scree_integrator_ops, begin),
                                MUST(scree_integrator_ops, stage)}},
    [SCREE_KIND_OBSERVER] = {SCREE_KNOWN(scree_observer_ops, finish),
                             {MUST(scree_observer_ops, observe), MUST(scree_observer_ops, finish)}},
    [SCREE_KIND_MODIFIER] = {SCREE_KNOWN(scree_modifier_ops, enter), {{0}}},
    [SCREE_KIND_SHAPE] = {SCREE_KNOWN(scree_shape_ops, view), {MUST(scree_shape_ops, measure)}},
    [SCREE_KIND_SOURCE] = {SCREE_KNOWN(scree_source_ops, make), {MUST(scree_source_ops, make)}},
    [SCREE_DRAFT_KIND_DOMAIN] = {SCREE_KNOWN(scree_domain_ops, test),
                                 {MUST(scree_domain_ops, processes), MUST(scree_domain_ops, join),
                                  MUST(scree_domain_ops, begin), MUST(scree_domain_ops, finish),
                                  MUST(scree_domain_ops, gather), MUST(scree_domain_ops, broadcast),
                                  MUST(scree_domain_ops, abort)}},
};
static const ops_function in_head[] = {
    MUST(scree_ops_head, create), MUST(scree_ops_head, destroy), {NULL, 0}};

/** "resolver, force" for a mask of kinds. New string. */
static char *name_kinds(uint32_t mask)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t kind = 1; scree_kinds[kind].name; kind++)
        if (mask & (1u << kind))
            g_string_append_printf(text, "%s%s", text->len ? ", " : "", scree_kinds[kind].name);
    return g_strdup(text->str);
}

bool scree_kind_check_flags(const scree_plugin *plugin, GError **error)
{
    uint32_t known = 0;
    for (const scree_cap *cap = scree_caps; cap->name; cap++) {
        known |= cap->flag;
        if (!(plugin->flags & cap->flag) || cap->kinds & (1u << plugin->kind))
            continue;
        g_autofree char *name = g_ascii_strup(cap->name, -1), *of = name_kinds(cap->kinds);
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "flags: SCREE_CAP_%s is for plugins of kind %s, got it in one of kind %s",
                          name, of, scree_kind_name(plugin->kind));
    }
    const uint32_t body = plugin->flags & BODY_FLAGS;
    const uint32_t unknown = plugin->flags & ~known;
    if (unknown)
        return scree_fail(error, SCREE_NOT_KNOWN, "unknown bit 0x%x in flags; this host knows 0x%x",
                          unknown & -unknown, known);
    return !(body & (body - 1)) ||
           scree_fail(error, SCREE_EXIT_PLUGIN,
                      "flags: expected at most one of SCREE_CAP_ROUND, SCREE_CAP_BALLS, "
                      "SCREE_CAP_WALL, SCREE_CAP_INFINITE, got 0x%x",
                      body);
}

bool scree_kind_check_id(const scree_plugin *plugin, GError **error)
{
    static const struct {
        const char *id;
        uint32_t flag;
        const char *name, *of;
    } kept[] = {{"sphere", SCREE_CAP_ROUND, "SCREE_CAP_ROUND", "balls"},
                {"disc", SCREE_CAP_ROUND, "SCREE_CAP_ROUND", "discs"},
                {"mesh", SCREE_CAP_WALL, "SCREE_CAP_WALL", "all walls of facets"},
                {"plane", SCREE_CAP_INFINITE, "SCREE_CAP_INFINITE", "all half-spaces"}};
    if (plugin->kind != SCREE_KIND_SHAPE)
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS(kept); i++)
        if (strcmp(plugin->id, kept[i].id) == 0 && !(plugin->flags & kept[i].flag))
            return scree_fail(error, SCREE_EXIT_PLUGIN,
                              "id: \"%s\" is the name of %s; expected another one, or the flag %s",
                              kept[i].id, kept[i].of, kept[i].name);
    return true;
}

/** Whether a vtable has a function at `offset`. */
static bool is_function_set(const void *ops, size_t offset)
{
    void (*function)(void);
    memcpy(&function, (const char *)ops + offset, sizeof function);
    return function != NULL;
}

/** Whether a vtable has the functions that the flags of a shape require. */
static bool check_shape_ops(const scree_plugin *plugin, GError **error)
{
    const uint32_t what =
        plugin->flags & (SCREE_CAP_ROUND | SCREE_CAP_BALLS | SCREE_CAP_WALL | SCREE_CAP_INFINITE);
    const scree_shape_ops *ops = plugin->ops;
    if ((!what || what == SCREE_CAP_BALLS) && !ops->place)
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "scree_shape_ops lacks the function place, which a solid needs");
    if ((!what || what == SCREE_CAP_WALL) && !ops->boxes)
        return scree_fail(
            error, SCREE_EXIT_PLUGIN,
            "scree_shape_ops lacks the function boxes, which a solid or a wall needs");
    if ((what & (SCREE_CAP_BALLS | SCREE_CAP_INFINITE)) && !ops->view)
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "scree_shape_ops lacks the function view, which " SCREE_VIEW_BALLS
                          " or " SCREE_VIEW_IMPLICIT " comes from");
    return true;
}

static bool has_all(const void *ops, const char *kind, const ops_function *functions,
                    GError **error)
{
    for (const ops_function *f = functions; f->name; f++)
        if (!is_function_set(ops, f->offset))
            return scree_fail(error, SCREE_EXIT_PLUGIN, "scree_%s_ops lacks the function %s", kind,
                              f->name);
    return true;
}

bool scree_kind_check_ops(const scree_plugin *plugin, GError **error)
{
    const char *name = scree_kind_name(plugin->kind);
    const kind_ops *needed = &ops_of[plugin->kind];
    if (!plugin->ops)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "no vtable (ops is NULL)");
    const scree_ops_head *head = plugin->ops; // each vtable begins with it (kinds.c)
    if (!scree_check_struct(head, &needed->known, error))
        return false;
    if (head->reserved != 0)
        return scree_fail(error, SCREE_NOT_KNOWN,
                          "`reserved` of its scree_%s_ops: expected 0, got %u", name,
                          head->reserved);
    if (!has_all(plugin->ops, name, in_head, error) ||
        !has_all(plugin->ops, name, needed->functions, error) ||
        (plugin->kind == SCREE_KIND_SHAPE && !check_shape_ops(plugin, error)))
        return false;
    if (plugin->kind == SCREE_KIND_RESOLVER) {
        const scree_resolver_ops *ops = (const scree_resolver_ops *)plugin->ops;
        if (ops->hint_bytes % 8)
            return scree_fail(error, SCREE_EXIT_PLUGIN,
                              "hint_bytes: expected a multiple of 8, got %u", ops->hint_bytes);
        if (ops->reserved_hint)
            return scree_fail(error, SCREE_NOT_KNOWN, "reserved_hint: expected 0, got %u",
                              ops->reserved_hint);
    }
    if (plugin->kind == SCREE_KIND_MODIFIER) {
        const scree_modifier_ops *ops = (const scree_modifier_ops *)plugin->ops;
        if (!ops->forces && !ops->after_step && !ops->pose)
            return scree_fail(error, SCREE_EXIT_PLUGIN,
                              "scree_modifier_ops has neither forces, after_step nor pose");
    }
    return true;
}
