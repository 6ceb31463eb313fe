// SPDX-License-Identifier: Apache-2.0
/*
 * Walls of revolution as facets.
 *
 * Idea     The vertices are on the circles, at the angles (k + 1/2) 2 pi / n, so that the wall is
 *          inside of the true one by at most r (1 - cos(pi / n)). A side of the mantle is a quad, whose
 *          four corners are in one plane; an end is cut across into quads, k and n - 1 - k on its two
 *          ends, so that no vertex belongs to all quads and no facet is a sliver.
 */
#include "round.h"

/** A frustum on its way to a surface. */
typedef struct round_facets {
    uint32_t n, n_facets; // sides
    double *xyz;          // [6 n] vertices: the bottom, then the top
    uint32_t *facet;      // [4 * 3 n] corners
    int inward;
} round_facets;

/** Adds a facet with its corners in order about the outward normal; a triangle ends with
 * SCREE_NONE. */
static void add(round_facets *r, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t out[4] = {a, b, c, d}, in[4] = {c, b, a, SCREE_NONE}, quad[4] = {d, c, b, a};
    memcpy(r->facet + 4 * (size_t)r->n_facets++,
           !r->inward        ? out
           : d == SCREE_NONE ? in
                             : quad,
           sizeof out);
}

static void add_mantle(round_facets *r, const double radius[2])
{
    for (uint32_t k = 0; k < r->n; k++) {
        const uint32_t l = k + 1 < r->n ? k + 1 : 0;
        if (radius[0] == 0.0)
            add(r, k, r->n + l, r->n + k, SCREE_NONE);
        else if (radius[1] == 0.0)
            add(r, k, l, r->n + k, SCREE_NONE);
        else
            add(r, k, l, r->n + l, r->n + k);
    }
}

/** Adds the end whose vertices begin at `first`, seen from above. */
static void add_end(round_facets *r, uint32_t first, int top)
{
    for (uint32_t k = 0; 2 * k + 2 < r->n; k++) {
        const uint32_t a = first + k, b = a + 1, d = first + r->n - 1 - k, c = d - 1;
        if (b == c)
            add(r, top ? a : d, b, top ? d : a, SCREE_NONE);
        else if (top)
            add(r, a, b, c, d);
        else
            add(r, d, c, b, a);
    }
}

/** Reads `open`; bits 1 and 2: bottom and top. */
static uint32_t read_open(const round_wall *w, mesh_lines *problems)
{
    uint32_t open = 0;
    for (uint64_t i = 0; i < w->open.n; i++) {
        const int bottom = strcmp(w->open.v[i], "bottom") == 0,
                  top = strcmp(w->open.v[i], "top") == 0;
        open |= bottom ? 1u : top ? 2u : 0u;
        if (!bottom && !top)
            mesh_say(problems, "open = \"%s\" is not an end, which are bottom, top", w->open.v[i]);
    }
    return open;
}

/** Finds the number of sides: r (1 - cos(pi / n)) is at most the tolerance; 0 with a problem. */
static uint32_t find_sides(const round_wall *w, mesh_lines *problems)
{
    const double most = scree_max(w->radius[0], w->radius[1]);
    if (w->sides && !isnan(w->tolerance)) {
        mesh_say(problems, "sides is given as well as tolerance; expected one of the two");
        return 0;
    }
    if (w->sides && w->sides < 3) {
        mesh_say(problems, "sides: expected 3 or more, got %lld", (long long)w->sides);
        return 0;
    }
    if (isnan(w->tolerance))
        return w->sides ? (uint32_t)w->sides : ROUND_SIDES;
    const double share = w->tolerance / most;
    const double n = share < 0.5 ? ceil(3.14159265358979323846 / acos(1.0 - share)) : 3.0;
    if (n <= ROUND_MOST_SIDES)
        return n > 3.0 ? (uint32_t)n : 3;
    mesh_say(problems, "tolerance: %g m asks for %.0f sides, expected at most %d", w->tolerance, n,
             ROUND_MOST_SIDES);
    return 0;
}

/** Refuses facets that are too thin, and names the key that causes this. */
static void check_thin(const round_wall *w, uint32_t n, mesh_lines *problems)
{
    const double share = 2.0 * sin(3.14159265358979323846 / n); // length of a side over the radius
    const double large = scree_max(w->radius[0], w->radius[1]);
    const double most = share * large / ROUND_THINNEST, least = share * large * ROUND_THINNEST;
    if (w->length < least || w->length > most) {
        mesh_say(problems,
                 "length: expected %g <= value <= %g m, 1e-9 to 1e9 sides of %g m, got %g", least,
                 most, share * large, w->length);
        return;
    }
    for (int k = 0; k < 2; k++) {
        const double floor = scree_max(large, w->length / share) * ROUND_THINNEST;
        if (w->radius[k] > 0.0 && w->radius[k] < floor)
            mesh_say(problems,
                     "radii[%d]: expected 0, or %g <= value m, for facets with an area, got %g", k,
                     floor, w->radius[k]);
    }
}

static void set_vertices(const round_wall *w, round_facets *r)
{
    for (uint32_t k = 0; k < 2 * r->n; k++) {
        const uint32_t end = k / r->n;
        const double angle = (2.0 * (k % r->n) + 1.0) * 3.14159265358979323846 / r->n;
        r->xyz[3 * (size_t)k] = w->radius[end] * cos(angle);
        r->xyz[3 * (size_t)k + 1] = w->radius[end] * sin(angle);
        r->xyz[3 * (size_t)k + 2] = end ? 0.5 * w->length : -0.5 * w->length;
    }
}

int32_t round_create(const scree_host *host, const round_wall *w, void **instance)
{
    mesh_notes notes = {0};
    mesh_surface *surface = NULL;
    round_facets r = {.inward = w->facing == ROUND_INWARD};
    const uint32_t open = read_open(w, &notes.problems);
    r.n = find_sides(w, &notes.problems);
    if (w->radius[0] == 0.0 && w->radius[1] == 0.0)
        mesh_say(&notes.problems, "radii: expected one of them > 0, got (0, 0) m");
    if (notes.problems.n == 0)
        check_thin(w, r.n, &notes.problems);
    if (notes.problems.n == 0) {
        r.xyz = malloc(6 * (size_t)r.n * sizeof *r.xyz);
        r.facet = malloc(12 * (size_t)r.n * sizeof *r.facet);
    }
    if (r.xyz && r.facet) {
        set_vertices(w, &r);
        add_mantle(&r, w->radius);
        for (uint32_t end = 0; end < 2; end++)
            if (!(open >> end & 1u) && w->radius[end] > 0.0)
                add_end(&r, end * r.n, end == 1);
        surface =
            mesh_surface_new(3, 2 * (uint64_t)r.n, r.xyz, r.n_facets, r.facet, &notes.problems);
    }
    free(r.xyz);
    free(r.facet);
    return mesh_wall_new(host, surface, &notes, instance);
}
