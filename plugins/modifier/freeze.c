/* SPDX-License-Identifier: Apache-2.0 */
/*
 * freeze: bodies stop at a time or a step, and stay as if they were fixed, until they are let go.
 *
 * Sources  LAMMPS, fix freeze; LIGGGHTS, the same; YADE, O.bodies[i].dynamic = False.
 * Idea     from the evaluation at that time on, force and couple on a frozen body are set to 0,
 *          after all other contributions; at the end of that step its velocities are set to 0. So
 *          it keeps its place to the last bit. To other bodies it is a wall that does not move.
 *          When it is released, it starts from rest, with its current contacts and springs.
 * Steps    1. A look before the step (at_step) or at the evaluation (at_time): is it time?
 *          2. Bodies of the groups with their centre in the region are frozen: body field.
 *          3. From release_time or release_step on no force is cancelled any more.
 * Energy   the kinetic energy taken is booked as work (below 0), as is the work of the holding
 *          force until the body rests; afterwards that force does no work.
 * Order    SCREE_CAP_ACTS_LAST: wherever it is in the scene, modifiers that add forces come first.
 * Cost     a look at each free body per evaluation.
 * Limits   without at_time and at_step forces are cancelled from the first evaluation on: bodies
 *          that start at rest never move, others stop at the end of the first step.
 *          Laws see the frozen body's own mass, not an infinite one as LAMMPS does: dashpots from a
 *          restitution are those between two free bodies. An integrator that keeps more than
 *          velocities (gear) brings a body to rest within a few steps.
 */
#include "chunks.h"
#include "keys.h"

enum { WAITING, ARMED, FROZEN, RELEASED };
enum { STATE, BODIES, TIME }; // global fields

typedef struct config {
    scree_strings groups;
    const scree_zone *region;
    double at_time, release_time;  // [s] NaN: not given
    int64_t at_step, release_step; // 0: not given
} config;

typedef struct freeze {
    const scree_host *host;
    const config *config;
    groups groups;
} freeze;

static int is_time(double time, double due)
{
    return time >= due - 1e-12 * fabs(due);
}

/** Do evaluations at `time` hold the bodies? */
static int holds(const freeze *self, double state, double time)
{
    const config *c = self->config;
    return state == ARMED || (state == WAITING && is_time(time, c->at_time)) ||
           (state == FROZEN && !is_time(time, c->release_time));
}

static int is_meant(const freeze *self, const scree_bodies *b, uint64_t i)
{
    const double x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
    return groups_have(&self->groups, b->group[i]) &&
           scree_zone_holds(self->config->region, x, 0.0);
}

/** Cancels forces and couples on frozen bodies, and adds the power of the forces that do so. */
static int32_t hold(const pass *p, uint64_t begin, uint64_t end)
{
    const freeze *self = p->self;
    const scree_bodies *b = p->args->bodies;
    int frozen = b->global_fields[STATE] == FROZEN;
    for (uint64_t i = begin; i < end; i++) {
        double *line = p->args->wrench + LINE * i, work = 0.0;
        if (frozen ? b->fields[0][i] == 0.0 : !is_meant(self, b, i))
            continue;
        for (int k = 0; k < 3; k++) {
            work -= line[k] * b->v[k][i] + line[4 + k] * b->w[k][i];
            line[k] = line[4 + k] = 0.0;
        }
        p->args->power[i] += work;
    }
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    const freeze *self = instance;
    pass p = {.self = self, .args = args, .work = hold};
    if (!holds(self, args->bodies->global_fields[STATE], args->time))
        return SCREE_OK;
    return run_pass(self->host, &p);
}

static int32_t stop_bodies(const freeze *self, const scree_step *args)
{
    const double rest[3] = {0.0, 0.0, 0.0};
    const scree_bodies *b = args->bodies;
    const scree_edits *edits = args->edits;
    scree_body_change change = {.size = sizeof change, .v = rest, .w = rest};
    for (uint32_t i = 0; i < b->n_free; i++) {
        if (!is_meant(self, b, i))
            continue;
        change.id = b->id[i];
        int32_t code = edits->set(edits->ctx, &change);
        if (code < 0)
            return code;
        args->body_fields[0][i] = 1.0;
        args->global_fields[BODIES] += 1.0;
    }
    return SCREE_OK;
}

static int32_t after_step(void *instance, const scree_step *args)
{
    const freeze *self = instance;
    const config *c = self->config;
    double *field = args->global_fields, time = args->time;
    uint64_t next = args->step + 1;
    if (field[STATE] == ARMED || (field[STATE] == WAITING && is_time(time, c->at_time))) {
        int32_t code = stop_bodies(self, args);
        if (code < 0)
            return code;
        field[STATE] = FROZEN;
        field[TIME] = time;
        scree_logf(self->host, field[BODIES] > 0.0 ? SCREE_LOG_INFO : SCREE_LOG_WARNING,
                   "step %llu, t = %g s: %g %s frozen", (unsigned long long)args->step, time,
                   field[BODIES], field[BODIES] == 1.0 ? "body is" : "bodies are");
    } else if (field[STATE] == WAITING && c->at_step && next >= (uint64_t)c->at_step) {
        field[STATE] = ARMED;
    }
    if (field[STATE] == FROZEN && (is_time(time, c->release_time) ||
                                   (c->release_step && next >= (uint64_t)c->release_step))) {
        for (uint32_t i = 0; i < args->bodies->n; i++)
            args->body_fields[0][i] = 0.0;
        field[STATE] = RELEASED;
    }
    return SCREE_OK;
}

/** Before the first step: freezes bodies that rest from the start, or from the end of step 1. */
static int32_t enter(void *instance, const scree_entry *args)
{
    const freeze *self = instance;
    const config *c = self->config;
    if (args->global_fields[STATE] == WAITING && isnan(c->at_time) && c->at_step <= 1)
        args->global_fields[STATE] = ARMED;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    freeze *self = instance;
    if (!self)
        return;
    free(self->groups.index);
    free(self);
}

static int32_t check(const scree_host *host, const config *c)
{
    double start = isnan(c->at_time) ? -HUGE_VAL : c->at_time;
    if (!isnan(c->at_time) && c->at_step)
        return host->fail(host->ctx, SCREE_E_CONFIG, "give at_time or at_step, not both");
    if (!isnan(c->release_time) && c->release_step)
        return host->fail(host->ctx, SCREE_E_CONFIG, "give release_time or release_step, not both");
    if (c->release_time <= start)
        return scree_failf(host, SCREE_E_CONFIG, "release_time = %g s is not after at_time = %g s",
                           c->release_time, start);
    if (c->release_step && c->release_step <= c->at_step)
        return scree_failf(host, SCREE_E_CONFIG, "release_step = %lld is not after at_step = %lld",
                           (long long)c->release_step, (long long)c->at_step);
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    int32_t code = check(host, config_);
    if (code < 0)
        return code;
    freeze *self = *instance = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    self->config = config_;
    code = groups_find(host, &self->config->groups, &self->groups);
    if (code < 0)
        destroy(self);
    return code;
}

GROUPS_PARAM(config, SCREE_PARAM_GROUP, "groups whose bodies are frozen; all if not given");
SCREE_ZONE_PARAM(
    config, region, SCREE_PARAM_OPTIONAL,
    "only bodies whose centre is in it at that time; absent: scene.region, otherwise everywhere");
SCREE_REAL_PARAM(config, at_time, "s", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                 "they stop at this time; without at_step too: at the end of the first step");
SCREE_INT_PARAM(config, at_step, 0, 0, 0, INT64_MAX,
                "they stop at the end of this step; 0: not asked");
SCREE_REAL_PARAM(config, release_time, "s", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                 "they are let go at this time; never if not given");
SCREE_INT_PARAM(config, release_step, 0, 0, 0, INT64_MAX,
                "they are let go at the end of this step; 0: not asked");
static const scree_param *const params[] = {&param_groups,       &param_region,
                                            &param_at_time,      &param_at_step,
                                            &param_release_time, &param_release_step};

SCREE_FIELD(frozen, BODY, 1, 1, "-", 0.0, "1: it rests");
SCREE_FIELD(state, GLOBAL, 1, 1, "-", 0.0, "0 not yet, 1 in the next step, 2 frozen, 3 let go");
SCREE_FIELD(bodies, GLOBAL, 1, 1, "-", 0.0, "bodies that were frozen");
SCREE_FIELD(time, GLOBAL, 1, 1, "s", -1.0, "time of the freezing; -1: not yet");
static const scree_field *const fields[] = {&field_frozen, &field_state, &field_bodies,
                                            &field_time};
static const scree_modifier_ops ops = {.size = sizeof ops,
                                       .create = create,
                                       .destroy = destroy,
                                       .forces = forces,
                                       .after_step = after_step,
                                       .enter = enter};
static const scree_plugin freeze_plugin = {
    .size = sizeof freeze_plugin,
    .kind = SCREE_KIND_MODIFIER,
    .flags = SCREE_CAP_ACTS_LAST,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "freeze",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "stops bodies at a time or step, as if fixed, and lets them go again",
    .summary =
        "Who is of the groups, and in the region, at that moment loses its velocities, which "
        "is booked as work, and answers to no force until it is let go. Contacts and their "
        "springs go on.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .n_fields = SCREE_COUNT(fields),
    .params = params,
    .fields = fields,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&freeze_plugin);
