/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for shapes: views of one shape against one another: the mesh is within its tolerance
 * of the implicit function's zeros and of the support function, an outline is the mesh in 2D. */
#include "tools/check/check_shape_views.h"

#include <math.h>
#include <string.h>

#include "plugin/kinds.h"
#include "shape/plugin_shape_check.h"
#include "tools/check/check_mesh.h"
#include "tools/check/check_shape_measure.h"
#include "tools/check/guard_pages.h"

enum { DIRECTIONS = 200, POINTS = 400 };
static const double SMALL = 1e-9; // [-] relative rounding error

static bool is_flat(const scree_shape_bench *b)
{
    return b->dimension == 2;
}

static void random_direction(const scree_shape_bench *b, uint64_t *random, double d[3])
{
    double length = 0.0;
    while (!(length > 0.01 && length < 1.0)) {
        length = 0.0;
        for (int k = 0; k < 3; k++) {
            d[k] = k == 2 && is_flat(b) ? 0.0 : scree_check_uniform(random, -1.0, 1.0);
            length += d[k] * d[k];
        }
    }
}

/* ---- each by itself ---- */

/** Points whose distance from the origin is at most the radius, less `r`. */
static void check_reach(const scree_shape_bench *b, const char *what, uint32_t n,
                        const double *const x[3], const double *r, double slack)
{
    const double radius = b->measure.radius;
    const uint32_t judged = radius > 0.0 ? n : 0; // an infinite shape has none
    for (uint32_t i = 0; i < judged && !b->check->failed; i++) {
        const double z = x[2] ? x[2][i] : 0.0;
        const double far = sqrt(x[0][i] * x[0][i] + x[1][i] * x[1][i] + z * z) + (r ? r[i] : 0.0);
        if (far > (radius + slack) * (1.0 + SMALL))
            scree_shape_bench_fail(b,
                                   "%s: point %u is %g m from the centre, beyond the radius %g m "
                                   "that measure() gives",
                                   what, i, far, radius);
    }
}

/** Counterclockwise. */
static void check_turn(const scree_shape_bench *b, const scree_outline *o)
{
    double area = 0.0;
    for (uint32_t i = 0, j = o->n - 1; i < o->n; j = i++)
        area += 0.5 * (o->vertex[0][j] * o->vertex[1][i] - o->vertex[0][i] * o->vertex[1][j]);
    if (!(area > 0.0))
        scree_shape_bench_fail(b, "outline: its area is %g m^2; expected > 0: counterclockwise",
                               area);
}

static void check_each(const scree_shape_bench *b)
{
    const struct {
        const char *name;
        const void *view;
    } views[] = {{SCREE_VIEW_MESH, b->mesh},
                 {SCREE_VIEW_OUTLINE, b->outline},
                 {SCREE_VIEW_SUPPORT, b->support},
                 {SCREE_VIEW_IMPLICIT, b->implicit},
                 {SCREE_VIEW_BALLS, b->balls}};
    for (size_t k = 0; k < G_N_ELEMENTS(views) && !b->check->failed; k++) {
        g_autoptr(GError) error = NULL;
        if (views[k].view && !scree_view_check(b->instance, views[k].name, views[k].view, &error))
            scree_shape_bench_fail(b, "%s", error->message);
    }
    if (b->mesh && !b->check->failed)
        check_reach(b, "mesh", b->mesh->n_vertices, b->mesh->vertex, NULL, b->tolerance);
    if (b->balls && !b->check->failed)
        check_reach(b, "clump", b->balls->n, b->balls->centre, b->balls->radius, 0.0);
    if (!b->outline || b->check->failed)
        return;
    const double *const x[3] = {b->outline->vertex[0], b->outline->vertex[1], NULL};
    check_reach(b, "outline", b->outline->n, x, NULL, 0.0);
    check_turn(b, b->outline);
}

/* ---- pairs ---- */

/** Whether the implicit function has both signs `far` from a point, along lines at 0, 45 or 90
 * degrees to each axis: the gradient may miss a thin ridge or spike. */
static bool has_both_signs(const scree_shape_bench *b, const double p[3], double far)
{
    bool in = false, out = false;
    for (int i = 0; i < 27; i++) {
        const double step[3] = {i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
        const double length = sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
        double at[3], value;
        double *const x[3] = {&at[0], &at[1], &at[2]};
        if (length == 0.0 || (is_flat(b) && step[2] != 0.0))
            continue;
        for (int k = 0; k < 3; k++)
            at[k] = p[k] + far * step[k] / length;
        scree_shape_bench_values(b, 1, x, &value, NULL);
        in = in || value <= 0.0;
        out = out || value >= 0.0;
    }
    return in && out;
}

/** The signs of the implicit function on both sides of a point, `far` along its gradient. */
static void check_zero(const scree_shape_bench *b, const char *what, const double p[3], double far)
{
    double at[3] = {p[0], p[1], p[2]}, gradient[3] = {0.0}, value = 0.0, length = 0.0, side[2];
    double *const x[3] = {&at[0], &at[1], &at[2]};
    double *const slope[3] = {&gradient[0], &gradient[1], &gradient[2]};
    scree_shape_bench_values(b, 1, x, &value, slope);
    for (int k = 0; k < 3; k++)
        length += gradient[k] * gradient[k];
    length = sqrt(length);
    if (!(length > 0.0) || !isfinite(length)) // an edge, which has no gradient
        return;
    for (int s = 0; s < 2; s++) {
        for (int k = 0; k < 3; k++)
            at[k] = p[k] + (s ? far : -far) * gradient[k] / length;
        scree_shape_bench_values(b, 1, x, &side[s], NULL);
    }
    if ((!(side[0] <= 0.0) || !(side[1] >= 0.0)) && !has_both_signs(b, p, far))
        scree_shape_bench_fail(b,
                               "%s: the point (%g, %g, %g) m is not on the implicit function's "
                               "surface: %g m in and out along its gradient it is %g and %g; "
                               "expected < 0 and > 0",
                               what, p[0], p[1], p[2], far, side[0], side[1]);
}

static void compare_mesh_implicit(const scree_shape_bench *b)
{
    const scree_mesh *m = b->mesh;
    double far = 1.01 * b->tolerance + 1e-7 * b->size;
    uint32_t every = m->n_facets / POINTS + 1;
    for (uint32_t f = 0; f < m->n_facets && !b->check->failed; f += every) {
        double middle[3] = {0.0};
        uint32_t n = scree_mesh_corners(m, f);
        for (uint32_t k = 0; k < n; k++)
            for (int i = 0; i < 3; i++)
                middle[i] += m->vertex[i][m->facet[4 * f + k]] / n;
        check_zero(b, "mesh", middle, far);
    }
}

/** Compares the gradient with differences of values at random points. */
static void check_gradient(const scree_shape_bench *b)
{
    uint64_t random = 17;
    double h = 1e-5 * b->size;
    for (uint32_t i = 0; i < POINTS && !b->check->failed; i++) {
        double p[3], gradient[3], none[3], value, ends[2], length = 0.0;
        double *const x[3] = {&p[0], &p[1], &p[2]};
        double *const slope[3] = {&gradient[0], &gradient[1], &gradient[2]};
        double *const rest[3] = {&none[0], &none[1], &none[2]};
        int axis = (int)(i % b->dimension);
        random_direction(b, &random, p);
        for (int k = 0; k < 3; k++)
            p[k] *= 1.5 * b->size;
        scree_shape_bench_values(b, 1, x, &value, slope);
        for (int k = 0; k < 3; k++)
            length += gradient[k] * gradient[k];
        double middle = p[axis], turn = 0.0;
        for (int s = 0; s < 2; s++) {
            p[axis] = middle + (s ? h : -h);
            scree_shape_bench_values(b, 1, x, &ends[s], rest);
            turn += fabs(none[axis] - gradient[axis]);
        }
        double found = (ends[1] - ends[0]) / (2.0 * h);
        // A bend within h leaves no slope to compare.
        if (turn < 1e-3 * sqrt(length) && fabs(found - gradient[axis]) > 1e-2 * sqrt(length))
            scree_shape_bench_fail(b,
                                   "implicit: at (%g, %g, %g) m the gradient along %c is %g, by "
                                   "differences %g",
                                   p[0], p[1], p[2], "xyz"[axis], gradient[axis], found);
    }
}

/** Compares farthest points of mesh, outline, balls and support function in random directions. */
static void compare_reaches(const scree_shape_bench *b)
{
    uint64_t random = 23;
    for (uint32_t i = 0; i < DIRECTIONS && !b->check->failed; i++) {
        scree_shape_bench only[4] = {*b, *b, *b, *b};
        static const char *const names[] = {"mesh", "outline", "support", "balls"};
        double d[3], length, reach[4], slack[4];
        bool has[4];
        random_direction(b, &random, d);
        length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 4; k++) {
            only[k].mesh = k == 0 ? b->mesh : NULL;
            only[k].outline = k == 1 ? b->outline : NULL;
            only[k].support = k == 2 ? b->support : NULL;
            only[k].balls = k == 3 ? b->balls : NULL;
            if (k == 3 && b->balls)
                for (int j = 0; j < 3; j++)
                    d[j] /= length; // radii count along unit directions only
            has[k] = scree_shape_bench_extreme(&only[k], SCREE_NONE, d, &reach[k], &slack[k]);
            if (has[k] && !(k == 3 && b->balls))
                reach[k] /= length;
        }
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < j; k++)
                if (has[j] && has[k] &&
                    fabs(reach[j] - reach[k]) > slack[j] + slack[k] + SMALL * b->size)
                    scree_shape_bench_fail(
                        b,
                        "along (%g, %g, %g) the %s reaches %.12g m, the %s %.12g m, tolerance %g m",
                        d[0], d[1], d[2], names[j], reach[j], names[k], reach[k],
                        slack[j] + slack[k]);
        for (int j = 0; j < 4; j++)
            if (has[j] && b->measure.radius > 0.0 &&
                reach[j] > b->measure.radius * (1.0 + SMALL) + slack[j])
                scree_shape_bench_fail(b,
                                       "along (%g, %g, %g) the %s reaches %.12g m, beyond the "
                                       "radius %.12g m that measure() gives",
                                       d[0], d[1], d[2], names[j], reach[j], b->measure.radius);
    }
}

/** Points of a support function are on the surface, and the radius covers them. */
static void compare_implicit(const scree_shape_bench *b)
{
    uint64_t random = 29;
    for (uint32_t i = 0; i < DIRECTIONS && !b->check->failed; i++) {
        double d[3], p[3], value, length, far;
        double *const x[3] = {&p[0], &p[1], &p[2]};
        random_direction(b, &random, d);
        if (b->support) {
            scree_shape_bench_farthest(b, d, p);
            check_zero(b, "support", p, 1e-6 * b->size);
        }
        if (!(b->measure.radius > 0.0))
            continue;
        length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        far = b->measure.radius * (1.0 + 1e-9 + (double)i / DIRECTIONS);
        for (int k = 0; k < 3; k++)
            p[k] = b->measure.centroid[k] + far * d[k] / length;
        scree_shape_bench_values(b, 1, x, &value, NULL);
        if (!(value > 0.0) && !(b->flags & SCREE_CAP_WALL))
            scree_shape_bench_fail(
                b,
                "implicit: it is %g at %g m from the centroid, beyond the radius "
                "%g m that measure() gives; expected > 0",
                value, far, b->measure.radius);
    }
}

/** [m^2] Area of the polygon, compared with a mesh of segments. */
static void compare_contents(const scree_shape_bench *b)
{
    double error, content = scree_shape_mesh_content(b, &error);
    if (content <= 0.0)
        scree_shape_bench_fail(b, "mesh: it encloses %g; expected > 0: all normals point out",
                               content);
    else if (b->measure.content > 0.0 && (!is_flat(b) || b->measure.flat) &&
             !(b->flags & SCREE_CAP_BALLS) &&
             fabs(content - b->measure.content) > error + 1e-9 * content)
        scree_shape_bench_fail(b, "mesh: it encloses %.12g, measure() gives %.12g, tolerance %.2g",
                               content, b->measure.content, error);
}

void scree_shape_check_views(const scree_shape_bench *b)
{
    check_each(b);
    if (b->mesh && !b->check->failed)
        scree_shape_check_mesh(b);
    if (b->mesh && b->mesh->closed && !b->check->failed)
        compare_contents(b);
    if (b->implicit && b->mesh && !(b->flags & SCREE_CAP_WALL) && !b->check->failed)
        compare_mesh_implicit(b);
    if (b->implicit && !b->check->failed)
        check_gradient(b);
    if (b->implicit && !b->check->failed)
        compare_implicit(b);
    if (!(b->flags & SCREE_CAP_INFINITE) && !b->check->failed)
        compare_reaches(b);
}

/* ---- const ---- */

static void add_numbers(GChecksum *bits, const void *numbers, size_t bytes)
{
    if (numbers && bytes)
        g_checksum_update(bits, numbers, (gssize)bytes);
}

static void digest_functions(const scree_shape_bench *b, GChecksum *bits)
{
    uint64_t random = 31;
    for (uint32_t i = 0; i < 32 && (b->support || b->implicit); i++) {
        double d[3], p[3] = {0.0}, slope[3], value = 0.0;
        double *const x[3] = {&d[0], &d[1], &d[2]};
        double *const gradient[3] = {&slope[0], &slope[1], &slope[2]};
        random_direction(b, &random, d);
        if (b->support)
            scree_shape_bench_farthest(b, d, p);
        add_numbers(bits, p, sizeof p);
        for (int k = 0; k < 3; k++)
            d[k] *= b->size;
        memset(slope, 0, sizeof slope);
        if (b->implicit)
            scree_shape_bench_values(b, 1, x, &value, gradient);
        add_numbers(bits, &value, sizeof value);
        add_numbers(bits, slope, sizeof slope);
    }
}

void scree_shape_digest_views(const scree_shape_bench *b, GChecksum *bits)
{
    const size_t one = sizeof(double);
    for (int k = 0; k < 3; k++) {
        if (b->mesh)
            add_numbers(bits, b->mesh->vertex[k], b->mesh->n_vertices * one);
        if (b->balls)
            add_numbers(bits, b->balls->centre[k], b->balls->n * one);
        if (b->outline && k < 2)
            add_numbers(bits, b->outline->vertex[k], b->outline->n * one);
    }
    if (b->balls)
        add_numbers(bits, b->balls->radius, b->balls->n * one);
    if (b->mesh) {
        size_t n = 4 * (size_t)b->mesh->n_facets;
        add_numbers(bits, b->mesh->facet, n * sizeof(uint32_t));
        add_numbers(bits, b->mesh->neighbour, n * sizeof(uint32_t));
        add_numbers(bits, b->mesh->edge, n);
    }
    digest_functions(b, bits);
}

/** Bytes of the arrays of all views. */
static uint64_t bytes_of(const scree_shape_bench *b)
{
    uint64_t sum = 0;
    if (b->mesh)
        sum += 24ull * b->mesh->n_vertices +
               (b->mesh->n_facets > 64 ? 36ull * b->mesh->n_facets : 0); // few bytes may be
                                                                         // constants
    if (b->outline)
        sum += 16ull * b->outline->n;
    if (b->balls)
        sum += 32ull * b->balls->n;
    return sum;
}

static uint64_t ask_bytes(const scree_shape_bench *b)
{
    const scree_bytes_fn bytes = scree_vtable_bytes(b->instance->plugin);
    if (!bytes)
        return UINT64_MAX;
    scree_call call = scree_call_begin(b->instance, SCREE_CALL_STEP, "bytes");
    uint64_t held = bytes(b->instance->self);
    scree_call_done(&call);
    return held;
}

/** A mesh with another tolerance leaves earlier meshes unchanged, and bytes() counts it. */
static void try_tolerances(const scree_shape_bench *b)
{
    g_autoptr(GChecksum) before = g_checksum_new(G_CHECKSUM_SHA256);
    g_autoptr(GChecksum) after = g_checksum_new(G_CHECKSUM_SHA256);
    uint64_t held = ask_bytes(b);
    bool good = true;
    scree_shape_digest_views(b, before);
    const scree_mesh *coarse = scree_shape_bench_view(b, SCREE_VIEW_MESH, 0.05 * b->size, &good);
    const scree_mesh *fine = scree_shape_bench_view(b, SCREE_VIEW_MESH, 0.001 * b->size, &good);
    if (!good)
        return;
    scree_shape_digest_views(b, after);
    if (strcmp(g_checksum_get_string(before), g_checksum_get_string(after)))
        scree_shape_bench_fail(b,
                               "view: views that were given have changed after others were asked");
    if (b->mesh && (!coarse || !fine))
        scree_shape_bench_fail(b, "view: it has a mesh to %g m, and none to %g m", b->tolerance,
                               (coarse ? 0.001 : 0.05) * b->size);
    if (fine && coarse && fine != coarse && fine->n_facets < coarse->n_facets)
        scree_shape_bench_fail(b, "view: a mesh to %g m has %u facets, one to %g m %u",
                               0.001 * b->size, fine->n_facets, 0.05 * b->size, coarse->n_facets);
    scree_shape_bench more = *b;
    more.outline = NULL;
    more.balls = NULL;
    more.mesh = fine != b->mesh ? fine : NULL;
    if (fine && ask_bytes(b) < bytes_of(&more) + bytes_of(b))
        scree_shape_bench_fail(b,
                               "bytes: %" G_GUINT64_FORMAT " (%" G_GUINT64_FORMAT
                               " before), though its views hold %" G_GUINT64_FORMAT,
                               ask_bytes(b), held, bytes_of(&more) + bytes_of(b));
}

void scree_shape_check_const(const scree_shape_bench *b)
{
    scree_shape_bench again = *b;
    bool good = true;
    const void *none = scree_shape_bench_view(b, "scree.none/0", 0.0, &good);
    again.mesh = scree_shape_bench_view(b, SCREE_VIEW_MESH, b->tolerance, &good);
    again.outline = scree_shape_bench_view(b, SCREE_VIEW_OUTLINE, 0.0, &good);
    again.support = scree_shape_bench_view(b, SCREE_VIEW_SUPPORT, 0.0, &good);
    again.implicit = scree_shape_bench_view(b, SCREE_VIEW_IMPLICIT, 0.0, &good);
    again.balls = scree_shape_bench_view(b, SCREE_VIEW_BALLS, 0.0, &good);
    if (!good)
        return;
    if (none)
        scree_shape_bench_fail(b,
                               "view: expected NULL for the unknown name scree.none/0, got a view");
    if (again.mesh != b->mesh || again.outline != b->outline || again.support != b->support ||
        again.implicit != b->implicit || again.balls != b->balls)
        scree_shape_bench_fail(b, "view: asked again for %s it gives another pointer",
                               again.mesh != b->mesh         ? "the mesh"
                               : again.outline != b->outline ? "the outline"
                               : again.support != b->support ? "the support function"
                               : again.balls != b->balls     ? "the balls"
                                                             : "the implicit function");
    if (ask_bytes(b) < bytes_of(b))
        scree_shape_bench_fail(
            b, "bytes: %" G_GUINT64_FORMAT ", though its views hold %" G_GUINT64_FORMAT,
            ask_bytes(b), bytes_of(b));
    if (!b->check->failed)
        try_tolerances(b);
}
