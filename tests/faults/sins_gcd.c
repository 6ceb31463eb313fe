/* SPDX-License-Identifier: Apache-2.0 */
/* gcd/sins: all pairs of boxes, and something wrong; parameter `sin` says what. */
#include <unistd.h>
#include <xmmintrin.h>

#include "sins.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, none)                                                                                \
    SIN(NO_SUCH_BOX, no_such_box)                                                                  \
    SIN(TWICE, twice)                                                                              \
    SIN(ITSELF, itself)                                                                            \
    SIN(OVERDRAWS, overdraws)                                                                      \
    SIN(ROUNDS, rounds)                                                                            \
    SIN(MISSES, misses)                                                                            \
    SIN(MISSES_ON_LANES, misses_on_lanes) /* with more than one */                                 \
    SIN(CRASHES, crashes)                                                                          \
    SIN(HANGS, hangs)                                                                              \
    SIN(LATE_SINK, late_sink)
enum { SINS(SIN_ENUMERATOR) };

typedef struct config {
    int32_t sin, reserved;
    double below; /* [m] */
} config;

typedef struct gcd {
    const scree_host *host;
    const config *config;
    const scree_boxes *boxes;
    scree_pair_sink *kept; // of the last call of find_neighbors, which has returned
} gcd;

CREATE(gcd, .host = host, .config = given)

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
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
    if ((sin == MISSES || (sin == MISSES_ON_LANES && self->host->lanes > 1)) && n > 0)
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

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const gcd *self = instance;
    uint32_t *out;
    int32_t code = sink->reserve(sink, 2, &out);
    if (code != SCREE_OK)
        return code;
    out[0] = self->config->sin == NO_SUCH_BOX ? self->boxes->n : 0;
    out[1] = 0;
    return sink->commit(sink, self->config->sin == OVERDRAWS ? 3 : 1);
}

SIN_PARAM;
SCREE_REAL_PARAM(config, below, "m", 0, 1.0, -1.0, 1.0,
                 "place of the last box below which it does wrong");
static const scree_param *const params[] = {&param_sin, &param_below};
static const scree_gcd_ops ops = {OPS(gcd, create, free), .init = init, .step_init = step_init,
                                  .find_neighbors = find_neighbors, .find_objects = find_objects};
static const scree_plugin sins = {PLUGIN(GCD, "sins", "does wrong when told to"), PLUGIN_CONFIG,
                                  .ops = &ops};
SCREE_DEFINE_MANIFEST(&sins);
