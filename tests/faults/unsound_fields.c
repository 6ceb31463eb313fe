/* SPDX-License-Identifier: Apache-2.0 */
/* A sound modifier with fields, which relies on the order of calls in a run: springs that pull
 * bodies home, counts of steps, ids by body number; once per promise that it breaks. */
#include <math.h>

#include "unsound.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(FORCES, "forces")                                                                          \
    SIN(GLOBALS, "globals")                                                                        \
    SIN(ENTER, "enter")                                                                            \
    SIN(LATER, "later")                                                                            \
    SIN(STUCK, "stuck")                                                                            \
    SIN(BEYOND, "beyond")                                                                          \
    SIN(BODY, "body")                                                                              \
    SIN(MANY, "many")
enum sin { SINS(UNSOUND_NAME) };
enum { SEEN, HOME, N_FIELDS = HOME + 3 }; // components of body fields
enum { BODIES, STEPS, MORE };             // components of global fields; of MANY 64 more

typedef struct memory {
    enum sin sin;
    const scree_host *host;
    uint64_t *id, numbering; // [n] by number, as of the last call
    uint32_t n;
} memory;

static int32_t create(enum sin sin, const scree_host *host, const void *config, void **instance)
{
    memory *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->sin = sin;
    self->host = host;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    memory *self = instance;
    if (self)
        free(self->id);
    free(self);
}

static int32_t fail(const memory *self, const char *text)
{
    return self->host->fail(self->host->ctx, SCREE_E_INTERNAL, text);
}

static int32_t make_room(memory *self, uint32_t n)
{
    uint64_t *id = calloc(n ? n : 1, sizeof *id);
    if (!id)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory");
    free(self->id);
    self->id = id;
    self->n = n;
    return SCREE_OK;
}

/** Whether bodies have the numbers that enter() has seen. */
static int knows(const memory *self, const scree_bodies *b)
{
    int same = self->n == b->n && self->numbering == b->numbering;
    for (uint32_t i = 0; same && i < b->n; i++)
        same = self->id[i] == b->id[i];
    return same;
}

static int32_t enter(void *instance, const scree_entry *args)
{
    memory *self = instance;
    const scree_bodies *b = args->bodies;
    double *const *field = args->body_fields, *global = args->global_fields;
    int same = self->id && self->n == b->n;
    for (uint32_t i = 0; same && i < b->n; i++)
        same = self->id[i] == b->id[i];
    if (self->id && !same && self->numbering == b->numbering)
        return fail(self, "enter: other bodies, and their numbering is the same");
    int32_t code = same ? SCREE_OK : make_room(self, b->n);
    if (code < 0)
        return code;
    self->numbering = b->numbering;
    for (uint32_t i = 0; i < b->n; i++) {
        self->id[i] = b->id[i];
        if (field[SEEN][i] != -1.0)
            continue; // not new
        field[SEEN][i] = 0.0;
        global[BODIES] += 1.0;
        double x[3];
        scree_unwrapped(b, i, x);
        for (int k = 0; k < 3; k++)
            field[HOME + k][i] = x[k];
    }
    if (self->sin == ENTER)
        global[BODIES] = (double)NAN;
    return SCREE_OK;
}

/** Bodies have other numbers, or some are gone: enter() is not called for that. */
static int32_t find_again(memory *self, const scree_bodies *b)
{
    if (self->numbering == b->numbering)
        return SCREE_OK;
    int32_t code = make_room(self, b->n);
    if (code != SCREE_OK)
        return code;
    for (uint32_t i = 0; i < b->n; i++)
        self->id[i] = b->id[i];
    self->numbering = b->numbering;
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    memory *self = instance;
    const scree_bodies *b = args->bodies;
    const double second = unsound_second(b), k_home = 2.0 * unsound_kilogram(b) / (second * second);
    double *wrench = args->wrench;
    if (find_again(self, b) < 0)
        return SCREE_E_MEMORY;
    if (!knows(self, b) || !b->fields || b->fields[SEEN][0] < 0.0)
        return fail(self, "forces: of bodies that enter has not shown");
    for (uint32_t i = 0; i < b->n_free; i++) {
        double x[3];
        scree_unwrapped(b, i, x);
        for (uint32_t k = 0; k < b->dimension; k++) {
            double d = x[k] - b->fields[HOME + k][i];
            wrench[8ull * i + k] -= k_home * d;
            wrench[8ull * i + 3] += 0.5 * k_home * d * d;
        }
    }
    if (self->sin == FORCES)
        ((double *)(uintptr_t)b->fields[SEEN])[0] += 1.0;
    if (self->sin == GLOBALS)
        ((double *)(uintptr_t)b->global_fields)[BODIES] += 1.0;
    return SCREE_OK;
}

static int32_t after_step(void *instance, const scree_step *args)
{
    const memory *self = instance;
    const scree_bodies *b = args->bodies;
    const scree_edits *edits = args->edits;
    const uint64_t step = args->step;
    const double metre = unsound_metre(b);
    scree_one_body spec = {.shape = b->dimension == 2,
                           .material = 0,
                           .scale = 0.01 * metre,
                           .x = {0.95 * metre, 0.95 * metre, 0.0},
                           .q = {1.0}};
    uint64_t id;
    args->global_fields[STEPS] += self->sin != STUCK;
    if (!knows(self, b) || args->global_fields[STEPS] > (double)step)
        return fail(self, "after_step: expected a call in a step, with the bodies of forces");
    for (uint32_t i = 0; i < b->n; i++)
        args->body_fields[SEEN][i] += 1.0;
    if (self->sin == LATER)
        args->global_fields[BODIES] = step > 10 ? (double)INFINITY : args->time;
    if (self->sin == BODY && step > 10)
        args->body_fields[SEEN][0] = (double)NAN;
    const int more = self->sin == MANY ? 63 : 0; // not the last one
    for (int k = 0; k < more; k++)
        args->global_fields[MORE + k] = (double)step;
    if (self->sin == BEYOND)
        args->body_fields[HOME][(b->n + 7) / 8 * 8] += 1.0;
    if (step % 3 == 2 && b->n_free > 1) {
        uint64_t oldest = b->id[0]; // numbers differ from run to run, ids do not
        for (uint32_t i = 1; i < b->n_free; i++)
            oldest = b->id[i] < oldest ? b->id[i] : oldest;
        int32_t code = edits->remove(edits->ctx, oldest);
        if (code < 0)
            return code;
    }
    return step % 2 ? scree_insert_one(edits, &spec, &id) : SCREE_OK;
}

SCREE_FIELD(seen, BODY, 1, 1, "-", -1.0, "steps since it has entered");
SCREE_FIELD(home, BODY, 3, 1, "m", 0.0, "where it has entered");
SCREE_FIELD(bodies, GLOBAL, 1, 1, "-", 0.0, "bodies that have entered");
SCREE_FIELD(steps, GLOBAL, 1, 1, "-", 0.0, "steps seen");
#define EIGHT(DO, row)                                                                             \
    DO(row##0) DO(row##1) DO(row##2) DO(row##3) DO(row##4) DO(row##5) DO(row##6) DO(row##7)
#define ALL(DO)                                                                                    \
    EIGHT(DO, more_0)                                                                              \
    EIGHT(DO, more_1)                                                                              \
    EIGHT(DO, more_2)                                                                              \
    EIGHT(DO, more_3)                                                                              \
    EIGHT(DO, more_4) EIGHT(DO, more_5) EIGHT(DO, more_6) EIGHT(DO, more_7)
#define ONE_OF(name) SCREE_FIELD(name, GLOBAL, 1, 1, "-", 0.0, "the step; the last one: nothing");
ALL(ONE_OF)
#define POINTER_TO(name) &field_##name,
static const scree_field *const fields[] = {&field_seen, &field_home, &field_bodies, &field_steps,
                                            ALL(POINTER_TO)};
#define VTABLE(NAME, ID)                                                                           \
    [NAME] = {OPS(modifier, create_##NAME, destroy), .forces = forces, .after_step = after_step,   \
              .enter = enter},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {PLUGIN(MODIFIER, ID, "a modifier with fields that breaks one promise"),              \
              .n_fields = NAME == MANY ? SCREE_COUNT(fields) : 4, .fields = fields,                \
              .ops = &ops[NAME]},
UNSOUND(modifier)
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
