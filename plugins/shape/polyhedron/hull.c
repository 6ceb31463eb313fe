// SPDX-License-Identifier: Apache-2.0
/*
 * Convex hulls of points in space, by Qhull.
 *
 * Sources  C. B. Barber, D. P. Dobkin, H. Huhdanpaa, ACM Trans. Math. Software 22, 1996, 469.
 * Idea     Qhull merges facets that are coplanar but for rounding; the corners of each one in order
 *          become triangles, whose common edges are then flat (mesh/surface.c).
 */
#include "polyhedron.h"

#include <libqhull_r/qhull_ra.h>

/** A hull, and what Qhull had to say. */
typedef struct hull_run {
    qhT qh;
    double *points; // [3 n]
    FILE *out;
    char *text;
    size_t length;
} hull_run;

static void close_run(hull_run *r)
{
    int held, blocks;
    qh_freeqhull(&r->qh, !qh_ALL);
    qh_memfreeshort(&r->qh, &held, &blocks);
    if (r->out)
        fclose(r->out);
    free(r->text);
    free(r->points);
}

/** The first line of what Qhull wrote. */
static int say_why(hull_run *r, uint32_t n, mesh_lines *problems)
{
    fflush(r->out);
    const int end = r->text ? (int)strcspn(r->text, "\n") : 0;
    return mesh_say(problems, "the %u points have no convex hull with a volume (%.*s)", n,
                    end < 200 ? end : 200, r->text ? r->text : "");
}

/** 0 with a problem; close_run() in any case. */
static int run(hull_run *r, uint32_t n, mesh_lines *problems)
{
    static char command[] = "qhull Pp"; // Qhull takes it as its own to change
    char own[sizeof command];
    memcpy(own, command, sizeof own);
    r->out = open_memstream(&r->text, &r->length);
    qh_zero(&r->qh, r->out);
    if (!r->out || !r->points)
        return mesh_say(problems, "no memory for the hull of %u points", n);
    if (n < 4)
        return mesh_say(problems, "a convex hull with a volume needs 4 points or more, got %u", n);
    return qh_new_qhull(&r->qh, 3, (int)n, r->points, False, own, NULL, r->out) == 0 ||
           say_why(r, n, problems);
}

/** Twice the area of a closed chain of corners, about the normal. */
static double area_about(const double *points, uint32_t n, const uint32_t *corner,
                         const double normal[3])
{
    double twice = 0.0;
    const double *a = points + 3 * (size_t)corner[0];
    for (uint32_t i = 1; i + 1 < n; i++) {
        const double *b = points + 3 * (size_t)corner[i], *c = points + 3 * (size_t)corner[i + 1];
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            twice += normal[k] * ((b[l] - a[l]) * (c[m] - a[m]) - (b[m] - a[m]) * (c[l] - a[l]));
        }
    }
    return twice;
}

/** Adds the triangles of one facet. `corner`: room for all vertices. */
static int add_facet(hull_run *r, facetT *facet, uint32_t *corner, mesh_soup *soup,
                     mesh_lines *problems)
{
    vertexT *vertex, **vertexp;
    uint32_t n = 0;
    setT *vertices = qh_facet3vertex(&r->qh, facet);
    FOREACHvertex_(vertices) corner[n++] = (uint32_t)qh_pointid(&r->qh, vertex->point);
    qh_settempfree(&r->qh, &vertices);
    if (area_about(r->points, n, corner, facet->normal) < 0.0)
        for (uint32_t i = 0; i < n / 2; i++) {
            const uint32_t t = corner[i];
            corner[i] = corner[n - 1 - i];
            corner[n - 1 - i] = t;
        }
    return polyhedron_add_face(soup, n, corner, facet->normal, problems);
}

static double *copy_points(uint32_t n, const double *const x[3])
{
    double *points = malloc(3 * ((size_t)n + 1) * sizeof *points);
    const uint32_t count = points ? n : 0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            points[3 * (size_t)i + k] = x[k][i];
    return points;
}

int polyhedron_hull(mesh_soup *soup, mesh_lines *problems)
{
    const uint32_t n = (uint32_t)soup->n_vertices;
    hull_run *r = calloc(1, sizeof *r);
    uint32_t *corner = malloc(((size_t)n + 1) * sizeof *corner);
    if (!r || !corner) {
        free(r);
        free(corner);
        return mesh_say(problems, "no memory for the hull of %u points", n);
    }
    r->points = malloc(3 * ((size_t)n + 1) * sizeof *r->points);
    if (r->points && n)
        memcpy(r->points, soup->xyz, 3 * (size_t)n * sizeof *r->points);
    int good = run(r, n, problems);
    soup->n_facets = 0;
    if (good) {
        qhT *qh = &r->qh; // as the macro of Qhull has it
        facetT *facet;
        FORALLfacets
        {
            if (good)
                good = add_facet(r, facet, corner, soup, problems);
        }
    }
    close_run(r);
    free(r);
    free(corner);
    return good && mesh_compact(soup, problems);
}

int polyhedron_mark_hull(uint32_t n, const double *const x[3], uint8_t *marked,
                         mesh_lines *problems)
{
    hull_run *r = calloc(1, sizeof *r);
    if (!r)
        return mesh_say(problems, "no memory for the hull of %u points", n);
    r->points = copy_points(n, x);
    const int good = run(r, n, problems);
    if (good) {
        qhT *qh = &r->qh;
        vertexT *vertex;
        FORALLvertices
        {
            marked[qh_pointid(&r->qh, vertex->point)] = 1;
        }
    }
    close_run(r);
    free(r);
    return good;
}
