// SPDX-License-Identifier: Apache-2.0
/*
 * The surface of a solid that is known at the corners of cells.
 *
 * Steps    1 all corners are sampled
 *          2 corners inside that edges of cells join are a piece; by the cubes' rule for faces
 *            (../../cubes.c) pieces of corners are pieces of the solid. All but the largest become
 *            outside.
 *          3 marching cubes; neighbours and edges (../mesh/surface.c)
 */
#include "level.h"

typedef struct sampled {
    const cubes_field *field;
    const cubes_grid *grid;
    uint8_t *inside; /* [corners] 1: inside; while pieces are found, 2: seen */
    uint64_t n;
    uint64_t *waiting, room; /* corners whose neighbours have not been looked at */
} sampled;

static void sampled_row(void *ctx, const cubes_grid *g, uint32_t j, uint32_t k, uint8_t *inside)
{
    const sampled *s = ctx;
    const uint64_t length = g->n[0] + 1;
    memcpy(inside, s->inside + length * (j + (uint64_t)(g->n[1] + 1) * k), length);
}

static double sampled_crossing(void *ctx, const cubes_grid *g, const uint32_t at[3], int axis,
                               int inside)
{
    const sampled *s = ctx;
    return s->field->crossing(s->field->ctx, g, at, axis, inside);
}

/** Marks the piece of a corner as `mark`, its corners having `from` before. Returns their number;
 * 0: no memory. */
static uint64_t mark_piece(sampled *s, uint64_t start, uint8_t from, uint8_t mark)
{
    const uint64_t side[3] = {1, s->grid->n[0] + 1,
                              (uint64_t)(s->grid->n[0] + 1) * (s->grid->n[1] + 1)};
    uint64_t n_waiting = 0, size = 1;
    if (!scree_grow(&s->waiting, &s->room, 1, sizeof *s->waiting))
        return 0;
    s->waiting[n_waiting++] = start;
    s->inside[start] = mark;
    while (n_waiting > 0) {
        const uint64_t at = s->waiting[--n_waiting];
        if (!scree_grow(&s->waiting, &s->room, n_waiting + 6, sizeof *s->waiting))
            return 0;
        for (int k = 0; k < 6; k++) { // no corner on the border of the grid is inside
            const uint64_t next = k % 2 ? at + side[k / 2] : at - side[k / 2];
            if (s->inside[next] != from)
                continue;
            s->inside[next] = mark;
            s->waiting[n_waiting++] = next;
            size++;
        }
    }
    return size;
}

/** Leaves only the largest piece. 0: no memory. */
static int keep_largest(sampled *s, mesh_notes *notes)
{
    uint64_t largest = 0, start = 0, all = 0, n_pieces = 0;
    for (uint64_t i = 0; i < s->n; i++) {
        if (s->inside[i] != 1)
            continue;
        const uint64_t size = mark_piece(s, i, 1, 2);
        if (size == 0)
            return 0;
        n_pieces++;
        all += size;
        if (size > largest) {
            largest = size;
            start = i;
        }
    }
    if (largest > 0 && mark_piece(s, start, 2, 1) == 0)
        return 0;
    for (uint64_t i = 0; i < s->n; i++)
        s->inside[i] = s->inside[i] == 1;
    if (n_pieces > 1)
        mesh_say(&notes->notes,
                 "%llu pieces that are not joined to the largest one are left out, %.2g %% of the "
                 "solid; pieces = \"all\" keeps them",
                 (unsigned long long)n_pieces - 1, 100.0 * (double)(all - largest) / (double)all);
    return 1;
}

/** Samples the field. 0 with a problem. */
static int sample(sampled *s, mesh_lines *problems)
{
    const uint32_t *n = s->grid->n;
    uint64_t n_inside, n_border;
    cubes_sample(s->grid, s->field, s->inside, &n_inside, &n_border);
    if (n_inside == 0)
        return mesh_say(problems,
                        "no corner of its %u x %u x %u cells is inside: expected a solid thicker "
                        "than a cell",
                        n[0], n[1], n[2]);
    return n_border == 0 ||
           mesh_say(problems, "it reaches beyond its %u x %u x %u cells", n[0], n[1], n[2]);
}

/** Facets as mesh_surface_new() takes them; NULL: no memory. */
static uint32_t *facets_of(const cubes *c)
{
    uint32_t *facets = malloc(4 * (size_t)c->n_facets * sizeof *facets);
    const uint32_t n = facets ? c->n_facets : 0;
    for (uint32_t f = 0; f < n; f++) {
        memcpy(facets + 4 * (size_t)f, c->facet[f], sizeof c->facet[f]);
        facets[4 * (size_t)f + 3] = SCREE_NONE;
    }
    return facets;
}

/** Does each edge have two facets? */
static int is_closed(const mesh_surface *s, mesh_lines *problems)
{
    for (uint32_t f = 0; f < s->view.n_facets; f++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t v = s->facet[4 * (size_t)f + k];
            if (s->neighbour[4 * (size_t)f + k] == SCREE_NONE)
                return mesh_say(problems,
                                "its surface has an edge of other than two facets at (%g, %g, %g) "
                                "m; other cells may help",
                                s->vertex[0][v], s->vertex[1][v], s->vertex[2][v]);
        }
    return 1;
}

/** Turns the facets round if the surface encloses a negative volume: it was mirrored. */
static void turn_mirrored(const cubes *c, uint32_t *facets)
{
    double six = 0.0;
    for (uint32_t f = 0; f < c->n_facets; f++) {
        const double *u = c->vertex[c->facet[f][0]], *v = c->vertex[c->facet[f][1]];
        const double *w = c->vertex[c->facet[f][2]], *o = c->vertex[0];
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            six += (u[k] - o[k]) * ((v[l] - o[l]) * (w[m] - o[m]) - (v[m] - o[m]) * (w[l] - o[l]));
        }
    }
    const uint32_t n_turned = six < 0.0 ? c->n_facets : 0;
    for (uint32_t f = 0; f < n_turned; f++) {
        const uint32_t second = facets[4 * (size_t)f + 1];
        facets[4 * (size_t)f + 1] = facets[4 * (size_t)f + 2];
        facets[4 * (size_t)f + 2] = second;
    }
}

static mesh_surface *surface_of(const cubes *c, mesh_lines *problems)
{
    mesh_surface *surface = NULL;
    uint32_t *facets = facets_of(c);
    if (facets)
        turn_mirrored(c, facets);
    if (facets)
        surface = mesh_surface_new(3, c->n_vertices, c->vertex[0], c->n_facets, facets, problems);
    free(facets);
    if (surface && is_closed(surface, problems)) {
        surface->view.closed = 1;
        return surface;
    }
    mesh_surface_free(surface);
    return NULL;
}

mesh_surface *level_surface(const cubes_grid *grid, const cubes_field *field, int32_t pieces,
                            const level_move *move, mesh_notes *notes)
{
    sampled s = {.field = field, .grid = grid};
    const cubes_field kept = {&s, sampled_row, sampled_crossing};
    mesh_surface *surface = NULL;
    cubes made;
    s.n = (grid->n[0] + 1ull) * (grid->n[1] + 1ull) * (grid->n[2] + 1ull);
    s.inside = malloc(s.n);
    int good = s.inside && sample(&s, &notes->problems);
    good = good && (pieces == LEVEL_PIECES_ALL || keep_largest(&s, notes));
    if (good && cubes_make(&made, grid, &kept) == SCREE_OK) {
        if (!move || move->fn(move->ctx, made.n_vertices, made.vertex, notes))
            surface = surface_of(&made, &notes->problems);
        cubes_clear(&made);
    }
    if (!surface && notes->problems.n == 0)
        mesh_say(&notes->problems, "no memory for its cells");
    free(s.waiting);
    free(s.inside);
    return surface;
}
