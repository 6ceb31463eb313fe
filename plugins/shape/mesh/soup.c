// SPDX-License-Identifier: Apache-2.0
/*
 * Facets from a file: room for vertices and facets, welding of vertices.
 *
 * Welding: vertices are taken in the order of the file; each becomes the lowest-numbered kept
 * vertex within the tolerance, or is kept itself. So chains of near vertices do not collapse, and
 * the result depends only on the file. Kept vertices are in lists of a hashed grid whose cells are
 * eight tolerances wide: most vertices need only one cell.
 */
#include "mesh.h"

#define CELLS_PER_TOLERANCE 8.0

void mesh_soup_clear(mesh_soup *m)
{
    free(m->xyz);
    free(m->corner);
    free(m->line);
    free(m->number);
}

int mesh_reserve(mesh_soup *m, uint64_t n_vertices, uint64_t n_facets, mesh_lines *problems)
{
    if (n_facets > MESH_MOST_FACETS - m->n_facets ||
        n_vertices > 3 * MESH_MOST_FACETS - m->n_vertices)
        return mesh_say(problems, "%s: more than %llu facets, or three times as many vertices",
                        m->file, (unsigned long long)MESH_MOST_FACETS);
    uint64_t vertices = m->n_vertices + n_vertices, facets = m->n_facets + n_facets;
    if (scree_grow(&m->xyz, &m->room_xyz, vertices, 3 * sizeof *m->xyz) &&
        scree_grow(&m->corner, &m->room_corner, facets, 4 * sizeof *m->corner) &&
        scree_grow(&m->line, &m->room_line, facets, sizeof *m->line) &&
        scree_grow(&m->number, &m->room_number, facets, sizeof *m->number))
        return 1;
    return mesh_say(problems, "%s: no memory for %llu vertices and %llu facets", m->file,
                    (unsigned long long)vertices, (unsigned long long)facets);
}

void mesh_add_vertex(mesh_soup *m, const double x[3])
{
    memcpy(m->xyz + 3 * m->n_vertices++, x, 3 * sizeof *x);
}

void mesh_add_facet(mesh_soup *m, uint32_t n_corners, const uint32_t *corner, uint64_t line)
{
    uint32_t *to = m->corner + 4 * m->n_facets;
    for (uint32_t k = 0; k < 4; k++)
        to[k] = k < n_corners ? corner[k] : SCREE_NONE;
    m->line[m->n_facets] = (uint32_t)(line < UINT32_MAX ? line : UINT32_MAX);
    m->number[m->n_facets] = m->n_facets;
    m->n_facets++;
}

void mesh_place(const mesh_soup *m, uint64_t facet, char *text, size_t size)
{
    unsigned long long number = m->number[facet];
    if (m->text)
        snprintf(text, size, "%s:%u: facet %llu", m->file, m->line[facet], number);
    else
        snprintf(text, size, "%s: facet %llu", m->file, number);
}

double mesh_diagonal(const mesh_soup *m)
{
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint64_t i = 0; i < m->n_vertices; i++)
        for (int k = 0; k < 3; k++) {
            lo[k] = fmin(lo[k], m->xyz[3 * i + k]);
            hi[k] = fmax(hi[k], m->xyz[3 * i + k]);
        }
    return m->n_vertices ? hypot(hypot(hi[0] - lo[0], hi[1] - lo[1]), hi[2] - lo[2]) : 0.0;
}

/** The kept vertices by cell. */
typedef struct weld_grid {
    double cell; // [m] side; 0: each place is its own cell
    uint32_t n_slots;
    uint32_t *first; // [n_slots] first kept vertex; SCREE_NONE: none
    uint32_t *next;  // [n_vertices]
} weld_grid;

static uint64_t mix(uint64_t h, double x)
{
    uint64_t bits;
    x += 0.0; // -0 becomes 0
    memcpy(&bits, &x, sizeof bits);
    h = (h ^ bits) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint32_t find_slot(const weld_grid *g, const double at[3])
{
    return (uint32_t)(mix(mix(mix(1, at[0]), at[1]), at[2]) >> 20) & (g->n_slots - 1);
}

static double cell_of(const weld_grid *g, double x)
{
    return g->cell > 0.0 ? floor(x / g->cell) : x;
}

/** The lowest kept vertex of one cell that is near enough, or `best`. */
static uint32_t search_cell(const weld_grid *g, const double *xyz, const double at[3],
                            const double x[3], double tolerance, uint32_t best)
{
    for (uint32_t v = g->first[find_slot(g, at)]; v != SCREE_NONE; v = g->next[v]) {
        const double *y = xyz + 3 * (size_t)v;
        double d = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
        if (d <= tolerance && v < best)
            best = v;
    }
    return best;
}

/** Finds the lowest kept vertex near x; SCREE_NONE: none. Searches each cell that the ball around x
 * reaches. */
static uint32_t find_kept(const weld_grid *g, const double *xyz, const double x[3],
                          double tolerance)
{
    double lo[3], hi[3], at[3];
    uint32_t best = SCREE_NONE;
    for (int k = 0; k < 3; k++) {
        lo[k] = cell_of(g, x[k] - tolerance);
        hi[k] = cell_of(g, x[k] + tolerance);
    }
    for (int corner = 0; corner < 8; corner++) {
        int again = 0; // both ends are in one cell
        for (int k = 0; k < 3; k++) {
            at[k] = corner >> k & 1 ? hi[k] : lo[k];
            again |= (corner >> k & 1) && hi[k] == lo[k];
        }
        if (!again)
            best = search_cell(g, xyz, at, x, tolerance, best);
    }
    return best;
}

/** into[i] is the kept vertex that replaces i. 0: no memory. */
static int find_equal(const mesh_soup *m, double tolerance, uint32_t *into, uint32_t *next)
{
    weld_grid g = {.cell = CELLS_PER_TOLERANCE * tolerance, .n_slots = 64, .next = next};
    while (g.n_slots < m->n_vertices)
        g.n_slots *= 2;
    g.first = malloc((size_t)g.n_slots * sizeof *g.first);
    if (!g.first)
        return 0;
    for (uint32_t s = 0; s < g.n_slots; s++)
        g.first[s] = SCREE_NONE;
    for (uint32_t i = 0; i < m->n_vertices; i++) {
        const double *x = m->xyz + 3 * (size_t)i;
        into[i] = find_kept(&g, m->xyz, x, tolerance);
        if (into[i] != SCREE_NONE)
            continue;
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = cell_of(&g, x[k]);
        uint32_t slot = find_slot(&g, at);
        into[i] = i;
        g.next[i] = g.first[slot];
        g.first[slot] = i;
    }
    free(g.first);
    return 1;
}

/** Replaces corners by `into` (NULL: no change). Unused vertices are dropped, the others keep their
 * order. place[n_vertices] is room. */
static void compact(mesh_soup *m, const uint32_t *into, uint32_t *place)
{
    uint32_t kept = 0;
    if (into)
        for (uint64_t c = 0; c < 4 * m->n_facets; c++)
            if (m->corner[c] != SCREE_NONE)
                m->corner[c] = into[m->corner[c]];
    for (uint64_t i = 0; i < m->n_vertices; i++)
        place[i] = SCREE_NONE;
    for (uint64_t c = 0; c < 4 * m->n_facets; c++)
        if (m->corner[c] != SCREE_NONE)
            place[m->corner[c]] = 0;
    for (uint64_t i = 0; i < m->n_vertices; i++) {
        if (place[i] == SCREE_NONE)
            continue;
        memmove(m->xyz + 3 * (size_t)kept, m->xyz + 3 * i, 3 * sizeof *m->xyz);
        place[i] = kept++;
    }
    for (uint64_t c = 0; c < 4 * m->n_facets; c++)
        if (m->corner[c] != SCREE_NONE)
            m->corner[c] = place[m->corner[c]];
    m->n_vertices = kept;
}

int mesh_compact(mesh_soup *m, mesh_lines *problems)
{
    uint32_t *place = malloc((m->n_vertices + 1) * sizeof *place);
    if (!place)
        return mesh_say(problems, "%s: no memory", m->file);
    compact(m, NULL, place);
    free(place);
    return 1;
}

/** A quad with two neighbouring corners in one vertex is a triangle. */
static void collapse_quad(uint32_t *f)
{
    for (uint32_t k = 0; f[3] != SCREE_NONE && k < 4; k++) {
        if (f[k] != f[(k + 1) % 4])
            continue;
        for (uint32_t j = k; j < 3; j++)
            f[j] = f[j + 1];
        f[3] = SCREE_NONE;
    }
}

static void triangle_normal(const mesh_soup *m, uint32_t a, uint32_t b, uint32_t c, double n[3])
{
    const double *x = m->xyz + 3 * (size_t)a, *y = m->xyz + 3 * (size_t)b,
                 *z = m->xyz + 3 * (size_t)c;
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = y[k] - x[k];
        v[k] = z[k] - x[k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Is the quad convex in each corner, with all corners in one plane to 5e-7 of its longest side
 * (half of the limit for a shape)? */
static int quad_is_flat(const mesh_soup *m, const uint32_t *f)
{
    double n[3], turn[3], longest = 0.0;
    triangle_normal(m, f[0], f[1], f[2], n);
    double length = sqrt(dot(n, n));
    const double *o = m->xyz + 3 * (size_t)f[0];
    double off = 0.0;
    for (uint32_t k = 0; k < 4; k++) {
        const double *x = m->xyz + 3 * (size_t)f[k], *y = m->xyz + 3 * (size_t)f[(k + 1) % 4];
        double d[3] = {x[0] - o[0], x[1] - o[1], x[2] - o[2]};
        longest = fmax(longest, hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]));
        off = fmax(off, fabs(dot(d, n)));
        triangle_normal(m, f[k], f[(k + 1) % 4], f[(k + 2) % 4], turn);
        if (!(dot(turn, n) > 1e-9 * length * sqrt(dot(turn, turn))))
            return 0;
    }
    return length > 0.0 && off <= 5e-7 * longest * length;
}

/** Splits quad `f` along the diagonal whose two triangles face the same way, the shorter one when
 * both do. */
static void split_quad(const mesh_soup *m, const uint32_t *f, uint32_t one[4], uint32_t other[4])
{
    double score[2], diagonal[2];
    for (uint32_t s = 0; s < 2; s++) {
        double a[3], b[3];
        const double *x = m->xyz + 3 * (size_t)f[s], *y = m->xyz + 3 * (size_t)f[s + 2];
        triangle_normal(m, f[s], f[s + 1], f[s + 2], a);
        triangle_normal(m, f[s], f[s + 2], f[(s + 3) % 4], b);
        score[s] = dot(a, b);
        diagonal[s] = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
    }
    int both = score[0] > 0.0 && score[1] > 0.0;
    uint32_t s = both ? diagonal[1] < diagonal[0] : score[1] > score[0];
    const uint32_t first[4] = {f[s], f[s + 1], f[s + 2], SCREE_NONE};
    const uint32_t second[4] = {f[s], f[s + 2], f[(s + 3) % 4], SCREE_NONE};
    memcpy(one, first, sizeof first);
    memcpy(other, second, sizeof second);
}

/** Splits a quad that is not flat; its second half goes to the end of the list. */
static int settle_quads(mesh_soup *m, mesh_lines *problems)
{
    uint64_t n = m->n_facets, n_split = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t *f = m->corner + 4 * i;
        collapse_quad(f);
        n_split += f[3] != SCREE_NONE && !quad_is_flat(m, f);
    }
    if (n_split == 0)
        return 1;
    if (!mesh_reserve(m, 0, n_split, problems))
        return 0;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t *f = m->corner + 4 * i, one[4], other[4];
        if (f[3] == SCREE_NONE || quad_is_flat(m, f))
            continue;
        split_quad(m, f, one, other);
        memcpy(f, one, sizeof one);
        mesh_add_facet(m, 3, other, m->line[i]);
        m->number[m->n_facets - 1] = m->number[i];
    }
    return 1;
}

int mesh_weld(mesh_soup *m, double tolerance, mesh_lines *problems)
{
    uint32_t *into = malloc((m->n_vertices + 1) * sizeof *into);
    uint32_t *next = malloc((m->n_vertices + 1) * sizeof *next);
    double largest = 0.0;
    for (uint64_t i = 0; i < 3 * m->n_vertices; i++)
        largest = fmax(largest, fabs(m->xyz[i]));
    if (tolerance < 1e-15 * largest) // below the last bit: only equal vertices merge
        tolerance = 0.0;
    int ok = into && next && find_equal(m, tolerance, into, next);
    if (ok) {
        compact(m, into, next);
        ok = settle_quads(m, problems);
    } else {
        mesh_say(problems, "%s: no memory to weld %llu vertices", m->file,
                 (unsigned long long)m->n_vertices);
    }
    free(into);
    free(next);
    return ok;
}
