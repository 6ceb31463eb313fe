// SPDX-License-Identifier: Apache-2.0
/*
 * Modifier `release`: releases the bodies in the way, once, when its conditions hold: a valve.
 *
 * At the first look at which all given conditions hold the bodies of the named groups are released:
 * bodies with a mass that were fixed or kinematic become free and keep their velocity; walls of facets
 * and planes, which have none, are removed, and so are free bodies. It happens once.
 *
 * The kinetic energy is summed over the free bodies in the order of their storage, one after the
 * other, so that it has the same bits for any number of threads.
 *
 * Cost: a look at each free body per call where kinetic_below is asked for, until it has happened.
 */
#include <math.h>

#include "scree/sdk.h"

enum { AUTO, REMOVE };
enum { FREED, REMOVED, TIME }; // fields

typedef struct release_config {
    scree_strings group;
    double at_time;       // [s] NaN: not asked
    double kinetic_below; // [J] NaN: not asked
    int64_t at_step;      // 0: not asked
    int64_t bodies_above; // -1: not asked
    int32_t action;
    int32_t reserved;
} release_config;

typedef struct valve {
    const scree_host *host;
    const release_config *config;
    uint32_t *group; // [config->group.n]
} valve;

/* Angular velocity in the axes of the principal moments; of a ball in any. */
static void spin_of(const scree_bodies *b, uint32_t i, double spin[3])
{
    const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
    for (int k = 0; k < 3; k++)
        spin[k] = b->w[k][i];
    if (!(b->shapes[b->shape[i]]->flags & SCREE_CAP_ROUND))
        scree_rotate_back(q, spin, spin);
}

/* [J] of the free bodies */
static double kinetic_energy(const scree_bodies *b)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < b->n_free; i++) {
        double spin[3];
        spin_of(b, i, spin);
        for (int k = 0; k < 3; k++) {
            sum += 0.5 / b->inv_mass[i] * b->v[k][i] * b->v[k][i];
            if (b->inv_inertia[k][i] > 0.0)
                sum += 0.5 / b->inv_inertia[k][i] * spin[k] * spin[k];
        }
    }
    return sum;
}

static int is_due(const release_config *c, const scree_bodies *b, uint64_t step, double time)
{
    return !(time < c->at_time * (1.0 - 1e-12)) && step >= (uint64_t)c->at_step &&
           (c->bodies_above < 0 || b->n_free > (uint64_t)c->bodies_above) &&
           (isnan(c->kinetic_below) || kinetic_energy(b) < c->kinetic_below);
}

static int is_named(const valve *self, uint32_t group)
{
    int named = 0;
    for (uint64_t k = 0; k < self->config->group.n; k++)
        named |= self->group[k] == group;
    return named;
}

static int32_t after_step(void *instance, const scree_step *args)
{
    const valve *self = instance;
    const scree_bodies *b = args->bodies;
    const scree_edits *edits = args->edits;
    double *field = args->global_fields;
    if (field[TIME] >= 0.0 || !is_due(self->config, b, args->step, args->time))
        return SCREE_OK;
    for (uint32_t i = 0; i < b->n; i++) {
        int wall = b->shapes[b->shape[i]]->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE);
        int frees = !wall && self->config->action == AUTO && b->motion[i] != SCREE_MOTION_FREE;
        int32_t code;
        if (!is_named(self, b->group[i]))
            continue;
        code = frees ? edits->release(edits->ctx, b->id[i]) : edits->remove(edits->ctx, b->id[i]);
        if (code < 0)
            return code;
        field[frees ? FREED : REMOVED] += 1.0;
    }
    field[TIME] = args->time;
    if (field[FREED] + field[REMOVED] == 0.0)
        scree_logf(self->host, SCREE_LOG_WARNING,
                   "step %llu, t = %g s: there was nothing left of the groups to release",
                   (unsigned long long)args->step, args->time);
    else
        scree_logf(self->host, SCREE_LOG_INFO,
                   "step %llu, t = %g s: released; %g bodies are free, %g removed",
                   (unsigned long long)args->step, args->time, field[FREED], field[REMOVED]);
    return SCREE_OK;
}

static void destroy(void *instance)
{
    valve *self = instance;
    if (self)
        free(self->group);
    free(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const release_config *c = config;
    const scree_names *names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    valve *self;
    if (isnan(c->at_time) && isnan(c->kinetic_below) && c->at_step == 0 && c->bodies_above < 0)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "no condition: give at_time, at_step, kinetic_below or bodies_above");
    if (c->group.n == 0)
        return host->fail(host->ctx, SCREE_E_CONFIG, "group = (): no group to release");
    if (!names)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "the host offers no scree.names/1");
    self = calloc(1, sizeof *self);
    if (self)
        self->group = calloc(c->group.n, sizeof *self->group);
    if (!self || !self->group) {
        destroy(self);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    }
    self->host = host;
    self->config = c;
    for (uint64_t k = 0; k < c->group.n; k++)
        self->group[k] = names->group(names->ctx, c->group.v[k]);
    *instance = self;
    return SCREE_OK;
}

static const scree_param param_group = {
    .size = sizeof param_group,
    .type = SCREE_TYPE_STRING_ARRAY,
    .flags = SCREE_PARAM_REQUIRED | SCREE_PARAM_GROUP,
    .offset = offsetof(release_config, group),
    .name = "group",
    .help = "what to let go of: groups of bodies or generate, or what these modifiers made",
};
SCREE_CHOICE_VALUE(auto, AUTO, "fixed and kinematic spheres and discs become free, all else goes");
SCREE_CHOICE_VALUE(remove, REMOVE, "all go");
SCREE_CHOICE_PARAM(release_config, action, 0, "auto", "what becomes of them", &choice_auto,
                   &choice_remove);
SCREE_REAL_PARAM(release_config, at_time, "s", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                 "not before this time");
SCREE_INT_PARAM(release_config, at_step, 0, 0, 0, INT64_MAX, "not before this step; 0: not asked");
SCREE_REAL_PARAM(release_config, kinetic_below, "J", SCREE_PARAM_OPTIONAL, 0, 0, HUGE_VAL,
                 "when the free bodies have less kinetic energy than this");
SCREE_INT_PARAM(release_config, bodies_above, 0, -1, -1, INT64_MAX,
                "when there are more free bodies than this; -1: not asked");
static const scree_param *const params[] = {&param_group,         &param_action,
                                            &param_at_time,       &param_at_step,
                                            &param_kinetic_below, &param_bodies_above};

SCREE_FIELD(freed, GLOBAL, 1, 1, "-", 0.0, "bodies that became free");
SCREE_FIELD(removed, GLOBAL, 1, 1, "-", 0.0, "bodies, walls among them, that were removed");
SCREE_FIELD(time, GLOBAL, 1, 1, "s", -1.0, "when it happened; -1: not yet");
static const scree_field *const fields[] = {&field_freed, &field_removed, &field_time};

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
    .id = "release",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "frees or removes named bodies and walls when conditions hold: a valve",
    .summary =
        "All conditions that are given must hold at the same look (each step, or as every_steps or "
        "every_time say); then the groups are released, once. A scene that starts at rest has no "
        "kinetic energy: give kinetic_below together with at_time or bodies_above.",
    .config_size = sizeof(release_config),
    .n_params = SCREE_COUNT(params),
    .n_fields = SCREE_COUNT(fields),
    .params = params,
    .fields = fields,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
