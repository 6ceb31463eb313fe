/* SPDX-License-Identifier: Apache-2.0 */
/* force/cord: bodies that have touched are joined by a cord, which snaps when it is too long. */
/*
 * Idea     A contact that has touched is kept at any gap g and pulled by k g, until g exceeds
 *          `longest`; then the cord snaps, its energy is lost, and a new cord forms at the next
 *          touch.
 * Events   cord_snapped, mode "stretched": the bodies, the middle of the gap, the energy [J].
 * Shows    the service scree.events/1 and SCREE_OUT_KEEP, from outside the tree.
 */
#include <scree/sdk.h>

typedef struct config {
    double k, longest; /* [N/m] [m] */
} config;

typedef struct law {
    config config;
    const scree_host *host;
    const scree_events *events; /* NULL: the host has none */
} law;

static int32_t snap(const law *self, const scree_contact_batch *b, uint32_t c, double energy)
{
    double x[3];
    scree_event event = {.size = sizeof event,
                         .name = "cord_snapped",
                         .mode = "stretched",
                         .id_a = b->bodies->id[b->a[c]],
                         .id_b = b->bodies->id[b->b[c]],
                         .x = x,
                         .value = energy};
    for (int k = 0; k < 3; k++)
        x[k] = b->bodies->x[k][b->a[c]] + b->arm[k][c];
    return self->events ? self->events->report(self->events->ctx, &event) : SCREE_OK;
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    int32_t code = SCREE_OK;
    for (uint32_t c = 0; c < b->n && code == SCREE_OK; c++) {
        double gap = scree_max(-b->depth[c], 0.0), was = b->in[0][c];
        int held = b->keep[c] && !b->parted, snaps = held && gap > self->config.longest;
        int holds = !b->parted && !snaps && (held || b->depth[c] >= 0.0);
        double pull = holds ? self->config.k * gap : 0.0;
        for (int k = 0; k < 3; k++)
            b->f[k][c] = pull * b->normal[k][c];
        b->stored[c] = b->out[0][c] = 0.5 * pull * gap;
        b->lost[c] = 0.0;
        if (snaps)
            b->heat[c] = was;
        b->keep[c] = (uint8_t)holds;
        if (snaps)
            code = snap(self, b, c, was);
    }
    return code;
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    law *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->config = *(const config *)given;
    self->host = host;
    self->events = host->get_service(host->ctx, SCREE_SERVICE_EVENTS);
    *instance = self;
    return SCREE_OK;
}

static int32_t stiffness(void *instance, const scree_stiffness_query *query, scree_stiffness *out)
{
    (void)query;
    out->kn = ((const law *)instance)->config.k;
    return SCREE_OK;
}

/** The range: a cord exists across any gap at which it does not snap. */
static int32_t reach(void *instance, scree_range_query *query)
{
    query->gap = ((const law *)instance)->config.longest;
    return SCREE_OK;
}

static const void *get_extension(const char *name)
{
    static const scree_bonds bonds = {.size = sizeof bonds, .reach = reach};
    return strcmp(name, SCREE_EXTENSION_BONDS) == 0 ? &bonds : NULL;
}

SCREE_REAL_PARAM(config, k, "N/m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "of the cord");
SCREE_REAL_PARAM(config, longest, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL,
                 "gap at which it snaps");
static const scree_param *const params[] = {&param_k, &param_longest};
SCREE_FIELD(energy, CONTACT, 1, 1, "J", 0, "in the cord");
static const scree_field *const fields[] = {&field_energy};
static const scree_force_ops ops = {.size = sizeof ops,
                                    .create = create,
                                    .destroy = free,
                                    .compute = compute,
                                    .stiffness = stiffness};
static const scree_plugin cord = {
    .size = sizeof cord,
    .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "cord",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "bodies that have touched hang on a cord, which snaps",
    .summary = "Reports cord_snapped with the energy [J] that was in the cord.",
    .needs = SCREE_IN_ARM,
    .provides =
        SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_HEAT | SCREE_OUT_KEEP | SCREE_OUT_PARTED,
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .n_fields = SCREE_COUNT(fields),
    .fields = fields,
    .get_extension = get_extension,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&cord);
