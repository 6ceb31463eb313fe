// SPDX-License-Identifier: Apache-2.0
// Lines of the facets of an open wall, prepared for the searches of `closest_feature`.
/*
 * Idea     From the lowest unused facet, a line is followed backwards across its first vertex to
 *          its start, or around to that facet, and then forwards to its end. Vertices in one line
 *          with their neighbours (STRAIGHT in outline.h) are left out, so that a floor of many
 *          segments is one bar.
 */
#include "wall.h"

/* A facet, and the end by which a line enters it. */
typedef struct visit {
    uint32_t facet, from;
} visit;

static point place_of(const scree_mesh *mesh, uint32_t facet, uint32_t end)
{
    const uint32_t v = mesh->facet[4 * (size_t)facet + end];
    return point_of(mesh->vertex[0][v], mesh->vertex[1][v]);
}

/* Finds the facet across the other end; 0: the line ends there. */
static int go_on(const scree_mesh *mesh, visit at, visit *next)
{
    const uint32_t out = 1 - at.from, g = mesh->neighbour[4 * (size_t)at.facet + out];
    if (g >= mesh->n_facets)
        return 0;
    const point here = place_of(mesh, at.facet, out);
    for (uint32_t end = 0; end < 2; end++) {
        const point there = place_of(mesh, g, end);
        if (mesh->neighbour[4 * (size_t)g + end] != at.facet || there.x != here.x ||
            there.y != here.y)
            continue;
        *next = (visit){g, end};
        return 1;
    }
    return 0;
}

/* Finds the start of the line with facet f; *around: the line returns to f. */
static visit first_of(const scree_mesh *mesh, uint32_t f, int32_t *around)
{
    visit at = {f, 1}, next; // backwards
    *around = 0;
    for (uint32_t n = 0; n < mesh->n_facets && go_on(mesh, at, &next); n++) {
        if (next.facet == f) {
            *around = 1;
            return (visit){f, 0};
        }
        at = next;
    }
    return (visit){at.facet, 1 - at.from};
}

/* Lists the facets of a line from its start; returns their number. */
static uint32_t follow(const scree_mesh *mesh, visit at, visit *out)
{
    visit next;
    uint32_t n = 0;
    out[n++] = at;
    while (n < mesh->n_facets && go_on(mesh, out[n - 1], &next) && next.facet != at.facet)
        out[n++] = next;
    return n;
}

static int is_straight(point u, point v, point w, double slack)
{
    const point line = from_to(u, w), far = from_to(u, v);
    const double length = sqrt(dot2(line, line));
    return dot2(far, from_to(v, w)) > 0.0 && fabs(cross2(line, far)) <= slack * length;
}

/* Are the facets n and n + 1 of a line joined by a flat edge? */
static int is_flat(const scree_mesh *mesh, const visit *at)
{
    return mesh->edge && mesh->edge[4 * (size_t)at->facet + 1 - at->from] == SCREE_EDGE_FLAT;
}

static uint32_t lowest_patch(const scree_mesh *mesh, const visit *facets, uint32_t n, uint32_t at)
{
    uint32_t low = facets[at].facet, k = at;
    for (; k > 0 && is_flat(mesh, &facets[k - 1]); k--)
        low = facets[k - 1].facet < low ? facets[k - 1].facet : low;
    for (k = at; k + 1 < n && is_flat(mesh, &facets[k]); k++)
        low = facets[k + 1].facet < low ? facets[k + 1].facet : low;
    return low;
}

/* Adds the line of n facets to w, which has room for it. */
static int add_line(const scree_mesh *mesh, const visit *facets, uint32_t n, int32_t around,
                    wall *w)
{
    outline *line = &w->lines[w->n_lines];
    const double slack = STRAIGHT * w->radius;
    uint32_t first = w->n_bars;
    const uint32_t vertices = first + w->n_lines; // vertices of the earlier lines
    line->vertex = malloc(((size_t)n + 1) * sizeof *line->vertex);
    if (!line->vertex)
        return 0;
    w->around[w->n_lines] = around;
    line->kind = OUTLINE_LINE;
    line->radius = w->radius;
    line->vertex[line->n++] = place_of(mesh, facets[0].facet, facets[0].from);
    for (uint32_t k = 0; k < n; k++) {
        const point end = place_of(mesh, facets[k].facet, 1 - facets[k].from);
        w->bar_of[facets[k].facet] = first + line->n - 1;
        if (k + 1 < n &&
            is_straight(line->vertex[line->n - 1], end,
                        place_of(mesh, facets[k + 1].facet, 1 - facets[k + 1].from), slack))
            continue;
        w->bars[w->n_bars++] = (wall_bar){
            .line = w->n_lines,
            .edge = line->n - 1,
            .patch = lowest_patch(mesh, facets, n, k),
            .end = {vertices + line->n - 1, around && k + 1 == n ? vertices : vertices + line->n}};
        line->vertex[line->n++] = end;
    }
    w->n_lines++;
    return 1;
}

static void find_radius(const scree_mesh *mesh, wall *w)
{
    double square = 0.0;
    for (uint32_t f = 0; f < mesh->n_facets; f++)
        for (uint32_t end = 0; end < 2; end++) {
            const point p = place_of(mesh, f, end);
            square = fmax(square, dot2(p, p));
        }
    w->radius = sqrt(square);
}

int wall_new(const scree_mesh *mesh, wall *out)
{
    const uint32_t n = mesh->n_facets;
    wall w = {.n_facets = n};
    visit *facets = malloc((n + 1ull) * sizeof *facets);
    uint8_t *seen = calloc(n + 1ull, 1);
    w.lines = calloc(n + 1ull, sizeof *w.lines);
    w.around = calloc(n + 1ull, sizeof *w.around);
    w.bars = calloc(n + 1ull, sizeof *w.bars);
    w.bar_of = calloc(n + 1ull, sizeof *w.bar_of);
    int good = facets && seen && w.lines && w.around && w.bars && w.bar_of;
    find_radius(mesh, &w);
    for (uint32_t f = 0; good && f < n; f++) {
        int32_t around;
        if (seen[f])
            continue;
        const uint32_t length = follow(mesh, first_of(mesh, f, &around), facets);
        for (uint32_t k = 0; k < length; k++)
            seen[facets[k].facet] = 1;
        good = add_line(mesh, facets, length, around, &w);
    }
    free(facets);
    free(seen);
    *out = w;
    if (!good)
        wall_clear(out);
    return good;
}

void wall_clear(wall *w)
{
    for (uint32_t k = 0; w->lines && k < w->n_lines; k++)
        outline_clear(&w->lines[k]);
    free(w->lines);
    free(w->around);
    free(w->bars);
    free(w->bar_of);
    memset(w, 0, sizeof *w);
}

uint64_t wall_bytes(const wall *w)
{
    uint64_t sum = (uint64_t)w->n_facets *
                   (sizeof *w->lines + sizeof *w->around + sizeof *w->bars + sizeof *w->bar_of);
    for (uint32_t k = 0; k < w->n_lines; k++)
        sum += w->lines[k].n * sizeof(point);
    return sum;
}
