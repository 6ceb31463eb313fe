/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts of a state found again only from positions, by other formulas than the plugins'. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "brute.h"

/*
 * Independent of the run: no boxes, no extents, no candidates, no neighbour tables. Facets: the
 * closest point of a triangle by its barycentric regions, a quad as two triangles, a segment by
 * clamping. A facet's closest point counts when the surface has a local minimum of the distance
 * there: when no facet of the body that holds the point has a nearer one. Points that coincide
 * count once.
 */
typedef double vec[3];

static void place_vertex(const scree_world *w, uint32_t b, const scree_shape *s, uint32_t v,
                         vec out)
{
    double q[4], x[3], m[3][3];
    for (int k = 0; k < 4; k++)
        q[k] = w->q[k][b];
    for (int k = 0; k < 3; k++)
        x[k] = s->mesh->vertex[k][v] * w->scale[b];
    // rotation matrix of a unit quaternion
    m[0][0] = 1 - 2 * (q[2] * q[2] + q[3] * q[3]);
    m[1][1] = 1 - 2 * (q[1] * q[1] + q[3] * q[3]);
    m[2][2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
    m[0][1] = 2 * (q[1] * q[2] - q[0] * q[3]);
    m[1][0] = 2 * (q[1] * q[2] + q[0] * q[3]);
    m[0][2] = 2 * (q[1] * q[3] + q[0] * q[2]);
    m[2][0] = 2 * (q[1] * q[3] - q[0] * q[2]);
    m[1][2] = 2 * (q[2] * q[3] - q[0] * q[1]);
    m[2][1] = 2 * (q[2] * q[3] + q[0] * q[1]);
    for (int k = 0; k < 3; k++)
        out[k] = w->x[k][b] + m[k][0] * x[0] + m[k][1] * x[1] + m[k][2] * x[2];
}

static double clamped(double t)
{
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

static double distance(const vec a, const vec b)
{
    vec d = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return hypot(hypot(d[0], d[1]), d[2]);
}

static void on_segment(const vec p, const vec a, const vec b, vec out)
{
    vec ab = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, ap = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
    double t = clamped(dot(ap, ab) / dot(ab, ab));
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + t * ab[k];
}

/** Inside by areas against the normal: the foot; else the best of the three sides. */
static void on_triangle(const vec p, const vec *v, vec out)
{
    vec e = {v[1][0] - v[0][0], v[1][1] - v[0][1], v[1][2] - v[0][2]};
    vec f = {v[2][0] - v[0][0], v[2][1] - v[0][1], v[2][2] - v[0][2]};
    vec d = {p[0] - v[0][0], p[1] - v[0][1], p[2] - v[0][2]}, n, c;
    cross(e, f, n);
    double n2 = dot(n, n);
    cross(e, d, c);
    double t = dot(c, n) / n2;
    cross(d, f, c);
    double s = dot(c, n) / n2;
    if (s >= 0.0 && t >= 0.0 && s + t <= 1.0) {
        for (int k = 0; k < 3; k++)
            out[k] = v[0][k] + s * e[k] + t * f[k];
        return;
    }
    double best = HUGE_VAL;
    for (int side = 0; side < 3; side++) {
        vec at;
        on_segment(p, v[side], v[(side + 1) % 3], at);
        if (distance(p, at) < best) {
            best = distance(p, at);
            memcpy(out, at, sizeof at);
        }
    }
}

/** Closest point of facet f (placed) to p. */
static double on_facet(const vec *corners, uint32_t n, const vec p, vec out)
{
    if (n == 2) {
        on_segment(p, corners[0], corners[1], out);
    } else {
        on_triangle(p, corners, out);
        if (n == 4) {
            vec second[3], at;
            memcpy(second[0], corners[0], sizeof(vec));
            memcpy(second[1], corners[2], sizeof(vec));
            memcpy(second[2], corners[3], sizeof(vec));
            on_triangle(p, (const vec *)second, at);
            if (distance(p, at) < distance(p, out))
                memcpy(out, at, sizeof at);
        }
    }
    return distance(p, out);
}

/** The facets of a body, placed. */
typedef struct placed_body {
    vec (*corners)[4];
    uint32_t *n, n_facets;
} placed_body;

static placed_body place_body(const scree_world *w, uint32_t b)
{
    const scree_shape *s = w->shapes[w->shape[b]];
    placed_body out = {.n_facets = s->mesh->n_facets};
    out.corners = g_malloc0((s->mesh->n_facets + 1) * sizeof *out.corners);
    out.n = g_new0(uint32_t, s->mesh->n_facets + 1);
    for (uint32_t f = 0; f < s->mesh->n_facets; f++)
        for (uint32_t k = 0; k < 4 && s->mesh->facet[4 * f + k] != SCREE_NONE; k++)
            place_vertex(w, b, s, s->mesh->facet[4 * f + k], out.corners[f][out.n[f]++]);
    return out;
}

static void touch_facets(const scree_world *w, uint32_t a, uint32_t b, const placed_body *body,
                         GArray *out)
{
    enum { MOST = 64 };
    uint32_t near[MOST], n_near = 0;
    vec p = {w->x[0][a], w->x[1][a], w->x[2][a]}, at[MOST];
    double reach[MOST], r = w->radius[a], same = 1e-9 * r;
    for (uint32_t f = 0; f < body->n_facets; f++) {
        vec point;
        double d = on_facet((const vec *)body->corners[f], body->n[f], p, point);
        if (d > r * (1.0 + 1e-6))
            continue;
        if (n_near == MOST)
            bail_out("more than %d facets meet body %u", MOST, a);
        near[n_near] = f;
        reach[n_near] = d;
        memcpy(at[n_near++], point, sizeof point);
    }
    for (uint32_t i = 0; i < n_near; i++) {
        bool lowest = true;
        for (uint32_t j = 0; j < n_near && lowest; j++) {
            vec ignored;
            double off =
                on_facet((const vec *)body->corners[near[j]], body->n[near[j]], at[i], ignored);
            bool holds = off < same, earlier = j < i && distance(at[i], at[j]) < same;
            lowest = !(holds && reach[j] < reach[i] - 1e-12 * r) && !earlier;
        }
        touch one = {a, b, {0}, r - reach[i]};
        if (lowest && one.depth >= 0.0)
            g_array_append_val(out, one);
    }
}

static void touch_plane(const scree_world *w, uint32_t a, uint32_t b, GArray *out)
{
    const double *n0 = w->shapes[w->shape[b]]->normal;
    double q[4] = {w->q[0][b], w->q[1][b], w->q[2][b], w->q[3][b]}, n[3], s = 2.0 * q[0];
    vec u = {q[1], q[2], q[3]}, c; // n = 2 (u·n0) u + (q0² - u·u) n0 + 2 q0 u × n0
    cross(u, n0, c);
    for (int k = 0; k < 3; k++)
        n[k] = 2.0 * dot(u, n0) * u[k] + (q[0] * q[0] - dot(u, u)) * n0[k] + s * c[k];
    double height = 0.0;
    for (int k = 0; k < 3; k++)
        height += n[k] * (w->x[k][a] - w->x[k][b]);
    touch one = {a, b, {0}, w->radius[a] - height};
    if (one.depth >= 0.0)
        g_array_append_val(out, one);
}

static bool is_ball(const scree_world *w, uint32_t i)
{
    return w->shapes[w->shape[i]]->flags & SCREE_CAP_ROUND;
}

static void touch_balls(const scree_world *w, uint32_t i, uint32_t j, const int32_t cells[3],
                        GArray *out)
{
    uint32_t a = w->id[i] <= w->id[j] ? i : j, b = a == i ? j : i;
    int sign = a == i ? 1 : -1;
    touch one = {.a = a, .b = b};
    vec from = {w->x[0][a], w->x[1][a], w->x[2][a]}, to;
    for (int k = 0; k < 3; k++) {
        one.cells[k] = sign * cells[k];
        to[k] = w->x[k][b] + one.cells[k] * w->cell.vector[k][k];
        if (fabs(to[k] - from[k]) > 1.001 * (w->radius[a] + w->radius[b]))
            return;
    }
    one.depth = w->radius[a] + w->radius[b] - distance(from, to);
    if (one.depth >= 0.0)
        g_array_append_val(out, one);
}

/** Each ball against each, images included; a body against its own image once. */
static void each_against_each(scree_world *w, GArray *out)
{
    int32_t c[3], lim[3];
    for (int k = 0; k < 3; k++)
        lim[k] = !scree_repeats(&w->cell, k)                           ? 0
                 : w->cell.vector[k][k] > 4.0 * scree_world_largest(w) ? 1
                                                                       : 2;
    for (uint32_t i = 0; i < w->n_free; i++)
        for (uint32_t j = i; j < w->n; j++)
            for (c[0] = -lim[0]; is_ball(w, j) && c[0] <= lim[0]; c[0]++)
                for (c[1] = -lim[1]; c[1] <= lim[1]; c[1]++)
                    for (c[2] = -lim[2]; c[2] <= lim[2]; c[2]++) {
                        bool ahead =
                            c[0] > 0 || (c[0] == 0 && (c[1] > 0 || (c[1] == 0 && c[2] > 0)));
                        if (i != j || ahead)
                            touch_balls(w, i, j, c, out);
                    }
}

static int compare_cells(const void *a, const void *b, void *user)
{
    const int64_t *code = user;
    int64_t ca = code[*(const uint32_t *)a], cb = code[*(const uint32_t *)b];
    return ca < cb ? -1 : ca > cb;
}

static int64_t cell_code(const scree_world *w, uint32_t i, double cell, int dx, int dy, int dz)
{
    int64_t x = (int64_t)floor(w->x[0][i] / cell) + dx, y = (int64_t)floor(w->x[1][i] / cell) + dy;
    return (x * 100003 + y) * 100003 + (int64_t)floor(w->x[2][i] / cell) + dz;
}

/** The same through cells that are larger than any ball: sorted codes, 27 look-ups by bisection. */
static void through_cells(const scree_world *w, double cell, GArray *out)
{
    static const int32_t none[3];
    uint32_t n = w->n_free, *order = g_new(uint32_t, n + 1);
    int64_t *code = g_new(int64_t, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
        code[i] = cell_code(w, i, cell, 0, 0, 0);
    }
    qsort_r(order, n, sizeof *order, compare_cells, code);
    for (uint32_t i = 0; i < n; i++)
        for (int s = 0; s < 27; s++) {
            int64_t want = cell_code(w, i, cell, s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1);
            uint32_t low = 0, high = n;
            while (low < high) {
                uint32_t middle = (low + high) / 2;
                if (code[order[middle]] < want)
                    low = middle + 1;
                else
                    high = middle;
            }
            for (; low < n && code[order[low]] == want; low++)
                if (order[low] > i)
                    touch_balls(w, i, order[low], none, out);
        }
    g_free(order);
    g_free(code);
}

GArray *brute_touches(const scree_sim *sim, double cell)
{
    const scree_world *w = sim->world;
    GArray *out = g_array_new(FALSE, FALSE, sizeof(touch));
    if (cell > 0.0)
        through_cells(w, cell, out);
    else
        each_against_each(sim->world, out);
    for (uint32_t b = w->n_free; b < w->n; b++) {
        uint32_t flags = w->shapes[w->shape[b]]->flags;
        placed_body body = {0};
        if (flags & SCREE_CAP_WALL)
            body = place_body(w, b);
        for (uint32_t a = 0; a < w->n_free; a++)
            if (flags & SCREE_CAP_INFINITE)
                touch_plane(w, a, b, out);
            else if (flags & SCREE_CAP_WALL)
                touch_facets(w, a, b, &body, out);
        g_free(body.corners);
        g_free(body.n);
    }
    return out;
}

double brute_warp(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    double warp = 0.0;
    for (uint32_t b = w->n_free; b < w->n; b++) {
        if (!(w->shapes[w->shape[b]]->flags & SCREE_CAP_WALL))
            continue;
        placed_body body = place_body(w, b);
        for (uint32_t f = 0; f < body.n_facets; f++) {
            vec e[3], n;
            if (body.n[f] == 4)
                for (int k = 0; k < 9; k++)
                    e[k / 3][k % 3] = body.corners[f][k / 3 + 1][k % 3] - body.corners[f][0][k % 3];
            if (body.n[f] != 4)
                continue;
            cross(e[0], e[1], n);
            warp = fmax(warp, fabs(dot(e[2], n)) / sqrt(dot(n, n)));
        }
        g_free(body.corners);
        g_free(body.n);
    }
    return warp;
}

GArray *run_touches(scree_sim *sim)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(touch));
    scree_contact_list list;
    contacts_of(sim, &list);
    for (uint64_t c = 0; c < list.n; c++) {
        touch one = {list.a[c],
                     list.b[c],
                     {list.image[0][c], list.image[1][c], list.image[2][c]},
                     list.depth[c]};
        if (one.a == one.b) { // a body and its own image: one of the two ways to say it
            const int32_t *s = one.cells;
            if (s[0] < 0 || (s[0] == 0 && (s[1] < 0 || (s[1] == 0 && s[2] < 0))))
                for (int k = 0; k < 3; k++)
                    one.cells[k] = -one.cells[k];
        }
        g_array_append_val(out, one);
    }
    return out;
}

static int compare_keys(const touch *a, const touch *b)
{
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    if (a->b != b->b)
        return a->b < b->b ? -1 : 1;
    return memcmp(a->cells, b->cells, sizeof a->cells);
}

static int compare(const void *pa, const void *pb)
{
    const touch *a = pa, *b = pb;
    int order = compare_keys(a, b);
    return order ? order : a->depth < b->depth ? -1 : a->depth > b->depth;
}

comparison compare_touches(const scree_sim *sim, GArray *run, GArray *brute, double slack)
{
    comparison out = {.n_run = run->len, .n_brute = brute->len};
    g_array_sort(run, compare);
    g_array_sort(brute, compare);
    guint i = 0, j = 0;
    while (i < run->len || j < brute->len) {
        const touch *a = i < run->len ? &g_array_index(run, touch, i) : NULL;
        const touch *b = j < brute->len ? &g_array_index(brute, touch, j) : NULL;
        int order = !a ? 1 : !b ? -1 : compare_keys(a, b);
        if (order == 0 && fabs(a->depth - b->depth) > 1e-6 * sim->world->radius[a->a])
            order = a->depth < b->depth ? -1 : 1; // two touches of one pair of which one is missing
        if (order == 0) {
            out.depth_error =
                fmax(out.depth_error, fabs(a->depth - b->depth) / sim->world->radius[a->a]);
            i++;
            j++;
        } else if (order < 0) {
            out.extra += a->depth > slack;
            i++;
        } else {
            out.missed += b->depth > slack;
            j++;
        }
    }
    return out;
}
