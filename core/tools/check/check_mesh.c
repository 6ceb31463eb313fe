/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for shapes: the facets of a mesh. */
#include "tools/check/check_mesh.h"

#include <math.h>

#include "tools/check/check_report.h"
#include "tools/check/check_vectors.h"

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
        return scree_check_dot(side[0], side[0]) > 0.0 || fail_facet(j, "has no length");
    scree_check_cross(side[0], side[1], normal);
    if (!(scree_check_dot(normal, normal) > 0.0))
        return fail_facet(j, "has no area: its first three vertices are on a line");
    for (uint32_t e = 1; e < n; e++) {
        scree_check_cross(side[e], side[(e + 1) % n], turn);
        if (!(scree_check_dot(turn, normal) > 0.0))
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
        if (m->edge[at] > SCREE_EDGE_CONCAVE)
            return fail_facet(j, "has an edge %u of the unknown kind %u", e, m->edge[at]);
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

/** Unit direction in which a facet leaves its edge e; in 2D its vertex e. */
static void find_inward(const judged_facet *j, uint32_t facet, uint32_t e, double u[3])
{
    const scree_mesh *m = j->mesh;
    const uint32_t *f = m->facet + 4 * (size_t)facet, n = scree_mesh_corners(m, facet);
    double away[3];
    side_of(m, f[e], f[(e + n - 1) % n], u); // to the corner before the edge
    if (!j->flat) {
        side_of(m, f[e], f[(e + 1) % n], away);
        const double share = scree_check_dot(u, away) / scree_check_dot(away, away);
        for (int k = 0; k < 3; k++)
            u[k] -= share * away[k];
    }
    const double length = sqrt(scree_check_dot(u, u));
    for (int k = 0; k < 3; k++)
        u[k] /= length;
}

static void find_normal(const judged_facet *j, double normal[3])
{
    const uint32_t *f = j->mesh->facet + 4 * (size_t)j->facet;
    double side[2][3];
    side_of(j->mesh, f[0], f[1], side[0]);
    if (j->flat) {
        normal[0] = side[0][1];
        normal[1] = -side[0][0];
        normal[2] = 0.0;
    } else {
        side_of(j->mesh, f[0], f[2], side[1]);
        scree_check_cross(side[0], side[1], normal);
    }
    const double length = sqrt(scree_check_dot(normal, normal));
    for (int k = 0; k < 3; k++)
        normal[k] /= length;
}

/** The edge of `other` with the same vertices as edge `edge` of the facet. */
static uint32_t find_same_edge(const judged_facet *j, uint32_t edge, uint32_t other)
{
    uint32_t mine[2], its[2], e = 0;
    find_ends(j->mesh, j->facet, edge, j->flat, mine);
    for (uint32_t n = scree_mesh_corners(j->mesh, other); e < n; e++) {
        find_ends(j->mesh, other, e, j->flat, its);
        if ((its[0] == mine[0] && its[1] == mine[1]) || (its[0] == mine[1] && its[1] == mine[0]))
            break;
    }
    return e;
}

/** The neighbour across a concave edge rises above the plane of the facet, that across a convex one drops below it. A
 * smaller bend than BENT may be of any kind. */
static bool check_kinds(const judged_facet *j)
{
    static const double BENT = 1e-3; // [-] sine of the angle between the planes
    static const char *const names[] = {"open", "flat", "convex", "concave"};
    const scree_mesh *m = j->mesh;
    double normal[3], inward[3];
    find_normal(j, normal);
    for (uint32_t e = 0; e < j->corners; e++) {
        const size_t at = 4 * (size_t)j->facet + e;
        const uint32_t other = m->neighbour[at];
        if (other == SCREE_NONE)
            continue;
        find_inward(j, other, find_same_edge(j, e, other), inward);
        const double rise = scree_check_dot(inward, normal);
        const uint8_t kind = rise > 0.0 ? SCREE_EDGE_CONCAVE : SCREE_EDGE_CONVEX;
        if (fabs(rise) > BENT && m->edge[at] != kind)
            return fail_facet(j,
                              "calls its edge %u %s, but the neighbour %s its plane by %g of its "
                              "width: the edge is %s",
                              e, names[m->edge[at]], rise > 0.0 ? "rises above" : "drops below",
                              fabs(rise), names[kind]);
    }
    return true;
}

void scree_shape_check_mesh(const scree_shape_bench *b)
{
    // Each one relies on what those before it have found in all facets.
    static bool (*const judges[])(const judged_facet *) = {check_extent, check_neighbours,
                                                           check_kinds};
    const scree_mesh *m = b->mesh;
    bool good = m->closed <= 1;
    if (!good)
        scree_shape_bench_fail(b, "mesh: closed: expected 0 or 1, got %u", m->closed);
    for (uint64_t i = 0; i < G_N_ELEMENTS(judges) * (uint64_t)m->n_facets && good; i++) {
        const uint32_t f = (uint32_t)(i % m->n_facets);
        const judged_facet j = {b, m, f, scree_mesh_corners(m, f), b->dimension == 2};
        good = judges[i / m->n_facets](&j);
    }
}
