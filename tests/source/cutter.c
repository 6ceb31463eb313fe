/* SPDX-License-Identifier: Apache-2.0 */
/* source/cutter: rods of many lengths, each of a shape of its own, in layers; a source of the tests. */
#include "../plugin.h"

typedef struct config {
    int64_t count;
    double radius, spacing;
} config;

typedef struct cutter {
    const scree_host *host;
    const config *config;
} cutter;

CREATE(cutter, .host = host, .config = given)

/** Adds a rod, at its place in layers of four by four. */
static int32_t add_rod(const cutter *self, const scree_making *args, uint32_t i)
{
    const config *c = self->config;
    double u = scree_uniform(self->host->random(self->host->ctx, 1, i, 0));
    double scale = 1.0, x[3] = {c->spacing * (i % 4 - 1.5), c->spacing * (i / 4 % 4 - 1.5),
                                0.5 * c->spacing + 2.5 * c->radius * (i / 16)};
    char name[32], text[128];
    uint32_t shape, material = 0;
    snprintf(name, sizeof name, "cut_%u", i);
    snprintf(text, sizeof text, "type = \"rod\"; length = %.17g; radius = %.17g;",
             c->radius * (0.5 + 2.5 * u), c->radius);
    int32_t code = args->add_shape(args->ctx, name, text, &shape);
    scree_new_bodies bodies = {.size = sizeof bodies,
                               .n = 1,
                               .shape = &shape,
                               .material = &material,
                               .scale = &scale,
                               .x = {&x[0], &x[1], &x[2]}};
    return code < 0 ? code : args->add(args->ctx, &bodies);
}

static int32_t make(void *instance, const scree_making *args)
{
    const cutter *self = instance;
    int32_t code = SCREE_OK;
    if (!args->add_shape)
        return self->host->fail(self->host->ctx, SCREE_E_UNSUPPORTED,
                                "shapes are made before the first step");
    for (uint32_t i = 0; i < self->config->count && code >= 0; i++)
        code = add_rod(self, args, i);
    return code;
}

SCREE_INT_PARAM(config, count, SCREE_PARAM_REQUIRED, 0, 1, 1000, "rods");
SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED, 0, 1e-9, 1.0, "of a rod");
SCREE_REAL_PARAM(config, spacing, "m", SCREE_PARAM_REQUIRED, 0, 1e-9, 1.0, "between their middles");
static const scree_param *const params[] = {&param_count, &param_radius, &param_spacing};

static const scree_source_ops ops = {OPS(source, create, free), .make = make};

static const scree_plugin plugin = {
    PLUGIN_OF(SCREE_DIMENSION_3, SOURCE, "cutter", "rods of many lengths, of the tests"),
    PLUGIN_CONFIG, .ops = &ops};

SCREE_DEFINE_MANIFEST(&plugin);
