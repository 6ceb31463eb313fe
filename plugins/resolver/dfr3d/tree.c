// SPDX-License-Identifier: Apache-2.0
// dfr3d: a tree of boxes around facets, for what the cells do not answer: the closest point, far away.
#include "dfr3d.h"

enum { LEAF = 4, DEPTH = 64 };

static double centre_of(const dfr_body *b, uint32_t f, int axis)
{
    return b->vertex[b->facet[f][0]][axis] + b->vertex[b->facet[f][1]][axis] +
           b->vertex[b->facet[f][2]][axis];
}

static void box_of(const dfr_body *b, dfr_node *node)
{
    for (int k = 0; k < 3; k++) {
        node->lo[k] = HUGE_VAL;
        node->hi[k] = -HUGE_VAL;
    }
    for (uint32_t i = 0; i < 3 * node->n; i++) {
        const double *x = b->vertex[b->facet[b->tree_facet[node->first + i / 3]][i % 3]];
        for (int k = 0; k < 3; k++) {
            node->lo[k] = scree_min(node->lo[k], x[k]);
            node->hi[k] = scree_max(node->hi[k], x[k]);
        }
    }
}

/* Does facet f come before g along an axis? */
static int comes_before(const dfr_body *b, uint32_t f, uint32_t g, int axis)
{
    const double x = centre_of(b, f, axis), y = centre_of(b, g, axis);
    return x < y || (x == y && f < g);
}

/* Moves the first half along an axis to the front (quickselect). */
static void halve(const dfr_body *b, uint32_t *facets, uint32_t n, int axis)
{
    uint32_t lo = 0, hi = n - 1, middle = n / 2;
    while (lo < hi) {
        const uint32_t pivot = facets[lo + (hi - lo) / 2];
        uint32_t i = lo, j = hi;
        while (i <= j) {
            while (comes_before(b, facets[i], pivot, axis))
                i++;
            while (comes_before(b, pivot, facets[j], axis))
                j--;
            if (i > j)
                break;
            const uint32_t keep = facets[i];
            facets[i++] = facets[j];
            facets[j] = keep;
            if (j == 0)
                break;
            j--;
        }
        if (middle <= j)
            hi = j;
        else if (middle >= i)
            lo = i;
        else
            return;
    }
}

int dfr_tree_make(dfr_body *b)
{
    b->node = malloc((2ull * b->n_facets + 2) * sizeof *b->node);
    b->tree_facet = malloc((b->n_facets + 1ull) * sizeof *b->tree_facet);
    if (!b->node || !b->tree_facet)
        return 0;
    for (uint32_t f = 0; f < b->n_facets; f++)
        b->tree_facet[f] = f;
    b->node[0] = (dfr_node){.first = 0, .n = b->n_facets};
    b->n_nodes = 1;
    for (uint32_t i = 0; i < b->n_nodes; i++) {
        dfr_node *node = &b->node[i];
        int axis = 0;
        box_of(b, node);
        for (int k = 1; k < 3; k++)
            if (node->hi[k] - node->lo[k] > node->hi[axis] - node->lo[axis])
                axis = k;
        if (node->n <= LEAF)
            continue;
        const uint32_t half = node->n / 2, first = node->first;
        halve(b, b->tree_facet + first, node->n, axis);
        b->node[b->n_nodes] = (dfr_node){.first = first, .n = half};
        b->node[b->n_nodes + 1] = (dfr_node){.first = first + half, .n = node->n - half};
        node->first = b->n_nodes;
        node->n = 0;
        b->n_nodes += 2;
    }
    return 1;
}

static double box_distance2(const dfr_node *node, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double d = x[k] - clamp(x[k], node->lo[k], node->hi[k]);
        sum += d * d;
    }
    return sum;
}

int dfr_closest(const dfr_body *b, const double x[3], double *least, double point[3],
                uint32_t *facet)
{
    uint32_t stack[DEPTH], n = 0;
    int found = 0;
    stack[n++] = 0;
    while (n > 0) {
        const dfr_node *node = &b->node[stack[--n]];
        if (box_distance2(node, x) > *least)
            continue;
        if (node->n == 0) { // the nearer child last
            const int second = box_distance2(&b->node[node->first + 1], x) <
                               box_distance2(&b->node[node->first], x);
            stack[n++] = node->first + !second;
            stack[n++] = node->first + (uint32_t)second;
            continue;
        }
        for (uint32_t i = 0; i < node->n; i++) {
            const uint32_t f = b->tree_facet[node->first + i], *v = b->facet[f];
            double at[3];
            const double d =
                dfr_closest_of_triangle(b->vertex[v[0]], b->vertex[v[1]], b->vertex[v[2]], x, at);
            if (d > *least || (d == *least && found && f > *facet))
                continue;
            found = 1;
            *least = d;
            *facet = f;
            copy(at, point);
        }
    }
    return found;
}

/* Sorts a few numbers by insertion. */
static void sort_few(uint32_t *list, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t f = list[i];
        uint32_t j = i;
        for (; j > 0 && list[j - 1] > f; j--)
            list[j] = list[j - 1];
        list[j] = f;
    }
}

uint32_t dfr_gather(const dfr_body *b, const double x[3], double far, uint32_t room, uint32_t *out)
{
    uint32_t stack[DEPTH], n = 0, n_out = 0;
    stack[n++] = 0;
    while (n > 0) {
        const dfr_node *node = &b->node[stack[--n]];
        if (box_distance2(node, x) > far * far)
            continue;
        if (node->n == 0) {
            stack[n++] = node->first + 1;
            stack[n++] = node->first;
            continue;
        }
        for (uint32_t i = 0; i < node->n; i++, n_out++)
            if (n_out < room)
                out[n_out] = b->tree_facet[node->first + i];
    }
    if (n_out <= room)
        sort_few(out, n_out);
    return n_out;
}
