// SPDX-License-Identifier: Apache-2.0
// Outlines of shapes, prepared for the searches of `closest_feature`.
#include "outline.h"

/* [m] How far vertex v is off the line from u to w. */
static double sagitta(point u, point v, point w)
{
    point line = from_to(u, w);
    double length = sqrt(dot2(line, line));
    return length > 0.0 ? fabs(cross2(line, from_to(u, v))) / length
                        : sqrt(dot2(from_to(u, v), from_to(u, v)));
}

static point view_vertex(const scree_outline *view, uint32_t k)
{
    return (point){view->vertex[0][k], view->vertex[1][k]};
}

/* Selects the vertices that count, in ascending order; returns their number, at least 3. */
static uint32_t select_vertices(const scree_outline *view, double radius, uint32_t *kept)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < view->n; k++)
        kept[n++] = k;
    for (int again = 1; again && n > 3;) {
        again = 0;
        for (uint32_t k = 0; k < n && n > 3; k++) {
            point u = view_vertex(view, kept[(k + n - 1) % n]), v = view_vertex(view, kept[k]);
            point w = view_vertex(view, kept[(k + 1) % n]);
            if (sagitta(u, v, w) > STRAIGHT * radius)
                continue;
            memmove(kept + k, kept + k + 1, (n - k - 1) * sizeof *kept);
            n--;
            k--;
            again = 1;
        }
    }
    return n;
}

static double view_radius(const scree_outline *view)
{
    double square = 0.0;
    for (uint32_t k = 0; k < view->n; k++)
        square = fmax(square, dot2(view_vertex(view, k), view_vertex(view, k)));
    return sqrt(square);
}

static int all_left(const point *v, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (orient(v[k], v[(k + 1) % n], v[(k + 2) % n]) <= 0)
            return 0;
    return 1;
}

outline outline_new(const scree_outline *view)
{
    outline o = {.radius = view_radius(view)};
    o.vertex = malloc(view->n * sizeof *o.vertex);
    o.normal = malloc(view->n * sizeof *o.normal);
    o.named = malloc(view->n * sizeof *o.named);
    if (!o.vertex || !o.normal || !o.named) {
        outline_clear(&o);
        return o;
    }
    o.n = select_vertices(view, o.radius, o.named);
    for (uint32_t k = 0; k < o.n; k++)
        o.vertex[k] = view_vertex(view, o.named[k]);
    for (uint32_t k = 0; k < o.n; k++) {
        point v = o.vertex[k], w = o.vertex[(k + 1) % o.n], e = from_to(v, w);
        double length = sqrt(dot2(e, e));
        o.normal[k] = point_of(e.y / length, -e.x / length);
        o.area += 0.5 * cross2(from_to(o.vertex[0], v), from_to(o.vertex[0], w));
    }
    o.convex = all_left(o.vertex, o.n);
    return o;
}

scree_outline *outline_of_mesh(const scree_mesh *mesh)
{
    const uint32_t n = mesh->n_facets;
    scree_outline *view = calloc(1, sizeof *view + 2 * (size_t)n * sizeof(double));
    uint32_t f = 0, count = 0;
    if (!view || !mesh->closed || n < 3) {
        free(view);
        return NULL;
    }
    double *x = (double *)(void *)(view + 1);
    // The solid is to the left of a facet, its normal to the right; the border continues at its
    // second end.
    do {
        const uint32_t v = mesh->facet[4 * (size_t)f];
        x[count] = mesh->vertex[0][v];
        x[n + count] = mesh->vertex[1][v];
        count++;
        f = mesh->neighbour[4 * (size_t)f + 1];
    } while (f < n && f != 0 && count < n);
    if (f != 0 || count != n) {
        free(view);
        return NULL;
    }
    *view = (scree_outline){.size = sizeof *view, .n = n, .vertex = {x, x + n}};
    return view;
}

int outline_is_convex(const scree_outline *view)
{
    outline o = outline_new(view);
    int convex = o.convex;
    outline_clear(&o);
    return convex;
}

void outline_clear(outline *o)
{
    free(o->vertex);
    free(o->normal);
    free(o->named);
    for (uint32_t k = 0; k < o->n_parts; k++)
        outline_clear(&o->parts[k]);
    free(o->parts);
    memset(o, 0, sizeof *o);
}

uint64_t outline_bytes(const outline *o)
{
    uint64_t sum = (uint64_t)o->n * (sizeof *o->vertex + sizeof *o->normal + sizeof *o->named);
    for (uint32_t k = 0; k < o->n_parts; k++)
        sum += sizeof *o->parts + outline_bytes(&o->parts[k]);
    return sum;
}

placed outline_place(const outline *o, const scree_bodies *bodies, uint32_t i, point at, int second)
{
    const double w = bodies->q[0][i], z = bodies->q[3][i], scale = bodies->scale[i];
    placed p = {.of = o, .at = at, .scale = scale, .second = second};
    p.cos = 1.0 - 2.0 * z * z;
    p.sin = 2.0 * w * z;
    p.c = scale * p.cos;
    p.s = scale * p.sin;
    return p;
}

int convex_holds(const placed *p, point r)
{
    const point first = vertex_at(p, 0);
    uint32_t low = 1, high = p->of->n - 1;
    if (side_of_points(first, vertex_at(p, low), r, p->second) < 0 ||
        side_of_points(first, vertex_at(p, high), r, p->second) > 0)
        return 0;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (side_of_points(first, vertex_at(p, middle), r, p->second) > 0)
            low = middle;
        else
            high = middle;
    }
    return side_of(p, low, high, r) > 0;
}

int outline_holds(const placed *p, point r)
{
    const uint32_t n = p->of->n;
    point tail = vertex_at(p, n - 1);
    int inside = 0, was = p->second ? tail.y >= r.y : tail.y > r.y; // as if b were a little higher
    for (uint32_t k = 0; k < n; k++) {
        point head = vertex_at(p, k);
        int is = p->second ? head.y >= r.y : head.y > r.y;
        if (is != was)
            inside ^= side_of_points(tail, head, r, p->second) == (is ? 1 : -1);
        was = is;
        tail = head;
    }
    return inside;
}
