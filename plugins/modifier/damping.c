/* SPDX-License-Identifier: Apache-2.0 */
/*
 * damping: Cundall's local damping, for beds that should come to rest.
 *
 * Source   Cundall 1987, in: Analytical and Computational Methods in Engineering Rock Mechanics,
 *          ch. 4; Itasca, PFC 4.0, Theory and Background, section 1.6: F_d = -alpha |F| sign(v).
 * Idea     each component of the force on a body is changed by alpha times its size, against that
 *          component of the velocity; the couple likewise against the angular velocity. It needs no
 *          time scale: a body that swings loses the same share in each period at any frequency. A
 *          steady motion without acceleration is not damped, but a free fall is: to (1 - alpha) g.
 * Order    F is the sum on the body when this modifier is called: gravity, contacts, and
 *          the modifiers before it in the scene. So it must come last to damp all forces.
 * Velocity that of the evaluation: with velocity Verlet v(t + dt/2), with which the power booked as
 *          lost, alpha |F| |v|, is exactly what the damping takes, summed over steps.
 * Cost     two loads and stores per component of a body.
 * Limits   depends on the axes, since it acts by component; not for flows, which it would slow.
 */
#include "chunks.h"
#include "keys.h"

typedef struct config {
    double alpha;
    scree_strings groups;
} config;

typedef struct damping {
    const scree_host *host;
    double alpha;
    groups groups;
} damping;

/** Damps three components in place; returns the power that this takes. */
static double damp(double alpha, double *force, double x, double y, double z)
{
    const double v[3] = {x, y, z};
    double lost = 0.0;
    for (int k = 0; k < 3; k++) {
        double size = alpha * fabs(force[k]), sign = (v[k] > 0.0) - (v[k] < 0.0);
        force[k] -= size * sign;
        lost += size * fabs(v[k]);
    }
    return lost;
}

static int32_t damp_bodies(const pass *p, uint64_t begin, uint64_t end)
{
    const damping *self = p->self;
    const scree_bodies *b = p->args->bodies;
    double alpha = self->alpha;
    for (uint64_t i = begin; i < end; i++) {
        double *line = p->args->wrench + LINE * i;
        if (!groups_have(&self->groups, b->group[i]))
            continue;
        line[7] += damp(alpha, line, b->v[0][i], b->v[1][i], b->v[2][i]) +
                   damp(alpha, line + 4, b->w[0][i], b->w[1][i], b->w[2][i]);
    }
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    const damping *self = instance;
    pass p = {.self = self, .args = args, .work = damp_bodies};
    return run_pass(self->host, &p);
}

static void destroy(void *instance)
{
    damping *self = instance;
    if (self)
        free(self->groups.index);
    free(self);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    damping *self = *instance = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    self->alpha = c->alpha;
    int32_t code = groups_find(host, &c->groups, &self->groups);
    if (code < 0)
        destroy(self);
    return code;
}

SCREE_REAL_PARAM(config, alpha, "-", 0, 0.7, 0, 1, "share of force and couple taken off");
GROUPS_PARAM(config, SCREE_PARAM_GROUP, "groups whose bodies are damped; all if not given");
static const scree_param *const params[] = {&param_alpha, &param_groups};
static const scree_modifier_ops ops = {
    .size = sizeof ops, .create = create, .destroy = destroy, .forces = forces};
static const scree_plugin damping_plugin = {
    .size = sizeof damping_plugin,
    .kind = SCREE_KIND_MODIFIER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .flags = SCREE_CAP_RANKS,
    .id = "damping",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "Cundall's local damping: each force component less alpha |F| sign(v)",
    .summary =
        "Acts on the force that gravity, contacts and the modifiers before it in the scene "
        "have summed up, and on the couple; so it comes last among the modifiers. The "
        "energy that it takes is booked as lost. A free fall is damped too, to (1 - alpha) g.",
    .citation = "Cundall 1987, Analytical and Computational Methods in Engineering Rock Mechanics, "
                "ch. 4",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&damping_plugin);
