/* SPDX-License-Identifier: Apache-2.0 */
/*
 * adams: velocity Verlet for the bodies; Adams and Bashforth's step of order 2 for one of their
 * fields.
 *
 * Source   Hairer, Norsett, Wanner 1993, Solving Ordinary Differential Equations I, section III.1.
 * Idea     T += dt (3/2 rate - 1/2 rate of the previous step); a new body: T += dt rate.
 * Shows    draft.rates/1, with the rate of the previous step as a body field of the integrator.
 * Limits   Bodies that are not round turn to first order. Fields other than the named one take the
 *          first-order step.
 */
#include <scree/draft/rates.h>

#include "heat.h"

enum { MOST = 4 }; /* components of the field */

typedef struct config {
    const char *field;
} config;

typedef struct adams {
    const scree_host *host;
    const char *field;
} adams;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    adams *self = (adams *)calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    self->field = ((const config *)given)->field;
    *instance = self;
    return SCREE_OK;
}

static int32_t begin(void *instance, const scree_motion *motion)
{
    (void)instance;
    (void)motion;
    return SCREE_OK;
}

/** Angular velocity w for the angular momentum l at orientation q. */
static void spin_of(const double q[4], const double inverse[3], const double l[3], double w[3])
{
    double body[3];
    scree_rotate_back(q, l, body);
    for (int k = 0; k < 3; k++)
        body[k] *= inverse[k];
    scree_rotate(q, body, w);
}

/** Adds half a step of the torque to a body that is not round; then, with `turns`, q <- unit(q +
 * dt/2 w q), and w follows from the angular momentum. */
static void spin_body(const scree_motion *m, uint32_t i, const double torque[3], int turns)
{
    double q[4], w[3], l[3], inverse[3], norm = 0.0;
    for (int k = 0; k < 4; k++)
        q[k] = m->q[k][i];
    for (int k = 0; k < 3; k++) {
        w[k] = m->w[k][i];
        inverse[k] = m->inv_inertia[k][i];
    }
    scree_rotate_back(q, w, l);
    for (int k = 0; k < 3; k++)
        l[k] = inverse[k] > 0.0 ? l[k] / inverse[k] : 0.0;
    scree_rotate(q, l, l);
    for (int k = 0; k < 3; k++)
        l[k] += 0.5 * m->dt * torque[k];
    spin_of(q, inverse, l, w);
    if (turns) {
        const double h = 0.5 * m->dt, a = q[0], b = q[1], c = q[2], d = q[3];
        q[0] = a - h * (w[0] * b + w[1] * c + w[2] * d);
        q[1] = b + h * (w[0] * a + w[1] * d - w[2] * c);
        q[2] = c + h * (w[1] * a + w[2] * b - w[0] * d);
        q[3] = d + h * (w[2] * a + w[0] * c - w[1] * b);
        for (int k = 0; k < 4; k++)
            norm += q[k] * q[k];
        for (int k = 0; k < 4; k++)
            m->q[k][i] = q[k] /= sqrt(norm);
        spin_of(q, inverse, l, w);
    }
    for (int k = 0; k < 3; k++)
        m->w[k][i] = w[k];
}

/** Adds half a step of the forces; in the first half places and orientations move on. */
static int32_t stage(void *instance, const scree_motion *m, uint32_t k, scree_stage *out)
{
    const int first = k == 0;
    (void)instance;
    for (uint32_t i = 0; i < m->n_free; i++) {
        const double *force = m->wrench + 8 * (uint64_t)i, *torque = force + 4;
        for (int axis = 0; axis < 3; axis++) {
            m->v[axis][i] += 0.5 * m->dt * m->inv_mass[i] * force[axis];
            if (first)
                m->x[axis][i] += m->dt * m->v[axis][i];
            if (m->isotropic[i])
                m->w[axis][i] += 0.5 * m->dt * m->inv_inertia[0][i] * torque[axis];
        }
        if (!m->isotropic[i])
            spin_body(m, i, torque, first);
    }
    out->action = first ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    out->offset = m->dt;
    return SCREE_OK;
}

static int32_t advance(void *instance, const scree_rate_step *args)
{
    const adams *self = (const adams *)instance;
    const scree_motion *m = args->motion;
    const int named = strcmp(args->name, self->field) == 0;
    if (named && args->components > MOST)
        return scree_failf(self->host, SCREE_E_UNSUPPORTED, "%s/%s has %u components; at most %d",
                           args->slot, args->name, args->components, MOST);
    for (uint32_t k = 0; k < args->components; k++)
        for (uint32_t i = 0; i < args->n_free; i++) {
            const double rate = args->rate[k][i];
            const int known = named && !(m->fresh && m->fresh[i]);
            args->value[k][i] += args->dt * (known ? 1.5 * rate - 0.5 * m->fields[k][i] : rate);
            if (named)
                m->fields[k][i] = rate;
        }
    return SCREE_OK;
}

static const void *get_extension(const char *name)
{
    static const scree_rates rates = {.size = sizeof rates, .advance = advance};
    return strcmp(name, SCREE_DRAFT_RATES) == 0 ? &rates : NULL;
}

SCREE_STRING_PARAM(config, field, 0, "temperature", "which body field takes the step of order 2");
static const scree_param *const params[] = {&param_field};
SCREE_FIELD(previous, BODY, MOST, 1, "-", 0.0, "rate of the field in the step before");
static const scree_field *const fields[] = {&field_previous};
static const scree_integrator_ops ops = {
    .size = sizeof ops, .create = create, .destroy = free, .begin = begin, .stage = stage};
const scree_plugin heat_adams = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_INTEGRATOR,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "adams",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "velocity Verlet, and Adams-Bashforth of order 2 for a body field",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .n_fields = SCREE_COUNT(fields),
    .params = params,
    .fields = fields,
    .ops = &ops,
    .get_extension = get_extension};
