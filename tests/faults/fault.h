/* SPDX-License-Identifier: Apache-2.0 */
/* A good minimal plugin. A bad one defines macros before it includes this file: FAULT_PARAM, FAULT_FIELD, FAULT_OPS,
 * FAULT_PLUGIN and FAULT_MANIFEST are initializers that replace those below; FAULT_AT_LOAD is what it does at load. */
#ifndef FAULTS_FAULT_H
#define FAULTS_FAULT_H

#include <string.h>

#include "scree/scree.h"

#ifndef FAULT_SYMBOL
#define FAULT_SYMBOL scree_plugin_v0
#endif
#ifndef FAULT_PLUGINS
#define FAULT_PLUGINS &plugin
#endif

#pragma GCC diagnostic ignored "-Woverride-init"

typedef struct config {
    double knob; /* [N/m] */
} config;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    *instance = NULL;
    return SCREE_OK;
}

static void destroy(void *instance)
{
}

__attribute__((unused)) static int32_t compute(void *instance, const scree_contact_batch *batch)
{
    for (uint32_t c = 0; c < batch->n; c++)
        batch->f[0][c] = batch->f[1][c] = batch->f[2][c] = 0.0;
    return SCREE_OK;
}

__attribute__((unused)) static const scree_force_ops ops = {
    .size = sizeof(scree_force_ops),
    .create = create,
    .destroy = destroy,
    .compute = compute,
#ifdef FAULT_OPS
    FAULT_OPS,
#endif
};

static const scree_param knob = {
    .size = sizeof(scree_param),
    .type = SCREE_TYPE_REAL,
    .offset = offsetof(config, knob),
    .name = "knob",
    .unit = "N/m",
    .help = "turns nothing",
    .real_default = 1.0,
    .real_max = 10.0,
#ifdef FAULT_PARAM
    FAULT_PARAM,
#endif
};
static const scree_param *const params[] = {&knob};

#ifdef FAULT_FIELD
static const scree_field field = {
    .size = sizeof(scree_field),
    .scope = SCREE_SCOPE_CONTACT,
    .components = 1,
    .name = "memory",
    .help = "keeps nothing",
    FAULT_FIELD,
};
static const scree_field *const fields[] = {&field};
#endif

#ifdef FAULT_BONDS
static const void *get_extension(const char *name)
{
    static const scree_bonds bonds = {.size = sizeof(scree_bonds), FAULT_BONDS};
    return strcmp(name, SCREE_EXTENSION_BONDS) == 0 ? &bonds : NULL;
}
#endif

#ifdef FAULT_REQUIRED
static const char *const required[] = {FAULT_REQUIRED};
#endif

__attribute__((unused)) static const scree_plugin plugin = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "minimal",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "no force at all",
    .config_size = sizeof(config),
    .n_params = 1,
    .params = params,
    .ops = &ops,
#ifdef FAULT_FIELD
    .n_fields = 1,
    .fields = fields,
#endif
#ifdef FAULT_BONDS
    .get_extension = get_extension,
#endif
#ifdef FAULT_REQUIRED
    .n_required = sizeof required / sizeof required[0],
    .required = required,
#endif
#ifdef FAULT_PLUGIN
    FAULT_PLUGIN,
#endif
};

/** A good one in the same file. */
__attribute__((unused)) static const scree_force_ops steady_ops = {
    .size = sizeof(scree_force_ops),
    .create = create,
    .destroy = destroy,
    .compute = compute,
};
__attribute__((unused)) static const scree_plugin steady = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "steady",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "no force either",
    .ops = &steady_ops,
};
static const scree_plugin *const plugins[] = {FAULT_PLUGINS};

SCREE_EXPORT extern const scree_manifest FAULT_SYMBOL;
const scree_manifest FAULT_SYMBOL = {
    .size = sizeof(scree_manifest),
    .major = SCREE_ABI_MAJOR,
    .n_plugins = sizeof plugins / sizeof plugins[0],
    .plugins = plugins,
    .digest = SCREE_ABI_DIGEST,
#ifdef FAULT_MANIFEST
    FAULT_MANIFEST,
#endif
};

#ifdef FAULT_AT_LOAD
__attribute__((constructor)) static void at_load(void)
{
    FAULT_AT_LOAD
}
#endif

#endif
