/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the head: found whatever the kind, NULL where the vtable ends before them. */
#include "../../test.h"
#include "plugin/kinds.h"
#include "plugin/struct_size.h"

#include <glib.h>
#include <stdbool.h>

#include "scree/scree.h"

static uint64_t bytes(void *instance)
{
    return 7;
}

#define OPS(kind) static const scree_##kind##_ops kind = {.size = sizeof kind, .bytes = bytes}
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
    } all[] = {{SCREE_KIND_GCD, &gcd},           {SCREE_KIND_RESOLVER, &resolver},
               {SCREE_KIND_FORCE, &force},       {SCREE_KIND_INTEGRATOR, &integrator},
               {SCREE_KIND_OBSERVER, &observer}, {SCREE_KIND_MODIFIER, &modifier},
               {SCREE_KIND_SHAPE, &shape}};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        const scree_plugin plugin = {.kind = all[i].kind, .ops = all[i].ops};
        g_assert_true(scree_vtable_bytes(&plugin) == bytes);
    }
}

/** A struct that ends within the head has nothing beyond its end. */
TEST("/vtable/a-short-vtable-has-none")
{
    scree_force_ops ops = force;
    const scree_plugin plugin = {.kind = SCREE_KIND_FORCE, .ops = &ops};
    ops.size = SCREE_SIZE_TO(scree_force_ops, bytes);
    g_assert_true(scree_vtable_bytes(&plugin) == bytes);
    ops.size = offsetof(scree_force_ops, bytes);
    g_assert_null(scree_vtable_bytes(&plugin));
}
