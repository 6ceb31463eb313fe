/* SPDX-License-Identifier: Apache-2.0 */
/*
 * drag: force of a fluid of uniform velocity on bodies, which count as spheres, and its buoyancy.
 *
 * Sources  [1] Stokes 1851, Trans. Camb. Phil. Soc. 9, 8: F = 6 pi mu r u.
 *          [2] Schiller, Naumann 1935, Z. VDI 77, 318: Cd = 24/Re (1 + 0.15 Re^0.687) up to Re of
 *              1000, 0.44 beyond, as in Clift, Grace, Weber 1978.
 *          [3] Dallavalle 1948, Micromeritics: Cd = (0.63 + 4.8/sqrt(Re))^2, as in Di Felice 1994,
 *              Int. J. Multiphase Flow 20, 153, for a single sphere.
 * Idea     F = -k u, u: velocity of the body against the fluid, k = rho Cd pi r^2 |u| / 2 [kg/s],
 *          Re = 2 r rho |u| / mu. Buoyancy: -rho V g, V the body's volume.
 * Shape    a body that is not round has the r of the sphere of equal volume: its drag is that of
 *          this sphere, which is less than the real drag (by Haider, Levenspiel 1989, Powder
 *          Technol. 58, 63, which needs its surface, too), the buoyancy is exact.
 * Energy   k u^2 is booked as lost (the fluid's heat), F·(velocity of the fluid) and the power of
 *          the buoyancy as work.
 * Velocity the velocity of the evaluation: with velocity Verlet v(t + dt/2).
 * Cost     a square root per body; with schiller_naumann a power.
 * Limits   one way: the fluid is not slowed, nor do neighbours shield each other. Explicit: k dt/m
 *          must be below 2, and well below 1 to be accurate. No couple.
 */
#include "chunks.h"
#include "keys.h"

enum { STOKES, SCHILLER_NAUMANN, DALLAVALLE, CONSTANT };

typedef struct config {
    double density, viscosity, coefficient;
    scree_reals velocity;
    scree_strings groups;
    int32_t law, buoyancy;
} config;

typedef struct drag {
    const scree_host *host;
    int32_t law;
    double density, viscosity, coefficient, lift; // [kg/m^3] [Pa s] [-]; lift: density or 0
    double velocity[3];                           // [m/s]
    groups groups;
} drag;

/** [m] The radius of a sphere, or of one of equal volume. */
static double radius_of(const scree_bodies *b, uint64_t i)
{
    const scree_shape *shape = b->shapes[b->shape[i]];
    if (shape->flags & SCREE_CAP_ROUND)
        return b->radius[i];
    return b->scale[i] * cbrt(shape->volume / (4.0 / 3.0 * M_PI));
}

/** k [kg/s] of a sphere at speed u against the fluid. */
static double resistance(const drag *self, double r, double u)
{
    double rho = self->density, mu = self->viscosity, stokes = 6.0 * M_PI * mu * r;
    double half = 0.5 * rho * M_PI * r * r, re;
    switch (self->law) {
    case STOKES:
        return stokes; // [1]
    case SCHILLER_NAUMANN:
        re = 2.0 * r * rho * u / mu;
        return re < 1000.0 ? stokes * (1.0 + 0.15 * pow(re, 0.687)) : half * 0.44 * u; // [2]
    case DALLAVALLE: { // [3] times u; finite at u = 0
        double root = 0.63 * sqrt(u) + 4.8 * sqrt(mu / (2.0 * r * rho));
        return half * root * root;
    }
    default:
        return half * self->coefficient * u;
    }
}

static int32_t drag_bodies(const pass *p, uint64_t begin, uint64_t end)
{
    const drag *self = p->self;
    const scree_bodies *b = p->args->bodies;
    for (uint64_t i = begin; i < end; i++) {
        double *line = p->args->wrench + LINE * i, u[3], work = 0.0;
        if (!groups_have(&self->groups, b->group[i]))
            continue;
        if (b->shapes[b->shape[i]]->flat)
            return scree_failf(
                self->host, SCREE_E_UNSUPPORTED,
                "body %llu is flat; these laws are of spheres, not of discs: name the groups",
                (unsigned long long)b->id[i]);
        const double r = radius_of(b, i);
        for (int k = 0; k < 3; k++)
            u[k] = b->v[k][i] - self->velocity[k];
        double u2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        double coefficient = resistance(self, r, sqrt(u2));
        double displaced = self->lift * (4.0 / 3.0) * M_PI * r * r * r;
        for (int k = 0; k < 3; k++) {
            double force = -coefficient * u[k], lift = -displaced * b->gravity[k];
            line[k] += force + lift;
            work += force * self->velocity[k] + lift * b->v[k][i];
        }
        line[7] += coefficient * u2;
        p->args->power[i] += work;
    }
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    const drag *self = instance;
    pass p = {.self = self, .args = args, .work = drag_bodies};
    return run_pass(self->host, &p);
}

static void destroy(void *instance)
{
    drag *self = instance;
    if (!self)
        return;
    free(self->groups.index);
    free(self);
}

/** A key that a law needs must be given; a key that it does not use is refused. */
static int32_t check_key(const scree_host *host, const char *key, double value, int wanted,
                         const char *by)
{
    if (wanted && isnan(value))
        return scree_failf(host, SCREE_E_CONFIG, "the key %s is missing, which %s needs", key, by);
    if (!wanted && !isnan(value))
        return scree_failf(host, SCREE_E_CONFIG, "%s has no effect with %s: take it out", key, by);
    return SCREE_OK;
}

static int32_t check(const scree_host *host, const config *c)
{
    static const char *const laws[] = {"law = \"stokes\"", "law = \"schiller_naumann\"",
                                       "law = \"dallavalle\"", "law = \"constant\""};
    const char *law = laws[c->law];
    int dense = c->law != STOKES || c->buoyancy, viscous = c->law != CONSTANT;
    int32_t code = check_key(host, "density", c->density, dense,
                             c->law == STOKES && c->buoyancy ? "buoyancy" : law);
    if (code >= 0)
        code = check_key(host, "viscosity", c->viscosity, viscous, law);
    return code < 0 ? code
                    : check_key(host, "coefficient", c->coefficient, c->law == CONSTANT, law);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    int32_t code = check(host, c);
    if (code < 0)
        return code;
    drag *self = *instance = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    self->law = c->law;
    self->density = c->density;
    self->viscosity = c->viscosity;
    self->coefficient = c->coefficient;
    self->lift = c->buoyancy ? c->density : 0.0;
    code = read_vector(host, "velocity", &c->velocity, self->velocity);
    if (code >= 0)
        code = groups_find(host, &c->groups, &self->groups);
    if (code < 0)
        destroy(self);
    return code;
}

SCREE_CHOICE_VALUE(stokes, STOKES, "6 pi mu r u: Reynolds numbers far below 1");
SCREE_CHOICE_VALUE(schiller_naumann, SCHILLER_NAUMANN, "up to 1000, then Cd = 0.44");
SCREE_CHOICE_VALUE(dallavalle, DALLAVALLE, "(0.63 + 4.8/sqrt(Re))^2, of Di Felice for one sphere");
SCREE_CHOICE_VALUE(constant, CONSTANT, "Cd as given: quadratic drag");
SCREE_CHOICE_PARAM(
    config, law, 0, "schiller_naumann",
    "drag coefficient over Reynolds number, of a sphere; other bodies as that of equal volume",
    &choice_stokes, &choice_schiller_naumann, &choice_dallavalle, &choice_constant);
SCREE_REAL_PARAM(config, density, "kg/m^3", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "density of the fluid; stokes needs it only for buoyancy");
SCREE_REAL_PARAM(config, viscosity, "Pa s", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "dynamic viscosity of the fluid; all laws but constant");
SCREE_REAL_PARAM(config, coefficient, "-", SCREE_PARAM_OPTIONAL, 0, 0, HUGE_VAL, "Cd of constant");
VECTOR_PARAM(config, velocity, "m/s", "velocity of the fluid; at rest if not given");
SCREE_BOOL_PARAM(config, buoyancy, 0, 0, "weight of the fluid displaced is taken off");
GROUPS_PARAM(config, SCREE_PARAM_GROUP, "groups whose bodies feel it; all if not given");
static const scree_param *const params[] = {&param_law,         &param_density,  &param_viscosity,
                                            &param_coefficient, &param_velocity, &param_buoyancy,
                                            &param_groups};
static const scree_modifier_ops ops = {
    .size = sizeof ops, .create = create, .destroy = destroy, .forces = forces};
static const scree_plugin drag_plugin = {
    .size = sizeof drag_plugin,
    .kind = SCREE_KIND_MODIFIER,
    .flags = SCREE_CAP_USES_LIBM | SCREE_CAP_RANKS,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "drag",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "drag of a fluid of uniform velocity, with buoyancy as an option",
    .summary =
        "A body that is not round counts as the sphere of equal volume, which has less drag than "
        "the body. The fluid is not slowed by the bodies. Heat of the drag is booked as lost, what "
        "a "
        "moving fluid and the buoyancy do as work. Explicit: the time step must be well below m/k, "
        "k "
        "= force over speed.",
    .citation = "Schiller, Naumann 1935, Z. VDI 77, 318",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&drag_plugin);
