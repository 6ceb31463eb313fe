/* SPDX-License-Identifier: Apache-2.0 */
/* The head with which the vtables of all kinds begin. */
#include "plugin/vtable.h"

#include <assert.h>

#include "scree/draft/domain.h"

#define SAME(type, member)                                                                         \
    static_assert(offsetof(type, member) == offsetof(scree_ops_head, member),                      \
                  #type "." #member " is not where scree_ops_head has it")
#define BEGINS_WITH_HEAD(type)                                                                     \
    SAME(type, size);                                                                              \
    SAME(type, reserved);                                                                          \
    SAME(type, create);                                                                            \
    SAME(type, destroy);                                                                           \
    SAME(type, bytes);                                                                             \
    SAME(type, narrow);                                                                            \
    static_assert(sizeof(type) >= sizeof(scree_ops_head), #type " is shorter than its head")

BEGINS_WITH_HEAD(scree_gcd_ops);
BEGINS_WITH_HEAD(scree_resolver_ops);
BEGINS_WITH_HEAD(scree_force_ops);
BEGINS_WITH_HEAD(scree_integrator_ops);
BEGINS_WITH_HEAD(scree_observer_ops);
BEGINS_WITH_HEAD(scree_modifier_ops);
BEGINS_WITH_HEAD(scree_shape_ops);
BEGINS_WITH_HEAD(scree_source_ops);
BEGINS_WITH_HEAD(scree_domain_ops);

const scree_ops_head *scree_vtable_head(const scree_plugin *plugin)
{
    return plugin->ops;
}

scree_bytes_fn scree_vtable_bytes(const scree_plugin *plugin)
{
    const scree_ops_head *head = scree_vtable_head(plugin);
    return SCREE_HAS(head, bytes) ? head->bytes : NULL;
}
