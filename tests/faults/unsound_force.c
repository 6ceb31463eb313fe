/* SPDX-License-Identifier: Apache-2.0 */
/* A sound force law (springs, dashpots, history), once per promise that it breaks. */
#include <math.h>
#include <stdbool.h>

#include "unsound.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(OUTPUTS, "outputs")                                                                        \
    SIN(INPUTS, "inputs")                                                                          \
    SIN(BATCHES, "batches")                                                                        \
    SIN(THIRD_LAW, "third_law")                                                                    \
    SIN(FRAME, "frame")                                                                            \
    SIN(GAP, "gap")                                                                                \
    SIN(RANGE, "range")                                                                            \
    SIN(PARTED, "parted")                                                                          \
    SIN(HEAT, "heat")                                                                              \
    SIN(DOUBLED, "doubled") /* stored energy */                                                    \
    SIN(COARSE, "coarse")   /* no sin: its energies are exact only for small steps */              \
    SIN(DASHPOT, "dashpot") /* no sin: it has no springs */                                        \
    SIN(SILENT, "silent")   /* no sin: it reports no energies */                                   \
    SIN(GAIN, "gain")                                                                              \
    SIN(SOFT, "soft")                                                                              \
    SIN(FORCED, "forced")     /* soft where the force is known, not the depth */                   \
    SIN(EXPECTED, "expected") /* soft where the speed is known */                                  \
    SIN(FINITE, "finite")                                                                          \
    SIN(DEEP, "deep")     /* stronger where the overlap is deep */                                 \
    SIN(PAIRS, "pairs")   /* takes the value of another pair */                                    \
    SIN(SECOND, "second") /* takes the value of the first material for all */                      \
    SIN(TERMS, "terms")                                                                            \
    SIN(ASSUMES, "assumes")                                                                        \
    SIN(UNLIKE, "unlike") /* wrong where two of its numbers differ */                              \
    SIN(OPTION, "option") /* wrong with its optional number */                                     \
    SIN(TOGETHER,                                                                                  \
        "together")       /* wrong with two of its choices, each of which is right by itself */    \
    SIN(HANDED, "handed") /* turning right it pushes, turning left it pulls */                     \
    SIN(SPEEDS, "speeds") /* it pushes by the speed of both bodies in space */                     \
    SIN(TEARS, "tears")   /* a neck tears, and its energy is not reported */
enum sin { SINS(UNSOUND_NAME) };

typedef struct config {
    double decay;       // [m] TERMS: of a term that overflows; 0: no term
    double pair, other; // [N/m] UNLIKE: a second spring pushes with one and stores with the other
    double option;      // [N/m] OPTION: a second spring stores nothing; NaN: none
    int32_t one, two;   // TOGETHER: with both a second spring stores nothing
    double kn, kt, cn;  // [N/m] [N/m] [N s/m]
    scree_reals factor, weight; // of kn
} config;

typedef struct law {
    enum sin sin;
    const config *config;
    uint32_t n_materials;
} law;

static int32_t create(enum sin sin, const scree_host *host, const void *given, void **instance)
{
    law *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (law){sin, given, host->n_materials};
    *instance = self;
    return SCREE_OK;
}

static double dot(double *const v[3], const double *const n[3], uint32_t c)
{
    return v[0][c] * n[0][c] + v[1][c] * n[1][c] + v[2][c] * n[2][c];
}

/** Share of kn between two materials. */
static double share(const law *self, uint32_t pair)
{
    const uint32_t a = pair / self->n_materials, b = pair % self->n_materials;
    const double *weight = self->config->weight.v;
    return self->config->factor.v[self->sin == PAIRS ? a : pair] *
           (self->sin == SECOND ? weight[0] * weight[0] : weight[a] * weight[b]);
}

/** Normal stiffness of contact c. */
static double stiffness(const law *self, const scree_contact_batch *b, uint32_t c)
{
    const double x = b->bodies->x[0][b->a[c]], kn = self->config->kn;
    if (self->sin == THIRD_LAW) // of one of the two
        return kn * b->radius[0][c] / 1e-3;
    if (self->sin == DASHPOT)
        return 0.0;
    if (self->sin == FRAME) // of a place in space
        return kn * (1.0 + 0.01 * x * x);
    if (self->sin == BATCHES && c >= b->n / 8 * 8) // the rest of a loop, summed in another way
        return kn * (1.0 + 0x1p-50);
    return kn;
}

/** The committed spring in the contact's plane, with the slip since. */
static double spring(const law *self, const scree_contact_batch *b, uint32_t c, double s[3])
{
    double s2 = 0.0, along = 0.0;
    for (int k = 0; k < 3; k++)
        along += (b->in[k][c] + b->slip[k][c]) * b->normal[k][c];
    for (int k = 0; k < 3; k++) {
        s[k] = b->in[k][c] + b->slip[k][c] - along * b->normal[k][c];
        s2 += s[k] * s[k];
    }
    return 0.5 * self->config->kt * s2;
}

static void set_stored(const scree_contact_batch *b, uint32_t c, double stored)
{
    if (b->stored)
        b->stored[c] = stored;
}

static void set_lost(const law *self, const scree_contact_batch *b, uint32_t c, double lost)
{
    if (b->lost && (self->sin != OUTPUTS || lost != 0.0))
        b->lost[c] = lost;
}

/** Nothing acts; a spring that was there is lost, once. */
static void let_go(const law *self, const scree_contact_batch *b, uint32_t c)
{
    const double kn = self->config->kn;
    double was = 0.0;
    for (int k = 0; k < 3; k++) {
        was += 0.5 * self->config->kt * b->in[k][c] * b->in[k][c] * b->in[3][c];
        b->f[k][c] = 0.0;
        b->out[k][c] = self->sin == PARTED ? b->in[k][c] : 0.0;
    }
    b->out[3][c] = 0.0;
    set_stored(b, c, 0.0);
    set_lost(self, b, c, b->since > 0.0 ? was / b->since : 0.0);
    if (self->sin == GAP) {
        for (int k = 0; k < 3; k++)
            b->f[k][c] = -kn * b->depth[c] * b->normal[k][c];
        set_stored(b, c, 0.5 * kn * b->depth[c] * b->depth[c]);
    }
}

/** How much softer it is made by warmth, whose field need not be there: not at all. */
static double soften(const law *self, const scree_contact_batch *b, uint32_t c)
{
    const double *warmth = b->body_a[0];
    return warmth || self->sin == ASSUMES ? 1.0 - 0.0 * warmth[c] : 1.0;
}

static void add_second(const law *self, double deep, double *elastic, double *stored)
{
    const config *c = self->config;
    if (self->sin == UNLIKE) {
        *elastic += c->pair * deep;
        *stored += 0.5 * (c->other - c->pair) * deep * deep;
    }
    if (self->sin == OPTION && !isnan(c->option)) {
        *elastic += c->option * deep;
        *stored -= 0.5 * c->option * deep * deep;
    }
    if (self->sin == TOGETHER && c->one && c->two) {
        *elastic += 0.1 * c->kn * deep;
        *stored -= 0.05 * c->kn * deep * deep;
    }
}

/** A neck that pulls from the surface on, and tears. */
static void pull(const scree_contact_batch *b, uint32_t c)
{
    const double length = 2e-6, force = 1e-4; // [m] [N]
    b->keep[c] = b->depth[c] >= 0.0 || (b->keep[c] && b->depth[c] > -length);
    if (!b->keep[c] || b->depth[c] >= 0.0)
        return;
    for (int k = 0; k < 3; k++)
        b->f[k][c] = force * b->normal[k][c];
    b->stored[c] = -force * b->depth[c];
}

/** The speed of the sum of both velocities. */
static double speed_in_space(const scree_contact_batch *b, uint32_t c)
{
    double v2 = 0.0;
    for (int k = 0; k < 3; k++) {
        const double v = b->bodies->v[k][b->a[c]] + b->bodies->v[k][b->b[c]];
        v2 += v * v;
    }
    return sqrt(v2);
}

static void touch(const law *self, const scree_contact_batch *b, uint32_t c)
{
    const double kt = self->config->kt, cn = self->config->cn;
    double s[3], vn = dot((double *const *)b->v, b->normal, c), damp = self->sin == GAIN ? -cn : cn;
    double k_n = stiffness(self, b, c) * soften(self, b, c) * share(self, b->materials[c]),
           deep = b->depth[c], stored = spring(self, b, c, s);
    const double springs = self->sin == DASHPOT ? 0.0 : 1.0;
    stored *= springs;
    for (int k = 0; k < 3; k++)
        s[k] *= springs;
    double elastic = self->sin == FINITE ? k_n * deep * deep / deep : k_n * deep;
    if (self->sin == TERMS && self->config->decay > 0.0)
        elastic += 0.0 * exp(deep / self->config->decay);
    add_second(self, deep, &elastic, &stored);
    for (int k = 0; k < 3; k++) {
        b->f[k][c] = -(elastic + damp * vn) * b->normal[k][c] - kt * s[k];
        b->out[k][c] = s[k];
    }
    b->out[3][c] = 1.0;
    if (self->sin == DEEP && deep > 0.1 * b->radius[0][c])
        for (int k = 0; k < 3; k++)
            b->f[k][c] -= 0.1 * elastic * b->normal[k][c];
    set_stored(b, c, (0.5 * elastic * deep + stored) * (self->sin == DOUBLED ? 2.0 : 1.0));
    double extra = self->sin == COARSE ? k_n * vn * vn * b->since : 0.0;
    set_lost(self, b, c, (self->sin == HEAT ? 0.5 : 1.0) * damp * vn * vn + extra);
    if (self->sin == HANDED || self->sin == SPEEDS) {
        const double push =
            self->sin == SPEEDS
                ? cn * speed_in_space(b, c)
                : 10.0 * cn * dot((double *const *)b->spin, b->normal, c); // 10.0: [m]
        for (int k = 0; k < 3; k++)
            b->f[k][c] += push * b->normal[k][c];
        b->lost[c] -= push * vn;
    }
    if (self->sin == INPUTS)
        ((double *)(uintptr_t)b->depth)[c] = 0.0;
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    for (uint32_t c = 0; c < b->n; c++)
        if (b->depth[c] < 0.0)
            let_go(self, b, c);
        else
            touch(self, b, c);
    const uint32_t n_necks = self->sin == TEARS ? b->n : 0;
    for (uint32_t c = 0; c < n_necks; c++)
        pull(b, c);
    return SCREE_OK;
}

/** Nothing is reached, or most from one size in between. */
static int32_t range(void *instance, scree_range_query *query)
{
    const law *self = instance;
    query->gap =
        self->sin == RANGE && query->radius_a > 1e-3 && query->radius_a < 2e-3 ? 1e-6 : 0.0;
    return SCREE_OK;
}

/** Slopes; with three sins half of kn. */
static int32_t tangents(void *instance, const scree_stiffness_query *query, scree_stiffness *out)
{
    const law *self = instance;
    const double kn = self->config->kn;
    const bool soft = self->sin == SOFT ||
                      (self->sin == FORCED && query->depth == 0.0 && query->normal_force > 0.0) ||
                      (self->sin == EXPECTED && query->depth == 0.0 && query->speed > 0.0);
    out->kn = self->sin == DASHPOT ? 0.0
              : soft               ? 0.5 * kn
                                   : kn * (self->sin == THIRD_LAW ? 2.0 : 1.1);
    out->kn += self->config->pair + (isnan(self->config->option) ? 0.0 : self->config->option);
    out->kt = self->sin == DASHPOT ? 0.0 : self->config->kt;
    out->cn = self->config->cn;
    return SCREE_OK;
}

SCREE_REAL_PARAM(config, decay, "m", 0, 0, 0, HUGE_VAL, "decay length of a term");
SCREE_REAL_PARAM(config, pair, "N/m", 0, 0, 0, 1e30, "of a second spring");
SCREE_REAL_PARAM(config, other, "N/m", 0, 0, 0, 1e30, "the same");
SCREE_REAL_PARAM(config, option, "N/m", SCREE_PARAM_OPTIONAL, 0, 0, 1e30, "the same");
SCREE_BOOL_PARAM(config, one, 0, 0, "a choice");
SCREE_BOOL_PARAM(config, two, 0, 0, "another one");
SCREE_PAIR_PARAM(config, factor, "-", 0, 1.0, 2.0, NONE, "of the stiffness");
SCREE_MATERIAL_PARAM(config, weight, "-", 0, 1.0, 0.1, 2.0, "of the stiffness");
SCREE_REAL_PARAM(config, kn, "N/m", 0, 1e5, 0, 1e30, "normal stiffness");
SCREE_REAL_PARAM(config, kt, "N/m", 0, 5e4, 0, 1e30, "tangential stiffness");
SCREE_REAL_PARAM(config, cn, "N s/m", 0, 0.02, 0, 1e30, "damping");
static const scree_param *const params[] = {&param_decay, &param_pair, &param_other,  &param_option,
                                            &param_one,   &param_two,  &param_factor, &param_weight,
                                            &param_kn,    &param_kt,   &param_cn};
SCREE_FIELD(spring, CONTACT, 4, 1, "m", 0, "tangential spring; whether it is there");
static const scree_field *const fields[] = {&field_spring};
UNSOUND_WARMTH;
static const scree_use *const uses[] = {&use_warmth};
#define VTABLE(NAME, ID)                                                                           \
    [NAME] = {OPS(force, create_##NAME, free), .compute = compute, .range = range,                 \
              .stiffness = tangents},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {PLUGIN(FORCE, ID, "a law that breaks one promise"),                                  \
              PLUGIN_CONFIG,                                                                       \
              PLUGIN_FIELDS(fields),                                                               \
              PLUGIN_USES(uses),                                                                   \
              .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_RADII | SCREE_IN_MATERIALS |   \
                       (NAME == HANDED ? SCREE_IN_SPIN : 0),                                       \
              .provides = (NAME == SILENT ? 0 : SCREE_OUT_STORED | SCREE_OUT_LOST) |               \
                          (NAME == TEARS ? SCREE_OUT_KEEP : 0),                                    \
              .ops = &ops[NAME]},
UNSOUND(force)
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
