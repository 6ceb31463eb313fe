/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the kinds: names, and that a vtable without one of its functions is refused by its name.
 */
#include <string.h>

#include "../../test.h"
#include "plugin/kinds.h"
#include "plugin/registry.h"
#include "tools/judge/kind_check.h"
#include "tools/judge/struct_check.h"

typedef struct function {
    const char *name;
    size_t offset;
    bool optional;
} function;

typedef struct table {
    uint32_t kind, size;
    function functions[16]; /* the last one has no name */
} table;

#define MUST(type, member)                                                                         \
    {                                                                                              \
#member, offsetof(type, member), false                                                     \
    }
#define HEAD(type) MUST(type, create), MUST(type, destroy), MAY(type, bytes), MAY(type, narrow)
#define MAY(type, member)                                                                          \
    {                                                                                              \
#member, offsetof(type, member), true                                                      \
    }

/* The words of the headers. */
static const table tables[] = {
    {SCREE_KIND_GCD,
     sizeof(scree_gcd_ops),
     {HEAD(scree_gcd_ops), MUST(scree_gcd_ops, init), MUST(scree_gcd_ops, step_init),
      MUST(scree_gcd_ops, find_neighbors), MUST(scree_gcd_ops, find_objects)}},
    {SCREE_KIND_RESOLVER,
     sizeof(scree_resolver_ops),
     {HEAD(scree_resolver_ops), MUST(scree_resolver_ops, supports),
      MAY(scree_resolver_ops, prepare), MUST(scree_resolver_ops, resolve),
      MAY(scree_resolver_ops, adjoins)}},
    {SCREE_KIND_FORCE,
     sizeof(scree_force_ops),
     {HEAD(scree_force_ops), MUST(scree_force_ops, compute), MAY(scree_force_ops, range),
      MAY(scree_force_ops, stiffness), MAY(scree_force_ops, after_step)}},
    {SCREE_KIND_INTEGRATOR,
     sizeof(scree_integrator_ops),
     {HEAD(scree_integrator_ops), MUST(scree_integrator_ops, begin),
      MUST(scree_integrator_ops, stage), MAY(scree_integrator_ops, move)}},
    {SCREE_KIND_OBSERVER,
     sizeof(scree_observer_ops),
     {HEAD(scree_observer_ops), MUST(scree_observer_ops, observe),
      MUST(scree_observer_ops, finish)}},
    {SCREE_KIND_MODIFIER,
     sizeof(scree_modifier_ops),
     {HEAD(scree_modifier_ops), MAY(scree_modifier_ops, forces),
      MAY(scree_modifier_ops, after_step), MAY(scree_modifier_ops, pose),
      MAY(scree_modifier_ops, enter)}},
    {SCREE_KIND_SHAPE,
     sizeof(scree_shape_ops),
     {HEAD(scree_shape_ops), MUST(scree_shape_ops, measure), MUST(scree_shape_ops, place),
      MUST(scree_shape_ops, boxes), MAY(scree_shape_ops, view)}}, // of a solid
    {SCREE_KIND_SOURCE,
     sizeof(scree_source_ops),
     {HEAD(scree_source_ops), MUST(scree_source_ops, make)}},
    {SCREE_DRAFT_KIND_DOMAIN,
     sizeof(scree_domain_ops),
     {HEAD(scree_domain_ops), MUST(scree_domain_ops, processes), MUST(scree_domain_ops, join),
      MUST(scree_domain_ops, begin), MUST(scree_domain_ops, finish), MUST(scree_domain_ops, gather),
      MUST(scree_domain_ops, broadcast), MUST(scree_domain_ops, abort),
      MAY(scree_domain_ops, test)}},
};

static void something(void)
{
}

/** A vtable of the kind with all functions set but `missing`. */
static void fill(const table *t, const char *missing, void *ops)
{
    void (*const set)(void) = something;
    memset(ops, 0, t->size);
    memcpy(ops, &t->size, sizeof t->size);
    for (const function *f = t->functions; f->name; f++)
        if (!missing || !g_str_equal(missing, f->name))
            memcpy((char *)ops + f->offset, &set, sizeof set);
}

static bool check(uint32_t kind, const void *ops, GError **error)
{
    const scree_plugin plugin = {.size = sizeof plugin, .kind = kind, .id = "x", .ops = ops};
    return scree_kind_check_ops(&plugin, error);
}

TEST("/kinds/missing-function-is-named")
{
    uint64_t ops[32];
    for (size_t k = 0; k < G_N_ELEMENTS(tables); k++) {
        const table *t = &tables[k];
        g_assert_cmpuint(t->size, <=, sizeof ops);
        fill(t, NULL, ops);
        g_assert_true(check(t->kind, ops, NULL));
        for (const function *f = t->functions; f->name; f++) {
            g_autoptr(GError) error = NULL;
            fill(t, f->name, ops);
            g_assert_cmpint(check(t->kind, ops, &error), ==, f->optional);
            g_assert_true(f->optional || g_strrstr(error->message, f->name));
            g_assert_true(f->optional || error->code == SCREE_EXIT_PLUGIN);
        }
    }
}

TEST("/kinds/short-vtable-is-refused-longer-one-taken")
{
    uint64_t ops[32];
    for (size_t k = 0; k < G_N_ELEMENTS(tables); k++) {
        g_autoptr(GError) error = NULL;
        uint32_t size = tables[k].size - 1;
        fill(&tables[k], NULL, ops);
        memcpy(ops, &size, sizeof size);
        g_assert_false(check(tables[k].kind, ops, &error));
        g_assert_nonnull(strstr(error->message, "_ops of "));
        size += 9;
        memcpy(ops, &size, sizeof size);
        memset((char *)ops + size - 8, 0, 8);
        g_assert_true(check(tables[k].kind, ops, NULL));
    }
}

/** A byte that this host does not know leaves out the descriptor; the host reads no more than 64 KiB. */
TEST("/kinds/a-byte-behind-the-vtable-is-0")
{
    g_autofree char *ops = g_malloc0(65536);
    g_autoptr(GError) error = NULL;
    for (size_t k = 0; k < G_N_ELEMENTS(tables); k++) {
        uint32_t size = 65536;
        memset(ops, 0, size);
        fill(&tables[k], NULL, ops);
        memcpy(ops, &size, sizeof size);
        g_assert_true(check(tables[k].kind, ops, NULL));
        ops[size - 1] = 1;
        g_assert_false(check(tables[k].kind, ops, &error));
        g_assert_error(error, SCREE_ERROR, (int)SCREE_NOT_KNOWN);
        g_assert_nonnull(strstr(error->message, "byte 65535 of its scree_"));
        g_clear_error(&error);
        size++;
        memcpy(ops, &size, sizeof size);
        g_assert_false(check(tables[k].kind, ops, &error));
        g_assert_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN);
        g_clear_error(&error);
    }
}

/** Names of the host's own types are for shapes of that sort. */
TEST("/kinds/names-of-own-types-are-kept")
{
    static const struct {
        const char *id;
        uint32_t flag;
    } kept[] = {{"sphere", SCREE_CAP_ROUND},
                {"disc", SCREE_CAP_ROUND},
                {"mesh", SCREE_CAP_WALL},
                {"plane", SCREE_CAP_INFINITE}};
    for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
        g_autoptr(GError) error = NULL;
        scree_plugin plugin = {.size = sizeof plugin, .kind = SCREE_KIND_SHAPE, .id = kept[i].id};
        g_assert_false(scree_kind_check_id(&plugin, &error));
        g_assert_cmpint(error->code, ==, SCREE_EXIT_PLUGIN);
        g_assert_nonnull(strstr(error->message, kept[i].id));
        plugin.flags = kept[i].flag;
        g_assert_true(scree_kind_check_id(&plugin, NULL));
        plugin.kind = SCREE_KIND_RESOLVER;
        plugin.flags = 0;
        g_assert_true(scree_kind_check_id(&plugin, NULL));
    }
}

TEST("/kinds/hint-bytes-and-empty-modifier-are-refused")
{
    scree_resolver_ops resolver;
    scree_modifier_ops modifier;
    fill(&tables[1], NULL, &resolver);
    resolver.hint_bytes = 12;
    g_assert_false(check(SCREE_KIND_RESOLVER, &resolver, NULL));
    resolver.hint_bytes = 16;
    g_assert_true(check(SCREE_KIND_RESOLVER, &resolver, NULL));
    resolver.reserved_hint = 1;
    g_assert_false(check(SCREE_KIND_RESOLVER, &resolver, NULL));
    fill(&tables[5], NULL, &modifier);
    modifier.forces = NULL;
    modifier.after_step = NULL;
    g_assert_true(check(SCREE_KIND_MODIFIER, &modifier, NULL));
    modifier.pose = NULL;
    g_assert_false(check(SCREE_KIND_MODIFIER, &modifier, NULL));
    g_assert_false(check(SCREE_KIND_MODIFIER, NULL, NULL));
}

static void refuse_flags(uint32_t kind, uint32_t flags, scree_exit code, const char *why)
{
    g_autoptr(GError) error = NULL;
    const scree_plugin plugin = {.size = sizeof plugin, .kind = kind, .flags = flags};
    g_assert_false(scree_kind_check_flags(&plugin, &error));
    g_assert_error(error, SCREE_ERROR, (int)code);
    g_assert_cmpstr(error->message, ==, why);
}

TEST("/kinds/flags-are-of-their-kinds")
{
    for (uint32_t kind = SCREE_KIND_GCD; scree_kind_name(kind); kind++)
        for (const scree_cap *cap = scree_caps; cap->name; cap++) {
            const scree_plugin plugin = {.size = sizeof plugin, .kind = kind, .flags = cap->flag};
            const bool fits = cap->kinds & (1u << kind);
            g_assert_cmpint(scree_kind_check_flags(&plugin, NULL), ==, fits);
        }
    refuse_flags(SCREE_KIND_MODIFIER, SCREE_CAP_SERIAL | SCREE_CAP_DISPLACEMENT, SCREE_EXIT_PLUGIN,
                 "flags: SCREE_CAP_DISPLACEMENT is for plugins of kind integrator, got it in one "
                 "of kind modifier");
    refuse_flags(SCREE_KIND_INTEGRATOR, SCREE_CAP_ROUND, SCREE_EXIT_PLUGIN,
                 "flags: SCREE_CAP_ROUND is for plugins of kind shape, got it in one of kind "
                 "integrator");
    refuse_flags(SCREE_KIND_SHAPE, SCREE_CAP_ROUND | SCREE_CAP_WALL, SCREE_EXIT_PLUGIN,
                 "flags: expected at most one of SCREE_CAP_ROUND, SCREE_CAP_BALLS, "
                 "SCREE_CAP_WALL, SCREE_CAP_INFINITE, got 0x14000");
    refuse_flags(SCREE_KIND_GCD, 1u << 31, SCREE_NOT_KNOWN,
                 "unknown bit 0x80000000 in flags; this host knows 0x1fdf00");
}

TEST("/kinds/a-reserved-word-is-0")
{
    uint64_t ops[32];
    for (size_t k = 0; k < G_N_ELEMENTS(tables); k++) {
        g_autoptr(GError) error = NULL;
        const uint32_t one = 1;
        fill(&tables[k], NULL, ops);
        memcpy((char *)ops + offsetof(scree_ops_head, reserved), &one, sizeof one);
        g_assert_false(check(tables[k].kind, ops, &error));
        g_assert_nonnull(strstr(error->message, "`reserved`"));
        g_assert_nonnull(strstr(error->message, "expected 0, got 1"));
    }
}

TEST("/kinds/names-and-back")
{
    for (uint32_t kind = SCREE_KIND_GCD; kind <= SCREE_KIND_SHAPE; kind++)
        g_assert_cmpuint(scree_kind_from_name(scree_kind_name(kind)), ==, kind);
    g_assert_null(scree_kind_name(0));
    g_assert_null(scree_kind_name(SCREE_DRAFT_KIND_DOMAIN + 1));
    g_assert_cmpuint(scree_kind_from_name("gdc"), ==, 0);
}
