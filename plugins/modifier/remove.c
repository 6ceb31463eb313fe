// SPDX-License-Identifier: Apache-2.0
/*
 * Modifier `remove`: takes out free bodies by place, group, material and size.
 *
 * A free body goes when its centre lies inside the region (or outside of it) and it has the named
 * groups, materials and sizes; keys that are absent do not matter. A removed body takes its energy
 * along: the host counts this as work.
 *
 * Cost: a look at each free body per call, once per interval.
 * Limits: fixed and kinematic bodies stay; modifier/release removes those.
 */
#include <math.h>

#include "scree/sdk.h"

enum { INSIDE, OUTSIDE };
enum { REMOVED, REMOVED_MASS }; // fields

typedef struct remove_config {
    const scree_zone *region;
    scree_strings groups;
    scree_ints material;
    double min_radius, max_radius; // [m] NaN: none
    double start, stop;            // [s] NaN: never
    int32_t where;
    int32_t reserved;
} remove_config;

typedef struct remover {
    const remove_config *config;
    uint32_t *group; // [config->groups.n]
} remover;

/* A body that is not round has the radius of the sphere of equal volume, in 2D of the disc of equal
 * area; powers are compared, so that no root rounds. */
static int has_size(const remove_config *c, const scree_bodies *b, uint32_t i)
{
    const double pi = 3.14159265358979323846, scale = b->scale[i];
    const scree_shape *shape = b->shapes[b->shape[i]];
    double size = b->radius[i], least = c->min_radius, most = c->max_radius;
    if (!(shape->flags & SCREE_CAP_ROUND)) {
        size = shape->volume / pi * scale * scale * (shape->flat ? 1.0 : 0.75 * scale);
        least *= c->min_radius * (shape->flat ? 1.0 : c->min_radius);
        most *= c->max_radius * (shape->flat ? 1.0 : c->max_radius);
    }
    return !(size < least) && !(size > most);
}

static int is_named(const remover *self, const scree_bodies *b, uint32_t i)
{
    const remove_config *c = self->config;
    int group = c->groups.n == 0, material = c->material.n == 0;
    for (uint64_t k = 0; k < c->groups.n; k++)
        group |= b->group[i] == self->group[k];
    for (uint64_t k = 0; k < c->material.n; k++)
        material |= b->material[i] == (uint32_t)c->material.v[k];
    return group && material && has_size(c, b, i);
}

static int32_t after_step(void *instance, const scree_step *args)
{
    const remover *self = instance;
    const remove_config *c = self->config;
    const scree_bodies *b = args->bodies;
    const scree_edits *edits = args->edits;
    if (args->time < c->start || args->time > c->stop)
        return SCREE_OK;
    for (uint32_t i = 0; i < b->n_free; i++) {
        double x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
        int32_t code;
        if (scree_zone_holds(c->region, x, 0.0) != (c->where == INSIDE) || !is_named(self, b, i))
            continue;
        code = edits->remove(edits->ctx, b->id[i]);
        if (code < 0)
            return code;
        args->global_fields[REMOVED] += 1.0;
        args->global_fields[REMOVED_MASS] += 1.0 / b->inv_mass[i];
    }
    return SCREE_OK;
}

static void destroy(void *instance)
{
    remover *self = instance;
    if (self)
        free(self->group);
    free(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const remove_config *c = config;
    const scree_names *names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    remover *self;
    if (c->where == OUTSIDE && c->region->type == SCREE_ZONE_ALL)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "where = \"outside\" needs a region, and the scene has none either");
    if (c->min_radius > c->max_radius)
        return scree_failf(host, SCREE_E_CONFIG, "min_radius %g m is above max_radius %g m",
                           c->min_radius, c->max_radius);
    if (!names)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "the host offers no scree.names/1");
    self = calloc(1, sizeof *self);
    if (self)
        self->group = calloc(c->groups.n + 1, sizeof *self->group);
    if (!self || !self->group) {
        destroy(self);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    }
    self->config = c;
    for (uint64_t k = 0; k < c->groups.n; k++)
        self->group[k] = names->group(names->ctx, c->groups.v[k]);
    *instance = self;
    return SCREE_OK;
}

SCREE_ZONE_PARAM(remove_config, region, SCREE_PARAM_OPTIONAL,
                 "box, sphere or cylinder; absent: scene.region, else everywhere");
SCREE_CHOICE_VALUE(inside, INSIDE, "bodies whose centre is in the region, its rim included");
SCREE_CHOICE_VALUE(outside, OUTSIDE, "bodies whose centre is not in the region");
SCREE_CHOICE_PARAM(remove_config, where, 0, "inside", "on which side of the region bodies go",
                   &choice_inside, &choice_outside);
SCREE_MATERIALS_PARAM(remove_config, material, SCREE_PARAM_OPTIONAL,
                      "only bodies of these materials; absent: of all");
SCREE_REAL_PARAM(remove_config, min_radius, "m", SCREE_PARAM_OPTIONAL, 0, 0, HUGE_VAL,
                 "only bodies of this radius or more, of what is not round that of the sphere (2D: "
                 "disc) of equal volume; absent: no limit");
SCREE_REAL_PARAM(remove_config, max_radius, "m", SCREE_PARAM_OPTIONAL, 0, 0, HUGE_VAL,
                 "only bodies of this radius or less, as min_radius; absent: no limit");
SCREE_REAL_PARAM(remove_config, start, "s", 0, 0, -HUGE_VAL, HUGE_VAL, "nothing goes before this");
SCREE_REAL_PARAM(remove_config, stop, "s", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                 "nothing goes after this; absent: no end");
SCREE_STRINGS_PARAM(
    remove_config, groups, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_GROUP,
    "only bodies of these groups of bodies or generate, or made by these modifiers; absent: "
    "of all");
static const scree_param *const params[] = {&param_region,   &param_where,      &param_groups,
                                            &param_material, &param_min_radius, &param_max_radius,
                                            &param_start,    &param_stop};

SCREE_FIELD_RESTORE(removed, GLOBAL, 1, 1, "-", 0.0, "bodies taken out so far");
SCREE_FIELD_RESTORE(removed_mass, GLOBAL, 1, 1, "kg", 0.0, "their mass");
static const scree_field *const fields[] = {&field_removed, &field_removed_mass};

static const scree_modifier_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .after_step = after_step,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_MODIFIER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "remove",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "takes out free bodies by place, group, material and size",
    .summary =
        "At each interval (every_steps or every_time; else each step) every free body goes whose "
        "centre lies on the asked side of the region and that is of the named groups, materials "
        "and sizes. Number and mass of the removed bodies are in the final table. The energy that "
        "bodies take along is booked as work.",
    .config_size = sizeof(remove_config),
    .n_params = SCREE_COUNT(params),
    .n_fields = SCREE_COUNT(fields),
    .params = params,
    .fields = fields,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
