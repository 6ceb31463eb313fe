// SPDX-License-Identifier: Apache-2.0
/*
 * Modifier `release`: releases named bodies, once, when its conditions hold: a valve.
 *
 * At the first look at which all given conditions hold the bodies of the named groups are released:
 * bodies with a mass that were fixed or kinematic become free and keep their velocity; walls of
 * facets and planes, which have no mass, are removed, as are free bodies. It happens once.
 *
 * The kinetic energy and the numbers of bodies are sums of the host (scree.sum/1), which have the same
 * bits for any number of threads and ranks. So all ranks open at the same look.
 *
 * Cost: with kinetic_below a look at each free body per call until the release, and 8 bytes per
 * body.
 */
#include <math.h>

#include "scree/sdk.h"

enum { AUTO, REMOVE };
static const uint32_t free_motion = SCREE_MOTION_FREE;
enum { FREED, REMOVED, TIME }; // fields; the first two are values to sum, too

typedef struct release_config {
    scree_strings groups;
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
    const scree_summer *summer;
    uint32_t *group;  // [config->groups.n]
    double *value[2]; // [bodies] values to be summed
    uint64_t capacity[2];
} valve;

/* Angular velocity in the axes of the principal moments; for a ball any axes do. */
static void spin_of(const scree_bodies *b, uint32_t i, double spin[3])
{
    const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
    for (int k = 0; k < 3; k++)
        spin[k] = b->w[k][i];
    if (!(b->shapes[b->shape[i]]->flags & SCREE_CAP_ROUND))
        scree_rotate_back(q, spin, spin);
}

/* Makes room for n values per body, all 0. */
static int32_t make_room(valve *self, const scree_bodies *b, int n)
{
    for (int k = 0; k < n; k++) {
        if (!scree_grow(&self->value[k], &self->capacity[k], (uint64_t)b->n + 1, sizeof(double)))
            return self->host->fail(self->host->ctx, SCREE_E_MEMORY,
                                    "no memory for a sum over bodies");
        memset(self->value[k], 0, ((size_t)b->n + 1) * sizeof(double));
    }
    return SCREE_OK;
}

static int32_t sum_up(const valve *self, int n, double *sum)
{
    return self->summer->bodies(self->summer->ctx, (uint32_t)n, (const double *const *)self->value,
                                sum);
}

/* *sum: kinetic energy [J] of the free bodies. */
static int32_t sum_kinetic(valve *self, const scree_bodies *b, double *sum)
{
    int32_t status = make_room(self, b, 1);
    if (status != SCREE_OK)
        return status;
    for (uint32_t i = 0; i < b->n_free; i++) {
        double spin[3], *energy = &self->value[0][i];
        spin_of(b, i, spin);
        for (int k = 0; k < 3; k++) {
            *energy += 0.5 / b->inv_mass[i] * b->v[k][i] * b->v[k][i];
            if (b->inv_inertia[k][i] > 0.0)
                *energy += 0.5 / b->inv_inertia[k][i] * spin[k] * spin[k];
        }
    }
    return sum_up(self, 1, sum);
}

/* 1: all conditions hold; 0: not all; or an error. The result is the same on all ranks. */
static int32_t is_due(valve *self, const scree_bodies *b, uint64_t step, double time)
{
    const release_config *c = self->config;
    double kinetic;
    int32_t status;
    if (time < c->at_time * (1.0 - 1e-12) || step < (uint64_t)c->at_step ||
        (c->bodies_above >= 0 && b->n_free_total <= (uint64_t)c->bodies_above))
        return 0;
    if (isnan(c->kinetic_below))
        return 1;
    status = sum_kinetic(self, b, &kinetic);
    return status == SCREE_OK ? kinetic < c->kinetic_below : status;
}

static int is_named(const valve *self, uint32_t group)
{
    int named = 0;
    for (uint64_t k = 0; k < self->config->groups.n; k++)
        named |= self->group[k] == group;
    return named;
}

static int32_t after_step(void *instance, const scree_step *args)
{
    valve *self = instance;
    const scree_bodies *b = args->bodies;
    const scree_edits *edits = args->edits;
    double *field = args->global_fields;
    int32_t status = field[TIME] >= 0.0 ? 0 : is_due(self, b, args->step, args->time);
    if (status <= 0)
        return status;
    status = make_room(self, b, 2);
    if (status != SCREE_OK)
        return status;
    for (uint32_t i = 0; i < b->n; i++) {
        int wall = b->shapes[b->shape[i]]->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE);
        int frees = !wall && self->config->action == AUTO && b->motion[i] != SCREE_MOTION_FREE;
        int32_t code;
        if (!is_named(self, b->group[i]))
            continue;
        const scree_body_change let_go = {
            .size = sizeof let_go, .id = b->id[i], .motion = &free_motion};
        code = frees ? edits->set(edits->ctx, &let_go) : edits->remove(edits->ctx, b->id[i]);
        if (code < 0)
            return code;
        self->value[frees ? FREED : REMOVED][i] = 1.0;
    }
    status = sum_up(self, 2, &field[FREED]);
    if (status != SCREE_OK)
        return status;
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
    if (self) {
        free(self->group);
        free(self->value[0]);
        free(self->value[1]);
    }
    free(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const release_config *c = config;
    const scree_names *names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    const scree_summer *summer = host->get_service(host->ctx, SCREE_SERVICE_SUM);
    valve *self;
    if (isnan(c->at_time) && isnan(c->kinetic_below) && c->at_step == 0 && c->bodies_above < 0)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "no condition: give at_time, at_step, kinetic_below or bodies_above");
    if (c->groups.n == 0)
        return host->fail(host->ctx, SCREE_E_CONFIG, "groups = (): no group to release");
    if (!names)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "the host offers no scree.names/1");
    if (!summer)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "the host offers no scree.sum/1");
    self = calloc(1, sizeof *self);
    if (self)
        self->group = calloc(c->groups.n, sizeof *self->group);
    if (!self || !self->group) {
        destroy(self);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    }
    self->host = host;
    self->config = c;
    self->summer = summer;
    for (uint64_t k = 0; k < c->groups.n; k++)
        self->group[k] = names->group(names->ctx, c->groups.v[k]);
    *instance = self;
    return SCREE_OK;
}

SCREE_STRINGS_PARAM(
    release_config, groups, 0, SCREE_PARAM_REQUIRED | SCREE_PARAM_GROUP,
    "what to let go of: groups of bodies or generate, or what these modifiers made");
SCREE_CHOICE_VALUE(auto, AUTO, "fixed and kinematic bodies with mass become free, walls go");
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
static const scree_param *const params[] = {&param_groups,        &param_action,
                                            &param_at_time,       &param_at_step,
                                            &param_kinetic_below, &param_bodies_above};

SCREE_GLOBAL_FIELD(freed, 1, 1, SAME, "-", 0.0, "bodies that became free");
SCREE_GLOBAL_FIELD(removed, 1, 1, SAME, "-", 0.0, "bodies, walls among them, that were removed");
SCREE_GLOBAL_FIELD(time, 1, 1, SAME, "s", -1.0, "when it happened; -1: not yet");
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
    .flags = SCREE_CAP_RANKS,
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
