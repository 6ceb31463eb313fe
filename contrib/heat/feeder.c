/* SPDX-License-Identifier: Apache-2.0 */
/*
 * feeder: brings bodies that are warm from the start: one of the recipe in each call.
 *
 * Steps    after_step() inserts a body, with the start value of the field `temperature`.
 *          `every_steps` or `every_time` of the scene say how often.
 *          Where the place is taken, the body waits for the next call.
 * Shows    edits->insert with start values, in the frame of the shape as the scene gives it, or in
 *          that of its centre of mass; the host converts.
 */
#include "heat.h"

enum { OF_SHAPE, OF_CENTRE };

typedef struct feeder feeder;

typedef struct config {
    const scree_recipe *body;
    double x, y, z;     /* [m] */
    double temperature; /* [K] */
    int32_t place;
    int32_t reserved;
} config;

struct feeder {
    const config *config;
    const scree_query *query;
};

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    feeder *self = (feeder *)calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->config = (const config *)given;
    self->query = (const scree_query *)host->get_service(host->ctx, SCREE_SERVICE_QUERY);
    if (!self->query) {
        free(self);
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "it needs " SCREE_SERVICE_QUERY);
    }
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

static int32_t after_step(void *instance, const scree_step *args)
{
    const feeder *self = (const feeder *)instance;
    const config *c = self->config;
    const scree_recipe *r = c->body;
    const double *turn = c->place == OF_SHAPE ? r->turn : r->q;
    const double *const warmth[] = {&c->temperature};
    const scree_start_field temperature = {
        .size = sizeof temperature, .components = 1, .name = "temperature", .v = warmth};
    const scree_start_field *const fields[] = {&temperature};
    scree_one_body one = {.shape = r->shape,
                          .material = r->material,
                          .motion = r->motion,
                          .scale = scree_size_draw(r->sizes, 0.5),
                          .x = {c->x, c->y, args->bodies->dimension == 3 ? c->z : 0.0}};
    for (int k = 0; k < 4; k++) {
        one.q[k] = turn[k];
        if (k == 3)
            break;
        one.v[k] = r->velocity[k];
        one.w[k] = r->spin[k];
    }
    scree_new_bodies bodies = scree_new_body(&one);
    bodies.frame = c->place == OF_SHAPE ? SCREE_FRAME_OF_SHAPE : SCREE_FRAME_PRINCIPAL;
    bodies.n_fields = 1;
    bodies.fields = fields;
    uint32_t first, n_free;
    const int32_t code = self->query->find_free(self->query->ctx, &bodies, 1, &first, &n_free);
    if (code != SCREE_OK || n_free == 0)
        return code;
    args->global_fields[0] += 1.0;
    args->global_fields[1] += scree_body_mass(args->bodies, one.shape, one.material, one.scale);
    return args->edits->insert(args->edits->ctx, &bodies, NULL);
}

// clang-format off
SCREE_RECIPE_PARAM(config, body, SCREE_PARAM_REQUIRED, "shape, material, size, orientation and velocity of each body");
SCREE_REAL_PARAM(config, x, "m", SCREE_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "its place");
SCREE_REAL_PARAM(config, y, "m", SCREE_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "its place");
SCREE_REAL_PARAM(config, z, "m", 0, 0, -HUGE_VAL, HUGE_VAL, "its place");
SCREE_REAL_PARAM(config, temperature, "K", SCREE_PARAM_LIVE, 293.15, 0, HUGE_VAL, "with which it comes");
SCREE_CHOICE_VALUE(shape, OF_SHAPE, "the origin of its shape, as the scene gives it");
SCREE_CHOICE_VALUE(centre, OF_CENTRE, "its centre of mass");
SCREE_CHOICE_PARAM(config, place, 0, "shape", "what is at the place", &choice_shape, &choice_centre);
static const scree_param *const params[] = {&param_body, &param_x, &param_y, &param_z, &param_temperature, &param_place};
SCREE_GLOBAL_FIELD(brought, 1, 1, SAME, "-", 0.0, "bodies so far");
SCREE_GLOBAL_FIELD(mass, 1, 1, SAME, "kg", 0.0, "of them");
static const scree_field *const fields_of[] = {&field_brought, &field_mass};
SCREE_USE(temperature, BODY, 1, SCREE_USE_READ, "K", "with what bodies come");
static const scree_use *const uses[] = {&use_temperature};
// clang-format on
static const scree_modifier_ops ops = {
    .size = sizeof ops, .create = create, .destroy = destroy, .after_step = after_step};
const scree_plugin heat_feeder = {.size = sizeof(scree_plugin),
                                  .kind = SCREE_KIND_MODIFIER,
                                  .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                  .id = "feeder",
                                  .version = "1.0.0",
                                  .licence = "Apache-2.0",
                                  .help = "brings warm bodies, one in each call",
                                  .config_size = sizeof(config),
                                  .n_params = SCREE_COUNT(params),
                                  .n_fields = SCREE_COUNT(fields_of),
                                  .params = params,
                                  .fields = fields_of,
                                  .ops = &ops,
                                  .n_uses = SCREE_COUNT(uses),
                                  .uses = uses};
