/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a vtable by the plugin's kind. */
#include "plugin/vtable.h"

#define MEMBER(type, member)                                                                       \
    (SCREE_HAS((const type *)plugin->ops, member) ? ((const type *)plugin->ops)->member : NULL)

scree_resized_fn scree_vtable_resized(const scree_plugin *plugin)
{
    switch (plugin->kind) {
    case SCREE_KIND_RESOLVER:
        return MEMBER(scree_resolver_ops, resized);
    case SCREE_KIND_FORCE:
        return MEMBER(scree_force_ops, resized);
    case SCREE_KIND_INTEGRATOR:
        return MEMBER(scree_integrator_ops, resized);
    case SCREE_KIND_MODIFIER:
        return MEMBER(scree_modifier_ops, resized);
    default:
        return NULL;
    }
}

scree_bytes_fn scree_vtable_bytes(const scree_plugin *plugin)
{
    switch (plugin->kind) {
    case SCREE_KIND_GCD:
        return MEMBER(scree_gcd_ops, bytes);
    case SCREE_KIND_RESOLVER:
        return MEMBER(scree_resolver_ops, bytes);
    case SCREE_KIND_FORCE:
        return MEMBER(scree_force_ops, bytes);
    case SCREE_KIND_INTEGRATOR:
        return MEMBER(scree_integrator_ops, bytes);
    case SCREE_KIND_MODIFIER:
        return MEMBER(scree_modifier_ops, bytes);
    case SCREE_KIND_SHAPE:
        return MEMBER(scree_shape_ops, bytes);
    default:
        return NULL;
    }
}
