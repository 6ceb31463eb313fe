/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tether: a spring and a dashpot between each body and its place and orientation at the start.
 *
 * Sources  [1] O'Connor 1996, section 5.1, eqs. (5.1)-(5.4): M a + C v + K x = R(t), and the same
 *              for rotation, I alpha + D w + B theta = T(t), with C, K, D, B per body.
 *          [2] LAMMPS, fix spring/self; fix viscous.
 * Idea     force -K d - C v, d: displacement from the start, along the axes that are named; couple
 *          -B theta - D w, theta: rotation vector from the start, by the shorter way.
 * Start    the pose before the first step, or at insertion; body fields keep it, so that it
 *          survives a restart. Crossed periodic cells count.
 * Energy   K d^2/2 and B theta^2/2 are stored, C v^2 and D w^2 lost.
 * Periods  T = 2 pi sqrt(m/K), 2 pi sqrt(I/B); with a dashpot 2 pi / sqrt(K/m - (C/2m)^2).
 * Cost     some 20 operations per body; with rotation an arctangent.
 * Limits   the couple reverses when theta passes pi. The scheme is explicit: dt must be well below
 *          2 sqrt(m/K) and m/C. Integrators that do not turn spheres by default need a setting
 *          (velocity_verlet: orientation = "all"): a body that spins without turning is refused.
 */
#include "chunks.h"
#include "keys.h"

enum { TIED, X, Q = X + 3, N_FIELDS = Q + 4 }; // components of body fields
enum { NO, YES, SPINS };                       // TIED; SPINS: it spun, but has not turned yet

typedef struct config {
    scree_strings groups;
    const char *axes;
    double stiffness, damping;                 // [N/m] [N s/m]
    double torsion_stiffness, torsion_damping; // [N m/rad] [N m s/rad]
} config;

typedef struct tether {
    const scree_host *host;
    const config *config;
    int32_t on[3];
    double since; // [s] time of the last look at orientations
    groups groups;
} tether;

/** Rotation vector [rad] from q0 to q, not longer than pi. */
static void rotation(const double q0[4], const double q[4], double out[3])
{
    const double *a = q, c[4] = {q0[0], -q0[1], -q0[2], -q0[3]};
    double w = a[0] * c[0] - a[1] * c[1] - a[2] * c[2] - a[3] * c[3];
    double v[3] = {a[0] * c[1] + a[1] * c[0] + a[2] * c[3] - a[3] * c[2],
                   a[0] * c[2] - a[1] * c[3] + a[2] * c[0] + a[3] * c[1],
                   a[0] * c[3] + a[1] * c[2] - a[2] * c[1] + a[3] * c[0]};
    double sine = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double by = sine > 0.0 ? 2.0 * atan2(sine, fabs(w)) / sine : 0.0;
    for (int k = 0; k < 3; k++)
        out[k] = (w < 0.0 ? -by : by) * v[k];
}

static void pull(const tether *self, const scree_bodies *b, uint64_t i, double *line)
{
    const config *c = self->config;
    double x[3];
    scree_unwrapped(b, (uint32_t)i, x);
    for (int k = 0; k < 3; k++) {
        double d = x[k] - b->fields[X + k][i];
        if (!self->on[k])
            continue;
        line[k] -= c->stiffness * d + c->damping * b->v[k][i];
        line[3] += 0.5 * c->stiffness * d * d;
        line[7] += c->damping * b->v[k][i] * b->v[k][i];
    }
}

static void twist(const tether *self, const scree_bodies *b, uint64_t i, double *line)
{
    const config *c = self->config;
    double q0[4], q[4], theta[3];
    for (int k = 0; k < 4; k++) {
        q0[k] = b->fields[Q + k][i];
        q[k] = b->q[k][i];
    }
    rotation(q0, q, theta);
    for (int k = 0; k < 3; k++) {
        line[4 + k] -= c->torsion_stiffness * theta[k] + c->torsion_damping * b->w[k][i];
        line[3] += 0.5 * c->torsion_stiffness * theta[k] * theta[k];
        line[7] += c->torsion_damping * b->w[k][i] * b->w[k][i];
    }
}

static int32_t pull_bodies(const pass *p, uint64_t begin, uint64_t end)
{
    const tether *self = p->self;
    const scree_bodies *b = p->args->bodies;
    int moves = self->config->stiffness > 0.0 || self->config->damping > 0.0;
    int turns = self->config->torsion_stiffness > 0.0 || self->config->torsion_damping > 0.0;
    for (uint64_t i = begin; i < end; i++) {
        if (b->fields[TIED][i] == NO)
            continue;
        if (moves)
            pull(self, b, i, p->args->wrench + LINE * i);
        if (turns)
            twist(self, b, i, p->args->wrench + LINE * i);
    }
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    const tether *self = instance;
    pass p = {.self = self, .args = args, .work = pull_bodies};
    return run_pass(self->host, &p);
}

/** Does body i spin, but still have its orientation of the start? */
static int is_unturned(const scree_bodies *b, uint64_t i, double dt, double *const *field)
{
    double spin = 0.0;
    int same = 1;
    for (int k = 0; k < 3; k++)
        spin += fabs(b->w[k][i]);
    for (int k = 0; k < 4; k++)
        same &= b->q[k][i] == field[Q + k][i];
    return same && spin * dt > 1e-9;
}

static int32_t after_step(void *instance, const scree_step *args)
{
    tether *self = instance;
    const scree_bodies *b = args->bodies;
    double *const *field = args->body_fields, dt = args->time - self->since;
    self->since = args->time;
    if (!(self->config->torsion_stiffness > 0.0))
        return SCREE_OK;
    for (uint32_t i = 0; i < b->n_free; i++) {
        if (field[TIED][i] == NO)
            continue;
        int unturned = is_unturned(b, i, dt, field);
        if (unturned && field[TIED][i] == SPINS)
            return scree_failf(self->host, SCREE_E_UNSUPPORTED,
                               "torsion_stiffness: the integrator does not turn body %llu, which "
                               "spins: give integrator.orientation = \"all\"",
                               (unsigned long long)b->id[i]);
        field[TIED][i] = unturned ? SPINS : YES;
    }
    return SCREE_OK;
}

static int32_t enter(void *instance, const scree_entry *args)
{
    tether *self = instance;
    const scree_bodies *b = args->bodies;
    double *const *field = args->body_fields;
    self->since = args->time;
    for (uint32_t i = 0; i < b->n_free; i++) {
        if (field[TIED][i] != NO || !groups_have(&self->groups, b->group[i]))
            continue;
        double x[3];
        scree_unwrapped(b, i, x);
        field[TIED][i] = YES;
        for (int k = 0; k < 3; k++)
            field[X + k][i] = x[k];
        for (int k = 0; k < 4; k++)
            field[Q + k][i] = b->q[k][i];
    }
    return SCREE_OK;
}

static void destroy(void *instance)
{
    tether *self = instance;
    if (!self)
        return;
    free(self->groups.index);
    free(self);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    int flat = host->dimension == 2;
    tether *self = *instance = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    self->config = c;
    int32_t code = read_axes(host, "axes",
                             c->axes ? c->axes
                             : flat  ? "xy"
                                     : "xyz",
                             flat ? "xy" : "xyz", self->on);
    if (code >= 0)
        code = groups_find(host, &c->groups, &self->groups);
    if (code < 0)
        destroy(self);
    return code;
}

GROUPS_PARAM(config, SCREE_PARAM_GROUP, "groups whose bodies are tied; all if not given");
TEXT_PARAM(config, axes, 0, "axes along which it pulls: \"xyz\", \"z\", ..; all if not given");
SCREE_REAL_PARAM(config, stiffness, "N/m", SCREE_PARAM_REQUIRED | SCREE_PARAM_LIVE, 0, 0, HUGE_VAL,
                 "K: force per displacement; 0: none");
SCREE_REAL_PARAM(config, damping, "N s/m", SCREE_PARAM_LIVE, 0, 0, HUGE_VAL,
                 "C: force per velocity");
SCREE_REAL_PARAM(config, torsion_stiffness, "N m/rad", SCREE_PARAM_LIVE, 0, 0, HUGE_VAL,
                 "B: couple per rotation");
SCREE_REAL_PARAM(config, torsion_damping, "N m s/rad", SCREE_PARAM_LIVE, 0, 0, HUGE_VAL,
                 "D: couple per angular velocity");
static const scree_param *const params[] = {
    &param_groups,         &param_axes, &param_stiffness, &param_damping, &param_torsion_stiffness,
    &param_torsion_damping};

SCREE_FIELD(tied, BODY, 1, 1, "-", 0.0, "0: not yet, or not of the groups");
SCREE_FIELD(start_place, BODY, 3, 1, "m", 0.0, "initial place of the body");
SCREE_FIELD(start_turn, BODY, 4, 1, "-", 0.0, "initial orientation of the body, a quaternion");
static const scree_field *const fields[] = {&field_tied, &field_start_place, &field_start_turn};
static const scree_modifier_ops ops = {.size = sizeof ops,
                                       .create = create,
                                       .destroy = destroy,
                                       .forces = forces,
                                       .after_step = after_step,
                                       .enter = enter};
static const scree_plugin tether_plugin = {
    .size = sizeof tether_plugin,
    .kind = SCREE_KIND_MODIFIER,
    .flags = SCREE_CAP_USES_LIBM | SCREE_CAP_RANKS,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "tether",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "ties each body to its start by springs and dashpots, of place and of rotation",
    .summary = "Force -K d - C v and couple -B theta - D w of each body, against the place and "
               "orientation that it had before the first step, or at its insertion. Elastic energy "
               "is stored, the dashpots' heat is booked as lost. Explicit: the time step must be "
               "well below 2 sqrt(m/K) and m/C.",
    .citation = "O'Connor 1996, A distributed discrete element modeling environment, MIT, 5.1",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .n_fields = SCREE_COUNT(fields),
    .params = params,
    .fields = fields,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&tether_plugin);
