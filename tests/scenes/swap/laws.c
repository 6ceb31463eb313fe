/* SPDX-License-Identifier: Apache-2.0 */
/* Laws to switch to: a plain spring without fields, one that does wrong in its first calls, one
 * that needs history, one for 3D only.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../plugin.h"

enum { NONE, REFUSES, CRASHES_EARLY, CRASHES, EXITS, HANGS, SPINS, BUSY, NOT_A_NUMBER };

typedef struct config {
    double k; // [N/m]
    int32_t sin, reserved;
} config;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    config *self = malloc(sizeof *self);
    volatile int *nowhere = NULL;
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = *c;
    *instance = self;
    if (c->sin == BUSY)
        for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC * 2 / 5;)
            continue;
    if (c->sin == CRASHES_EARLY)
        *nowhere = 1;
    if (c->sin != REFUSES)
        return SCREE_OK;
    free(self);
    return host->fail(host->ctx, SCREE_E_CONFIG, "not today");
}

static void sin_now(const config *self, const scree_contact_batch *batch)
{
    volatile int *nowhere = NULL;
    if (self->sin == CRASHES)
        *nowhere = 1;
    if (self->sin == EXITS)
        exit(0);
    if (self->sin == HANGS)
        for (;;)
            pause();
    if (self->sin == SPINS)
        for (;;)
            continue;
    if (self->sin == NOT_A_NUMBER && batch->n)
        batch->f[0][0] = (double)NAN;
}

static int32_t compute(void *instance, const scree_contact_batch *batch)
{
    const config *self = instance;
    for (uint32_t c = 0; c < batch->n; c++) {
        for (int k = 0; k < 3; k++)
            batch->f[k][c] = -self->k * batch->depth[c] * batch->normal[k][c];
        batch->stored[c] = 0.5 * self->k * batch->depth[c] * batch->depth[c];
    }
    sin_now(self, batch);
    return SCREE_OK;
}

/** Counts the evaluations of a contact; without history the count is not a number. */
static int32_t compute_strict(void *instance, const scree_contact_batch *batch)
{
    for (uint32_t c = 0; c < batch->n; c++)
        batch->out[0][c] = batch->in[0][c] + 1.0;
    return compute(instance, batch);
}

SCREE_REAL_PARAM(config, k, "N/m", SCREE_PARAM_LIVE, 1e5, 0, HUGE_VAL, "stiffness");
SCREE_CHOICE_VALUE(none, NONE, "a sin");
SCREE_CHOICE_VALUE(refuses, REFUSES, "a sin");
SCREE_CHOICE_VALUE(crashes_early, CRASHES_EARLY, "a sin");
SCREE_CHOICE_VALUE(crashes, CRASHES, "a sin");
SCREE_CHOICE_VALUE(exits, EXITS, "a sin");
SCREE_CHOICE_VALUE(hangs, HANGS, "a sin");
SCREE_CHOICE_VALUE(spins, SPINS, "a sin");
SCREE_CHOICE_VALUE(busy, BUSY, "0.4 s of CPU time in create(), which is fine");
SCREE_CHOICE_VALUE(nan, NOT_A_NUMBER, "a sin");
SCREE_CHOICE_PARAM(config, sin, 0, "none", "what it does wrong", &choice_none, &choice_refuses,
                   &choice_crashes_early, &choice_crashes, &choice_exits, &choice_hangs,
                   &choice_spins, &choice_busy, &choice_nan);
static const scree_param *const params[] = {&param_k, &param_sin};
static const scree_field field_age = {.size = sizeof(scree_field),
                                      .scope = SCREE_SCOPE_CONTACT,
                                      .components = 1,
                                      .revision = 1,
                                      .if_missing = SCREE_MISSING_FAIL,
                                      .name = "age",
                                      .unit = "-",
                                      .help = "evaluations"};
static const scree_field *const fields[] = {&field_age};
static const scree_force_ops ops = {OPS(force, create, free), .compute = compute};
static const scree_force_ops strict_ops = {OPS(force, create, free), .compute = compute_strict};

#define LAW PLUGIN_CONFIG, .provides = SCREE_OUT_STORED
static const scree_plugin plain_spring = {PLUGIN(FORCE, "plain_spring", "a law to switch to"), LAW,
                                          .ops = &ops};
static const scree_plugin strict_past = {PLUGIN(FORCE, "strict_past", "a law to switch to"), LAW,
                                         PLUGIN_FIELDS(fields), .ops = &strict_ops};
static const scree_plugin only_3d = {
    PLUGIN_OF(SCREE_DIMENSION_3, FORCE, "only_3d", "a law to switch to"), LAW, .ops = &ops};

/* ---- a GCD that forgets every other pair ---- */

static int32_t create_gcd(const scree_host *host, const void *config_, void **instance)
{
    const scree_boxes **boxes = calloc(1, sizeof *boxes);
    *instance = boxes;
    return boxes ? SCREE_OK : host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    *(const scree_boxes **)instance = boxes;
    *n_pivots = boxes->n;
    return SCREE_OK;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const scree_boxes *boxes = *(const scree_boxes **)instance;
    for (uint64_t i = first; i < last; i++) {
        scree_pair *out;
        uint32_t n = 0;
        int32_t code = sink->reserve(sink, boxes->n, &out);
        if (code < 0)
            return code;
        for (uint32_t j = (uint32_t)i + 1; j < boxes->n; j++)
            if ((i + j) % 2 && scree_boxes_overlap(boxes, (uint32_t)i, j))
                out[n++] = (scree_pair){(uint32_t)i, j};
        code = sink->commit(sink, n);
        if (code < 0)
            return code;
    }
    return SCREE_OK;
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    return SCREE_OK;
}

static const scree_gcd_ops gcd_ops = {OPS(gcd, create_gcd, free), .init = init,
                                      .step_init = step_init, .find_neighbors = find_neighbors,
                                      .find_objects = find_objects};
static const scree_plugin forgetful = {PLUGIN(GCD, "forgetful", "forgets every other pair"),
                                       .ops = &gcd_ops};
SCREE_DEFINE_MANIFEST(&plain_spring, &strict_past, &only_3d, &forgetful);
