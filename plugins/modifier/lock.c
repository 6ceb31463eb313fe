/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lock: bodies that do not answer to forces along or about some of the world's axes.
 *
 * Sources  LAMMPS, fix setforce; YADE, State.blockedDOFs.
 * Idea     a locked component of force or couple is set to 0 at every evaluation, after all other
 *          contributions, so that the integrator sees no acceleration: the velocity keeps its value
 *          to the last bit, and without a velocity the place, too.
 * Order    SCREE_CAP_ACTS_LAST: wherever it is in the scene, modifiers that add forces come first.
 * Energy   the holding force is -F, and its work -F·v is booked as work. So the account closes for
 *          a body that moves along a locked axis at its given velocity. Without a velocity the work
 *          is 0.
 * Velocity the velocity of the evaluation; a locked one is constant within a step.
 * Cost     a look at each free body per evaluation, and a store per locked component.
 * Limits   it does not stop bodies, as modifier/freeze does, and boundaries and edits act all the
 *          same. A couple about a world axis is the change of the spin about it only where the
 *          three moments of inertia are equal, as those of spheres and discs are.
 */
#include "chunks.h"
#include "keys.h"

typedef struct config {
    const char *translation, *rotation;
    scree_strings groups;
    double start, end;
} config;

typedef struct lock {
    const scree_host *host;
    int32_t locked[LINE]; // components of a body's line: 0-2 force, 4-6 couple
    double start, end;    // [s]
    groups groups;
} lock;

/** Sets locked components to 0, and adds the power of the forces that do it. */
static int32_t hold(const pass *p, uint64_t begin, uint64_t end)
{
    const lock *self = p->self;
    const scree_bodies *b = p->args->bodies;
    for (uint64_t i = begin; i < end; i++) {
        double *line = p->args->wrench + LINE * i, work = 0.0;
        if (!groups_have(&self->groups, b->group[i]))
            continue;
        for (int k = 0; k < 3; k++) {
            work -= self->locked[k] ? line[k] * b->v[k][i] : 0.0;
            work -= self->locked[4 + k] ? line[4 + k] * b->w[k][i] : 0.0;
            line[k] = self->locked[k] ? 0.0 : line[k];
            line[4 + k] = self->locked[4 + k] ? 0.0 : line[4 + k];
        }
        p->args->power[i] += work;
    }
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    const lock *self = instance;
    pass p = {.self = self, .args = args, .work = hold};
    if (args->time < self->start || args->time >= self->end)
        return SCREE_OK;
    return run_pass(self->host, &p);
}

static void destroy(void *instance)
{
    lock *self = instance;
    if (!self)
        return;
    free(self->groups.index);
    free(self);
}

static int32_t set_up(const scree_host *host, const config *c, lock *self)
{
    int flat = host->dimension == 2;
    self->start = isnan(c->start) ? -HUGE_VAL : c->start;
    self->end = isnan(c->end) ? HUGE_VAL : c->end;
    const char *along = flat ? "xy" : "xyz", *about = flat ? "z" : "xyz";
    int all = !c->translation && !c->rotation;
    if (!all && !(c->translation && *c->translation) && !(c->rotation && *c->rotation))
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "translation and rotation name no axis: it locks nothing");
    if (self->end <= self->start)
        return scree_failf(host, SCREE_E_CONFIG, "end = %g s is not after start = %g s", self->end,
                           self->start);
    int32_t code =
        read_axes(host, "translation", all ? along : c->translation, along, self->locked);
    if (code >= 0)
        code = read_axes(host, "rotation", all ? about : c->rotation, about, self->locked + 4);
    return code < 0 ? code : groups_find(host, &c->groups, &self->groups);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    lock *self = *instance = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    int32_t code = set_up(host, config_, self);
    if (code < 0)
        destroy(self);
    return code;
}

TEXT_PARAM(config, translation, 0,
           "axes along which forces have no effect: \"xyz\", \"z\", ..; all without both keys");
TEXT_PARAM(config, rotation, 0, "axes about which couples have no effect; all without both keys");
SCREE_REAL_PARAM(config, start, "s", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                 "time of the beginning; that of the run if not given");
SCREE_REAL_PARAM(config, end, "s", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                 "time of the end; never if not given");
GROUPS_PARAM(config, SCREE_PARAM_GROUP, "groups whose bodies are locked; all if not given");
static const scree_param *const params[] = {&param_groups, &param_translation, &param_rotation,
                                            &param_start, &param_end};
static const scree_modifier_ops ops = {
    .size = sizeof ops, .create = create, .destroy = destroy, .forces = forces};
static const scree_plugin lock_plugin = {
    .size = sizeof lock_plugin,
    .kind = SCREE_KIND_MODIFIER,
    .flags = SCREE_CAP_ACTS_LAST | SCREE_CAP_RANKS,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "lock",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "locks translations and rotations of bodies, axis by axis",
    .summary = "Forces along the named axes, and couples about them, are cancelled at every "
               "evaluation, after all other modifiers, so that these velocities stay as they are: "
               "0, or what the scene has given. The work of the force that holds is booked.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&lock_plugin);
