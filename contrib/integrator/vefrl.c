/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vefrl: Omelyan, Mryglod and Folk's velocity-extended leap-frog, which is symplectic and of order
 * 4. The kernel, vefrl.f90, is in Fortran.
 *
 * Sources  [1] Omelyan, Mryglod, Folk 2002, Comput. Phys. Commun. 146, 188: the coefficients.
 *          [2] Dullweber, Leimkuhler, McLachlan 1997, J. Chem. Phys. 107, 5840: turns about one
 *              axis after the other.
 * Idea     kicks by xi, chi, 1 - 2 (chi + xi), chi, xi of a step and drifts by 1/2 - lambda, lambda,
 *          lambda, 1/2 - lambda between them. With one evaluation more than Forest and Ruth's
 *          scheme, the error for an oscillator is 75 times smaller per step, and 24 times at equal
 *          numbers of evaluations. Its trial states, at 0.52, 0.50 and 0.48 dt, stay within the
 *          step.
 * Steps    kick, drift, trial (3 times); kick, drift, evaluation at the end, accepted; kick.
 * Turning  spheres and discs: w as v. Others: angular momentum as v; a drift turns about the body's
 *          axes x, y, z, y, x in turn [2].
 * Cost     four evaluations per step.
 * Order    4 for forces of position, 1 for forces of velocity, which see the velocity before the
 *          kick.
 */
#include <scree/sdk.h>

#define LAST 4 /* stage after the accepted evaluation */

/* vefrl.f90 */
double vefrl_offset(int32_t k);
double vefrl_limit(double zeta, double growth);
void vefrl_move(int32_t n, int32_t k, double dt, double *x, double *y, double *z, double *vx,
                double *vy, double *vz, double *wx, double *wy, double *wz, const double *inv_mass,
                const double *inv_inertia, const uint8_t *round, const double *wrench, double *dx,
                double *dy, double *dz, double *rx, double *ry, double *rz);
void vefrl_turn(int32_t k, double dt, const double inverse[3], const double torque[3], double q[4],
                double w[3], double rotation[3]);

/** Turns body i, which is not round. */
static void turn(const scree_motion *m, uint64_t i, int32_t k)
{
    double q[4], w[3], inverse[3], rotation[3];
    for (int a = 0; a < 3; a++) {
        w[a] = m->w[a][i];
        inverse[a] = m->inv_inertia[a][i];
        rotation[a] = m->rotation[a][i];
    }
    for (int a = 0; a < 4; a++)
        q[a] = m->q[a][i];
    vefrl_turn(k, m->dt, inverse, m->wrench + 8 * i + 4, q, w, rotation);
    for (int a = 0; a < 3; a++) {
        m->w[a][i] = w[a];
        m->rotation[a][i] = rotation[a];
    }
    for (int a = 0; a < 4; a++)
        m->q[a][i] = q[a];
}

static int32_t move(void *instance, const scree_move_range *range)
{
    const scree_motion *m = range->motion;
    const uint32_t k = range->stage, begin = range->begin, end = range->end;
    (void)instance;
    if (begin == end)
        return SCREE_OK;
#define FROM(p) (p)[0] + begin, (p)[1] + begin, (p)[2] + begin
    vefrl_move((int32_t)(end - begin), (int32_t)k, m->dt, FROM(m->x), FROM(m->v), FROM(m->w),
               m->inv_mass + begin, m->inv_inertia[0] + begin, m->isotropic + begin,
               m->wrench + 8 * (uint64_t)begin, FROM(m->displacement), FROM(m->rotation));
    for (uint64_t i = begin; i < end; i++)
        if (!m->isotropic[i])
            turn(m, i, (int32_t)k);
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    (void)config;
    *instance = (void *)(uintptr_t)host; /* it has no data: any address but NULL */
    return SCREE_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

static int32_t begin(void *instance, const scree_motion *motion)
{
    (void)instance;
    (void)motion;
    return SCREE_OK;
}

static int32_t stage(void *instance, const scree_motion *motion, uint32_t k, scree_stage *out)
{
    (void)instance;
    out->action = k < LAST ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = k == LAST - 1;
    out->offset = k < LAST ? vefrl_offset((int32_t)k) * motion->dt : motion->dt;
    return SCREE_OK;
}

static double limit(const void *config, double zeta)
{
    (void)config;
    return vefrl_limit(zeta, SCREE_STABILITY_GROWTH);
}

static const void *get_extension(const char *name)
{
    static const scree_stability stability = {.size = sizeof stability, .limit = limit};
    static const scree_order order = {
        .size = sizeof order, .smooth = 4, .damped = 1, .turning = 4, .reversible = 1};
    if (strcmp(name, SCREE_EXTENSION_STABILITY) == 0)
        return &stability;
    return strcmp(name, SCREE_EXTENSION_ORDER) == 0 ? &order : NULL;
}

static const scree_integrator_ops ops = {.size = sizeof ops,
                                         .create = create,
                                         .destroy = destroy,
                                         .begin = begin,
                                         .stage = stage,
                                         .move = move};
static const scree_plugin vefrl = {
    .size = sizeof vefrl,
    .kind = SCREE_KIND_INTEGRATOR,
    .flags = SCREE_CAP_DISPLACEMENT,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "vefrl",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "velocity-extended leap-frog; symplectic, fourth order, four evaluations per step",
    .summary = "Fourth order for forces that depend on places, first for those that depend on "
               "velocities; trial states stay within the step. Its kernel is in Fortran.",
    .citation = "Omelyan, Mryglod, Folk 2002, Comput. Phys. Commun. 146, 188, "
                "doi:10.1016/S0010-4655(02)00451-4",
    .ops = &ops,
    .get_extension = get_extension,
};
SCREE_DEFINE_MANIFEST(&vefrl);
