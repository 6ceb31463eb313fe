/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for shapes: the facets of a mesh. */
#include "tools/check/check_mesh.h"

#include <math.h>

#include "tools/check/check_report.h"

/** The facet that is judged. */
typedef struct judged_facet {
    const scree_shape_bench *bench;
    const scree_mesh *mesh;
    uint32_t facet, corners;
    bool flat; // 2D
} judged_facet;

/** The vertices of an edge; in 2D one vertex, twice. */
static void find_ends(const scree_mesh *m, uint32_t facet, uint32_t edge, bool flat,
                      uint32_t ends[2])
{
    const uint32_t *f = m->facet + 4 * (size_t)facet;
    ends[0] = f[edge];
    ends[1] = flat ? f[edge] : f[(edge + 1) % scree_mesh_corners(m, facet)];
}

/** Whether `other` has `facet` as its neighbour across an edge with the same vertices; `flat`: 2D,
 * the same vertex. */
static bool knows_back(const scree_mesh *mesh, uint32_t facet, uint32_t edge, uint32_t other,
                       bool flat)
{
    uint32_t mine[2], its[2];
    find_ends(mesh, facet, edge, flat, mine);
    for (uint32_t e = 0, n = scree_mesh_corners(mesh, other); e < n; e++) {
        find_ends(mesh, other, e, flat, its);
        bool same =
            (its[0] == mine[0] && its[1] == mine[1]) || (its[0] == mine[1] && its[1] == mine[0]);
        if (same && mesh->neighbour[4 * (size_t)other + e] == facet)
            return true;
    }
    return false;
}

/** Fails the check. Always false. */
G_GNUC_PRINTF(2, 3)
static bool fail_facet(const judged_facet *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    scree_shape_bench_fail(j->bench, "mesh: facet %u %s", j->facet, text);
    return false;
}

/** The vector from vertex a to vertex b. */
static void side_of(const scree_mesh *m, uint32_t a, uint32_t b, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = m->vertex[k][b] - m->vertex[k][a];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot_of_edges(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** A length in 2D; in 3D an area with the same sign at each corner. */
static bool check_extent(const judged_facet *j)
{
    const uint32_t *f = j->mesh->facet + 4 * (size_t)j->facet, n = j->corners;
    double side[4][3], normal[3], turn[3];
    if (j->flat && n != 2)
        return fail_facet(j, "has %u vertices; expected 2 in 2D", n);
    for (uint32_t e = 0; e < n; e++)
        side_of(j->mesh, f[e], f[(e + 1) % n], side[e]);
    if (n == 2)
        return dot_of_edges(side[0], side[0]) > 0.0 || fail_facet(j, "has no length");
    cross(side[0], side[1], normal);
    if (!(dot_of_edges(normal, normal) > 0.0))
        return fail_facet(j, "has no area: its first three vertices are on a line");
    for (uint32_t e = 1; e < n; e++) {
        cross(side[e], side[(e + 1) % n], turn);
        if (!(dot_of_edges(turn, normal) > 0.0))
            return fail_facet(j, "is not convex, or its vertices are not in order");
    }
    return true;
}

static bool check_neighbours(const judged_facet *j)
{
    const scree_mesh *m = j->mesh;
    for (uint32_t e = 0; e < j->corners; e++) {
        const size_t at = 4 * (size_t)j->facet + e;
        const uint32_t other = m->neighbour[at];
        if (other == SCREE_NONE && m->closed)
            return fail_facet(j, "has no neighbour at its edge %u, and the mesh is closed", e);
        if ((other == SCREE_NONE) != (m->edge[at] == SCREE_EDGE_OPEN))
            return fail_facet(j,
                              "has %s neighbour at its edge %u, which is of kind %u; expected %s",
                              other == SCREE_NONE ? "no" : "a", e, m->edge[at],
                              other == SCREE_NONE ? "0 (open)" : "1 to 3");
        if (other == j->facet)
            return fail_facet(j, "names itself as the neighbour at its edge %u", e);
        if (other != SCREE_NONE && !knows_back(m, j->facet, e, other, j->flat))
            return fail_facet(
                j,
                "names %u as the neighbour at its edge %u, which does not name it at an "
                "edge of the same vertices",
                other, e);
    }
    return true;
}

void scree_shape_check_mesh(const scree_shape_bench *b)
{
    const scree_mesh *m = b->mesh;
    bool good = m->closed <= 1;
    if (!good)
        scree_shape_bench_fail(b, "mesh: closed: expected 0 or 1, got %u", m->closed);
    for (uint32_t i = 0; i < 2 * m->n_facets && good; i++) {
        const uint32_t f = i % m->n_facets;
        const judged_facet j = {b, m, f, scree_mesh_corners(m, f), b->dimension == 2};
        good = i < m->n_facets ? check_extent(&j) : check_neighbours(&j);
    }
}
