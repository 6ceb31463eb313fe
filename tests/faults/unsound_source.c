/* SPDX-License-Identifier: Apache-2.0 */
/* A sound source (some balls in a row, where there is room), once per promise that it breaks. */
#include <math.h>

#include "unsound.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(INDICES, "indices")                                                                        \
    SIN(FLAT, "flat")                                                                              \
    SIN(MANY, "many")                                                                              \
    SIN(OVERLAPS, "overlaps")                                                                      \
    SIN(ROUND, "round") /* repeats no more in a cylinder */                                        \
    SIN(REPEATS, "repeats")                                                                        \
    SIN(GOES, "goes")                                                                              \
    SIN(BEGINS, "begins") /* each call with its first body */                                      \
    SIN(DEAF, "deaf")                                                                              \
    SIN(TELLS, "tells")                                                                            \
    SIN(LONELY, "lonely")                                                                          \
    SIN(WORDLESS, "wordless")                                                                      \
    SIN(LAGS, "lags") /* follows its region a part of the way */                                   \
    SIN(CELLS, "cells")
enum sin { SINS(UNSOUND_NAME) };

typedef struct config {
    const scree_zone *region; // it does not matter
} config;

typedef struct memory {
    enum sin sin;
    const config *config;
    const scree_host *host;
    double calls;
} memory;

static int32_t create(enum sin sin, const scree_host *host, const void *given, void **instance)
{
    const int late = sin == LONELY || sin == WORDLESS; // make() asks
    if (!late && !host->get_service(host->ctx, SCREE_SERVICE_QUERY))
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "it needs " SCREE_SERVICE_QUERY);
    memory *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->sin = sin;
    self->host = host;
    self->config = given;
    *instance = self;
    return SCREE_OK;
}

/* Ball k of eight; the row moves a little with the seed. */
static int32_t add_ball(const memory *self, const scree_making *args, uint64_t k)
{
    const scree_host *host = self->host;
    const double shift = 1e-3 * scree_uniform(host->random(host->ctx, 2, k, 0));
    uint32_t shape = self->sin == INDICES ? 99 : args->bodies->dimension == 2, material = 0;
    double scale = 0.01, x = 0.1 + 0.1 * (double)k + shift, y = 0.2, z = 0.2, zero = 0.0, out = 1.0;
    const scree_new_bodies one = {.size = sizeof one,
                                  .n = 1,
                                  .shape = &shape,
                                  .material = &material,
                                  .scale = &scale,
                                  .x = {&x, &y, &z},
                                  .v = {&zero, &zero, self->sin == FLAT ? &out : &zero}};
    if (self->sin == OVERLAPS)
        scale = 0.06;
    if (self->sin == LAGS)
        y += 0.9 * args->bodies->cell->lo[1];
    if (self->sin == REPEATS || (self->sin == GOES && args->first > 0) ||
        (self->sin == ROUND && self->config->region->type == SCREE_ZONE_CYLINDER))
        x += 1e-6 * self->calls;
    return args->add(args->ctx, &one);
}

static int32_t make(void *instance, const scree_making *args)
{
    memory *self = instance;
    const scree_query *query = self->host->get_service(self->host->ctx, SCREE_SERVICE_QUERY);
    int32_t code = SCREE_OK;
    const scree_cell cell = {.size = sizeof cell, .hi = {1.0}, .vector = {{1.0}}};
    self->calls += 1.0;
    if (self->sin == CELLS && args->set_cell)
        code = args->set_cell(args->ctx, &cell);
    if (self->sin == LONELY)
        query->hold(query->ctx, &(scree_new_bodies){.size = sizeof(scree_new_bodies)});
    if (!query)
        return self->sin == WORDLESS ? SCREE_E_UNSUPPORTED
                                     : self->host->fail(self->host->ctx, SCREE_E_UNSUPPORTED,
                                                        "it needs " SCREE_SERVICE_QUERY);
    const uint64_t from = self->sin == BEGINS ? 0 : args->first;
    for (uint64_t k = from; k < 8 && code == SCREE_OK; k++) {
        if (self->sin != MANY && k - from >= args->most)
            break;
        code = add_ball(self, args, k);
    }
    if (self->sin == TELLS)
        args->problem(args->ctx, NULL, 0, "there is something wrong");
    return self->sin == DEAF ? SCREE_OK : code;
}

SCREE_ZONE_PARAM(config, region, SCREE_PARAM_OPTIONAL, "it does not matter");
static const scree_param *const params[] = {&param_region};
#define VTABLE(NAME, ID) [NAME] = {OPS(source, create_##NAME, free), .make = make},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {PLUGIN(SOURCE, ID, "a source that breaks one promise"), PLUGIN_CONFIG,               \
              .ops = &ops[NAME]},
UNSOUND(source)
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
