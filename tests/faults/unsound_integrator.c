/* SPDX-License-Identifier: Apache-2.0 */
/* A sound integrator (half kick, drift, half kick), once per promise that it breaks. LEADS breaks none: like
 * LISTED and LED it brings bodies of its own. */
#include <math.h>

#include "scree/draft/rates.h"
#include "unsound.h"

#define LISTED_SINS(SIN)                                                                           \
    SIN(NONE, "none")                                                                              \
    SIN(SMOOTH, "smooth")                                                                          \
    SIN(DAMPED, "damped")                                                                          \
    SIN(HISTORY, "history")                                                                        \
    SIN(ACCEPTED, "accepted")                                                                      \
    SIN(TURNING, "turning")                                                                        \
    SIN(REVERSAL, "reversal")                                                                      \
    SIN(BOASTS, "boasts")                                                                          \
    SIN(MODEST, "modest")                                                                          \
    SIN(PIECES, "pieces")                                                                          \
    SIN(BODIES, "bodies")                                                                          \
    SIN(FIXED, "fixed")                                                                            \
    SIN(COOLS, "cools")                                                                            \
    SIN(STRAYS, "strays")                                                                          \
    SIN(SHARES, "shares")                                                                          \
    SIN(STALE, "stale") /* asks for new bodies in the first step only */                           \
    SIN(FORGETS, "forgets")                                                                        \
    SIN(INPUTS, "inputs")
enum sin { LISTED_SINS(UNSOUND_NAME) LEADS, LISTED, LED };
#ifdef OF_THE_FILE // LEADS, LISTED or LED: a file has one source of its own
#define SINS(SIN) SIN(OF_THE_FILE, "unsound")
#else
#define SINS LISTED_SINS
#endif
#define DISPLACED(NAME) (NAME == HISTORY || NAME == ACCEPTED)

/* Of BODIES: what rounding took from places, by body number: lost track of when numbers change. */
typedef struct memory {
    enum sin sin;
    double *rest;
    uint64_t capacity;
    uint32_t steps; // of LED: state that is in no field
    uint32_t known;
    double before[64][4]; // of FORGETS: rates of the step before, by body and component
} memory;

static int32_t create(enum sin sin, const scree_host *host, const void *config, void **instance)
{
    memory *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->sin = sin;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    if (instance)
        free(((memory *)instance)->rest);
    free(instance);
}

static int32_t begin(void *instance, const scree_motion *m)
{
    memory *self = instance;
    if (!scree_grow(&self->rest, &self->capacity, 3ull * m->n + 1, sizeof(double)))
        return SCREE_E_MEMORY;
    self->steps++;
    const uint32_t n_first = self->sin == STALE && m->step == 0 ? m->n : 0;
    for (uint32_t i = 0; i < n_first; i++)
        m->fields[0][i] = i < m->n_free;
    for (uint64_t k = 0; m->step == 0 && k < 3ull * m->n; k++)
        self->rest[k] = 0.0;
    return SCREE_OK;
}

/** out = R diag(by) R^T v */
static void scale_in_body(const double q[4], const double by[3], const double v[3], double out[3])
{
    double body[3];
    scree_rotate_back(q, v, body);
    for (int k = 0; k < 3; k++)
        body[k] *= by[k];
    scree_rotate(q, body, out);
}

/** The body turns with the spin that it has, its angular momentum l stays. */
static void turn(const memory *self, const scree_motion *m, uint32_t i, const double l[3],
                 const double inverse[3])
{
    double q[4], w[3], step[4], h = 0.5 * m->dt, length = 0.0;
    for (int k = 0; k < 4; k++)
        q[k] = m->q[k][i];
    scale_in_body(q, inverse, l, w);
    step[0] = -(w[0] * q[1] + w[1] * q[2] + w[2] * q[3]);
    step[1] = w[0] * q[0] + w[1] * q[3] - w[2] * q[2];
    step[2] = w[1] * q[0] + w[2] * q[1] - w[0] * q[3];
    step[3] = w[2] * q[0] + w[0] * q[2] - w[1] * q[1];
    for (int k = 0; k < 4; k++) {
        q[k] += h * step[k];
        length += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        m->q[k][i] = q[k] = self->sin == TURNING ? q[k] : q[k] / sqrt(length);
}

/** Kick of the spin by `by` of a step; then the turn. */
static void spin(const memory *self, const scree_motion *m, uint32_t i, double by, int drifts)
{
    double q[4], w[3], l[3], inverse[3], moments[3];
    for (int k = 0; k < 3; k++) {
        w[k] = m->w[k][i];
        inverse[k] = m->inv_inertia[k][i];
        moments[k] = inverse[k] > 0.0 ? 1.0 / inverse[k] : 0.0;
    }
    for (int k = 0; k < 4; k++)
        q[k] = m->q[k][i];
    scale_in_body(q, moments, w, l);
    for (int k = 0; k < 3; k++)
        l[k] += by * m->dt * m->wrench[8ull * i + 4 + (uint64_t)k];
    if (drifts && !m->isotropic[i])
        turn(self, m, i, l, inverse);
    for (int k = 0; k < 4; k++)
        q[k] = m->q[k][i];
    scale_in_body(q, inverse, l, w);
    for (int k = 0; k < 3; k++)
        m->w[k][i] = w[k];
}

static void move_body(memory *self, const scree_motion *m, uint32_t i, int drifts, double bias)
{
    const double kicks = self->sin == STALE ? m->fields[0][i] : 1.0;
    double by = self->sin == SMOOTH || self->sin == REVERSAL ? drifts : 0.5; // Euler's
    spin(self, m, i, by, drifts);
    for (int k = 0; k < 3; k++) {
        m->v[k][i] += kicks * by * m->dt * m->inv_mass[i] * m->wrench[8ull * i + (uint64_t)k];
        if (self->sin == LED && drifts && k == 0)
            m->v[0][i] += self->steps;
        double step = drifts ? m->dt * m->v[k][i] * bias : 0.0;
        if (self->sin == BODIES) { // Kahan's sum
            double *rest = self->rest + 3ull * i + k, y = step - *rest, sum = m->x[k][i] + y;
            *rest = (sum - m->x[k][i]) - y;
            m->x[k][i] = sum;
        } else {
            m->x[k][i] += step;
        }
        if (DISPLACED(self->sin) && drifts) { // the field: how far since the committed state
            double *moved = &m->fields[k][i];
            *moved = (self->sin == ACCEPTED && m->step % 2 ? *moved : 0.0) + step;
            m->displacement[k][i] = *moved;
            m->rotation[k][i] = m->dt * m->w[k][i];
        }
    }
}

static int32_t stage(void *instance, const scree_motion *m, uint32_t k, scree_stage *out)
{
    const memory *self = instance;
    out->action = k == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = self->sin != ACCEPTED || m->step % 2 == 1;
    out->offset = self->sin == HISTORY && m->step % 2 ? 0.0 : m->dt;
    if (k == 0 && self->sin == INPUTS && m->n > 0)
        *(volatile double *)(uintptr_t)m->wrench = m->wrench[0];
    if (k == 0 && self->sin == FIXED)
        for (uint32_t i = m->n_free; i < m->n; i++)
            m->x[0][i] += m->dt * m->v[0][i];
    return SCREE_OK;
}

static int32_t move(void *instance, const scree_move_range *range)
{
    memory *self = instance;
    double bias = self->sin == PIECES && range->begin % 2 ? 1.0 + 0x1p-40 : 1.0;
    for (uint32_t i = range->begin; i < range->end; i++)
        move_body(self, range->motion, i, range->stage == 0, bias);
    return SCREE_OK;
}

/** Moves a field on: value += dt rate; of FORGETS a step of order 2, whose memory is in no field. */
static int32_t advance(void *instance, const scree_rate_step *args)
{
    memory *self = instance;
    const scree_motion *m = args->motion;
    const uint32_t n = self->sin == STRAYS ? m->n : args->n_free;
    const int remembers = self->sin == FORGETS && args->components == 3;
    for (uint32_t k = 0; k < args->components; k++)
        for (uint32_t i = 0; i < n; i++) {
            double rate = i < args->n_free ? args->rate[k][i] : 1.0, by;
            if (self->sin == COOLS)
                rate *= 0.99;
            if (self->sin == SHARES)
                rate += 1e-12 * args->rate[k][args->n_free - 1];
            by = rate;
            if (remembers && i < 64) {
                const int known = self->known && !(m->fresh && m->fresh[i]);
                by = known ? 1.5 * rate - 0.5 * self->before[i][k] : rate;
                self->before[i][k] = rate;
            }
            args->value[k][i] += args->dt * by;
        }
    self->known |= (uint32_t)remembers;
    return SCREE_OK;
}

/** `share` of what it is. */
static double limit_to(double share, double zeta)
{
    return share * 2.0 / (sqrt(1.0 + zeta * zeta) + zeta);
}

static double limit(const void *config, double zeta)
{
    return limit_to(1.0, zeta);
}

static double limit_above(const void *config, double zeta)
{
    return limit_to(1.05, zeta);
}

static double limit_below(const void *config, double zeta)
{
    return limit_to(0.95, zeta);
}

static const void *get_extension(enum sin sin, const char *name)
{
    static const scree_order order = {
        .size = sizeof order, .smooth = 2, .damped = 1, .turning = 1, .reversible = 0};
    static const scree_order order_damped = {
        .size = sizeof order, .smooth = 2, .damped = 2, .turning = 1, .reversible = 0};
    static const scree_order order_reversible = {
        .size = sizeof order, .smooth = 1, .damped = 1, .turning = 1, .reversible = 1};
    static const scree_stability stability = {.size = sizeof stability, .limit = limit};
    static const scree_stability boasts = {.size = sizeof boasts, .limit = limit_above};
    static const scree_stability modest = {.size = sizeof modest, .limit = limit_below};
    static const scree_rates rates = {.size = sizeof rates, .advance = advance};
    if (strcmp(name, SCREE_EXTENSION_STABILITY) == 0)
        return sin == BOASTS ? &boasts : sin == MODEST ? &modest : &stability;
    if (strcmp(name, SCREE_DRAFT_RATES) == 0)
        return &rates;
    if (strcmp(name, SCREE_EXTENSION_ORDER) != 0)
        return NULL;
    return sin == DAMPED ? &order_damped : sin == REVERSAL ? &order_reversible : &order;
}

#ifdef OF_THE_FILE
static int32_t create_source(const scree_host *host, const void *config, void **instance)
{
    *instance = (void *)(uintptr_t)host;
    return SCREE_OK;
}

static void destroy_source(void *instance)
{
}

/** Three free bodies and a fixed one; of LISTED the first time with another radius. */
static int32_t make(void *instance, const scree_making *args)
{
    enum { OWN = 4 };
    const scree_host *host = instance;
    static double radius[OWN] = {1.0, 1.0, 1.0, 1.0};
    static const double x[OWN] = {1.0, 2.0, 4.0, 8.0}, zero[OWN] = {0.0};
    static const double v[OWN] = {1.0, 0.0, 0.5, 0.0}, moved[OWN] = {0.25, 0.5, 0.75, 1.0};
    static const uint32_t none[OWN] = {0};
    static const uint32_t motion[OWN] = {SCREE_MOTION_FREE, SCREE_MOTION_FIXED, SCREE_MOTION_FREE,
                                         SCREE_MOTION_FREE};
    static const double *const start[] = {moved, zero, zero};
    static const scree_start_field field = {
        .size = sizeof field, .components = 3, .name = "integrator/moved", .v = start};
    static const scree_start_field *const own[] = {&field};
    static uint32_t calls;
    if (!args->integrator || !args->set_cell || args->most < OWN)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "its bodies come together, at the start");
    radius[0] = OF_THE_FILE == LISTED && calls++ == 0 ? 2.0 : 1.0;
    const scree_new_bodies bodies = {.size = sizeof bodies,
                                     .n = OWN,
                                     .shape = none,
                                     .material = none,
                                     .motion = motion,
                                     .scale = radius,
                                     .x = {x, zero, zero},
                                     .v = {v, zero, zero},
                                     .n_fields = 1,
                                     .fields = own};
    return args->add(args->ctx, &bodies);
}

static const scree_source_ops source_ops = {OPS(source, create_source, destroy_source),
                                            .make = make};
static const scree_plugin source = {PLUGIN(SOURCE, "unsound", "the bodies of the integrator"),
                                    .flags = SCREE_CAP_BY_INTEGRATOR, .ops = &source_ops};
#endif

SCREE_FIELD(moved, BODY, 3, 1, "m", 0, "since the committed state");
static const scree_field *const fields[] = {&field_moved};
#define EXTENSIONS(NAME, ID)                                                                       \
    static const void *get_extension_##NAME(const char *name)                                      \
    {                                                                                              \
        return get_extension(NAME, name);                                                          \
    }
SINS(EXTENSIONS)
#define VTABLE(NAME, ID)                                                                           \
    [NAME] = {OPS(integrator, create_##NAME, destroy), .begin = begin, .stage = stage,             \
              .move = move},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {PLUGIN(INTEGRATOR, ID, "a scheme that breaks one promise"), PLUGIN_FIELDS(fields),   \
              .flags = DISPLACED(NAME) ? SCREE_CAP_DISPLACEMENT : 0, .ops = &ops[NAME],            \
              .get_extension = get_extension_##NAME},
UNSOUND(integrator)
#ifdef OF_THE_FILE
SCREE_DEFINE_MANIFEST(&unsound[OF_THE_FILE], &source);
#else
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
#endif
