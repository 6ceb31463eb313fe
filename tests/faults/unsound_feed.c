/* SPDX-License-Identifier: Apache-2.0 */
/* A sound modifier that inserts balls by a recipe, all in the first step, where there is room; once per promise
 * that it breaks. */
#include <math.h>

#include "unsound.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(OTHERS, "others")   /* of another material than wanted */                                  \
    SIN(STRAYS, "strays")   /* out of its region */                                                \
    SIN(ALIKE, "alike")     /* all of the least size */                                            \
    SIN(SKEWED, "skewed")   /* three of four are below the median of the sizes */                  \
    SIN(UPRIGHT, "upright") /* none is turned */                                                   \
    SIN(STILL, "still")     /* velocities have no random part */                                   \
    SIN(HEADED, "headed")   /* all random parts are upwards */                                     \
    SIN(ALONG, "along")     /* both of a pair of components are the same */
enum sin { SINS(UNSOUND_NAME) };
enum { ROW_2D = 12, ROW_3D = 7 }; // balls along an axis
enum { STREAM = 2, SIZE = 6, TURN, N_DRAWS = TURN + 3 };

typedef struct config {
    const scree_zone *region;
    const scree_recipe *body;
    double grow; // [-] share by which its bodies are larger than the recipe says
} config;

typedef struct memory {
    enum sin sin;
    const config *config;
    const scree_host *host;
    const scree_query *query;
} memory;

static int32_t create(enum sin sin, const scree_host *host, const void *given, void **instance)
{
    const scree_query *query = host->get_service(host->ctx, SCREE_SERVICE_QUERY);
    if (!query)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "it needs " SCREE_SERVICE_QUERY);
    memory *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (memory){sin, given, host, query};
    *instance = self;
    return SCREE_OK;
}

/** A random rotation (Shoemake 1992), in 2D an angle. */
static void turn_ball(const double u[3], int flat, double q[4])
{
    const double pi = 3.14159265358979323846;
    q[0] = flat ? cos(pi * u[0]) : sqrt(u[0]) * cos(2.0 * pi * u[2]);
    q[1] = flat ? 0.0 : sqrt(1.0 - u[0]) * sin(2.0 * pi * u[1]);
    q[2] = flat ? 0.0 : sqrt(1.0 - u[0]) * cos(2.0 * pi * u[1]);
    q[3] = flat ? sin(pi * u[0]) : sqrt(u[0]) * sin(2.0 * pi * u[2]);
}

/** Velocity of the recipe, with a random part from pairs of u. */
static void throw_ball(const memory *self, const double u[6], uint32_t dimension, double v[3])
{
    const scree_recipe *r = self->config->body;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t from = self->sin == ALONG ? 0 : 2 * k;
        const double part = scree_velocity_spread(r->velocity_uniform, u[from], u[from + 1]);
        v[k] = r->velocity[k];
        if (k < dimension && self->sin != STILL)
            v[k] += r->velocity_random * (self->sin == HEADED ? fabs(part) : part);
    }
}

static double draw_size(const memory *self, double u)
{
    const double share = self->sin == ALIKE    ? 0.0
                         : self->sin == SKEWED ? pow(u, 2.4) // below 0.5 for u < 0.75
                                               : u;
    return scree_size_draw(self->config->body->sizes, share);
}

/** Ball k of a grid that fills the region. */
static int32_t insert_ball(const memory *self, const scree_step *args, uint32_t k)
{
    const scree_recipe *r = self->config->body;
    const scree_zone *zone = self->config->region;
    const int flat = args->bodies->dimension == 2;
    const uint32_t n = flat ? ROW_2D : ROW_3D, at[3] = {k % n, k / n % n, k / (n * n)};
    double u[N_DRAWS];
    uint32_t index, n_free = 0;
    for (uint32_t d = 0; d < N_DRAWS; d++)
        u[d] = scree_uniform(self->host->random(self->host->ctx, STREAM, k, d));
    scree_one_body one = {.shape = r->shape,
                          .material = self->sin == OTHERS ? !r->material : r->material,
                          .motion = r->motion,
                          .scale = (1.0 + self->config->grow) * draw_size(self, u[SIZE]),
                          .q = {1.0},
                          .w = {r->spin[0], r->spin[1], r->spin[2]}};
    for (int i = 0; i < 3; i++)
        one.x[i] = zone->lo[i] + (at[i] + 0.5) / n * (zone->hi[i] - zone->lo[i]);
    one.x[1] += self->sin == STRAYS ? zone->hi[1] - zone->lo[1] : 0.0;
    one.x[2] = flat ? 0.0 : one.x[2];
    if (self->sin != UPRIGHT)
        turn_ball(u + TURN, flat, one.q);
    throw_ball(self, u, args->bodies->dimension, one.v);
    if (!scree_zone_holds(zone, one.x, one.scale) && self->sin != STRAYS)
        return SCREE_OK;
    const scree_new_bodies body = scree_new_body(&one);
    const int32_t code = self->query->find_free(self->query->ctx, &body, 1, &index, &n_free);
    return code < 0 || !n_free ? code : scree_insert_one(args->edits, &one, NULL);
}

static int32_t after_step(void *instance, const scree_step *args)
{
    const uint32_t n = args->bodies->dimension == 2 ? ROW_2D * ROW_2D : ROW_3D * ROW_3D * ROW_3D;
    int32_t code = SCREE_OK;
    for (uint32_t k = 0; args->step == 1 && k < n && code >= 0; k++)
        code = insert_ball(instance, args, k);
    return code;
}

SCREE_ZONE_PARAM(config, region, SCREE_PARAM_OPTIONAL, "around its bodies");
SCREE_RECIPE_PARAM(config, body, SCREE_PARAM_REQUIRED, "of its bodies");
SCREE_REAL_PARAM(config, grow, "-", 0, 0, 0, 1,
                 "share by which they are larger than the recipe says");
static const scree_param *const params[] = {&param_region, &param_body, &param_grow};
#define VTABLE(NAME, ID) [NAME] = {OPS(modifier, create_##NAME, free), .after_step = after_step},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {PLUGIN(MODIFIER, ID, "a modifier that breaks one promise"), PLUGIN_CONFIG,           \
              .ops = &ops[NAME]},
UNSOUND(modifier)
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
