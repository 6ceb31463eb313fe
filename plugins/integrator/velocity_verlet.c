/* SPDX-License-Identifier: Apache-2.0 */
/*
 * velocity_verlet: half kick, drift, forces, half kick.
 *
 * Sources  [1] Swope et al. 1982, J. Chem. Phys. 76, 637: the scheme.
 *          [2] Kruggel-Emden et al. 2008, Chem. Eng. Sci. 63, 1523: as used in DEM.
 * Steps    stage 0: v += dt/2 a, x += dt v; evaluation (accepted: its positions are the next
 * state); stage 1: v += dt/2 a. Forces see the half-step velocity, with which v dt is exactly how
 * far a body came, so that the host takes slip as v × since. Turning  spheres and discs: w += dt/2
 * torque / I. Others: the angular momentum L gets the half kicks; the orientation moves by the
 * angular velocity at mid-step, found from L, which is constant in world axes (second order, no
 * gyroscopic term to lose). Cost     one evaluation per step. Order 2 for forces of position, 1 for
 * forces of velocity. Limits   omega dt < 2 for an undamped contact.
 */
#include <math.h>

#include "scree/sdk.h"

enum { NEEDED, ALL, GRAIN = 4096 };

typedef struct config {
    int32_t orientation;
} config;

typedef struct integrator {
    const scree_host *host;
    int32_t turn_all;
} integrator;

/** What a chunk of bodies needs. */
typedef struct job {
    const scree_motion *m;
    int32_t drift, turn_all;
} job;

#define R SCREE_RESTRICT

/** Half kick of v and w by the body's line, one pass; w of round bodies alone. */
static void kick(uint64_t begin, uint64_t end, double half, const double *R wrench,
                 const double *R inv_mass, const double *R inv_inertia, const uint8_t *R isotropic,
                 double *R vx, double *R vy, double *R vz, double *R wx, double *R wy, double *R wz)
{
    for (uint64_t i = begin; i < end; i++) {
        const double *R line = wrench + 8 * i;
        double v = half * inv_mass[i], w = isotropic[i] ? half * inv_inertia[i] : 0.0;
        vx[i] += v * line[0];
        vy[i] += v * line[1];
        vz[i] += v * line[2];
        wx[i] += w * line[4];
        wy[i] += w * line[5];
        wz[i] += w * line[6];
    }
}

static void drift(uint64_t begin, uint64_t end, double dt, const double *R u, double *R to)
{
    for (uint64_t i = begin; i < end; i++)
        to[i] += dt * u[i];
}

/** q <- unit(q + dt/2 w q). */
static void turn(const double q[4], const double w[3], double dt, double out[4])
{
    double h = 0.5 * dt;
    double a = q[0] - h * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]);
    double b = q[1] + h * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
    double c = q[2] + h * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
    double d = q[3] + h * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
    double norm = 1.0 / sqrt(a * a + b * b + c * c + d * d);
    out[0] = a * norm, out[1] = b * norm, out[2] = c * norm, out[3] = d * norm;
}

static void rotate(const double q[4], double sign, const double v[3], double out[3])
{
    double x = sign * q[1], y = sign * q[2], z = sign * q[3];
    double tx = 2.0 * (y * v[2] - z * v[1]), ty = 2.0 * (z * v[0] - x * v[2]);
    double tz = 2.0 * (x * v[1] - y * v[0]);
    out[0] = v[0] + q[0] * tx + y * tz - z * ty;
    out[1] = v[1] + q[0] * ty + z * tx - x * tz;
    out[2] = v[2] + q[0] * tz + x * ty - y * tx;
}

/** Angular velocity of a body with angular momentum l at orientation q: R I^-1 R^T l. */
static void spin_of(const double q[4], const double inverse[3], const double l[3], double w[3])
{
    double body[3];
    rotate(q, -1.0, l, body);
    for (int k = 0; k < 3; k++)
        body[k] *= inverse[k];
    rotate(q, 1.0, body, w);
}

static void turn_general(const scree_motion *m, uint64_t i, double half, int32_t drifts)
{
    double q[4], mid[4], w[3], body[3], l[3], inverse[3];
    for (int k = 0; k < 4; k++)
        q[k] = m->q[k][i];
    for (int k = 0; k < 3; k++) {
        w[k] = m->w[k][i];
        inverse[k] = m->inv_inertia[k][i];
    }
    rotate(q, -1.0, w, body);
    for (int k = 0; k < 3; k++)
        body[k] = inverse[k] > 0.0 ? body[k] / inverse[k] : 0.0;
    rotate(q, 1.0, body, l);
    for (int k = 0; k < 3; k++)
        l[k] += half * m->wrench[8 * i + 4 + (uint64_t)k];
    spin_of(q, inverse, l, w);
    if (drifts) {
        turn(q, w, half, mid);
        spin_of(mid, inverse, l, w);
        turn(q, w, 2.0 * half, q);
        spin_of(q, inverse, l, w);
        for (int k = 0; k < 4; k++)
            m->q[k][i] = q[k];
    }
    for (int k = 0; k < 3; k++)
        m->w[k][i] = w[k];
}

static void turn_round(const scree_motion *m, uint64_t i)
{
    double q[4] = {m->q[0][i], m->q[1][i], m->q[2][i], m->q[3][i]};
    double w[3] = {m->w[0][i], m->w[1][i], m->w[2][i]};
    turn(q, w, m->dt, q);
    for (int k = 0; k < 4; k++)
        m->q[k][i] = q[k];
}

static int32_t move(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const job *j = user;
    const scree_motion *m = j->m;
    double half = 0.5 * m->dt;
    (void)lane;
    kick(begin, end, half, m->wrench, m->inv_mass, m->inv_inertia[0], m->isotropic, m->v[0],
         m->v[1], m->v[2], m->w[0], m->w[1], m->w[2]);
    for (int k = 0; j->drift && k < 3; k++)
        drift(begin, end, m->dt, m->v[k], m->x[k]);
    for (uint64_t i = begin; i < end; i++) {
        if (!m->isotropic[i])
            turn_general(m, i, half, j->drift);
        else if (j->drift && j->turn_all)
            turn_round(m, i);
    }
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    integrator *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (integrator){.host = host, .turn_all = c->orientation == ALL};
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

static int32_t begin(void *instance, const scree_motion *motion)
{
    (void)instance;
    (void)motion;
    return SCREE_OK;
}

static int32_t stage(void *instance, const scree_motion *motion, uint32_t k, scree_stage *out)
{
    const integrator *self = instance;
    job j = {motion, k == 0, self->turn_all};
    out->action = k == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    out->offset = motion->dt;
    return self->host->parallel_for(self->host->ctx, 0, motion->n_free, GRAIN, move, &j);
}

static const scree_choice choice_needed = {sizeof(scree_choice), NEEDED, "needed",
                                           "of bodies whose orientation has an effect"};
static const scree_choice choice_all = {sizeof(scree_choice), ALL, "all",
                                        "of spheres and discs too"};
static const scree_choice *const choices[] = {&choice_needed, &choice_all};
static const scree_param param_orientation = {.size = sizeof(scree_param),
                                              .type = SCREE_CHOICE,
                                              .offset = offsetof(config, orientation),
                                              .name = "orientation",
                                              .help = "which orientations are followed",
                                              .string_default = "needed",
                                              .choices = choices,
                                              .n_choices = SCREE_COUNT(choices)};
static const scree_param *const params[] = {&param_orientation};
static const scree_integrator_ops ops = {.size = sizeof(scree_integrator_ops),
                                         .create = create,
                                         .destroy = destroy,
                                         .begin = begin,
                                         .stage = stage};
static const scree_plugin velocity_verlet = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_INTEGRATOR,
    .dimensions = SCREE_2D | SCREE_3D,
    .id = "velocity_verlet",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "half kick, drift, half kick; second order, one evaluation per step",
    .citation =
        "Swope, Andersen, Berens, Wilson 1982, J. Chem. Phys. 76, 637, doi:10.1063/1.442716",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops};
SCREE_DEFINE_MANIFEST(&velocity_verlet);
