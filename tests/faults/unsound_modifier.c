/* SPDX-License-Identifier: Apache-2.0 */
/* A sound modifier (a drag, a wall that swings, a few bodies more), once per promise that it breaks. */
#include <math.h>

#include "unsound.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(POSES, "poses")                                                                            \
    SIN(RATES, "rates")                                                                            \
    SIN(ACCOUNT, "account")                                                                        \
    SIN(REPEAT, "repeat")                                                                          \
    SIN(EDITS, "edits")                                                                            \
    SIN(ENTERS, "enters")                                                                          \
    SIN(ASSUMES, "assumes")                                                                        \
    SIN(KEEPS, "keeps")
enum sin { SINS(UNSOUND_NAME) };

typedef struct memory {
    enum sin sin;
    double last; /* [s] */
    uint32_t asked;
    const scree_edits *kept; /* of the call before */
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

static int32_t forces(void *instance, const scree_forces *args)
{
    memory *self = instance;
    const scree_bodies *b = args->bodies;
    double drag = 0.01 * unsound_kilogram(b) / unsound_second(b);
    if (self->sin == REPEAT && self->last == args->time) /* the second time */
        drag *= 2.0;
    self->last = args->time;
    if (self->sin == KEEPS && self->kept)
        self->kept->remove(self->kept->ctx, 1);
    if (b->n_free && (b->used[0]->v || self->sin == ASSUMES))
        drag += 0.0 * b->used[0]->v[0][0];
    for (uint32_t i = 0; i < b->n_free; i++)
        for (int k = 0; k < 3; k++) {
            double v = b->v[k][i];
            args->wrench[8ull * i + (uint64_t)k] -= drag * v;
            args->wrench[8ull * i + 7] += (self->sin == ACCOUNT ? 0.5 : 1.0) * drag * v * v;
        }
    return SCREE_OK;
}

static int32_t after_step(void *instance, const scree_step *args)
{
    memory *self = instance;
    const scree_bodies *b = args->bodies;
    const double metre = unsound_metre(b);
    self->kept = args->edits;
    scree_one_body spec = {.shape = b->shape[0],
                           .material = b->material[0],
                           .scale = 0.01 * metre,
                           .x = {0.95 * metre, 0.95 * metre, 0.0},
                           .q = {self->sin == EDITS ? 0.5 : 1.0}};
    uint64_t id;
    spec.x[0] -= 0.03 * metre * (double)(b->n % 8); // clear of the others
    spec.x[1] -= 0.03 * metre * (double)(b->n / 8 % 8);
    return scree_insert_one(args->edits, &spec, &id);
}

static int32_t pose(void *instance, const scree_poses *args)
{
    memory *self = instance;
    const scree_bodies *b = args->bodies;
    const double a = 0.01 * unsound_metre(b), rate = 5.0 / unsound_second(b);
    double at = a * sin(rate * args->time), speed = a * rate * cos(rate * args->time);
    if (self->sin == POSES) /* a sum that runs */
        at += 1e-13 * self->asked++;
    for (uint32_t i = b->n_free; i < b->n; i++)
        if (b->motion[i] == SCREE_MOTION_KINEMATIC) {
            args->x[0][i] += at;
            args->v[0][i] += self->sin == RATES ? 0.0 : speed;
        }
    return SCREE_OK;
}

static int32_t enter(void *instance, const scree_entry *args)
{
    const memory *self = instance;
    if (self->sin == ENTERS)
        ((double *)(uintptr_t)args->bodies->x[0])[0] += 1e-9;
    return SCREE_OK;
}

UNSOUND_WARMTH;
static const scree_use *const uses[] = {&use_warmth};
#define VTABLE(NAME, ID)                                                                           \
    [NAME] = {OPS(modifier, create_##NAME, free), .forces = forces, .after_step = after_step,      \
              .pose = pose, .enter = enter},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {PLUGIN(MODIFIER, ID, "a modifier that breaks one promise"), PLUGIN_USES(uses),       \
              .flags = SCREE_CAP_USES_LIBM, .ops = &ops[NAME]},
UNSOUND(modifier)
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
