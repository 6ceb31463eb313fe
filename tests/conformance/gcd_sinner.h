/* SPDX-License-Identifier: Apache-2.0 */
/* Controls of the GCD conformance suite: a brute force that is right, incremental, and can be made
 * to sin in each way that a check must report. */
#ifndef SCREE_TEST_GCD_SINNER_H
#define SCREE_TEST_GCD_SINNER_H

#include "gcd_cases.h"

/* The truth about regions. */
static int region_meets(const scree_region *r, const scree_boxes *b, uint32_t i)
{
    double d2 = 0.0;
    int inside = 1;
    for (uint32_t k = 0; k < 3; k++) {
        double c = r->centre[k];
        double d = c < b->lo[k][i] ? b->lo[k][i] - c : c > b->hi[k][i] ? c - b->hi[k][i] : 0.0;
        d2 += d * d;
        inside &= r->type == SCREE_REGION_BALL // the squares of tiny numbers are 0
                      ? d <= r->radius
                      : b->lo[k][i] <= r->hi[k] && r->lo[k] <= b->hi[k][i];
    }
    return inside && !scree_box_empty(b, i) &&
           (r->type != SCREE_REGION_BALL || d2 <= r->radius * r->radius);
}

enum sin { NO_SIN, DROP_TOUCHING, TWICE, ITSELF, EMPTY_SLOT, BOTH_PIVOTS, UNMOVED, LOSE_REGION };

typedef struct sinner {
    enum sin sin;
    const scree_boxes *boxes;
    unsigned char moved[MAX_BOXES];
} sinner;

static int32_t sinner_init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    sinner *s = instance;
    (void)flags;
    s->boxes = boxes;
    return SCREE_OK;
}

static int32_t sinner_step(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                           uint32_t n_moved, uint64_t *n_pivots)
{
    sinner *s = instance;
    s->boxes = boxes;
    memset(s->moved, moved && s->sin != UNMOVED ? 0 : 1, sizeof s->moved);
    for (uint32_t m = 0; moved && m < n_moved; m++)
        s->moved[moved[m]] = 1;
    *n_pivots = boxes->n;
    return SCREE_OK;
}

static int boxes_touch(const scree_boxes *b, uint32_t i, uint32_t j)
{
    int touch = 0;
    for (uint32_t k = 0; k < b->dimension; k++)
        touch |= b->lo[k][i] == b->hi[k][j] || b->lo[k][j] == b->hi[k][i];
    return touch;
}

static int32_t sinner_find(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    sinner *s = instance;
    const scree_boxes *b = s->boxes;
    int dropped = s->sin != DROP_TOUCHING;
    for (uint32_t i = (uint32_t)first; i < last; i++) {
        for (uint32_t j = s->sin == BOTH_PIVOTS ? 0 : i + 1; j < b->n; j++) {
            scree_pair *out;
            if (i == j || !scree_boxes_overlap(b, i, j) || (!s->moved[i] && !s->moved[j]))
                continue;
            if (!dropped && boxes_touch(b, i, j)) {
                dropped = 1;
                continue;
            }
            if (sink->reserve(sink, 2, &out) != SCREE_OK)
                return SCREE_E_MEMORY;
            out[0] = out[1] = (scree_pair){i, s->sin == ITSELF ? i : j};
            sink->commit(sink, s->sin == TWICE ? 2 : 1);
        }
        if (s->sin == EMPTY_SLOT && scree_box_empty(b, i)) {
            scree_pair *out;
            if (sink->reserve(sink, 1, &out) != SCREE_OK)
                return SCREE_E_MEMORY;
            out[0] = (scree_pair){i, i ? 0 : 1};
            sink->commit(sink, 1);
        }
    }
    return SCREE_OK;
}

static int32_t sinner_objects(void *instance, const scree_region *region, scree_index_sink *sink)
{
    sinner *s = instance;
    int dropped = s->sin != LOSE_REGION;
    for (uint32_t i = 0; i < s->boxes->n; i++) {
        uint32_t *out;
        if (!region_meets(region, s->boxes, i) || !dropped++)
            continue;
        if (sink->reserve(sink, 1, &out) != SCREE_OK)
            return SCREE_E_MEMORY;
        *out = i;
        sink->commit(sink, 1);
    }
    return SCREE_OK;
}

#endif
