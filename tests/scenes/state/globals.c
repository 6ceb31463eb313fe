/* SPDX-License-Identifier: Apache-2.0 */
/* Global fields of a law and of an integrator: `tiring`, a spring that softens with the steps in which
 * bodies were fast; `thermostat`, symplectic Euler with the friction of Nose and Hoover, d xi/dt = (E
 * - E0)/tau. SIN: the law sets NaN. */
#include "../../plugin.h"
#include <math.h>

#ifndef SIN
#define SIN 0
#endif

typedef struct config {
    double stiffness; /* [N/m] */
    double energy;    /* [m^2/s^2] */
    double tau;       /* [m^2/s] */
} config;

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const config *self = instance;
    const double k = self->stiffness / (1.0 + 0.01 * b->global_fields[1]);
    for (uint32_t c = 0; c < b->n; c++) {
        const double fn = b->depth[c] > 0.0 ? k * b->depth[c] : 0.0;
        for (int j = 0; j < 3; j++)
            b->f[j][c] = -fn * b->normal[j][c];
        b->stored[c] = 0.5 * fn * b->depth[c];
    }
    return SCREE_OK;
}

/** global_fields: steps, and those in which body 1 was fast; as they are fresh they begin at 100. */
static int32_t after_step(void *instance, const scree_law_step *args)
{
    const scree_bodies *b = args->bodies;
    double v2 = 0.0;
    for (uint32_t i = 0; i < b->n_free; i++)
        if (b->id[i] == 1)
            v2 = b->v[0][i] * b->v[0][i] + b->v[1][i] * b->v[1][i] + b->v[2][i] * b->v[2][i];
    if (args->global_fresh)
        args->global_fields[0] = 100.0;
    args->global_fields[0] += 1.0;
    args->global_fields[1] += v2 > 0.5;
    if (SIN)
        args->global_fields[1] = (double)NAN;
    return SCREE_OK;
}

static int32_t begin(void *instance, const scree_motion *m)
{
    const config *self = instance;
    double e = 0.0;
    for (uint32_t i = 0; i < m->n_free; i++)
        if (m->id[i] == 1)
            for (int k = 0; k < 3; k++)
                e += 0.5 * m->v[k][i] * m->v[k][i];
    if (m->global_fresh)
        m->global_fields[0] = 0.25;
    m->global_fields[0] += m->dt * (e - self->energy) / self->tau;
    return SCREE_OK;
}

static int32_t stage(void *instance, const scree_motion *m, uint32_t k, scree_stage *out)
{
    out->action = k == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    out->offset = m->dt;
    if (k > 0)
        return SCREE_OK;
    for (uint32_t i = 0; i < m->n_free; i++)
        for (uint32_t j = 0; j < 3; j++) {
            const double a = m->inv_mass[i] * m->wrench[8 * (uint64_t)i + j];
            m->v[j][i] += m->dt * (a - m->global_fields[0] * m->v[j][i]);
            m->x[j][i] += m->dt * m->v[j][i];
        }
    return SCREE_OK;
}

SCREE_REAL_PARAM(config, stiffness, "N/m", SCREE_PARAM_LIVE, 1e4, 1.0, 1e9, "of the spring");
SCREE_REAL_PARAM(config, energy, "m^2/s^2", 0, 1.0, 0, 1e9, "kinetic, per mass");
SCREE_REAL_PARAM(config, tau, "m^2/s", 0, 1.0, 1e-9, 1e9, "of the thermostat");
static const scree_param *const params[] = {&param_stiffness, &param_energy, &param_tau};
SCREE_FIELD(age, GLOBAL, 2, 1, "-", 0.0, "steps, fast ones");
SCREE_FIELD(xi, GLOBAL, 1, 1, "1/s", 0.0, "friction");
static const scree_field *const law_fields[] = {&field_age};
static const scree_field *const motion_fields[] = {&field_xi};

static const scree_force_ops law_ops = {OPS(force, plain_create, plain_destroy), .compute = compute,
                                        .after_step = after_step};
static const scree_integrator_ops motion_ops = {OPS(integrator, plain_create, plain_destroy),
                                                .begin = begin, .stage = stage};
static const scree_plugin law = {PLUGIN(FORCE, "tiring", "a spring that softens"), PLUGIN_CONFIG,
                                 PLUGIN_FIELDS(law_fields), .provides = SCREE_OUT_STORED,
                                 .ops = &law_ops};
static const scree_plugin motion = {
    PLUGIN(INTEGRATOR, "thermostat", "symplectic Euler at a temperature"), PLUGIN_CONFIG,
    PLUGIN_FIELDS(motion_fields), .ops = &motion_ops};

SCREE_DEFINE_MANIFEST(&law, &motion);
