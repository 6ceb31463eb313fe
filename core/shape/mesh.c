// SPDX-License-Identifier: Apache-2.0
/*
 * Meshes: room for vertices and facets, and the welding of vertices.
 *
 * Welding: vertices are taken in the order of the file; each becomes the lowest-numbered kept
 * vertex within the tolerance, or is kept itself. So no chain of near vertices can creep together,
 * and the result depends only on the file. Kept vertices hang in the cells of a hashed grid whose
 * cells are eight tolerances wide: most vertices look into one cell.
 */
#include "shape/mesh.h"

#include <math.h>
#include <string.h>

#define CELLS_PER_TOLERANCE 8.0

scree_soup *scree_mesh_new(const char *file)
{
    scree_soup *mesh = g_new0(scree_soup, 1);
    mesh->file = g_strdup(file);
    return mesh;
}

void scree_mesh_free(scree_soup *mesh)
{
    if (!mesh)
        return;
    g_free(mesh->xyz);
    g_free(mesh->corner);
    g_free(mesh->line);
    g_free(mesh->number);
    g_free(mesh->file);
    g_free(mesh);
}

/** The array with room for n_per numbers an item; without memory as it was, and *ok is false. */
static void *widen(void *array, uint64_t room, size_t n_per, size_t size, bool *ok)
{
    void *wider = *ok ? g_try_realloc_n(array, (gsize)room * n_per, size) : NULL;
    *ok = wider != NULL;
    return wider ? wider : array;
}

static uint64_t next_room(uint64_t room, uint64_t wanted)
{
    return wanted <= room ? room : MAX(wanted, MAX(room + room / 2, 64));
}

bool scree_mesh_reserve(scree_soup *m, uint64_t n_vertices, uint64_t n_facets, GPtrArray *problems)
{
    if (n_facets > SCREE_MESH_MOST_FACETS - m->n_facets ||
        n_vertices > 3 * SCREE_MESH_MOST_FACETS - m->n_vertices) {
        g_ptr_array_add(problems, g_strdup_printf("%s: more than %" G_GUINT64_FORMAT
                                                  " facets, or three times as many vertices",
                                                  m->file, SCREE_MESH_MOST_FACETS));
        return false;
    }
    uint64_t vertices = next_room(m->room_vertices, m->n_vertices + n_vertices);
    uint64_t facets = next_room(m->room_facets, m->n_facets + n_facets);
    bool ok = true;
    if (vertices > m->room_vertices)
        m->xyz = widen(m->xyz, vertices, 3, sizeof *m->xyz, &ok);
    if (facets > m->room_facets) {
        m->corner = widen(m->corner, facets, 4, sizeof *m->corner, &ok);
        m->line = widen(m->line, facets, 1, sizeof *m->line, &ok);
        m->number = widen(m->number, facets, 1, sizeof *m->number, &ok);
    }
    if (!ok) {
        g_ptr_array_add(problems, g_strdup_printf("%s: no memory for %" G_GUINT64_FORMAT
                                                  " vertices and %" G_GUINT64_FORMAT " facets",
                                                  m->file, vertices, facets));
        return false;
    }
    m->room_vertices = vertices;
    m->room_facets = facets;
    return true;
}

void scree_mesh_add_vertex(scree_soup *m, const double x[3])
{
    memcpy(m->xyz + 3 * m->n_vertices++, x, 3 * sizeof *x);
}

void scree_mesh_add_facet(scree_soup *m, uint32_t n_corners, const uint32_t *corner, uint64_t line)
{
    uint32_t *to = m->corner + 4 * m->n_facets;
    for (uint32_t k = 0; k < 4; k++)
        to[k] = k < n_corners ? corner[k] : SCREE_NONE;
    m->line[m->n_facets] = (uint32_t)MIN(line, UINT32_MAX);
    m->number[m->n_facets] = m->n_facets;
    m->n_facets++;
}

char *scree_mesh_place(const scree_soup *m, uint64_t facet)
{
    if (m->text)
        return g_strdup_printf("%s:%u: facet %" G_GUINT64_FORMAT, m->file, m->line[facet],
                               m->number[facet]);
    return g_strdup_printf("%s: facet %" G_GUINT64_FORMAT, m->file, m->number[facet]);
}

double scree_mesh_diagonal(const scree_soup *m)
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
    double cell; // [m]; 0: cells are the very coordinates
    uint32_t n_slots;
    uint32_t *first; // [n_slots] kept vertex, SCREE_NONE: none
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

/** The lowest kept vertex near x, SCREE_NONE: none. Looks into each cell that the ball around x
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
        bool again = false; // both ends in one cell
        for (int k = 0; k < 3; k++) {
            at[k] = corner >> k & 1 ? hi[k] : lo[k];
            again |= (corner >> k & 1) && hi[k] == lo[k];
        }
        if (!again)
            best = search_cell(g, xyz, at, x, tolerance, best);
    }
    return best;
}

/** into[i] is the kept vertex that i becomes. */
static void find_equal(const scree_soup *m, double tolerance, uint32_t *into, uint32_t *next)
{
    weld_grid g = {.cell = CELLS_PER_TOLERANCE * tolerance, .n_slots = 64, .next = next};
    while (g.n_slots < m->n_vertices)
        g.n_slots *= 2;
    g.first = g_new(uint32_t, g.n_slots);
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
    g_free(g.first);
}

/** Corners become what `into` says (NULL: themselves). Vertices that none of them uses go, the
 * others keep their order. place[n_vertices] is room. */
static void compact(scree_soup *m, const uint32_t *into, uint32_t *place)
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

bool scree_mesh_compact(scree_soup *m, GPtrArray *problems)
{
    uint32_t *place = g_try_new(uint32_t, m->n_vertices + 1);
    if (place)
        compact(m, NULL, place);
    else
        g_ptr_array_add(problems, g_strdup_printf("%s: no memory", m->file));
    g_free(place);
    return place != NULL;
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

static void triangle_normal(const scree_soup *m, uint32_t a, uint32_t b, uint32_t c, double n[3])
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

/** Convex in each corner, and all four corners in one plane to 5e-7 of its longest side (half of
 * what a shape allows). */
static bool quad_is_flat(const scree_soup *m, const uint32_t *f)
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
            return false;
    }
    return length > 0.0 && off <= 5e-7 * longest * length;
}

/** Splits quad `f` along the diagonal whose two triangles face the same way, the shorter one when
 * both do. */
static void split_quad(const scree_soup *m, const uint32_t *f, uint32_t one[4], uint32_t other[4])
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
    bool both = score[0] > 0.0 && score[1] > 0.0;
    uint32_t s = both ? diagonal[1] < diagonal[0] : score[1] > score[0];
    const uint32_t first[4] = {f[s], f[s + 1], f[s + 2], SCREE_NONE};
    const uint32_t second[4] = {f[s], f[s + 2], f[(s + 3) % 4], SCREE_NONE};
    memcpy(one, first, sizeof first);
    memcpy(other, second, sizeof second);
}

/** Splits a quad that is not flat; its second half goes to the end of the list. */
static bool settle_quads(scree_soup *m, GPtrArray *problems)
{
    uint64_t n = m->n_facets, n_split = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t *f = m->corner + 4 * i;
        collapse_quad(f);
        n_split += f[3] != SCREE_NONE && !quad_is_flat(m, f);
    }
    if (n_split == 0)
        return true;
    if (!scree_mesh_reserve(m, 0, n_split, problems))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t *f = m->corner + 4 * i, one[4], other[4];
        if (f[3] == SCREE_NONE || quad_is_flat(m, f))
            continue;
        split_quad(m, f, one, other);
        memcpy(f, one, sizeof one);
        scree_mesh_add_facet(m, 3, other, m->line[i]);
        m->number[m->n_facets - 1] = m->number[i];
    }
    return true;
}

bool scree_mesh_weld(scree_soup *m, double tolerance, GPtrArray *problems)
{
    uint32_t *into = g_try_new(uint32_t, m->n_vertices + 1);
    uint32_t *next = g_try_new(uint32_t, m->n_vertices + 1);
    bool ok = into && next;
    double largest = 0.0;
    for (uint64_t i = 0; i < 3 * m->n_vertices; i++)
        largest = fmax(largest, fabs(m->xyz[i]));
    if (tolerance < 1e-15 * largest) // below the last bit: only equal numbers
        tolerance = 0.0;
    if (ok) {
        find_equal(m, tolerance, into, next);
        compact(m, into, next);
        ok = settle_quads(m, problems);
    } else {
        g_ptr_array_add(problems,
                        g_strdup_printf("%s: no memory to weld %" G_GUINT64_FORMAT " vertices",
                                        m->file, m->n_vertices));
    }
    g_free(into);
    g_free(next);
    return ok;
}
