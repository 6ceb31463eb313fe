/* SPDX-License-Identifier: Apache-2.0 */
/* modifier/scales: measures the load on a wall, and the distance of bodies from their start. */
/*
 * Steps    enter() notes the start of each body, also of later ones; after_step() asks for the load
 *          of the wall, and finds the longest distance of a free body; forces() acts last, so it
 *          sees the forces of all modifiers.
 * Shows    enter(), edits->load and SCREE_CAP_ACTS_LAST of modifier.h, from outside the tree.
 */
#include <scree/sdk.h>

enum { KNOWN, X };                             /* components of body fields */
enum { FORCE, STIFFNESS, CONTACTS, WAY, SUM }; /* global fields */

typedef struct config {
    scree_strings groups;
} config;

typedef struct scales {
    const config *config;
    uint32_t *wall; // [config->groups.n]
    double sum;     /* [N] sum of the sizes of the forces in the last evaluation */
} scales;

static void destroy(void *instance)
{
    scales *self = (scales *)instance;
    if (self)
        free(self->wall);
    free(self);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = (const config *)config_;
    const scree_names *names =
        (const scree_names *)host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    scales *self = (scales *)calloc(1, sizeof *self);
    if (self)
        self->wall = (uint32_t *)calloc(c->groups.n + 1, sizeof *self->wall);
    if (!self || !self->wall || !names) {
        destroy(self);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory, or no names of groups");
    }
    self->config = c;
    for (uint64_t k = 0; k < c->groups.n; k++)
        self->wall[k] = names->group(names->ctx, c->groups.v[k]);
    *instance = self;
    return SCREE_OK;
}

static int is_weighed(const scales *self, uint32_t group)
{
    int found = 0;
    for (uint64_t k = 0; k < self->config->groups.n; k++)
        found |= self->wall[k] == group;
    return found;
}

static int32_t enter(void *instance, const scree_entry *args)
{
    const scree_bodies *b = args->bodies;
    double *const *field = args->body_fields;
    (void)instance;
    for (uint32_t i = 0; i < b->n; i++) {
        double x[3];
        if (field[KNOWN][i] == 1.0)
            continue;
        field[KNOWN][i] = 1.0;
        scree_unwrapped(b, i, x);
        for (int k = 0; k < 3; k++)
            field[X + k][i] = x[k];
    }
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    scales *self = (scales *)instance;
    self->sum = 0.0;
    for (uint64_t i = 0; i < args->bodies->n_free; i++) {
        const double *f = args->wrench + 8 * i;
        self->sum += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    }
    return SCREE_OK;
}

static int32_t after_step(void *instance, const scree_step *args)
{
    const scales *self = (const scales *)instance;
    const scree_bodies *b = args->bodies;
    double *field = args->global_fields;
    field[FORCE] = field[STIFFNESS] = field[CONTACTS] = field[WAY] = 0.0;
    field[SUM] = self->sum;
    for (uint32_t i = 0; i < b->n; i++) {
        scree_load load = {sizeof load, 0, {0, 0, 0}, {0, 0, 0}, 0, 0};
        double way = 0.0, x[3];
        scree_unwrapped(b, i, x);
        for (int k = 0; k < 3; k++)
            way += pow(x[k] - args->body_fields[X + k][i], 2.0);
        if (i < b->n_free && sqrt(way) > field[WAY])
            field[WAY] = sqrt(way);
        if (i < b->n_free || !is_weighed(self, b->group[i]))
            continue;
        int32_t code = args->edits->load(args->edits->ctx, b->id[i], &load);
        if (code < 0)
            return code;
        field[FORCE] +=
            sqrt(pow(load.force[0], 2.0) + pow(load.force[1], 2.0) + pow(load.force[2], 2.0));
        field[STIFFNESS] += load.stiffness;
        field[CONTACTS] += load.contacts;
    }
    return SCREE_OK;
}

SCREE_STRINGS_PARAM(config, groups, 0, SCREE_PARAM_REQUIRED | SCREE_PARAM_KINEMATIC_GROUP,
                    "groups whose bodies are the wall");
static const scree_param *const params[] = {&param_groups};
SCREE_FIELD(known, BODY, 1, 1, "-", 0.0, "1: where it started is noted");
SCREE_FIELD(start, BODY, 3, 1, "m", 0.0, "where it started");
SCREE_FIELD(force, GLOBAL, 1, 1, "N", 0.0, "on the wall");
SCREE_FIELD(stiffness, GLOBAL, 1, 1, "N/m", 0.0, "of its contacts");
SCREE_FIELD(contacts, GLOBAL, 1, 1, "-", 0.0, "that press on it");
SCREE_FIELD(way, GLOBAL, 1, 1, "m", 0.0, "longest of a free body");
SCREE_FIELD(sum, GLOBAL, 1, 1, "N", 0.0, "of the sizes of all forces on free bodies");
static const scree_field *const fields[] = {&field_known,     &field_start,    &field_force,
                                            &field_stiffness, &field_contacts, &field_way,
                                            &field_sum};
static const scree_modifier_ops ops = {.size = sizeof ops,
                                       .create = create,
                                       .destroy = destroy,
                                       .forces = forces,
                                       .after_step = after_step,
                                       .enter = enter};
static const scree_plugin scales_plugin = {.size = sizeof(scree_plugin),
                                           .kind = SCREE_KIND_MODIFIER,
                                           .flags = SCREE_CAP_ACTS_LAST | SCREE_CAP_USES_LIBM,
                                           .needs = SCREE_WANTS_LOADS,
                                           .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                           .id = "scales",
                                           .version = "1.0.0",
                                           .licence = "Apache-2.0",
                                           .help =
                                               "what presses on a wall, and how far bodies came",
                                           .config_size = sizeof(config),
                                           .n_params = SCREE_COUNT(params),
                                           .n_fields = SCREE_COUNT(fields),
                                           .params = params,
                                           .fields = fields,
                                           .ops = &ops};
SCREE_DEFINE_MANIFEST(&scales_plugin);
