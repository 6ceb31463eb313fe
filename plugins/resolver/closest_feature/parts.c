// SPDX-License-Identifier: Apache-2.0
// Convex parts of an outline, for contacts by distance.
/*
 * Sources  S. Hertel, K. Mehlhorn, Fast triangulation of simple polygons, FCT 1983: diagonals that
 *          can be removed. M. de Berg et al., Computational Geometry, 2008, 3: ears.
 * Idea     Ears are cut off until a triangle is left; then parts that share an edge are joined where
 *          both ends stay convex. Order: ascending by vertices, so that the same outline has the same
 *          parts.
 * Cost     n^2 mostly, once per shape.
 */
#include "parts.h"

/** Numbers of vertices of a part, counterclockwise. */
typedef struct ring {
    uint32_t *at;
    uint32_t n;
} ring;

static int is_ear(const outline *o, const uint32_t *left, uint32_t n, uint32_t k)
{
    const uint32_t last = left[(k + n - 1) % n], here = left[k], next = left[(k + 1) % n];
    const point u = o->vertex[last], v = o->vertex[here], w = o->vertex[next];
    if (orient(u, v, w) <= 0)
        return 0;
    for (uint32_t l = 0; l < n; l++) {
        const point p = o->vertex[left[l]];
        if (left[l] == last || left[l] == here || left[l] == next)
            continue;
        if (orient(u, v, p) >= 0 && orient(v, w, p) >= 0 && orient(w, u, p) >= 0)
            return 0;
    }
    return 1;
}

/* Writes the n - 2 triangles and returns their number; 0: no ear is left, which is impossible in a
 * simple outline. */
static int cut_ears(const outline *o, uint32_t *left, ring *rings, uint32_t *memory)
{
    uint32_t n = o->n, m = 0;
    for (uint32_t k = 0; k < n; k++)
        left[k] = k;
    while (n > 3) {
        uint32_t k = 0;
        while (k < n && !is_ear(o, left, n, k))
            k++;
        if (k == n)
            return 0;
        const uint32_t ear[3] = {left[(k + n - 1) % n], left[k], left[(k + 1) % n]};
        memcpy(memory + (size_t)m * o->n, ear, sizeof ear);
        rings[m] = (ring){memory + (size_t)m * o->n, 3};
        m++;
        memmove(left + k, left + k + 1, (n - k - 1) * sizeof *left);
        n--;
    }
    memcpy(memory + (size_t)m * o->n, left, 3 * sizeof *left);
    rings[m] = (ring){memory + (size_t)m * o->n, 3};
    return 1;
}

static int stays_convex(const outline *o, uint32_t u, uint32_t v, uint32_t w)
{
    return orient(o->vertex[u], o->vertex[v], o->vertex[w]) > 0;
}

/* Joins q to p across edge k of p and edge l of q, if the result is convex. */
static int join(const outline *o, ring *p, ring *q, uint32_t k, uint32_t l)
{
    const uint32_t u = p->at[k], v = p->at[(k + 1) % p->n];
    if (q->at[l] != v || q->at[(l + 1) % q->n] != u ||
        !stays_convex(o, p->at[(k + p->n - 1) % p->n], u, q->at[(l + 2) % q->n]) ||
        !stays_convex(o, q->at[(l + q->n - 1) % q->n], v, p->at[(k + 2) % p->n]))
        return 0;
    const uint32_t more = q->n - 2;
    memmove(p->at + k + 1 + more, p->at + k + 1, (p->n - k - 1) * sizeof *p->at);
    for (uint32_t i = 0; i < more; i++)
        p->at[k + 1 + i] = q->at[(l + 2 + i) % q->n];
    p->n += more;
    q->n = 0;
    return 1;
}

/* Joins q to p across any edge that both have. */
static int join_any(const outline *o, ring *p, ring *q)
{
    for (uint32_t k = 0; k < p->n; k++)
        for (uint32_t l = 0; l < q->n; l++)
            if (join(o, p, q, k, l))
                return 1;
    return 0;
}

static void join_all(const outline *o, ring *rings, uint32_t m)
{
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t j = 0; j < m;)
            j = j != i && join_any(o, &rings[i], &rings[j]) ? 0 : j + 1;
}

static int keep_parts(const outline *o, const ring *rings, uint32_t m, outline **parts,
                      uint32_t *n_parts)
{
    double *x = malloc(2 * (size_t)o->n * sizeof *x);
    *parts = calloc(m, sizeof **parts);
    int good = x && *parts;
    *n_parts = 0;
    for (uint32_t i = 0; good && i < m; i++) {
        const scree_outline view = {.size = sizeof view, .n = rings[i].n, .vertex = {x, x + o->n}};
        if (rings[i].n == 0)
            continue;
        for (uint32_t k = 0; k < rings[i].n; k++) {
            x[k] = o->vertex[rings[i].at[k]].x;
            x[o->n + k] = o->vertex[rings[i].at[k]].y;
        }
        (*parts)[*n_parts] = outline_new(&view);
        good = (*parts)[(*n_parts)++].n > 0;
    }
    free(x);
    return good;
}

int outline_parts(const outline *o, outline **parts, uint32_t *n_parts)
{
    const uint32_t m = o->n - 2;
    uint32_t *left = malloc((size_t)o->n * sizeof *left);
    uint32_t *memory = malloc((size_t)m * o->n * sizeof *memory);
    ring *rings = malloc(m * sizeof *rings);
    *parts = NULL;
    *n_parts = 0;
    int good = left && memory && rings && cut_ears(o, left, rings, memory);
    if (good)
        join_all(o, rings, m);
    good = good && keep_parts(o, rings, m, parts, n_parts);
    free(left);
    free(memory);
    free(rings);
    return good;
}
