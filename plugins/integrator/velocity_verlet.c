/* SPDX-License-Identifier: Apache-2.0 */
/*
 * velocity_verlet: half kick, drift, forces, half kick.
 *
 * Sources  [1] Swope et al. 1982, J. Chem. Phys. 76, 637: the scheme.
 *          [2] Kruggel-Emden et al. 2008, Chem. Eng. Sci. 63, 1523: as used in DEM.
 * Steps    stage 0: v += dt/2 a, x += dt v; evaluation (accepted: its positions are the next
 *          state); stage 1: v += dt/2 a. Forces see the half-step velocity, with which v dt is
 *          exactly how far a body came, so that the host takes slip as v × since.
 * Turning  spheres and discs: w += dt/2 torque / I. Others: the angular momentum L gets the half
 *          kicks; the orientation moves by the angular velocity at mid-step, found from L, which is
 *          constant in world axes (second order, no gyroscopic term to lose).
 * Cost     one evaluation per step. Order 2 for forces of position, 1 for forces of velocity.
 * Limits   omega dt < 2 for an undamped contact; 2 / (sqrt(1 + zeta^2) + zeta) at a damping ratio
 *          of zeta (the step's matrix has determinant 1 - 2 zeta h, trace 2 - 2 zeta h - h^2).
 */
#include <math.h>

#include "scree/sdk.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

enum { NEEDED, ALL, FEW = 128 };

typedef struct config {
    int32_t orientation;
} config;

typedef struct integrator {
    int32_t turn_all;
} integrator;

/** Lines of n <= FEW bodies, eight numbers each, to arrays of each number. */
static void columns(uint32_t n, SCREE_IN line, double column[8][FEW])
{
    uint32_t i = 0;
#ifdef __AVX2__ // which the compiler does not find: half the time of the kicks
    for (; i + 4 <= n; i += 4)
        for (uint32_t k = 0; k < 8; k += 2) {
            __m256d even = _mm256_setr_m128d(_mm_loadu_pd(line + 8 * i + k),
                                             _mm_loadu_pd(line + 8 * i + 16 + k));
            __m256d odd = _mm256_setr_m128d(_mm_loadu_pd(line + 8 * i + 8 + k),
                                            _mm_loadu_pd(line + 8 * i + 24 + k));
            _mm256_storeu_pd(&column[k][i], _mm256_unpacklo_pd(even, odd));
            _mm256_storeu_pd(&column[k + 1][i], _mm256_unpackhi_pd(even, odd));
        }
#endif
    for (; i < n; i++)
        for (uint32_t k = 0; k < 8; k++)
            column[k][i] = line[8 * i + k];
}

/** v += by f */
static inline void kick(uint32_t n, SCREE_IN by, SCREE_IN f, SCREE_OUT v)
{
    for (uint32_t i = 0; i < n; i++)
        v[i] += by[i] * f[i];
}

/** The same, then x += dt v. */
static inline void kick_drift(uint32_t n, double dt, SCREE_IN by, SCREE_IN f, SCREE_OUT v,
                              SCREE_OUT x)
{
    for (uint32_t i = 0; i < n; i++) {
        v[i] += by[i] * f[i];
        x[i] += dt * v[i];
    }
}

/** to = half from */
static inline void scale(uint32_t n, double half, SCREE_IN from, SCREE_OUT to)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] = half * from[i];
}

/** Half kick of the n <= FEW bodies from i on, and their drift; w of round bodies alone. Returns
 * whether some are not round. */
static int move_few(const scree_motion *m, int drifts, uint64_t i, uint32_t n)
{
    double line[8][FEW], of_v[FEW], of_w[FEW];
    int others = memchr(m->isotropic + i, 0, n) != NULL;
    scale(n, 0.5 * m->dt, m->inv_mass + i, of_v);
    scale(n, 0.5 * m->dt, m->inv_inertia[0] + i, of_w);
    for (uint32_t k = 0; others && k < n; k++)
        of_w[k] = m->isotropic[i + k] ? of_w[k] : 0.0;
    columns(n, m->wrench + 8 * i, line);
    for (int k = 0; k < 3; k++) {
        if (drifts)
            kick_drift(n, m->dt, of_v, line[k], m->v[k] + i, m->x[k] + i);
        else
            kick(n, of_v, line[k], m->v[k] + i);
        kick(n, of_w, line[4 + k], m->w[k] + i);
    }
    return others;
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

static int32_t move(void *instance, const scree_motion *m, uint32_t k, uint32_t begin, uint32_t end)
{
    const integrator *self = instance;
    int32_t drifts = k == 0, turns = drifts && self->turn_all;
    for (uint32_t first = begin; first < end; first += FEW) {
        uint32_t n = end - first < FEW ? end - first : FEW;
        int others = move_few(m, drifts, first, n);
        for (uint64_t i = first; (others || turns) && i < first + n; i++) {
            if (!m->isotropic[i])
                turn_general(m, i, 0.5 * m->dt, drifts);
            else if (turns)
                turn_round(m, i);
        }
    }
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    integrator *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (integrator){.turn_all = c->orientation == ALL};
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
    (void)instance;
    out->action = k == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    out->offset = motion->dt;
    return SCREE_OK;
}

static double limit(const void *config_, double zeta)
{
    (void)config_;
    return 2.0 / (sqrt(1.0 + zeta * zeta) + zeta);
}

static const void *get_extension(const char *name)
{
    static const scree_stability stability = {.size = sizeof stability, .limit = limit};
    static const scree_order order = {
        .size = sizeof order, .smooth = 2, .damped = 1, .turning = 2, .reversible = 1};
    if (strcmp(name, SCREE_EXTENSION_STABILITY) == 0)
        return &stability;
    return strcmp(name, SCREE_EXTENSION_ORDER) == 0 ? &order : NULL;
}

SCREE_CHOICE_VALUE(needed, NEEDED, "of bodies whose orientation has an effect");
SCREE_CHOICE_VALUE(all, ALL, "of spheres and discs too");
SCREE_CHOICE_PARAM(config, orientation, 0, "needed", "which orientations are followed",
                   &choice_needed, &choice_all);
static const scree_param *const params[] = {&param_orientation};
static const scree_integrator_ops ops = {.size = sizeof(scree_integrator_ops),
                                         .create = create,
                                         .destroy = destroy,
                                         .begin = begin,
                                         .stage = stage,
                                         .move = move};
static const scree_plugin velocity_verlet = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_INTEGRATOR,
    .dimensions = SCREE_2D | SCREE_3D,
    .id = "velocity_verlet",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "half kick, drift, half kick; second order, one evaluation per step",
    .summary = "Second order for forces that depend on places, first for those that depend on "
               "velocities. Undamped contacts need omega dt < 2. Bodies with three moments of "
               "inertia are turned by their angular momentum.",
    .citation =
        "Swope, Andersen, Berens, Wilson 1982, J. Chem. Phys. 76, 637, doi:10.1063/1.442716",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension};
SCREE_DEFINE_MANIFEST(&velocity_verlet);
