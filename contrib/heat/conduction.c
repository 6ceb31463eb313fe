/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conduction: heat flows through contacts; bodies have a temperature. It exerts no force.
 *
 * Source   Batchelor, O'Brien 1977, Proc. R. Soc. Lond. A 355, 313: two smooth spheres that are
 *          pressed flat over a circle of radius a conduct 2 k a, if their surroundings do not
 *          conduct.
 * Idea     flow [W] = H (T_b - T_a),  H = 2 k a,  a = sqrt(depth / curvature), 1/R = 1/r_a + 1/r_b
 *          rate [K/s] of a: flow / (m_a c_a), of b: -flow / (m_b c_b)
 *          k is the harmonic mean of the materials: two rods end to end. `conductance` gives H
 *          directly, for any depth.
 * Steps    The host gathers the temperatures of both bodies, sums the rates that each contact adds,
 *          and moves the temperatures on, because of `uses` below. A fixed body keeps its temperature.
 * Cost     two gathers and two sums per contact, and the masses of both bodies.
 * Limits   One temperature per body: H small against k times the size of a body. Explicit steps:
 *          dt < 2 m c / (sum of H over the contacts of a body).
 */
#include "heat.h"

typedef struct config {
    scree_reals conductivity, conductance; /* [W/(m K)] per pair, [W/K] per pair or NaN */
    scree_reals heat_capacity;             /* [J/(kg K)] per material */
} config;

typedef struct law {
    const scree_host *host;
    const config *config;
} law;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    law *self = (law *)calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    self->config = (const config *)given;
    *instance = self;
    return SCREE_OK;
}

/** Conductance [W/K] of contact c. */
static double conductance(const law *self, const scree_contact_batch *b, uint32_t c)
{
    const uint32_t pair = b->materials[c];
    const double given = self->config->conductance.v[pair];
    const double curve = b->curvature[0][c] + b->curvature[1][c];
    const double flat = curve > 0.0 ? sqrt(scree_max(b->depth[c], 0.0) / curve) : 0.0;
    if (b->depth[c] < 0.0)
        return 0.0;
    return isnan(given) ? 2.0 * self->config->conductivity.v[pair] * flat : given;
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = (const law *)instance;
    const double *capacity = self->config->heat_capacity.v;
    const double *t_a = b->body_a[0], *t_b = b->body_b[0];
    const uint32_t n_materials = self->host->n_materials;
    for (uint32_t c = 0; c < b->n; c++) {
        const uint32_t i = b->a[c], j = b->b[c];
        const double flow = conductance(self, b, c) * (t_b[c] - t_a[c]);
        const double c_a = capacity[b->materials[c] / n_materials],
                     c_b = capacity[b->materials[c] % n_materials];
        b->add_a[0][c] = flow * b->bodies->inv_mass[i] / c_a;
        b->add_b[0][c] = -flow * b->bodies->inv_mass[j] / c_b;
        for (int k = 0; k < 3; k++)
            b->f[k][c] = 0.0;
    }
    return SCREE_OK;
}

// clang-format off
SCREE_PAIR_PARAM(config, conductivity, "W/(m K)", SCREE_PARAM_REQUIRED, 0, HUGE_VAL, HARMONIC, "heat conductivity");
SCREE_PAIR_PARAM(config, conductance, "W/K", SCREE_PARAM_OPTIONAL, 0, HUGE_VAL, HARMONIC, "of each contact, in place of 2 k a");
SCREE_MATERIAL_PARAM(config, heat_capacity, "J/(kg K)", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, HUGE_VAL, "specific heat capacity");
static const scree_param *const params[] = {&param_conductivity, &param_conductance, &param_heat_capacity};
SCREE_FIELD(temperature, BODY, 1, 1, "K", 293.15, "of the body");
static const scree_field *const fields[] = {&field_temperature};
SCREE_USE(temperature, BODY, 1, SCREE_USE_READ | SCREE_USE_ADD, "K", "it flows from hot to cold");
static const scree_use *const uses[] = {&use_temperature};
// clang-format on
static const scree_force_ops ops = {
    .size = sizeof ops, .create = create, .destroy = free, .compute = compute};
const scree_plugin heat_conduction = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "conduction",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "heat flows through contacts from hot bodies to cold ones; no force",
    .citation =
        "Batchelor, O'Brien 1977, Proc. R. Soc. Lond. A 355, 313, doi:10.1098/rspa.1977.0100",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .n_fields = SCREE_COUNT(fields),
    .params = params,
    .fields = fields,
    .needs = SCREE_IN_MATERIALS | SCREE_IN_CURVATURE,
    .ops = &ops,
    .n_uses = SCREE_COUNT(uses),
    .uses = uses};
