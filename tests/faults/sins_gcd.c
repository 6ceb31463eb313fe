/* SPDX-License-Identifier: Apache-2.0 */
/* gcd/sins: all pairs of boxes, and something wrong; parameter `sin` says what. */
#include <unistd.h>
#include <xmmintrin.h>

#include "scree/sdk.h"

enum { NONE, NO_SUCH_BOX, TWICE, ITSELF, OVERDRAWS, ROUNDS, MISSES, CRASHES, HANGS, LATE_SINK };

typedef struct config {
    int32_t sin, reserved;
    double below; /* [m] */
} config;

typedef struct gcd {
    const config *config;
    const scree_boxes *boxes;
    scree_pair_sink *kept; // of the last call of find_neighbors, which has returned
} gcd;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    gcd *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->config = given;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    (void)instance;
    (void)boxes;
    (void)flags;
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    (void)moved;
    (void)n_moved;
    gcd *self = instance;
    scree_pair *out;
    self->boxes = boxes;
    *n_pivots = 1;
    return self->config->sin == LATE_SINK && self->kept ? self->kept->reserve(self->kept, 1, &out)
                                                        : SCREE_OK;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    gcd *self = instance;
    const scree_boxes *boxes = self->boxes;
    self->kept = sink;
    int32_t sin = boxes->centre[0][boxes->n - 1] < self->config->below ? self->config->sin : NONE;
    uint64_t room = (uint64_t)boxes->n * boxes->n + 2, n = 0;
    scree_pair *out;
    int32_t code = sink->reserve(sink, room, &out);
    (void)first;
    (void)last;
    if (code == SCREE_OK)
        for (uint32_t i = 0; i < boxes->n; i++)
            for (uint32_t j = i + 1; j < boxes->n; j++)
                if (!scree_box_empty(boxes, i) && !scree_box_empty(boxes, j))
                    out[n++] = (scree_pair){i, j};
    if (code != SCREE_OK)
        return code;
    if (sin == NO_SUCH_BOX)
        out[n++] = (scree_pair){0, boxes->n + 7};
    if (sin == TWICE && n > 0) {
        out[n] = (scree_pair){out[0].b, out[0].a};
        n++;
    }
    if (sin == ITSELF)
        out[n++] = (scree_pair){0, 0};
    if (sin == MISSES && n > 0)
        n--;
    if (sin == CRASHES)
        __builtin_trap();
    if (sin == HANGS)
        for (;;)
            pause();
    if (sin == ROUNDS)
        _mm_setcsr(_mm_getcsr() | 0x8040);
    return sink->commit(sink, sin == OVERDRAWS ? room + 1 : n);
}

static int32_t find_objects(void *instance, const scree_region *region, scree_index_sink *sink)
{
    (void)instance;
    (void)region;
    (void)sink;
    return SCREE_OK;
}

SCREE_CHOICE_VALUE(none, NONE, "a sin");
SCREE_CHOICE_VALUE(no_such_box, NO_SUCH_BOX, "a sin");
SCREE_CHOICE_VALUE(twice, TWICE, "a sin");
SCREE_CHOICE_VALUE(itself, ITSELF, "a sin");
SCREE_CHOICE_VALUE(overdraws, OVERDRAWS, "a sin");
SCREE_CHOICE_VALUE(rounds, ROUNDS, "a sin");
SCREE_CHOICE_VALUE(misses, MISSES, "a sin");
SCREE_CHOICE_VALUE(crashes, CRASHES, "a sin");
SCREE_CHOICE_VALUE(hangs, HANGS, "a sin");
SCREE_CHOICE_VALUE(late_sink, LATE_SINK, "a sin");
SCREE_CHOICE_PARAM(config, sin, 0, "none", "what it does wrong", &choice_none, &choice_no_such_box,
                   &choice_twice, &choice_itself, &choice_overdraws, &choice_rounds, &choice_misses,
                   &choice_crashes, &choice_hangs, &choice_late_sink);
SCREE_REAL_PARAM(config, below, "m", 0, 1.0, -1.0, 1.0,
                 "place of the last box below which it does wrong");
static const scree_param *const params[] = {&param_sin, &param_below};
static const scree_gcd_ops ops = {.size = sizeof(scree_gcd_ops),
                                  .create = create,
                                  .destroy = destroy,
                                  .init = init,
                                  .step_init = step_init,
                                  .find_neighbors = find_neighbors,
                                  .find_objects = find_objects};
static const scree_plugin sins = {.size = sizeof(scree_plugin),
                                  .kind = SCREE_KIND_GCD,
                                  .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                  .id = "sins",
                                  .version = "1.0.0",
                                  .licence = "Apache-2.0",
                                  .help = "does wrong when told to",
                                  .config_size = sizeof(config),
                                  .n_params = SCREE_COUNT(params),
                                  .params = params,
                                  .ops = &ops};
SCREE_DEFINE_MANIFEST(&sins);
