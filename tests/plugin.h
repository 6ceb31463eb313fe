/* SPDX-License-Identifier: Apache-2.0 */
/* Macros and functions that plugins of tests share: the head of a descriptor and of a vtable, how an instance is made. */
#ifndef TESTS_PLUGIN_H
#define TESTS_PLUGIN_H

#include <math.h>

#include "scree/sdk.h"

#ifndef PLUGIN_VERSION
#define PLUGIN_VERSION "1.0.0"
#endif

/** The head of a descriptor, for 2D and 3D; then its other members. */
#define PLUGIN(kind, id, help) PLUGIN_OF(SCREE_DIMENSION_2 | SCREE_DIMENSION_3, kind, id, help)
#define PLUGIN_OF(dimensions_, kind_, id_, help_)                                                  \
    .size = sizeof(scree_plugin), .kind = SCREE_KIND_##kind_, .dimensions = dimensions_,           \
    .id = id_, .version = PLUGIN_VERSION, .licence = "Apache-2.0", .help = help_
/** Members of a descriptor: a struct `config` with params[], fields[] and uses[] of these names. */
#define PLUGIN_CONFIG                                                                              \
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .params = params
#define PLUGIN_FIELDS(fields_) .n_fields = SCREE_COUNT(fields_), .fields = fields_
#define PLUGIN_USES(uses_) .n_uses = SCREE_COUNT(uses_), .uses = uses_

/** The head of a scree_KIND_ops. */
#define OPS(kind_, create_, destroy_)                                                              \
    .size = sizeof(scree_##kind_##_ops), .create = create_, .destroy = destroy_

/** create() of instances of this type, with these initializers of `host` and `given`; free() destroys them. */
#define CREATE(type, ...)                                                                          \
    static int32_t create(const scree_host *host, const void *given, void **instance)              \
    {                                                                                              \
        type *self = calloc(1, sizeof *self);                                                      \
        (void)given;                                                                               \
        if (!self)                                                                                 \
            return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");                             \
        *self = (type){__VA_ARGS__};                                                               \
        *instance = self;                                                                          \
        return SCREE_OK;                                                                           \
    }

/** create() and destroy() of an instance that is its config. */
static inline int32_t plain_create(const scree_host *host, const void *config, void **instance)
{
    static const int nothing;
    *instance = (void *)(uintptr_t)(config ? config : &nothing);
    return SCREE_OK;
}

static inline void plain_destroy(void *instance)
{
}

#endif
