// SPDX-License-Identifier: Apache-2.0
/*
 * cell: a convex polyhedron, cut by planes.
 *
 * Sources  [1] M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping, Computers & Graphics 3,
 *              1978, 23: inside is what is behind all planes.
 *          [2] B. Mirtich, Fast and accurate computation of polyhedral mass properties, Journal of Graphics Tools
 *              1, 1996, 31: volume and centroid as sums over the faces.
 * Idea     each vertex is on one side of the plane or the other, decided once. Loops of faces lose
 *          their part above the plane; where a side crosses the plane, both faces get the same new
 *          vertex. The opening becomes the new face: its sides are the cut sides of the other
 *          faces, reversed. The cell is closed whatever the rounding, so that its volume and the
 *          vector areas of its faces fit each other.
 * Steps    heights; loops; new face. Then sums over triangles of the faces.
 * Cost     corners + the square of the sides that are cut, per plane that cuts.
 * Limits   a face that lies in the plane by less than the rounding of its corners may fall into more than one
 *          loop; each is closed.
 */
#include "cell.h"

uint64_t cyrus_cutter_bytes(uint64_t n_faces)
{
    // By Euler 2 F - 4 vertices and 6 F - 12 corners; and the sides of one more cut while it is
    // made.
    const uint64_t vertices = 4 * n_faces, corners = 12 * n_faces;
    return 2 * (vertices * sizeof(scree_vec) + (2 * n_faces + 1 + corners) * sizeof(uint32_t)) +
           vertices * (sizeof(double) + 5 * sizeof(uint32_t)) + 64;
}

static void *take(char **at, uint64_t bytes)
{
    void *out = *at;
    *at += (bytes + 7) / 8 * 8;
    return out;
}

static void lay_out(cyrus_cutter *c, uint64_t n_faces, void *room)
{
    char *at = room;
    cyrus_cell *cells[2] = {&c->now, &c->next};
    c->most_faces = (uint32_t)n_faces;
    c->most_vertices = 4 * c->most_faces;
    c->most_corners = 12 * c->most_faces;
    for (int k = 0; k < 2; k++)
        cells[k]->x = take(&at, c->most_vertices * sizeof(scree_vec));
    c->height = take(&at, c->most_vertices * sizeof(double));
    for (int k = 0; k < 2; k++) {
        cells[k]->first = take(&at, (n_faces + 1) * sizeof(uint32_t));
        cells[k]->corner = take(&at, c->most_corners * sizeof(uint32_t));
        cells[k]->plane = take(&at, n_faces * sizeof(uint32_t));
    }
    c->moved = take(&at, c->most_vertices * sizeof(uint32_t));
    c->link = take(&at, c->most_vertices * sizeof(uint32_t));
    c->edge = take(&at, c->most_vertices * sizeof *c->edge);
}

void cyrus_cutter_start(cyrus_cutter *c, const cyrus_polyhedron *p, double *const x[3],
                        uint64_t n_faces, void *room)
{
    lay_out(c, n_faces, room);
    c->now.n_vertices = p->n_vertices;
    c->now.n_faces = p->n_faces;
    c->now.n_corners = p->n_corners;
    for (uint32_t v = 0; v < p->n_vertices; v++)
        c->now.x[v] = scree_vec_of(x[0][v], x[1][v], x[2][v]);
    memcpy(c->now.first, p->first, (p->n_faces + 1) * sizeof(uint32_t));
    memcpy(c->now.corner, p->corner, p->n_corners * sizeof(uint32_t));
    c->n_own = c->n_planes = p->n_faces;
    for (uint32_t f = 0; f < p->n_faces; f++)
        c->now.plane[f] = f;
}

void cyrus_cutter_copy(cyrus_cutter *c, const cyrus_cell *from, uint64_t n_faces, void *room)
{
    lay_out(c, n_faces, room);
    c->now.n_vertices = from->n_vertices;
    c->now.n_faces = c->n_planes = from->n_faces;
    c->n_own = SCREE_NONE; // no face counts as cut: nobody asks for their area
    c->now.n_corners = from->n_corners;
    memcpy(c->now.x, from->x, from->n_vertices * sizeof *from->x);
    memcpy(c->now.first, from->first, (from->n_faces + 1) * sizeof(uint32_t));
    memcpy(c->now.corner, from->corner, from->n_corners * sizeof(uint32_t));
    for (uint32_t f = 0; f < from->n_faces; f++)
        c->now.plane[f] = f;
}

/* ---- cut ---- */

/* The vertex of the next cell where side v w crosses the plane; `in` is the end below it. */
static uint32_t crossing(cyrus_cutter *c, uint32_t in, uint32_t out)
{
    for (uint32_t e = 0; e < c->n_edges; e++)
        if (c->edge[e][0] == in && c->edge[e][1] == out)
            return c->edge[e][2];
    const double below = scree_min(c->height[in], 0.0), above = c->height[out];
    const uint32_t v = c->next.n_vertices++;
    c->next.x[v] = scree_less(c->now.x[in], below / (above - below),
                              scree_less(c->now.x[out], 1.0, c->now.x[in]));
    uint32_t *e = c->edge[c->n_edges++];
    e[0] = in;
    e[1] = out;
    e[2] = v;
    return v;
}

static void put_corner(cyrus_cell *to, uint32_t v)
{
    to->corner[to->n_corners++] = v;
}

/* Cuts away the part of face f above the plane. Between the points where f leaves and re-enters it
 * gets a side; reversed, this is a side of the new face. */
static void cut_face(cyrus_cutter *c, uint32_t f, double closed)
{
    const uint32_t from = c->now.first[f], to = c->now.first[f + 1], start = c->next.n_corners;
    uint32_t left = SCREE_NONE, entered = SCREE_NONE;
    for (uint32_t k = from; k < to; k++) {
        const uint32_t v = c->now.corner[k], w = c->now.corner[k + 1 < to ? k + 1 : from];
        const int in = c->height[v] <= closed, stays = c->height[w] <= closed;
        if (in)
            put_corner(&c->next, c->moved[v]);
        if (in == stays)
            continue;
        const uint32_t x = in ? crossing(c, v, w) : crossing(c, w, v);
        put_corner(&c->next, x);
        if (in)
            left = x;
        else if (left == SCREE_NONE)
            entered = x; // the side that leads here begins where the loop leaves last
        else
            c->link[x] = left;
    }
    if (entered != SCREE_NONE)
        c->link[entered] = left;
    if (c->next.n_corners == start)
        return;
    c->next.plane[c->next.n_faces] = c->now.plane[f];
    c->next.first[++c->next.n_faces] = c->next.n_corners;
}

/* Closes the new face, a loop of links; only rounding makes more than one loop. */
static void close_cell(cyrus_cutter *c, uint32_t first_new)
{
    cyrus_cell *to = &c->next;
    for (uint32_t v = first_new; v < to->n_vertices; v++) {
        if (c->link[v] == SCREE_NONE || to->n_faces == c->most_faces)
            continue;
        for (uint32_t at = v; c->link[at] != SCREE_NONE;) {
            const uint32_t onward = c->link[at];
            put_corner(to, at);
            c->link[at] = SCREE_NONE;
            at = onward;
        }
        to->plane[to->n_faces] = c->n_planes - 1;
        to->first[++to->n_faces] = to->n_corners;
    }
}

/* Computes the heights over the plane; returns the number of vertices above. */
static uint32_t count_above(cyrus_cutter *c, scree_vec normal, double offset, double closed)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < c->now.n_vertices; v++) {
        c->height[v] = scree_dot(normal, c->now.x[v]) - offset;
        n += c->height[v] > closed;
    }
    return n;
}

int cyrus_cutter_cut(cyrus_cutter *c, scree_vec normal, double offset, double closed)
{
    const uint32_t above = count_above(c, normal, offset, closed);
    c->n_planes++;
    if (above == 0)
        return 1;
    if (above == c->now.n_vertices)
        return 0;
    c->n_edges = c->next.n_vertices = c->next.n_faces = c->next.n_corners = 0;
    c->next.first[0] = 0;
    for (uint32_t v = 0; v < c->now.n_vertices; v++)
        if (c->height[v] <= closed) {
            c->moved[v] = c->next.n_vertices;
            c->next.x[c->next.n_vertices++] = c->now.x[v];
        }
    const uint32_t first_new = c->next.n_vertices;
    for (uint32_t f = 0; f < c->now.n_faces; f++)
        cut_face(c, f, closed);
    close_cell(c, first_new);
    const cyrus_cell keep = c->now;
    c->now = c->next;
    c->next = keep;
    return 1;
}

/* ---- integrals ---- */

static scree_vec mean_of(const cyrus_cell *of)
{
    scree_vec sum = {0.0, 0.0, 0.0};
    for (uint32_t v = 0; v < of->n_vertices; v++)
        sum = scree_sum(sum, of->x[v]);
    return scree_scaled(1.0 / of->n_vertices, sum);
}

/* A triangle of a face, from the reference point. */
static void add_triangle(cyrus_content *sum, scree_vec a, scree_vec b, scree_vec c, int cut)
{
    const scree_vec twice = scree_cross(scree_less(b, 1.0, a), scree_less(c, 1.0, a));
    const double six = scree_dot(a, twice); // volume of the tetrahedron up to the point
    const scree_vec thrice = scree_sum(a, scree_sum(b, c));
    sum->volume += six / 6.0;
    sum->centroid = scree_less(sum->centroid, -six / 24.0, thrice);
    if (!cut)
        return;
    sum->area = scree_less(sum->area, -0.5, twice);
    sum->moment = scree_less(sum->moment, -1.0 / 6.0, scree_cross(thrice, twice));
}

cyrus_content cyrus_cutter_measure(const cyrus_cutter *c)
{
    const cyrus_cell *of = &c->now;
    cyrus_content out = {.from = mean_of(of)};
    for (uint32_t f = 0; f < of->n_faces; f++) {
        const uint32_t *corner = of->corner + of->first[f];
        const uint32_t n = of->first[f + 1] - of->first[f];
        const scree_vec a = scree_less(of->x[corner[0]], 1.0, out.from);
        for (uint32_t k = 2; k < n; k++)
            add_triangle(&out, a, scree_less(of->x[corner[k - 1]], 1.0, out.from),
                         scree_less(of->x[corner[k]], 1.0, out.from), of->plane[f] >= c->n_own);
    }
    if (out.volume > 0.0)
        out.centroid = scree_scaled(1.0 / out.volume, out.centroid);
    return out;
}
