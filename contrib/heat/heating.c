/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heating: heat that bodies gain or lose, but not through contacts: a power for each body, and a
 * flow to the surroundings.
 *
 * Idea     flow [W] = power + transfer (ambient - T);  rate [K/s] = flow / (m c)
 * Steps    forces() adds to the rate of the field `temperature`, of any plugin. The host adds this
 *          after the rates from contacts.
 * Limits   dt < 2 m c / transfer. Fixed bodies keep their temperature in any case.
 */
#include "heat.h"

typedef struct config {
    scree_strings groups;
    double power, transfer, ambient; /* [W] [W/K] [K] */
    scree_reals heat_capacity;       /* [J/(kg K)] per material */
} config;

typedef struct heating {
    const config *config;
    uint32_t *group; /* [config->groups.n]; none: all bodies */
} heating;

static void destroy(void *instance)
{
    heating *self = (heating *)instance;
    if (self)
        free(self->group);
    free(self);
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = (const config *)given;
    const scree_names *names =
        (const scree_names *)host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    heating *self = (heating *)calloc(1, sizeof *self);
    if (self)
        self->group = (uint32_t *)calloc(c->groups.n + 1, sizeof *self->group);
    if (!self || !self->group || (c->groups.n && !names)) {
        destroy(self);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory, or no names of groups");
    }
    self->config = c;
    for (uint64_t k = 0; k < c->groups.n; k++)
        self->group[k] = names->group(names->ctx, c->groups.v[k]);
    *instance = self;
    return SCREE_OK;
}

static int is_heated(const heating *self, uint32_t group)
{
    int found = self->config->groups.n == 0;
    for (uint64_t k = 0; k < self->config->groups.n; k++)
        found |= self->group[k] == group;
    return found;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    const heating *self = (const heating *)instance;
    const config *c = self->config;
    const scree_bodies *b = args->bodies;
    const double *temperature = b->used[0]->v[0];
    double *rate = b->used[0]->rate[0];
    for (uint32_t i = 0; i < b->n_free; i++) {
        if (!is_heated(self, b->group[i]))
            continue;
        const double flow = c->power + c->transfer * (c->ambient - temperature[i]);
        rate[i] += flow * b->inv_mass[i] / c->heat_capacity.v[b->material[i]];
    }
    return SCREE_OK;
}

SCREE_STRINGS_PARAM(config, groups, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_GROUP,
                    "groups whose bodies are heated; not given: all");
// clang-format off
SCREE_REAL_PARAM(config, power, "W", SCREE_PARAM_LIVE, 0, -HUGE_VAL, HUGE_VAL, "to each body; below 0 it cools");
SCREE_REAL_PARAM(config, transfer, "W/K", SCREE_PARAM_LIVE, 0, 0, HUGE_VAL, "between a body and what is around it");
SCREE_REAL_PARAM(config, ambient, "K", SCREE_PARAM_LIVE, 293.15, 0, HUGE_VAL, "temperature of what is around it");
SCREE_MATERIAL_PARAM(config, heat_capacity, "J/(kg K)", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, HUGE_VAL, "specific heat capacity");
static const scree_param *const params[] = {&param_groups, &param_power, &param_transfer, &param_ambient, &param_heat_capacity};
SCREE_USE(temperature, BODY, 1, SCREE_USE_READ | SCREE_USE_ADD, "K", "what is heated");
static const scree_use *const uses[] = {&use_temperature};
// clang-format on
static const scree_modifier_ops ops = {
    .size = sizeof ops, .create = create, .destroy = destroy, .forces = forces};
const scree_plugin heat_heating = {.size = sizeof(scree_plugin),
                                   .kind = SCREE_KIND_MODIFIER,
                                   .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                   .id = "heating",
                                   .version = "1.0.0",
                                   .licence = "Apache-2.0",
                                   .help =
                                       "heats or cools bodies: a power each, and a flow to what "
                                       "is around them",
                                   .config_size = sizeof(config),
                                   .n_params = SCREE_COUNT(params),
                                   .params = params,
                                   .ops = &ops,
                                   .n_uses = SCREE_COUNT(uses),
                                   .uses = uses};

SCREE_DEFINE_MANIFEST(&heat_conduction, &heat_heating, &heat_adams, &heat_feeder);
