// SPDX-License-Identifier: Apache-2.0
/*
 * Convex hulls of points in space, by Qhull.
 *
 * Sources  C. B. Barber, D. P. Dobkin, H. Huhdanpaa, ACM Trans. Math. Software 22, 1996, 469.
 * Idea     Qhull merges facets that are coplanar except for rounding. The corners of each merged
 *          facet, in order, become triangles, whose common edges are flat then (mesh/surface.c).
 * Steps    1 points are moved to the middle of their box, so that a place far from the origin costs
 *            no digits
 *          2 their hull, as triangles
 *          3 points that make a triangle too thin for a normal, nearer than 1e-8 of its longest side to
 *            that side, are left out: from 2 again, until none is left
 *          4 if points are off a plane by about the rounding of Qhull, triangles of its faces may
 *            overlap: then again with a larger rounding, 1e-12 to 1e-8 of the size
 */
#include "polyhedron.h"

#include <libqhull_r/qhull_ra.h>

#define THIN 1e-8 /* height over the longest side */
#define LEAST_ROUNDING 1e-12
#define MOST_ROUNDING 1e-8

/** A hull, and the messages of Qhull. */
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

/** Reports the first line of Qhull's messages. */
static int say_why(hull_run *r, uint32_t n, mesh_lines *problems)
{
    fflush(r->out);
    const int end = r->text ? (int)strcspn(r->text, "\n") : 0;
    return mesh_say(problems, "the %u points have no convex hull with a volume (%.*s)", n,
                    end < 200 ? end : 200, r->text ? r->text : "");
}

/** Makes the hull of r->points. rounding [m]: that of distances, 0: Qhull's own. Returns 0 with a
 * problem; close_run() must follow in any case. */
static int run(hull_run *r, uint32_t n, double rounding, mesh_lines *problems)
{
    char own[64]; // Qhull changes it
    if (rounding > 0.0)
        snprintf(own, sizeof own, "qhull Pp E%.3e", rounding);
    else
        snprintf(own, sizeof own, "qhull Pp");
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

/** Adds the triangles of one facet; point i is vertex kept[i]. `corner`: room for all points. */
static int add_facet(hull_run *r, facetT *facet, const uint32_t *kept, uint32_t *corner,
                     mesh_soup *soup, mesh_lines *problems)
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
    for (uint32_t i = 0; i < n; i++)
        corner[i] = kept[corner[i]];
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

/** Middle of the box around all vertices; returns its longest side. */
static double find_middle(const mesh_soup *soup, double middle[3])
{
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (uint64_t i = 0; i < soup->n_vertices; i++) {
            lo = scree_min(soup->xyz[3 * i + k], lo);
            hi = scree_max(soup->xyz[3 * i + k], hi);
        }
        middle[k] = 0.5 * lo + 0.5 * hi;
        longest = scree_max(hi - lo, longest);
    }
    return longest;
}

/** Makes the hull of the kept vertices, as facets of the soup. */
static int find_hull(mesh_soup *soup, uint32_t n, const uint32_t *kept, const double middle[3],
                     double rounding, mesh_lines *problems)
{
    hull_run *r = calloc(1, sizeof *r);
    uint32_t *corner = malloc(((size_t)n + 1) * sizeof *corner);
    if (!r || !corner) {
        free(r);
        free(corner);
        return mesh_say(problems, "no memory for the hull of %u points", n);
    }
    r->points = malloc(3 * ((size_t)n + 1) * sizeof *r->points);
    const uint32_t count = r->points ? n : 0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            r->points[3 * (size_t)i + k] = soup->xyz[3 * (size_t)kept[i] + k] - middle[k];
    int good = run(r, n, rounding, problems);
    soup->n_facets = 0;
    if (good) {
        qhT *qh = &r->qh; // the macros of Qhull need this name
        facetT *facet;
        FORALLfacets
        {
            if (good)
                good = add_facet(r, facet, kept, corner, soup, problems);
        }
    }
    close_run(r);
    free(r);
    free(corner);
    return good;
}

/** Removes vertices that make triangles too thin from the list. Returns the number left. */
static uint32_t drop_thin(const mesh_soup *soup, uint32_t n, uint32_t *kept, uint8_t *dropped)
{
    uint32_t left = 0;
    for (uint64_t f = 0; f < soup->n_facets; f++) {
        const uint32_t v = polyhedron_find_thin(soup, f, THIN);
        const uint32_t *c = soup->corner + 4 * f;
        // Only one corner of a triangle is removed at a time, because the triangle may be good
        // without it.
        if (v != SCREE_NONE && !dropped[c[0]] && !dropped[c[1]] && !dropped[c[2]])
            dropped[v] = 1;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!dropped[kept[i]])
            kept[left++] = kept[i];
    return left;
}

/** Are the facets a closed surface that does not meet itself? */
static int is_clean(const mesh_soup *soup)
{
    mesh_lines problems = {0};
    uint32_t pair[1][2];
    uint64_t n = 1;
    mesh_surface *s =
        mesh_surface_new(3, soup->n_vertices, soup->xyz, soup->n_facets, soup->corner, &problems);
    const int clean = s && s->view.closed && polyhedron_find_crossings(s, 1, pair, &n) && n == 0;
    mesh_surface_free(s);
    mesh_lines_clear(&problems);
    return clean;
}

/** Tries the hull with this rounding. 0 with a problem. */
static int try_hull(mesh_soup *soup, const double middle[3], double rounding, mesh_lines *problems)
{
    uint32_t n = (uint32_t)soup->n_vertices, before = n + 1;
    uint32_t *kept = malloc(((size_t)n + 1) * sizeof *kept);
    uint8_t *dropped = calloc((size_t)n + 1, 1);
    int good = kept && dropped;
    if (!good)
        mesh_say(problems, "no memory for the hull of %u points", n);
    const uint32_t count = good ? n : 0;
    for (uint32_t i = 0; i < count; i++)
        kept[i] = i;
    while (good && n < before) {
        good = find_hull(soup, n, kept, middle, rounding, problems);
        before = n;
        n = good ? drop_thin(soup, n, kept, dropped) : n;
    }
    free(kept);
    free(dropped);
    return good;
}

int polyhedron_hull(mesh_soup *soup, mesh_lines *problems)
{
    double middle[3];
    const double size = find_middle(soup, middle);
    mesh_lines later = {0};
    int good = try_hull(soup, middle, 0.0, problems);
    int clean = good && is_clean(soup);
    for (double by = LEAST_ROUNDING; !clean && by < 1.1 * MOST_ROUNDING; by *= 10.0) {
        good = try_hull(soup, middle, by * size, &later);
        clean = good && is_clean(soup);
    }
    mesh_lines_clear(&later);
    if (good)
        mesh_lines_clear(problems);
    else if (problems->n == 0)
        mesh_say(problems, "the %llu points have no convex hull with a volume",
                 (unsigned long long)soup->n_vertices);
    return good && mesh_compact(soup, problems);
}

int polyhedron_mark_hull(uint32_t n, const double *const x[3], uint8_t *marked,
                         mesh_lines *problems)
{
    hull_run *r = calloc(1, sizeof *r);
    if (!r)
        return mesh_say(problems, "no memory for the hull of %u points", n);
    r->points = copy_points(n, x);
    const int good = run(r, n, 0.0, problems);
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
