/* SPDX-License-Identifier: Apache-2.0 */
/* source/sins: adds bodies in a row, and does something wrong; parameter `sin` says what. */
#include <math.h>
#include <xmmintrin.h>

#include "sins.h"

enum { N = 4 };
#define SINS(SIN)                                                                                  \
    SIN(NONE, none)                                                                                \
    SIN(NOWHERE, nowhere)                                                                          \
    SIN(NO_SHAPE, no_shape)                                                                        \
    SIN(NO_MATERIAL, no_material)                                                                  \
    SIN(NO_SCALE, no_scale)                                                                        \
    SIN(NO_QUATERNION, no_quaternion)                                                              \
    SIN(NO_MOTION, no_motion)                                                                      \
    SIN(NO_SIZE, no_size)                                                                          \
    SIN(NO_ARRAYS, no_arrays)                                                                      \
    SIN(FREE_WALL, free_wall)                                                                      \
    SIN(LEAVES_THE_PLANE, leaves_the_plane)                                                        \
    SIN(LATE, late)                                                                                \
    SIN(ENDLESS, endless)                                                                          \
    SIN(ENDLESS_PROBLEMS, endless_problems)                                                        \
    SIN(EMPTY_FOREVER, empty_forever)                                                              \
    SIN(IGNORES, ignores)                                                                          \
    SIN(SILENT, silent)                                                                            \
    SIN(SPEAKS, speaks)                                                                            \
    SIN(ROUNDS, rounds)                                                                            \
    SIN(NO_REGION, no_region)                                                                      \
    SIN(CELL, cell)                                                                                \
    SIN(CELL_OF_NO_TILT, cell_of_no_tilt)                                                          \
    SIN(CELL_OF_NO_PLACE, cell_of_no_place)                                                        \
    SIN(CELL_ALONG_NOTHING, cell_along_nothing)                                                    \
    SIN(CELL_UPWARDS, cell_upwards)                                                                \
    SIN(CELL_OF_OTHER_LENGTH, cell_of_other_length)                                                \
    SIN(CELL_OF_FOUR, cell_of_four)                                                                \
    SIN(CELL_TOO_SHORT, cell_too_short)                                                            \
    SIN(CELL_TOO_STEEP, cell_too_steep)                                                            \
    SIN(NO_TEXT, no_text)                                                                          \
    SIN(BAD_TEXT, bad_text)                                                                        \
    SIN(SAME_ID, same_id)                                                                          \
    SIN(NO_FIELD, no_field)                                                                        \
    SIN(UNKNOWN_FIELD, unknown_field)                                                              \
    SIN(CRASHES, crashes)
enum { SINS(SIN_ENUMERATOR) };

typedef struct config {
    int32_t sin, reserved;
} config;

typedef struct source {
    config config;
    const scree_host *host;
    const scree_making *kept;
} source;

/** Bodies in a row. */
typedef struct row {
    uint32_t shape[N], material[N], motion[N], line[N];
    uint64_t id[N];
    double scale[N], x[3][N], q[4][N], w[3][N], value[N];
    const double *values[1];
    scree_start_field field;
    const scree_start_field *fields[1];
    scree_new_bodies bodies;
} row;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    source *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    memcpy(&self->config.sin, given, sizeof self->config.sin);
    self->host = host;
    *instance = self;
    return SCREE_OK;
}

static int32_t add_row(const scree_making *args, row *r)
{
    return args->add(args->ctx, &r->bodies);
}

static void fill_row(row *r, const scree_making *args)
{
    memset(r, 0, sizeof *r);
    for (int i = 0; i < N; i++) {
        r->shape[i] = args->bodies->dimension == 2;
        r->scale[i] = 1e-3;
        r->x[0][i] = 1.0 + 3e-3 * i;
        r->q[0][i] = 1.0;
        r->id[i] = 100 + (uint64_t)i;
        r->line[i] = 7 + (uint32_t)i;
    }
    r->bodies.size = sizeof r->bodies;
    r->bodies.n = N;
    r->bodies.shape = r->shape;
    r->bodies.material = r->material;
    r->bodies.motion = r->motion;
    r->bodies.scale = r->scale;
    for (int k = 0; k < 3; k++)
        r->bodies.x[k] = r->x[k];
    for (int k = 0; k < 4; k++)
        r->bodies.q[k] = r->q[k];
    r->values[0] = r->value;
    r->field = (scree_start_field){
        .size = sizeof r->field, .components = 1, .name = "warmth", .v = r->values};
    r->fields[0] = &r->field;
    r->bodies.fields = r->fields;
}

/** Gives the scene a tilted cell, or one with a mistake. */
static int32_t give_cell(const source *self, const scree_making *args)
{
    scree_cell cell = {.size = sizeof cell,
                       .repeats = 7,
                       .lo = {0.0, 0.0, 0.0},
                       .hi = {2.0, 3.0, 4.0},
                       .vector = {{2.0, 0.0, 0.0}, {0.5, 3.0, 0.0}, {0.0, 0.0, 4.0}}};
    switch (self->config.sin) {
    case CELL_OF_NO_TILT:
        cell.vector[1][0] = (double)NAN;
        break;
    case CELL_OF_NO_PLACE:
        cell.hi[1] = HUGE_VAL;
        break;
    case CELL_ALONG_NOTHING:
        cell.repeats = 3;
        break;
    case CELL_UPWARDS:
        cell.vector[0][1] = 1.0;
        break;
    case CELL_OF_OTHER_LENGTH:
        cell.vector[2][2] = 5.0;
        break;
    case CELL_OF_FOUR:
        cell.repeats = 15;
        break;
    case CELL_TOO_SHORT:
        cell.size = 8;
        break;
    case CELL_TOO_STEEP:
        cell.vector[1][0] = 1e9;
        break;
    default:
        break;
    }
    return args->set_cell(args->ctx, &cell);
}

static int32_t spoil_row(const source *self, row *r, const scree_making *args)
{
    const scree_cell reversed = {.size = sizeof reversed, .lo = {1.0}, .hi = {0.0}};
    uint32_t index;
    if (self->config.sin >= CELL && self->config.sin <= CELL_TOO_STEEP)
        return give_cell(self, args);
    switch (self->config.sin) {
    case NOWHERE:
        r->x[0][2] = (double)NAN;
        break;
    case NO_SHAPE:
        r->shape[1] = args->bodies->n_shapes;
        break;
    case NO_MATERIAL:
        r->material[1] = args->bodies->n_materials;
        break;
    case NO_SCALE:
        r->scale[3] = 0.0;
        break;
    case NO_QUATERNION:
        r->q[0][0] = 0.5;
        break;
    case NO_MOTION:
        r->motion[2] = 3;
        break;
    case NO_SIZE:
        r->bodies.size = 0;
        break;
    case NO_ARRAYS:
        r->bodies.x[1] = NULL;
        break;
    case FREE_WALL:
        args->add_shape(args->ctx, "wall", "type = \"plane\"; normal = (0.0, 0.0, 1.0);", &index);
        r->shape[0] = args->bodies->n_shapes - 1;
        break;
    case LEAVES_THE_PLANE:
        r->w[0][0] = 1.0;
        for (int k = 0; k < 3; k++)
            r->bodies.w[k] = r->w[k];
        break;
    case NO_REGION:
        return args->set_cell(args->ctx, &reversed);
    case NO_TEXT:
        return args->add_shape(args->ctx, "a", NULL, &index);
    case BAD_TEXT:
        return args->add_shape(args->ctx, "a", "type = \"plane\"; normal = (0.0, 0.0, 0.0);",
                               &index);
    case SAME_ID:
        r->id[3] = 101;
        r->bodies.id = r->id;
        r->bodies.file = "rows.txt";
        r->bodies.line = r->line;
        break;
    case NO_FIELD:
        r->value[2] = (double)NAN;
        r->bodies.n_fields = 1;
        break;
    case UNKNOWN_FIELD:
        r->bodies.n_fields = 1;
        break;
    default:
        break;
    }
    return SCREE_OK;
}

/** Goes on for ever, whatever the answer. */
static void go_on(const source *self, const scree_making *args, row *r)
{
    if (self->config.sin == EMPTY_FOREVER)
        r->bodies.n = 0;
    if (self->config.sin == ENDLESS) {
        r->bodies.file = "rows.txt"; // with an id that is taken: a mistake of the input
        r->bodies.line = r->line;
        r->bodies.id = r->id;
    }
    for (;;)
        if (self->config.sin == ENDLESS_PROBLEMS)
            args->problem(args->ctx, "rows.txt", 3, "this line is wrong");
        else
            add_row(args, r);
}

static int32_t make(void *instance, const scree_making *args)
{
    source *self = instance;
    row r;
    fill_row(&r, args);
    self->kept = args;
    int32_t code = spoil_row(self, &r, args);
    if (code >= 0)
        code = add_row(args, &r);
    switch (self->config.sin) {
    case ENDLESS:
    case ENDLESS_PROBLEMS:
    case EMPTY_FOREVER:
        go_on(self, args, &r);
        break;
    case IGNORES:
        r.x[0][0] = HUGE_VAL;
        add_row(args, &r);
        return SCREE_OK;
    case SILENT:
        return SCREE_E_CONFIG;
    case SPEAKS:
        return self->host->fail(self->host->ctx, SCREE_E_CONFIG, "the rows are closed");
    case ROUNDS:
        _mm_setcsr(_mm_getcsr() ^ 0x6000);
        break;
    case CRASHES:
        *(volatile int *)(uintptr_t)self->config.reserved = 1;
        break;
    default:
        break;
    }
    return code;
}

static void destroy(void *instance)
{
    const source *self = instance;
    row r;
    if (self && self->kept && self->config.sin == LATE) {
        memset(&r, 0, sizeof r);
        r.bodies.size = sizeof r.bodies;
        self->kept->add(self->kept->ctx, &r.bodies);
    }
    free(instance);
}

SIN_PARAM;
static const scree_param *const params[] = {&param_sin};

static const scree_source_ops ops = {OPS(source, create, destroy), .make = make};

static const scree_plugin plugin = {
    PLUGIN(SOURCE, "sins", "adds bodies in a row, and does something wrong"), PLUGIN_CONFIG,
    .ops = &ops};

SCREE_DEFINE_MANIFEST(&plugin);
