/* SPDX-License-Identifier: Apache-2.0 */
/* Makes an R-tree in its arena, or brings its boxes up to date; see ../rtree.c. */
#include "rtree.h"

static int32_t make_buffers(rtree *t, uint32_t n)
{
    // each node but the root has at least LEAST entries, or is the last of a packed level
    const uint64_t nodes = (uint64_t)n / (LEAST - 1) + 2 * HIGHEST;
    const uint64_t packed = (uint64_t)n / (MOST - 1) + 2 * HIGHEST;
    const int str = t->config->build == BUILD_STR;
    if (scree_grow(&t->nodes, &t->room[0], str ? packed : nodes, sizeof *t->nodes) &&
        scree_grow(&t->entries, &t->room[1], str ? n : 0, sizeof *t->entries) &&
        scree_grow(&t->entered, &t->room[2], n, sizeof *t->entered))
        return SCREE_OK;
    return scree_failf(t->host, SCREE_E_MEMORY, "out of memory for %u boxes", n);
}

static double sides_of(const node *p)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (uint32_t e = 0; e < p->n; e++) {
            lo = scree_min(lo, (double)p->lo[k][e]);
            hi = scree_max(hi, (double)p->hi[k][e]);
        }
        sum += hi > lo ? hi - lo : 0.0;
    }
    return sum;
}

static double sides_of_leaves(const rtree *t)
{
    double sum = 0.0;
    for (uint32_t at = 0; at < t->n_nodes; at++)
        sum += t->nodes[at].level ? 0.0 : sides_of(&t->nodes[at]);
    return sum;
}

static int32_t build(rtree *t)
{
    const scree_boxes *b = &t->boxes;
    const int str = t->config->build == BUILD_STR;
    const int32_t status = make_buffers(t, b->n);
    if (status != SCREE_OK)
        return status;
    t->n = b->n;
    t->n_nodes = t->n_entered = 0;
    if (!str)
        t->root = new_node(t, 0);
    for (uint32_t i = 0; i < b->n; i++) {
        t->entered[i] = !scree_box_empty(b, i);
        if (t->entered[i] && str)
            t->entries[t->n_entered] = box_entry(t, i);
        else if (t->entered[i])
            scree_rtree_insert(t, i);
        t->n_entered += t->entered[i];
    }
    if (str && t->n_entered)
        scree_rtree_pack(t, t->n_entered);
    t->n_nodes = t->n_entered ? t->n_nodes : 0;
    t->sides = t->config->update == UPDATE_REFIT ? sides_of_leaves(t) : 0.0;
    return SCREE_OK;
}

static int has_come(const rtree *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (!t->entered[i] && !scree_box_empty(&t->boxes, i))
            return 1;
    return 0;
}

/* Brings the entries below `at` up to date; the recursion is at most HIGHEST deep. */
static void refit(rtree *t, uint32_t at)
{
    node *p = &t->nodes[at];
    for (uint32_t e = 0; e < p->n; e++) {
        if (p->level)
            refit(t, p->id[e]);
        const entry now = p->level ? bounds_of(t, p->id[e]) : box_entry(t, p->id[e]);
        put(p, e, &now);
    }
}

void scree_rtree_clear(rtree *t, const scree_boxes *boxes)
{
    scree_boxes_keep(&t->boxes, boxes);
    t->axes = boxes->dimension;
    t->n = t->n_nodes = t->n_entered = 0;
}

int32_t scree_rtree_update(rtree *t)
{
    if (t->config->update == UPDATE_REBUILD || t->boxes.n != t->n || !t->n_nodes || has_come(t))
        return build(t);
    refit(t, t->root);
    return sides_of_leaves(t) > t->config->worn * t->sides ? build(t) : SCREE_OK;
}

void scree_rtree_free(rtree *t)
{
    free(t->nodes);
    free(t->entries);
    free(t->entered);
}

uint64_t scree_rtree_bytes(const rtree *t)
{
    return t->room[0] * sizeof *t->nodes + t->room[1] * sizeof *t->entries +
           t->room[2] * sizeof *t->entered;
}
