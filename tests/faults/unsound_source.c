/* SPDX-License-Identifier: Apache-2.0 */
/* A sound source (some balls in its region, where there is room), once per promise that it breaks. */
#include <math.h>

#include "unsound.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(INDICES, "indices")                                                                        \
    SIN(FLAT, "flat")                                                                              \
    SIN(MANY, "many")                                                                              \
    SIN(OVERLAPS, "overlaps") /* asks for no room */                                               \
    SIN(ROUND, "round")       /* repeats no more in a cylinder */                                  \
    SIN(REPEATS, "repeats")                                                                        \
    SIN(GOES, "goes")                                                                              \
    SIN(BEGINS, "begins") /* each call with its first body */                                      \
    SIN(DEAF, "deaf")                                                                              \
    SIN(TELLS, "tells")                                                                            \
    SIN(LONELY, "lonely")                                                                          \
    SIN(WORDLESS, "wordless")                                                                      \
    SIN(LAGS, "lags")     /* follows its region a part of the way */                               \
    SIN(STRAYS, "strays") /* out of its region */                                                  \
    SIN(OTHERS, "others") /* of another material than wanted */                                    \
    SIN(METRES, "metres") /* adds a length in SI units */                                          \
    SIN(CELLS, "cells")
enum sin { SINS(UNSOUND_NAME) };

typedef struct config {
    const scree_zone *region;
    const scree_recipe *body;
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

/* Ball k of eight around the middle of the region; they move a little with the seed. */
static void place_ball(const memory *self, const scree_making *args, uint64_t k, double x[3])
{
    const scree_host *host = self->host;
    const scree_zone *zone = self->config->region;
    const double apart = 13.0 / 6.0 * scree_size_max(self->config->body->sizes);
    const double shift = 0.02 * apart * scree_uniform(host->random(host->ctx, 2, k, 0));
    const int solid = args->bodies->dimension == 3;
    const double at[3] = {(double)(k % 2) - 0.5,
                          solid ? (double)(k / 2 % 2) - 0.5 : (double)(k / 2) - 1.5,
                          solid ? (double)(k / 4) - 0.5 : 0.0};
    for (int i = 0; i < 3; i++)
        x[i] = 0.5 * (zone->lo[i] + zone->hi[i]) + apart * at[i] + (i ? 0.0 : shift);
    if (self->sin == LAGS)
        x[1] -= 0.1 * args->bodies->cell->lo[1];
    if (self->sin == METRES)
        x[0] += 1e-4;
    if (self->sin == STRAYS)
        x[1] += zone->hi[1] - zone->lo[1];
    if (self->sin == REPEATS || (self->sin == GOES && args->first > 0) ||
        (self->sin == ROUND && zone->type == SCREE_ZONE_CYLINDER))
        x[0] += 1e-6 * self->calls;
}

static int32_t add_ball(const memory *self, const scree_making *args, const scree_query *query,
                        uint64_t k)
{
    const scree_recipe *recipe = self->config->body;
    double scale = recipe->sizes->radius[0], x[3], out = 1.0;
    uint32_t shape = self->sin == INDICES ? 99 : recipe->shape, index, n_free = 1;
    const uint32_t material = self->sin == OTHERS ? !recipe->material : recipe->material;
    place_ball(self, args, k, x);
    const scree_new_bodies one = {.size = sizeof one,
                                  .n = 1,
                                  .shape = &shape,
                                  .material = &material,
                                  .scale = &scale,
                                  .x = {&x[0], &x[1], &x[2]},
                                  .v = {&recipe->velocity[0], &recipe->velocity[1],
                                        self->sin == FLAT ? &out : &recipe->velocity[2]},
                                  .w = {&recipe->spin[0], &recipe->spin[1], &recipe->spin[2]}};
    const int asks =
        self->sin != OVERLAPS && self->sin != INDICES && !(self->sin == BEGINS && args->first > 0);
    const int32_t code = asks ? query->find_free(query->ctx, &one, 1, &index, &n_free) : SCREE_OK;
    return code < 0 || !n_free ? code : args->add(args->ctx, &one);
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
        code = add_ball(self, args, query, k);
    }
    if (self->sin == TELLS)
        args->problem(args->ctx, NULL, 0, "there is something wrong");
    return self->sin == DEAF ? SCREE_OK : code;
}

SCREE_ZONE_PARAM(config, region, SCREE_PARAM_OPTIONAL, "around its bodies");
SCREE_RECIPE_PARAM(config, body, SCREE_PARAM_REQUIRED | SCREE_PARAM_INLINE, "of its bodies");
static const scree_param *const params[] = {&param_region, &param_body};
#define VTABLE(NAME, ID) [NAME] = {OPS(source, create_##NAME, free), .make = make},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {PLUGIN(SOURCE, ID, "a source that breaks one promise"), PLUGIN_CONFIG,               \
              .ops = &ops[NAME]},
UNSOUND(source)
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
