/* SPDX-License-Identifier: Apache-2.0 */
/* Integrators for runs on several ranks: half kick, drift, half kick. One is plain, one moves a
 * body where it may not, and each of the others has something that keeps ranks together. */
#include <stdbool.h>

#include "../../plugin.h"

enum { STEP = 40, BODY = 100 }; /* where and when the integrator `strays` moves it */

typedef struct config {
    const scree_plugin_ref *inner; /* NULL: none */
} config;

typedef struct mover {
    bool strays;
    const scree_gcd_ops *ops; /* NULL: no nested instance */
    void *inner;
} mover;

static int32_t make_mover(const scree_host *host, bool strays, void **instance)
{
    mover *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->strays = strays;
    *instance = self;
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    return make_mover(host, false, instance);
}

static int32_t create_straying(const scree_host *host, const void *given, void **instance)
{
    return make_mover(host, true, instance);
}

static int32_t create_asking(const scree_host *host, const void *given, void **instance)
{
    if (!host->get_service(host->ctx, SCREE_SERVICE_QUERY))
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "no answers");
    return make_mover(host, false, instance);
}

static int32_t create_nesting(const scree_host *host, const void *given, void **instance)
{
    const scree_plugin *plugin;
    const void *ops = NULL;
    const int32_t code = make_mover(host, false, instance);
    if (code < 0)
        return code;
    mover *self = *instance;
    const int32_t made =
        host->make_instance(host->ctx, ((const config *)given)->inner, &plugin, &ops, &self->inner);
    self->ops = ops;
    if (made < 0)
        free(self);
    return made;
}

static void destroy(void *instance)
{
    mover *self = instance;
    if (self && self->ops)
        self->ops->destroy(self->inner);
    free(self);
}

static int32_t begin(void *instance, const scree_motion *motion)
{
    return SCREE_OK;
}

static int32_t stage(void *instance, const scree_motion *motion, uint32_t k, scree_stage *out)
{
    out->action = k == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    out->offset = motion->dt;
    return SCREE_OK;
}

static int32_t move(void *instance, const scree_move_range *range)
{
    const mover *self = instance;
    const scree_motion *m = range->motion;
    for (uint32_t i = range->begin; i < range->end && i < m->n_free; i++) {
        const double *wrench = m->wrench + 8 * (size_t)i;
        for (int j = 0; j < 3; j++) {
            m->v[j][i] += 0.5 * m->dt * m->inv_mass[i] * wrench[j];
            m->w[j][i] += 0.5 * m->dt * m->inv_inertia[j][i] * wrench[4 + j];
            if (range->stage == 0)
                m->x[j][i] += m->dt * m->v[j][i];
        }
        if (self->strays && range->stage == 1 && m->step == STEP && m->id[i] == BODY)
            m->x[0][i] = -0.001;
    }
    return SCREE_OK;
}

static int32_t save(void *instance, const scree_state_sink *sink)
{
    return sink->write(sink->ctx, "", 1);
}

static int32_t load(void *instance, const void *bytes, uint64_t n)
{
    return n == 1 ? SCREE_OK : SCREE_E_CONFIG;
}

static const void *get_extension(const char *name)
{
    static const scree_state state = {.size = sizeof state, .save = save, .load = load};
    return strcmp(name, SCREE_EXTENSION_STATE) == 0 ? &state : NULL;
}

SCREE_FIELD(age, BODY, 1, 1, "s", 0.0, "of a body");
static const scree_field *const fields[] = {&field_age};
SCREE_PLUGIN_PARAM(config, inner, GCD, SCREE_PARAM_REQUIRED, NULL, "a contact detection");
static const scree_param *const params[] = {&param_inner};

#define MOVER_OPS(create_)                                                                         \
    {                                                                                              \
        OPS(integrator, create_, destroy), .begin = begin, .stage = stage, .move = move            \
    }
#define MOVER(id, help) PLUGIN(INTEGRATOR, id, help), .flags = SCREE_CAP_RANKS
static const scree_integrator_ops plain_ops = MOVER_OPS(create);
static const scree_integrator_ops strays_ops = MOVER_OPS(create_straying);
static const scree_integrator_ops asks_ops = MOVER_OPS(create_asking);
static const scree_integrator_ops nests_ops = MOVER_OPS(create_nesting);

static const scree_plugin plain = {MOVER("plain_mover", "moves each body by itself"),
                                   .ops = &plain_ops};
static const scree_plugin strays = {MOVER("strays", "moves a body after the evaluation"),
                                    .ops = &strays_ops};
static const scree_plugin has_field = {MOVER("has_field", "has a field of bodies"),
                                       PLUGIN_FIELDS(fields), .ops = &plain_ops};
static const scree_plugin has_state = {MOVER("has_state", "has a state of its own"),
                                       .get_extension = get_extension, .ops = &plain_ops};
static const scree_plugin asks = {MOVER("asks", "may ask for all bodies"), .ops = &asks_ops};
static const scree_plugin nests = {MOVER("nests", "has an instance of another plugin"),
                                   PLUGIN_CONFIG, .ops = &nests_ops};

SCREE_DEFINE_MANIFEST(&plain, &strays, &has_field, &has_state, &asks, &nests);
