/* SPDX-License-Identifier: Apache-2.0 */
/* A good minimal plugin. Each bad one defines one of the macros below, then includes this file. */
#ifndef FAULTS_FAULT_H
#define FAULTS_FAULT_H

#include "scree/scree.h"

#ifndef FAULT_SYMBOL
#define FAULT_SYMBOL scree_plugin_v0
#endif
#ifndef FAULT_MANIFEST_SIZE
#define FAULT_MANIFEST_SIZE sizeof(scree_manifest)
#endif
#ifndef FAULT_MINOR
#define FAULT_MINOR SCREE_MINOR_NEEDED
#endif
#ifndef FAULT_DIGEST
#define FAULT_DIGEST SCREE_ABI_DIGEST
#endif
#ifndef FAULT_PLUGINS
#define FAULT_PLUGINS &plugin
#endif
#ifndef FAULT_PLUGIN_SIZE
#define FAULT_PLUGIN_SIZE sizeof(scree_plugin)
#endif
#ifndef FAULT_KIND
#define FAULT_KIND SCREE_KIND_FORCE
#endif
#ifndef FAULT_FLAGS
#define FAULT_FLAGS 0
#endif
#ifndef FAULT_DIMENSIONS
#define FAULT_DIMENSIONS (SCREE_DIMENSION_2 | SCREE_DIMENSION_3)
#endif
#ifndef FAULT_ID
#define FAULT_ID "minimal"
#endif
#ifndef FAULT_VERSION
#define FAULT_VERSION "1.0.0"
#endif
#ifndef FAULT_HELP
#define FAULT_HELP "no force at all"
#endif
#ifndef FAULT_NEEDS
#define FAULT_NEEDS 0
#endif
#ifndef FAULT_OPS
#define FAULT_OPS &ops
#endif
#ifndef FAULT_OPS_SIZE
#define FAULT_OPS_SIZE sizeof(scree_force_ops)
#endif
#ifndef FAULT_COMPUTE
#define FAULT_COMPUTE compute
#endif
#ifndef FAULT_OPS_RESERVED
#define FAULT_OPS_RESERVED 0
#endif
#ifndef FAULT_GET_EXTENSION
#define FAULT_GET_EXTENSION NULL
#endif
#ifndef FAULT_FIELDS
#define FAULT_FIELDS NULL
#define FAULT_N_FIELDS 0
#endif
#ifndef FAULT_PARAM_FLAGS
#define FAULT_PARAM_FLAGS 0
#endif
#ifndef FAULT_PARAM_MIN
#define FAULT_PARAM_MIN 0.0
#endif
#ifndef FAULT_PARAM_MAX
#define FAULT_PARAM_MAX 10.0
#endif
#ifndef FAULT_PARAM_KIND
#define FAULT_PARAM_KIND 0
#endif
#ifndef FAULT_PARAM_RESERVED
#define FAULT_PARAM_RESERVED 0
#endif
#ifndef FAULT_PARAM_TYPE
#define FAULT_PARAM_TYPE SCREE_TYPE_REAL
#endif
#ifndef FAULT_PARAM_OFFSET
#define FAULT_PARAM_OFFSET offsetof(config, knob)
#endif
#ifndef FAULT_PARAM_UNIT
#define FAULT_PARAM_UNIT "N/m"
#endif
#ifndef FAULT_PARAM_DEFAULT
#define FAULT_PARAM_DEFAULT 1.0
#endif

typedef struct config {
    double knob; /* [N/m] */
} config;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    (void)host;
    (void)given;
    *instance = NULL;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

__attribute__((unused)) static int32_t compute(void *instance, const scree_contact_batch *batch)
{
    (void)instance;
    for (uint32_t c = 0; c < batch->n; c++)
        batch->f[0][c] = batch->f[1][c] = batch->f[2][c] = 0.0;
    return SCREE_OK;
}

__attribute__((unused)) static const scree_force_ops ops = {
    .size = FAULT_OPS_SIZE,
    .reserved = FAULT_OPS_RESERVED,
    .create = create,
    .destroy = destroy,
    .compute = FAULT_COMPUTE,
};

static const scree_param knob = {
    .size = sizeof(scree_param),
    .type = FAULT_PARAM_TYPE,
    .flags = FAULT_PARAM_FLAGS,
    .offset = FAULT_PARAM_OFFSET,
    .name = "knob",
    .unit = FAULT_PARAM_UNIT,
    .help = "turns nothing",
    .real_default = FAULT_PARAM_DEFAULT,
    .real_min = FAULT_PARAM_MIN,
    .real_max = FAULT_PARAM_MAX,
    .kind = FAULT_PARAM_KIND,
    .reserved = FAULT_PARAM_RESERVED,
};
static const scree_param *const params[] = {&knob};

__attribute__((unused)) static const scree_plugin plugin = {
    .size = FAULT_PLUGIN_SIZE,
    .kind = FAULT_KIND,
    .flags = FAULT_FLAGS,
    .dimensions = FAULT_DIMENSIONS,
    .id = FAULT_ID,
    .version = FAULT_VERSION,
    .licence = "Apache-2.0",
    .help = FAULT_HELP,
    .config_size = sizeof(config),
    .n_params = 1,
    .params = params,
    .n_fields = FAULT_N_FIELDS,
    .fields = FAULT_FIELDS,
    .needs = FAULT_NEEDS,
    .ops = FAULT_OPS,
    .get_extension = FAULT_GET_EXTENSION,
};
static const scree_plugin *const plugins[] = {FAULT_PLUGINS};

SCREE_EXPORT extern const scree_manifest FAULT_SYMBOL;
const scree_manifest FAULT_SYMBOL = {
    .size = FAULT_MANIFEST_SIZE,
    .major = SCREE_ABI_MAJOR,
    .minor_needed = FAULT_MINOR,
    .n_plugins = sizeof plugins / sizeof plugins[0],
    .plugins = plugins,
    .digest = FAULT_DIGEST,
};

#ifdef FAULT_AT_LOAD
__attribute__((constructor)) static void at_load(void)
{
    FAULT_AT_LOAD
}
#endif

#endif
