/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that several kinds have: found by kind, NULL where the vtable ends before them. */
#include "plugin/vtable.h"

#include <glib.h>
#include <stdbool.h>

#include "scree/scree.h"

static int32_t resized(void *instance, uint32_t n, const uint32_t *old_of_new)
{
    (void)instance;
    (void)n;
    (void)old_of_new;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    (void)instance;
    return 7;
}

static const scree_gcd_ops gcd = {.size = sizeof gcd, .bytes = bytes};
static const scree_resolver_ops resolver = {
    .size = sizeof resolver, .bytes = bytes, .resized = resized};
static const scree_force_ops force = {.size = sizeof force, .bytes = bytes, .resized = resized};
static const scree_integrator_ops integrator = {
    .size = sizeof integrator, .bytes = bytes, .resized = resized};
static const scree_modifier_ops modifier = {
    .size = sizeof modifier, .bytes = bytes, .resized = resized};
static const scree_observer_ops observer = {.size = sizeof observer};

static void test_by_kind(void)
{
    const struct {
        uint32_t kind;
        const void *ops;
        bool resizes, counts;
    } all[] = {{SCREE_KIND_GCD, &gcd, false, true},
               {SCREE_KIND_RESOLVER, &resolver, true, true},
               {SCREE_KIND_FORCE, &force, true, true},
               {SCREE_KIND_INTEGRATOR, &integrator, true, true},
               {SCREE_KIND_MODIFIER, &modifier, true, true},
               {SCREE_KIND_OBSERVER, &observer, false, false}};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        const scree_plugin plugin = {.kind = all[i].kind, .ops = all[i].ops};
        g_assert_true(scree_vtable_resized(&plugin) == (all[i].resizes ? resized : NULL));
        g_assert_true(scree_vtable_bytes(&plugin) == (all[i].counts ? bytes : NULL));
    }
}

/** A plugin that was built against an older header has a shorter vtable. */
static void test_short(void)
{
    scree_force_ops ops = force;
    const scree_plugin plugin = {.kind = SCREE_KIND_FORCE, .ops = &ops};
    ops.size = offsetof(scree_force_ops, resized);
    g_assert_true(scree_vtable_bytes(&plugin) == bytes);
    g_assert_null(scree_vtable_resized(&plugin));
    ops.size = offsetof(scree_force_ops, bytes);
    g_assert_null(scree_vtable_bytes(&plugin));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/vtable/functions-by-kind", test_by_kind);
    g_test_add_func("/vtable/a-short-vtable-has-none", test_short);
    return g_test_run();
}
