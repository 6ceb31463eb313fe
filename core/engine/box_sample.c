/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares boxes of some bodies at each refresh with the surface of their shape: a box that is too
 * small loses contacts, and nothing else would show it.
 *
 * At refresh r, the bodies are those whose number plus r is divisible by 64, or by the number of
 * bodies with boxes from a plugin, if that is smaller; the first refresh adds the first body of
 * each shape in a row. Points: the farthest ones along both directions of the world's axes; for a
 * shape without a support function some vertices, others each time; for a wall the corners of a
 * facet, which its own box must hold.
 */
#include "engine/box_sample.h"

#include <inttypes.h>
#include <math.h>

#include "base/random.h"
#include "base/rotation.h"
#include "plugin/call.h"
#include "shape/plugin_shape.h"

#define HELD_SLACK 1e-9 /* [-] relative to the body's radius: rounding by the plugin */
enum { EVERY = 64 };

static bool is_sampled(const scree_sim *sim, uint32_t body)
{
    const scree_world *w = sim->world;
    const uint32_t first = sim->boxes.first_turning;
    if (body < first || !scree_shape_instance(w->shapes[w->shape[body]]) ||
        w->shapes[w->shape[body]]->flags & (SCREE_CAP_ROUND | SCREE_CAP_BALLS))
        return false;
    const uint64_t refresh = sim->counters.gcd_calls;
    return (body - first + refresh) % MIN(EVERY, scree_world_first_plane(w) - first) == 0 ||
           (refresh == 0 && (body == first || w->shape[body] != w->shape[body - 1]));
}

/** Asks for the shape's farthest points along the world's axes, in the shape's frame. */
static bool ask_farthest(scree_box_sample *s, const scree_world *w, const double q[4],
                         const scree_shape *shape, const scree_support *support, GError **error)
{
    double direction[3][SCREE_BOX_POINTS], found[3][SCREE_BOX_POINTS];
    s->n = 2 * w->dimension;
    for (uint32_t p = 0; p < s->n; p++) {
        double axis[3] = {0.0, 0.0, 0.0};
        axis[p / 2] = p % 2 ? -1.0 : 1.0;
        scree_rotate_back(q, axis, axis);
        for (int k = 0; k < 3; k++)
            direction[k][p] = axis[k];
    }
    const double *const to[3] = {direction[0], direction[1], direction[2]};
    double *const out[3] = {found[0], found[1], found[2]};
    if (!scree_shape_ask_farthest(shape, support, s->n, to, out, error))
        return false;
    for (uint32_t p = 0; p < s->n; p++)
        for (int k = 0; k < 3; k++)
            s->point[p][k] = found[k][p];
    return true;
}

/** Draws vertices of the shape's outline or mesh, in its frame. */
static void draw_vertices(scree_box_sample *s, const scree_sim *sim, const scree_shape *shape)
{
    enum { STREAM = 0x626f7865 }; // "boxe"
    const scree_outline *outline = scree_shape_find_view(shape, SCREE_VIEW_OUTLINE, 0.0);
    const scree_mesh *mesh = outline ? NULL : shape->mesh;
    const uint32_t n = outline ? outline->n : mesh ? mesh->n_vertices : 0;
    const uint64_t refresh = sim->counters.gcd_calls;
    if (n == 0)
        return;
    if (mesh && scree_shape_is_wall(shape))
        s->facet = (uint32_t)(scree_random_bits(0, STREAM, 0, refresh) % mesh->n_facets);
    for (uint32_t p = 0; p < SCREE_BOX_POINTS; p++) {
        uint32_t vertex = (uint32_t)(scree_random_bits(0, STREAM, p, refresh) % n);
        if (s->facet != SCREE_NONE)
            vertex = p < 4 ? mesh->facet[4 * (size_t)s->facet + p] : SCREE_NONE;
        if (vertex == SCREE_NONE)
            break;
        for (int k = 0; k < 3; k++)
            s->point[p][k] = mesh    ? mesh->vertex[k][vertex]
                             : k < 2 ? outline->vertex[k][vertex]
                                     : 0.0;
        s->n++;
    }
}

/** Finds points of a body's surface, in the world. */
static bool find_points(scree_box_sample *s, const scree_sim *sim, uint32_t body, GError **error)
{
    const scree_world *w = sim->world;
    const scree_shape *shape = w->shapes[w->shape[body]];
    const double q[4] = {w->q[0][body], w->q[1][body], w->q[2][body], w->q[3][body]};
    const scree_support *support = scree_shape_find_view(shape, SCREE_VIEW_SUPPORT, 0.0);
    *s = (scree_box_sample){.facet = SCREE_NONE};
    for (int k = 0; k < 3; k++) {
        s->lo[k] = HUGE_VAL;
        s->hi[k] = -HUGE_VAL;
    }
    if (!support)
        draw_vertices(s, sim, shape);
    else if (!ask_farthest(s, w, q, shape, support, error))
        return false;
    for (uint32_t p = 0; p < s->n; p++) {
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = w->scale[body] * s->point[p][k];
        scree_rotate(q, at, at);
        for (int k = 0; k < 3; k++)
            s->point[p][k] = w->x[k][body] + at[k];
    }
    return true;
}

static double slack_of(const scree_world *w, uint32_t body, int axis)
{
    return HELD_SLACK * w->radius[body] + 1e-14 * fabs(w->x[axis][body]);
}

static bool holds(const scree_world *w, uint32_t body, const scree_tight *t, const double x[3])
{
    double square = 0.0, reach = t->radius;
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        const double d = x[k] - t->centre[k], slack = slack_of(w, body, k);
        inside = inside && x[k] >= t->lo[k] - slack && x[k] <= t->hi[k] + slack;
        square += d * d;
        reach += slack;
    }
    return inside && square <= reach * reach;
}

/** Blames the shape for the first point outside of all parts. */
static bool blame_boxes(const scree_box_sample *s, const scree_world *w, uint32_t body,
                        GError **error)
{
    uint32_t p = 0;
    while (s->held >> p & 1)
        p++;
    const double *x = s->point[p];
    g_autoptr(GString) what = g_string_new(NULL);
    for (int k = 0; k < 3 && !what->len; k++)
        if (x[k] < s->lo[k] - slack_of(w, body, k) || x[k] > s->hi[k] + slack_of(w, body, k))
            g_string_printf(what, "along axis %d, where its box is from %.9g to %.9g m", k,
                            s->lo[k], s->hi[k]);
    return scree_call_blame(
        scree_shape_instance(w->shapes[w->shape[body]]), "boxes", SCREE_EXIT_PLUGIN, error,
        "the point (%.9g, %.9g, %.9g) m of the surface of body %" PRIu64
        " is in no box and ball of a part%s%s",
        x[0], x[1], x[2], w->id[body], what->len ? ": it is outside " : "", what->str);
}

bool scree_box_sample_take(scree_box_sample *s, const scree_sim *sim, uint32_t body, uint32_t part,
                           const scree_tight *t, GError **error)
{
    const scree_world *w = sim->world;
    if (part == 0) {
        s->n = 0;
        if (is_sampled(sim, body) && !find_points(s, sim, body, error))
            return false;
    }
    if (!s->n)
        return true;
    if (s->facet == SCREE_NONE || s->facet == part) {
        for (uint32_t p = 0; p < s->n; p++)
            s->held |= (uint32_t)(!(s->held >> p & 1) && holds(w, body, t, s->point[p])) << p;
        for (int k = 0; k < 3; k++) {
            s->lo[k] = fmin(s->lo[k], t->lo[k]);
            s->hi[k] = fmax(s->hi[k], t->hi[k]);
        }
    }
    return part + 1 < scree_parts_of(w, body) || s->held == (1u << s->n) - 1 ||
           blame_boxes(s, w, body, error);
}
