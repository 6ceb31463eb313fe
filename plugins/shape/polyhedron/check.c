// SPDX-License-Identifier: Apache-2.0
/*
 * Checks that a surface encloses a solid, and reports the faults.
 *
 * Steps    1 each edge has two facets (mesh/surface.c marks others as open)
 *          2 the facets agree which side is out (mesh/sides.c)
 *          3 the facets around each vertex are one fan
 *          4 two facets meet only in their common vertices and edges (cross.c)
 *          5 one shell holds the others, which are cavities (shells.c)
 */
#include "polyhedron.h"

enum { SHOWN = 10, PLACE = 400 };

void polyhedron_name_facet(const mesh_soup *soup, uint32_t facet, char *text, size_t size)
{
    if (soup->file)
        mesh_place(soup, facet, text, size);
    else
        snprintf(text, size, "facet %llu", (unsigned long long)soup->number[facet]);
}

/** "vertex 3 at (0, 0, 1) m"; a file's vertices have no numbers. */
static void name_vertex(const mesh_soup *soup, const mesh_surface *s, uint32_t facet,
                        uint32_t corner, char *text, size_t size)
{
    const size_t at = 4 * (size_t)facet + corner;
    const uint32_t v = s->facet[at];
    const double x = s->vertex[0][v], y = s->vertex[1][v], z = s->vertex[2][v];
    if (soup->file)
        snprintf(text, size, "(%.9g, %.9g, %.9g) m", x, y, z);
    else
        snprintf(text, size, "vertex %u at (%.9g, %.9g, %.9g) m", soup->corner[at], x, y, z);
}

/** The edges of one kind that are named, and their total number. */
typedef struct edge_finding {
    const mesh_soup *soup;
    const mesh_surface *surface;
    mesh_lines *problems;
    uint64_t n;
    const char *what;
} edge_finding;

static void find(edge_finding *f, uint32_t facet, uint32_t e)
{
    char place[PLACE], from[PLACE], to[PLACE];
    if (f->n++ >= SHOWN)
        return;
    polyhedron_name_facet(f->soup, facet, place, sizeof place);
    name_vertex(f->soup, f->surface, facet, e, from, sizeof from);
    name_vertex(f->soup, f->surface, facet, (e + 1) % 3, to, sizeof to);
    mesh_say(f->problems, "%s: its edge from %s to %s %s", place, from, to, f->what);
}

static int end(const edge_finding *f)
{
    if (f->n > SHOWN)
        mesh_say(f->problems, "  and %llu more", (unsigned long long)f->n - SHOWN);
    return f->n == 0;
}

static int check_edges(const mesh_soup *soup, const mesh_surface *s, mesh_lines *problems)
{
    edge_finding f = {soup, s, problems, 0,
                      s->branching ? "does not have two facets, one or more than two"
                                   : "has no other facet; the surface is open"};
    for (uint32_t i = 0; i < s->view.n_facets; i++)
        for (uint32_t e = 0; e < 3; e++)
            if (s->neighbour[4 * (size_t)i + e] == SCREE_NONE)
                find(&f, i, e);
    return end(&f);
}

static int check_sides(const mesh_soup *soup, const mesh_surface *s, mesh_lines *problems)
{
    const uint32_t n = s->view.n_facets;
    uint8_t *marked = calloc((size_t)n + 1, 1);
    uint64_t conflicts = 0;
    if (!marked || !mesh_find_turned(s, marked, &conflicts)) {
        free(marked);
        return -1;
    }
    uint64_t found = 0;
    for (uint32_t i = 0; i < n; i++) {
        char place[PLACE];
        const int is_half = soup->number[i] < i; // the other half of the quad was named
        if (!marked[i] || is_half || found++ >= SHOWN)
            continue;
        polyhedron_name_facet(soup, i, place, sizeof place);
        mesh_say(problems,
                 "%s is inside out: its corners go the other way round than those of its "
                 "neighbours",
                 place);
    }
    if (found > SHOWN)
        mesh_say(problems, "  and %llu more", (unsigned long long)found - SHOWN);
    if (conflicts)
        mesh_say(problems,
                 "the surface has one side only, as a Klein bottle has (%llu edges): it encloses "
                 "nothing",
                 (unsigned long long)conflicts);
    free(marked);
    return found == 0 && conflicts == 0;
}

/** The place of vertex v among the corners of a facet. */
static uint32_t corner_of(const mesh_surface *s, uint32_t facet, uint32_t v)
{
    const uint32_t *f = s->facet + 4 * (size_t)facet;
    return f[0] == v ? 0 : f[1] == v ? 1 : 2;
}

/** Counts the facets of the fan around a vertex, from one facet on. */
static uint32_t count_fan(const mesh_surface *s, uint32_t facet, uint32_t v)
{
    uint32_t n = 0, at = facet;
    do {
        n++;
        at = s->neighbour[4 * (size_t)at + corner_of(s, at, v)];
    } while (at != facet && n < s->view.n_facets);
    return n;
}

static int check_fans(const mesh_soup *soup, const mesh_surface *s, mesh_lines *problems)
{
    const uint32_t n = s->view.n_vertices;
    uint32_t *count = calloc((size_t)n + 1, sizeof *count), *first = NULL, found = 0;
    first = count ? malloc(((size_t)n + 1) * sizeof *first) : NULL;
    if (!first) {
        free(count);
        return -1;
    }
    for (uint32_t i = s->view.n_facets; i-- > 0;)
        for (uint32_t c = 0; c < 3; c++) {
            count[s->facet[4 * (size_t)i + c]]++;
            first[s->facet[4 * (size_t)i + c]] = i;
        }
    for (uint32_t v = 0; v < n; v++) {
        char place[PLACE], where[PLACE];
        if (count[v] == 0 || count_fan(s, first[v], v) == count[v] || found++ >= SHOWN)
            continue;
        polyhedron_name_facet(soup, first[v], place, sizeof place);
        name_vertex(soup, s, first[v], corner_of(s, first[v], v), where, sizeof where);
        mesh_say(problems, "%s: parts of the surface touch only in its corner %s", place, where);
    }
    if (found > SHOWN)
        mesh_say(problems, "  and %u more", found - SHOWN);
    free(count);
    free(first);
    return found == 0;
}

static int check_crossings(const mesh_soup *soup, const mesh_surface *s, mesh_lines *problems)
{
    uint32_t pair[SHOWN][2];
    uint64_t n;
    if (!polyhedron_find_crossings(s, SHOWN, pair, &n))
        return -1;
    for (uint64_t i = 0; i < n && i < SHOWN; i++) {
        char one[PLACE], other[PLACE];
        polyhedron_name_facet(soup, pair[i][0], one, sizeof one);
        polyhedron_name_facet(soup, pair[i][1], other, sizeof other);
        mesh_say(problems, "%s and %s cross or touch each other", one, other);
    }
    if (n > SHOWN)
        mesh_say(problems, "  and %llu more pairs", (unsigned long long)n - SHOWN);
    return n == 0;
}

int polyhedron_check(const mesh_soup *soup, const mesh_surface *s, mesh_lines *problems)
{
    int code = check_edges(soup, s, problems);
    code = code > 0 ? check_sides(soup, s, problems) : code;
    code = code > 0 ? check_fans(soup, s, problems) : code;
    code = code > 0 ? check_crossings(soup, s, problems) : code;
    return code > 0 ? polyhedron_check_shells(soup, s, problems) : code;
}
