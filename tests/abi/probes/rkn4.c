/* SPDX-License-Identifier: Apache-2.0 */
/* Runge-Kutta-Nystroem, four stages, for round bodies: u and v of order 4. Stage 0 evaluates the
 * state that the last step ended in; commit_last = 1 commits the last trial stage instead (the
 * control). */
#include "probe.h"

typedef struct config {
    double commit_last;
} config;

/** One of six components of a body: x y z, then the rotation. */
typedef struct component {
    double x0, v0, u, sum_u, sum_v; /* of the start; displacement; sums of accelerations */
} component;

static int32_t begin(void *instance, const scree_motion *m)
{
    probe_memory *self = instance;
    return scree_grow(&self->data, &self->capacity, 6ull * m->n_free + 1, sizeof(component))
               ? SCREE_OK
               : SCREE_E_MEMORY;
}

/** Component c at stage k; a: acceleration of the evaluation before. */
static void advance(component *c, uint32_t k, double h, double a, double moved, double *v)
{
    static const double weight[5] = {0.0, 1.0, 2.0, 2.0, 1.0};
    if (k == 0)
        *c = (component){.v0 = *v, .u = moved};
    c->sum_v += weight[k] * a;
    c->sum_u += k > 0 && k < 4 ? a : 0.0;
    c->u = k == 1   ? 0.5 * h * c->v0 + 0.125 * h * h * a
           : k == 3 ? h * c->v0 + 0.5 * h * h * a
           : k == 4 ? h * c->v0 + h * h / 6.0 * c->sum_u
                    : c->u; // stage 2 has the positions of stage 1
    *v = c->v0 + (k == 4 ? h / 6.0 * c->sum_v : k == 3 ? h * a : k ? 0.5 * h * a : 0.0);
}

static int32_t stage(void *instance, const scree_motion *m, uint32_t k, scree_stage *out)
{
    static const double offset[5] = {0.0, 0.5, 0.5, 1.0, 1.0};
    const probe_memory *self = instance;
    int last = ((const config *)self->config)->commit_last != 0.0;
    for (uint32_t i = 0; i < m->n_free; i++)
        for (uint32_t c = 0; c < 6; c++) {
            component *one = (component *)self->data + 6ull * i + c;
            double inverse = c < 3 ? m->inv_mass[i] : m->inv_inertia[c - 3][i];
            double *moved = &m->fields[c][i]; // since the accepted stage 0 of the step before
            advance(one, k, m->dt, m->wrench[8ull * i + c + (c > 2)] * inverse, last ? 0.0 : *moved,
                    c < 3 ? &m->v[c][i] : &m->w[c - 3][i]);
            if (k == 0 && c < 3)
                one->x0 = m->x[c][i];
            if (k > 0 && c < 3)
                m->x[c][i] = one->x0 + one->u;
            *(c < 3 ? &m->displacement[c][i] : &m->rotation[c - 3][i]) = one->u;
            *moved = k == 4 ? one->u : *moved;
        }
    out->action = k < 4 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = k == (last ? 3 : 0);
    out->offset = offset[k] * m->dt;
    return SCREE_OK;
}

PROBE_FIELD(moved, BODY, 6, 0.0);
PROBE_REAL(commit_last, "-", 0.0);
static const scree_param *const params[] = {&param_commit_last};
static const scree_integrator_ops ops = {OPS(integrator, memory_create, memory_destroy),
                                         .begin = begin, .stage = stage};
PROBE(INTEGRATOR, "rkn4", PLUGIN_CONFIG, PLUGIN_FIELDS(fields), .flags = SCREE_CAP_DISPLACEMENT);
