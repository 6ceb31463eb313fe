/* SPDX-License-Identifier: Apache-2.0 */
/* Searches an R-tree, leaf by leaf or box by box; see ../rtree.c. */
#include "rtree.h"

#define STACK (HIGHEST * MOST)
#define NEAR 256u /* boxes gathered before they are compared */

typedef struct output {
    const rtree *tree;
    scree_pairs pairs;
    uint32_t n; // number of boxes gathered
    uint32_t ids[NEAR + MOST];
    coord lo[3][NEAR + MOST], hi[3][NEAR + MOST];
} output;

static void test_axis(uint32_t n, const coord *SCREE_RESTRICT lo, const coord *SCREE_RESTRICT hi,
                      coord a, coord b, hit_word *SCREE_RESTRICT hit)
{
    for (uint32_t k = 0; k < n; k++)
        hit[k] &= (hit_word)((lo[k] <= b) & (a <= hi[k]));
}

/* hit[e] = 1 for each entry of p that overlaps; unused places overlap nothing. */
static void test_node(const node *p, const entry *e, hit_word hit[MOST])
{
    for (uint32_t k = 0; k < MOST; k++)
        hit[k] = 1;
    for (uint32_t k = 0; k < 3; k++)
        test_axis(MOST, p->lo[k], p->hi[k], e->lo[k], e->hi[k], hit);
}

/* Pushes the children of p that overlap e; among leaves only those from `least` on. */
static uint32_t push_children(const node *p, const entry *e, uint32_t least, uint32_t *stack,
                              uint32_t top)
{
    hit_word hit[MOST];
    const uint32_t from = p->level == 1 ? least : 0;
    test_node(p, e, hit);
    for (uint32_t k = 0; k < p->n; k++) {
        stack[top] = p->id[k];
        top += (uint32_t)hit[k] & (p->id[k] >= from);
    }
    return top;
}

/* As in [1]: each box searches from the root and keeps matches of a higher number. */
static int32_t search_box(output *o, const entry *e)
{
    const rtree *t = o->tree;
    uint32_t stack[STACK], top = 0;
    int32_t status = SCREE_OK;
    stack[top++] = t->root;
    while (top && status == SCREE_OK) {
        const node *p = &t->nodes[stack[--top]];
        hit_word hit[MOST];
        if (p->level) {
            top = push_children(p, e, 0, stack, top);
            continue;
        }
        status = scree_pairs_room(&o->pairs, MOST);
        if (status != SCREE_OK)
            break;
        test_node(p, e, hit);
        for (uint32_t k = 0; k < p->n; k++) {
            o->pairs.out[o->pairs.used] = (scree_pair){e->id, p->id[k]};
            o->pairs.used += hit[k] & (hit_word)(p->id[k] > e->id);
        }
    }
    return status;
}

static void gather(output *o, const node *p, const entry *bounds)
{
    hit_word hit[MOST];
    uint32_t n = o->n;
    test_node(p, bounds, hit);
    for (uint32_t k = 0; k < p->n; k++) {
        o->ids[n] = p->id[k];
        for (uint32_t axis = 0; axis < 3; axis++) {
            o->lo[axis][n] = p->lo[axis][k];
            o->hi[axis][n] = p->hi[axis][k];
        }
        n += (uint32_t)hit[k];
    }
    o->n = n;
}

/* Compares each box of the leaf with the gathered boxes. */
static int32_t pair_gathered(output *o, const node *leaf)
{
    hit_word hit[NEAR + MOST];
    const uint32_t n = o->n;
    int32_t status = SCREE_OK;
    for (uint32_t e = 0; e < leaf->n && status == SCREE_OK; e++) {
        status = scree_pairs_room(&o->pairs, n);
        if (status != SCREE_OK)
            break;
        for (uint32_t k = 0; k < n; k++)
            hit[k] = 1;
        for (uint32_t k = 0; k < 3; k++)
            test_axis(n, o->lo[k], o->hi[k], leaf->lo[k][e], leaf->hi[k][e], hit);
        for (uint32_t k = 0; k < n; k++) {
            o->pairs.out[o->pairs.used] = (scree_pair){leaf->id[e], o->ids[k]};
            o->pairs.used += hit[k];
        }
    }
    o->n = 0;
    return status;
}

static int32_t pair_own(output *o, const node *leaf)
{
    hit_word hit[MOST];
    int32_t status = scree_pairs_room(&o->pairs, (uint64_t)MOST * MOST);
    if (status == SCREE_OK)
        for (uint32_t e = 0; e < leaf->n; e++) {
            const entry one = take(leaf, e);
            test_node(leaf, &one, hit);
            for (uint32_t k = e + 1; k < leaf->n; k++) {
                o->pairs.out[o->pairs.used] = (scree_pair){one.id, leaf->id[k]};
                o->pairs.used += hit[k];
            }
        }
    return status;
}

static int32_t search_leaf(output *o, uint32_t at)
{
    const rtree *t = o->tree;
    const node *leaf = &t->nodes[at];
    const entry bounds = bounds_of(t, at);
    uint32_t stack[STACK], top = 0;
    int32_t status = pair_own(o, leaf);
    if (at != t->root)
        stack[top++] = t->root;
    o->n = 0;
    while (top && status == SCREE_OK) {
        const node *p = &t->nodes[stack[--top]];
        if (p->level) {
            top = push_children(p, &bounds, at + 1, stack, top);
            continue;
        }
        gather(o, p, &bounds);
        if (o->n > NEAR)
            status = pair_gathered(o, leaf);
    }
    return status == SCREE_OK ? pair_gathered(o, leaf) : status;
}

int32_t scree_rtree_find(const rtree *t, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    output o;
    int32_t status = SCREE_OK;
    o.tree = t;
    o.pairs = (scree_pairs){sink, NULL, 0, 0};
    for (uint64_t at = first; at < last && status == SCREE_OK; at++) {
        const node *p = &t->nodes[at];
        if (p->level)
            continue;
        if (t->config->query == QUERY_LEAF)
            status = search_leaf(&o, (uint32_t)at);
        for (uint32_t e = 0; e < p->n && t->config->query == QUERY_BOX && status == SCREE_OK; e++) {
            const entry one = take(p, e);
            status = search_box(&o, &one);
        }
    }
    return scree_pairs_finish(&o.pairs, status);
}

int32_t scree_rtree_objects(const rtree *t, const scree_zone *zone, const entry *e,
                            scree_index_sink *sink)
{
    uint32_t stack[STACK], top = 0;
    int32_t status = SCREE_OK;
    if (t->n_nodes)
        stack[top++] = t->root;
    while (top && status == SCREE_OK) {
        const node *p = &t->nodes[stack[--top]];
        if (p->level)
            top = push_children(p, e, 0, stack, top);
        else
            status = scree_objects_of(&t->boxes, zone, p->id, p->n, sink);
    }
    return status;
}
