/* SPDX-License-Identifier: Apache-2.0 */
/* A sound modifier (a spring to a point, heat for all), once per promise that only a run shows. */
#include <math.h>

#include "scree/cell_sdk.h"
#include "unsound.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(SIGN, "sign")                                                                              \
    SIN(JUMP, "jump")                                                                              \
    SIN(ASSIGNS, "assigns")                                                                        \
    SIN(OVERWRITES, "overwrites")                                                                  \
    SIN(WRAPS, "wraps")                                                                            \
    SIN(CELLS, "cells") /* along its own axis only */                                              \
    SIN(NUMBERS, "numbers")                                                                        \
    SIN(DAMPS, "damps")   /* a part of the speed in each step, however short */                    \
    SIN(NARROW, "narrow") /* numbers of 16 bits */                                                 \
    SIN(CHUNKS, "chunks") /* by id modulo the length of an array */                                \
    SIN(OUTSIDE, "outside")                                                                        \
    SIN(LAPSES, "lapses") /* its field is NaN once storage has another order */                    \
    SIN(UNITS, "units")   /* a stiffness in SI */                                                  \
    SIN(MOMENT, "moment") /* one step late where the moment is a step */                           \
    SIN(IDLE, "idle")                                                                              \
    SIN(LEVEL, "level") /* none: sound, its point is a parameter */                                \
    SIN(TAIL, "tail")   /* a member of a newer minor that this host may not have */
enum sin { SINS(UNSOUND_NAME) };

typedef struct config {
    double at_time; // [s] when the heat begins
    int64_t at_step;
    double level; // [m] of LEVEL: where its point is
} config;

typedef struct memory {
    enum sin sin;
    const config *config;
    uint32_t falls;     // of the first step
    uint32_t seen;      // steps of this instance: state that is in no field
    double weight[256]; // of NUMBERS: by number, of the first look
} memory;

/** The bodies of a newer host. */
typedef struct newer_bodies {
    scree_bodies known;
    double later;
} newer_bodies;

static int32_t create(enum sin sin, const scree_host *host, const void *given, void **instance)
{
    memory *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->sin = sin;
    self->config = given;
    *instance = self;
    return SCREE_OK;
}

/** Stiffness [N/m] for body i. */
static double stiffness_of(memory *self, const scree_forces *args, uint32_t i)
{
    const double second = unsound_second(args->bodies);
    double k =
        self->sin == UNITS ? 40.0 : 40.0 * unsound_kilogram(args->bodies) / (second * second);
    if (self->sin == JUMP && args->time > 0.005 * second) // stores more, without a report
        k *= 2.0;
    if (self->sin == OUTSIDE)
        k *= 1.0 + self->seen;
    if (self->sin == CHUNKS)
        k *= self->weight[args->bodies->id[i] % SCREE_COUNT(self->weight)];
    if (self->sin == NUMBERS && i < SCREE_COUNT(self->weight)) {
        if (self->weight[i] == 0.0)
            self->weight[i] = (double)(args->bodies->id[i] + 1);
        k *= self->weight[i];
    }
    return k;
}

/** Pulls body i to a point, along x and y: potential k r^2 / 2. */
static void pull(memory *self, const scree_forces *args, uint32_t i)
{
    const double metre = unsound_metre(args->bodies), k = stiffness_of(self, args, i);
    const double level = self->sin == LEVEL ? self->config->level : 0.4 * metre;
    const double point[2] = {level, 1.5 * level};
    double x[3], *wrench = args->wrench + 8ull * i, r2 = 0.0;
    scree_unwrapped(args->bodies, i, x);
    if (self->sin == WRAPS)
        x[0] = args->bodies->x[0][i];
    const scree_cell *cell = args->bodies->cell;
    if (self->sin == CELLS)
        for (int axis = 0; axis < 2; axis++)
            x[axis] =
                args->bodies->x[axis][i] + args->bodies->image[axis][i] * cell->vector[axis][axis];
    for (int axis = 0; axis < 2; axis++) {
        const double r = x[axis] - point[axis];
        wrench[axis] = (self->sin == OVERWRITES ? 0.0 : wrench[axis]) - k * r;
        r2 += r * r;
    }
    wrench[3] += (self->sin == SIGN ? -0.5 : 0.5) * k * r2;
}

/** Takes a tail only where the host has it. */
static void look_for_tail(const memory *self, const scree_bodies *b)
{
    const volatile newer_bodies *newer = (const void *)b;
    if (self->sin == TAIL || b->size >= sizeof *newer)
        (void)newer->later;
}

/** From a step on, from a time on, or always. */
static int heats(const memory *self, const scree_forces *args)
{
    const config *c = self->config;
    const uint64_t late = self->sin == MOMENT;
    return (!c->at_step && isnan(c->at_time)) ||
           (c->at_step && args->step >= (uint64_t)c->at_step + late) ||
           args->time >= c->at_time * (1.0 - 1e-12);
}

static int32_t forces(void *instance, const scree_forces *args)
{
    memory *self = instance;
    look_for_tail(self, args->bodies);
    const scree_bodies *b = args->bodies;
    double *const *rate = b->n_used ? b->used[0]->rate : NULL;
    if (self->sin == CHUNKS)
        for (uint32_t i = 0; i < b->n_free; i++)
            self->weight[b->id[i] % SCREE_COUNT(self->weight)] = b->scale[i] / unsound_metre(b);
    for (uint32_t i = 0; i < b->n_free && self->sin != IDLE; i++) {
        pull(self, args, self->sin == NARROW ? (uint16_t)i : i);
        for (int k = 0; k < 3; k++) {
            const double f =
                (self->sin == DAMPS ? 0.01 : 0.0) * b->v[k][i] / (b->inv_mass[i] * args->dt);
            args->wrench[8ull * i + (uint32_t)k] -= f;
            args->wrench[8ull * i + 7] += f * b->v[k][i];
        }
        if (rate && heats(self, args))
            rate[0][i] = (self->sin == ASSIGNS ? 0.0 : rate[0][i]) + 2.0 * b->v[0][i];
    }
    return SCREE_OK;
}

static int32_t after_step(void *instance, const scree_step *args)
{
    memory *self = instance;
    const scree_bodies *b = args->bodies;
    self->falls = self->seen++ ? self->falls : unsound_falls(b);
    if (self->sin == LAPSES)
        for (uint32_t i = 0; i < b->n_free; i++)
            args->body_fields[0][i] = unsound_falls(b) != self->falls ? (double)NAN : 1.0;
    return SCREE_OK;
}

static const scree_use use_warmth = {.size = sizeof use_warmth,
                                     .scope = SCREE_SCOPE_BODY,
                                     .components = 1,
                                     .access = SCREE_USE_ADD,
                                     .flags = SCREE_USE_OPTIONAL,
                                     .name = "warmth",
                                     .unit = "K",
                                     .help = "of the bodies"};
static const scree_use *const uses[] = {&use_warmth};
SCREE_REAL_PARAM(config, at_time, "s", SCREE_PARAM_OPTIONAL, 0, 0, HUGE_VAL, "the heat begins");
SCREE_INT_PARAM(config, at_step, 0, 0, 0, INT64_MAX, "the heat begins; 0: not asked");
SCREE_REAL_PARAM(config, level, "m", 0, 0.4, -HUGE_VAL, HUGE_VAL, "place of its point");
static const scree_param *const params[] = {&param_level, &param_at_time, &param_at_step};
SCREE_FIELD(mark, BODY, 1, 1, "-", 1, "of LAPSES");
static const scree_field *const fields[] = {&field_mark};
#define VTABLE(NAME, ID)                                                                           \
    [NAME] = {OPS(modifier, create_##NAME, free), .forces = forces, .after_step = after_step},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {PLUGIN(MODIFIER, ID, "a modifier that breaks one promise"),                          \
              .config_size = sizeof(config),                                                       \
              .params = params + (NAME != LEVEL),                                                  \
              .n_params = SCREE_COUNT(params) - (NAME != LEVEL),                                   \
              .uses = uses,                                                                        \
              .n_uses = NAME != IDLE,                                                              \
              .n_fields = NAME == LAPSES,                                                          \
              .fields = fields,                                                                    \
              .ops = &ops[NAME]},
UNSOUND(modifier)
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
