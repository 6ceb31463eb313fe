/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the head: found whatever the kind, NULL where the vtable ends before them. */
#include "../../test.h"
#include "plugin/vtable.h"

#include <glib.h>
#include <stdbool.h>

#include "scree/scree.h"

static int32_t resized(void *instance, uint32_t n, const uint32_t *old_of_new)
{
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    return 7;
}

#define OPS(kind)                                                                                  \
    static const scree_##kind##_ops kind = {.size = sizeof kind, .bytes = bytes, .resized = resized}
OPS(gcd);
OPS(resolver);
OPS(force);
OPS(integrator);
OPS(observer);
OPS(modifier);
OPS(shape);

TEST("/vtable/functions-of-the-head-for-each-kind")
{
    const struct {
        uint32_t kind;
        const void *ops;
        bool resizes;
    } all[] = {{SCREE_KIND_GCD, &gcd, false},          {SCREE_KIND_RESOLVER, &resolver, true},
               {SCREE_KIND_FORCE, &force, true},       {SCREE_KIND_INTEGRATOR, &integrator, true},
               {SCREE_KIND_OBSERVER, &observer, true}, {SCREE_KIND_MODIFIER, &modifier, true},
               {SCREE_KIND_SHAPE, &shape, false}};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        const scree_plugin plugin = {.kind = all[i].kind, .ops = all[i].ops};
        g_assert_true(scree_vtable_resized(&plugin) == (all[i].resizes ? resized : NULL));
        g_assert_true(scree_vtable_bytes(&plugin) == bytes);
    }
}

/** A struct that ends within the head has nothing beyond its end. */
TEST("/vtable/a-short-vtable-has-none")
{
    scree_force_ops ops = force;
    const scree_plugin plugin = {.kind = SCREE_KIND_FORCE, .ops = &ops};
    ops.size = offsetof(scree_force_ops, resized);
    g_assert_true(scree_vtable_bytes(&plugin) == bytes);
    g_assert_null(scree_vtable_resized(&plugin));
    ops.size = offsetof(scree_force_ops, bytes);
    g_assert_null(scree_vtable_bytes(&plugin));
}
