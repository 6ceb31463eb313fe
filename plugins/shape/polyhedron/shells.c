// SPDX-License-Identifier: Apache-2.0
/*
 * Shells of a surface: one that holds the solid, and cavities in it.
 *
 * Sources  A. van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30, 1983, 125: solid angles.
 * Idea     A shell with a positive volume has its normals outward; a cavity has a negative one. The
 *          solid angles of the outer shell, seen from a vertex of a cavity, sum up to 4 pi where
 *          the cavity is inside, and those of other cavities to 0 if it is not in them.
 */
#include "polyhedron.h"

#define PI 3.14159265358979323846
enum { PLACE = 400 };

/** Sets shell[f] of each facet; returns the number of shells, 0: no memory. */
static uint32_t find_shells(const mesh_surface *s, uint32_t *shell)
{
    const uint32_t n = s->view.n_facets;
    uint32_t *queue = malloc(((size_t)n + 1) * sizeof *queue), found = 0;
    for (uint32_t i = 0; i < n; i++)
        shell[i] = SCREE_NONE;
    const uint32_t n_starts = queue ? n : 0;
    for (uint32_t i = 0; i < n_starts; i++) {
        uint32_t count = 1;
        if (shell[i] != SCREE_NONE)
            continue;
        queue[0] = i;
        shell[i] = found;
        for (uint32_t at = 0; at < count; at++)
            for (uint32_t e = 0; e < 3; e++) {
                const uint32_t g = s->neighbour[4 * (size_t)queue[at] + e];
                if (shell[g] != SCREE_NONE)
                    continue;
                shell[g] = found;
                queue[count++] = g;
            }
        found++;
    }
    free(queue);
    return found;
}

/** Corners of a facet from a point, and their triple product. */
static double corners_from(const mesh_surface *s, uint32_t facet, const double from[3],
                           double c[3][3])
{
    double triple = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            c[i][k] = s->vertex[k][s->facet[4 * (size_t)facet + i]] - from[k];
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        triple += c[0][k] * (c[1][l] * c[2][m] - c[1][m] * c[2][l]);
    }
    return triple;
}

static double angle_of(const mesh_surface *s, uint32_t facet, const double from[3])
{
    double c[3][3], length[3], between[3];
    const double triple = corners_from(s, facet, from, c);
    for (int i = 0; i < 3; i++) {
        const double *a = c[i], *b = c[(i + 1) % 3];
        length[i] = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        between[i] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
    return 2.0 * atan2(triple, length[0] * length[1] * length[2] + between[0] * length[2] +
                                   between[1] * length[0] + between[2] * length[1]);
}

/** Counts how often the other shells enclose the first vertex of facet f: once for a valid
 * cavity. */
static int count_around(const mesh_surface *s, const uint32_t *shell, uint32_t f)
{
    double from[3], angle = 0.0;
    for (int k = 0; k < 3; k++)
        from[k] = s->vertex[k][s->facet[4 * (size_t)f]];
    for (uint32_t i = 0; i < s->view.n_facets; i++)
        if (shell[i] != shell[f])
            angle += angle_of(s, i, from);
    return (int)lrint(angle / (4.0 * PI));
}

/** Measures volume and first facet of each shell. */
static void measure_shells(const mesh_surface *s, const uint32_t *shell, double *volume,
                           uint32_t *first)
{
    const double from[3] = {s->vertex[0][0], s->vertex[1][0], s->vertex[2][0]};
    double c[3][3];
    for (uint32_t i = s->view.n_facets; i-- > 0;) {
        volume[shell[i]] += corners_from(s, i, from, c) / 6.0;
        first[shell[i]] = i;
    }
}

static int judge(const mesh_soup *soup, const mesh_surface *s, uint32_t n, const uint32_t *shell,
                 const double *volume, const uint32_t *first, mesh_lines *problems)
{
    char one[PLACE], other[PLACE];
    uint32_t outer = SCREE_NONE;
    for (uint32_t i = 0; i < n; i++) {
        polyhedron_name_facet(soup, first[i], other, sizeof other);
        if (volume[i] > 0.0 && outer != SCREE_NONE) {
            polyhedron_name_facet(soup, first[outer], one, sizeof one);
            return mesh_say(problems,
                            "it has several pieces: %s and %s are of different ones, which are not "
                            "joined; expected one solid",
                            one, other);
        }
        outer = volume[i] > 0.0 ? i : outer;
    }
    if (outer == SCREE_NONE)
        return mesh_say(problems,
                        "it is inside out: it encloses %g m^3 because the normals of its facets "
                        "point inward; their corners go counterclockwise as seen from outside",
                        volume[0]);
    for (uint32_t i = 0; i < n; i++) {
        if (i == outer || count_around(s, shell, first[i]) == 1)
            continue;
        polyhedron_name_facet(soup, first[i], other, sizeof other);
        return mesh_say(problems,
                        "%s is of a piece whose normals point inward, as those of a cavity do, but "
                        "it is not inside the solid",
                        other);
    }
    return 1;
}

int polyhedron_check_shells(const mesh_soup *soup, const mesh_surface *s, mesh_lines *problems)
{
    uint32_t *shell = malloc(((size_t)s->view.n_facets + 1) * sizeof *shell), *first = NULL;
    double *volume = NULL;
    int code = -1;
    const uint32_t n = shell ? find_shells(s, shell) : 0;
    if (n) {
        volume = calloc(n, sizeof *volume);
        first = malloc(n * sizeof *first);
    }
    if (volume && first) {
        measure_shells(s, shell, volume, first);
        code = judge(soup, s, n, shell, volume, first, problems);
    }
    free(shell);
    free(volume);
    free(first);
    return code;
}
