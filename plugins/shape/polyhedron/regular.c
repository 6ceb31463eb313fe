// SPDX-License-Identifier: Apache-2.0
/*
 * Named solids: the five regular ones and the cuboid.
 *
 * Idea     The faces of a regular solid look toward the vertices of its dual: a face has the
 *          vertices that are farthest in such a direction, in order around it.
 */
#include "polyhedron.h"

enum { MOST = 20 };

/** Points of a solid, in any size. */
typedef struct point_list {
    uint32_t n;
    double x[MOST][3];
} point_list;

static void add(point_list *l, double x, double y, double z)
{
    const double p[3] = {x, y, z};
    memcpy(l->x[l->n++], p, sizeof p);
}

/** Adds (0, +-a, +-b) and its cyclic permutations. */
static void add_signs(point_list *l, double a, double b)
{
    for (int s = 0; s < 4; s++) {
        const double u = s & 1 ? -a : a, v = s & 2 ? -b : b;
        add(l, 0.0, u, v);
        add(l, u, v, 0.0);
        add(l, v, 0.0, u);
    }
}

static void add_cube(point_list *l)
{
    for (int c = 0; c < 8; c++)
        add(l, c & 1 ? 1.0 : -1.0, c & 2 ? 1.0 : -1.0, c & 4 ? 1.0 : -1.0);
}

static void add_octahedron(point_list *l)
{
    for (int s = 0; s < 6; s++)
        add(l, s / 2 == 0 ? 1.0 - 2.0 * (s % 2) : 0.0, s / 2 == 1 ? 1.0 - 2.0 * (s % 2) : 0.0,
            s / 2 == 2 ? 1.0 - 2.0 * (s % 2) : 0.0);
}

static void add_tetrahedron(point_list *l, double sign)
{
    add(l, sign, sign, sign);
    add(l, sign, -sign, -sign);
    add(l, -sign, sign, -sign);
    add(l, -sign, -sign, sign);
}

/** Sets the vertices, those of the dual, and returns the length of an edge. */
static double set_solid(int32_t solid, point_list *v, point_list *dual)
{
    const double golden = 0.5 * (1.0 + sqrt(5.0));
    if (solid == POLYHEDRON_TETRAHEDRON) {
        add_tetrahedron(v, 1.0);
        add_tetrahedron(dual, -1.0);
        return 2.0 * sqrt(2.0);
    }
    if (solid == POLYHEDRON_OCTAHEDRON) {
        add_octahedron(v);
        add_cube(dual);
        return sqrt(2.0);
    }
    if (solid == POLYHEDRON_ICOSAHEDRON) {
        add_signs(v, 1.0, golden);
        add_cube(dual);
        add_signs(dual, golden, golden - 1.0);
        return 2.0;
    }
    add_cube(v);
    if (solid != POLYHEDRON_DODECAHEDRON) {
        add_octahedron(dual);
        return 2.0;
    }
    add_signs(v, golden - 1.0, golden);
    add_signs(dual, golden, 1.0);
    return 2.0 * (golden - 1.0);
}

static double along(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Does the path from a over b to c turn left about the direction n? */
static int turns_left(const double a[3], const double b[3], const double c[3], const double n[3])
{
    double turn = 0.0;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        turn += n[k] * ((b[l] - a[l]) * (c[m] - b[m]) - (b[m] - a[m]) * (c[l] - b[l]));
    }
    return turn > 0.0;
}

/** Finds the corners of the face toward n, in order around it. Returns their number. */
static uint32_t find_face(const point_list *v, const double n[3], uint32_t corner[MOST])
{
    uint32_t members[MOST], count = 0, n_corners = 0, at;
    double most = 0.0;
    for (uint32_t i = 0; i < v->n; i++)
        most = scree_max(most, along(v->x[i], n));
    for (uint32_t i = 0; i < v->n; i++)
        if (along(v->x[i], n) > most * (1.0 - 1e-6))
            members[count++] = i;
    at = members[0];
    do { // the next corner has all others to its left
        uint32_t next = SCREE_NONE;
        corner[n_corners++] = at;
        for (uint32_t i = 0; i < count; i++)
            if (members[i] != at &&
                (next == SCREE_NONE || turns_left(v->x[at], v->x[members[i]], v->x[next], n)))
                next = members[i];
        at = next;
    } while (at != members[0]);
    return n_corners;
}

int polyhedron_regular(int32_t solid, const double half[3], mesh_soup *soup, double *radius,
                       mesh_lines *problems)
{
    point_list v = {0}, dual = {0};
    const double edge = set_solid(solid, &v, &dual);
    const int is_cuboid = solid == POLYHEDRON_CUBOID;
    int good = 1;
    if (!mesh_reserve(soup, v.n, 0, problems))
        return 0;
    for (uint32_t i = 0; i < v.n; i++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = v.x[i][k] * (is_cuboid ? half[k] : 1.0 / edge);
        mesh_add_vertex(soup, x);
        *radius = sqrt(along(x, x));
    }
    for (uint32_t f = 0; f < dual.n && good; f++) {
        uint32_t corner[MOST];
        const double length = sqrt(along(dual.x[f], dual.x[f]));
        const double normal[3] = {dual.x[f][0] / length, dual.x[f][1] / length,
                                  dual.x[f][2] / length};
        const uint32_t n = find_face(&v, dual.x[f], corner);
        good = polyhedron_add_face(soup, n, corner, normal, problems);
    }
    return good;
}
