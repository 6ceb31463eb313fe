/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `scree check` for shapes: compares the measure with integrals.
 *
 * Idea     content, centroid and inertia are sums over the space inside a view, the first one of
 *          these that the shape has:
 *            outline, closed mesh   exact, over triangles or tetrahedra with a corner in the origin;
 *                                   a mesh with a tolerance is off by at most area × tolerance
 *            implicit               a random point in each cell of a grid: 64^3, 2D 512^2 cells
 *            support                the same; a point is inside if it is below 2000 tangent planes
 *                                   (2D: 720 lines)
 *          of a clump over its balls: exact if each of them counts, over a grid if their union does
 * Error    of a grid: four standard deviations of a sum over the cells that the surface crosses,
 *          whose number is counted. Tangent planes: 1 % more.
 */
#include "tools/check/check_shape_measure.h"

#include <math.h>
#include <string.h>

#include "shape/plugin_shape_check.h"
#include "shape/principal.h"
#include "tools/check/check_mesh.h"
#include "tools/check/check_report.h"
#include "tools/check/check_vectors.h"
#include "tools/check/guard_pages.h"

static const double SLACK = 1e-9; // relative rounding error of a plugin's sums
enum { GRID_3D = 64, GRID_2D = 512, PLANES = 2000, LINES = 720 };

/** Integrals over a body; error: of the content. */
typedef struct integral {
    double content, first[3], second[6], error; // second: xx yy zz xy xz yz
} integral;

static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};

/** Adds the simplex of the origin and `n` more corners; `det`: n! times its content. */
static void add_simplex(integral *sum, int n, double corner[3][3], double det)
{
    double content = det / (n == 3 ? 6.0 : 2.0), s[3] = {0.0};
    for (int c = 0; c < n; c++)
        for (int k = 0; k < 3; k++)
            s[k] += corner[c][k];
    sum->content += content;
    for (int k = 0; k < 3; k++)
        sum->first[k] += content * s[k] / (n + 1);
    for (int k = 0; k < 6; k++) {
        double product = s[row[k]] * s[column[k]];
        for (int c = 0; c < n; c++)
            product += corner[c][row[k]] * corner[c][column[k]];
        sum->second[k] += content * product / ((n + 1) * (n + 2));
    }
}

static void add_point(integral *sum, double weight, const double x[3])
{
    sum->content += weight;
    for (int k = 0; k < 3; k++)
        sum->first[k] += weight * x[k];
    for (int k = 0; k < 6; k++)
        sum->second[k] += weight * x[row[k]] * x[column[k]];
}

static void integrate_outline(const scree_shape_bench *b, integral *sum)
{
    const scree_outline *o = b->outline;
    for (uint32_t i = 0, j = o->n - 1; i < o->n; j = i++) {
        double c[3][3] = {{o->vertex[0][j], o->vertex[1][j], 0.0},
                          {o->vertex[0][i], o->vertex[1][i], 0.0}};
        add_simplex(sum, 2, c, c[0][0] * c[1][1] - c[0][1] * c[1][0]);
    }
}

static void integrate_mesh(const scree_shape_bench *b, integral *sum)
{
    const scree_mesh *m = b->mesh;
    double area = 0.0, c[3][3] = {{0.0}};
    for (uint32_t f = 0; f < m->n_facets; f++) {
        int corners;
        for (uint32_t t = 0; (corners = scree_mesh_triangle(m, f, t, c)); t++) {
            double u[3], v[3], n[3];
            for (int k = 0; k < 3; k++) {
                u[k] = c[1][k] - c[0][k];
                v[k] = c[2][k] - c[0][k];
            }
            scree_check_cross(c[0], c[1], n);
            add_simplex(sum, corners, c, corners == 2 ? n[2] : scree_check_dot(n, c[2]));
            if (corners == 3)
                scree_check_cross(u, v, n);
            area += corners == 2 ? hypot(u[0], u[1]) : 0.5 * sqrt(scree_check_dot(n, n));
        }
    }
    sum->error = area * b->tolerance;
}

double scree_shape_mesh_content(const scree_shape_bench *b, double *error)
{
    integral sum = {0};
    integrate_mesh(b, &sum);
    *error = sum.error;
    return sum.content;
}

/* Grids. */

/** Tangent planes of a convex shape: a point inside is below all of them. */
typedef struct tangents {
    uint32_t n;
    double direction[3][PLANES], reach[PLANES];
} tangents;

static void find_tangents(const scree_shape_bench *b, tangents *t)
{
    t->n = b->dimension == 2 ? LINES : PLANES;
    for (uint32_t i = 0; i < t->n; i++) {
        double d[3], p[3], z = b->dimension == 2 ? 0.0 : 1.0 - (2.0 * i + 1.0) / t->n;
        double turn = b->dimension == 2 ? 2.0 * G_PI * i / t->n : 2.399963229728653 * i;
        d[0] = sqrt(1.0 - z * z) * cos(turn);
        d[1] = sqrt(1.0 - z * z) * sin(turn);
        d[2] = z;
        scree_shape_bench_farthest(b, d, p);
        t->reach[i] = p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
        for (int k = 0; k < 3; k++)
            t->direction[k][i] = d[k];
    }
}

static bool is_between(const tangents *t, const double x[3])
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->direction[0][i] * x[0] + t->direction[1][i] * x[1] + t->direction[2][i] * x[2] >
            t->reach[i])
            return false;
    return true;
}

static bool is_in_ball(const scree_balls *balls, const double x[3])
{
    for (uint32_t i = 0; i < balls->n; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++)
            square += (x[k] - balls->centre[k][i]) * (x[k] - balls->centre[k][i]);
        if (square < balls->radius[i] * balls->radius[i])
            return true;
    }
    return false;
}

/** Whether each point of a row along x is inside: its value is negative. */
static void classify(const scree_shape_bench *b, const tangents *t, uint32_t n, double *const x[3],
                     double *value)
{
    if (b->implicit) {
        scree_shape_bench_values(b, n, x, value, NULL);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        const double at[3] = {x[0][i], x[1][i], x[2][i]};
        value[i] = (b->balls ? is_in_ball(b->balls, at) : is_between(t, at)) ? -1.0 : 1.0;
    }
}

static void integrate_grid(const scree_shape_bench *b, integral *sum)
{
    const bool flat = b->balls ? b->measure.flat : b->dimension == 2;
    const uint32_t n = flat ? GRID_2D : GRID_3D, rows = flat ? n : n * n;
    const double *centre = b->measure.centroid, cell = 2.0 * b->size / n;
    const double weight = flat ? cell * cell : cell * cell * cell;
    g_autofree tangents *t = g_new0(tangents, 1);
    g_autofree double *memory = g_new0(double, (gsize)4 * n);
    double *const x[3] = {memory, memory + n, memory + 2 * (size_t)n},
                  *value = memory + 3 * (size_t)n;
    uint64_t random = 5, crossings = 0;
    if (b->support && !b->implicit)
        find_tangents(b, t);
    for (uint32_t r = 0; r < rows && !b->check->failed; r++) {
        const uint32_t place[3] = {0, r % n, r / n};
        for (uint32_t i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                x[k][i] =
                    k == 2 && flat
                        ? 0.0
                        : centre[k] - b->size +
                              cell * ((k ? place[k] : i) + scree_check_uniform(&random, 0.0, 1.0));
        classify(b, t, n, x, value);
        for (uint32_t i = 0; i < n; i++) {
            crossings += i > 0 && (value[i] < 0.0) != (value[i - 1] < 0.0);
            if (value[i] < 0.0)
                add_point(sum, weight, (const double[3]){x[0][i], x[1][i], x[2][i]});
        }
    }
    // A cell on the surface is in or out at random; an axis crosses at least two of three such
    // cells.
    sum->error = 4.0 * weight * 0.5 * sqrt(1.5 * (double)crossings + 100.0);
    if (b->support && !b->implicit)
        sum->error += 0.01 * sum->content;
}

/** Whether a support function gives only one point. */
static bool is_point(const scree_shape_bench *b)
{
    double first[3], p[3];
    bool same = true;
    for (int i = 0; i < 8; i++) {
        const double d[3] = {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
        scree_shape_bench_farthest(b, d, i ? p : first);
        same = same && (i == 0 || !memcmp(p, first, sizeof p));
    }
    return same;
}

/** Integrates by a view. False: no view encloses anything. */
static bool integrate(const scree_shape_bench *b, integral *sum, const char **by)
{
    *sum = (integral){0};
    if (b->dimension == 2 && b->outline) {
        *by = "outline";
        integrate_outline(b, sum);
    } else if (b->mesh && b->mesh->closed && b->tolerance == 0.0) {
        *by = "mesh";
        integrate_mesh(b, sum);
    } else if (b->implicit) {
        *by = "implicit function";
        integrate_grid(b, sum);
    } else if (b->mesh && b->mesh->closed) {
        *by = "mesh";
        integrate_mesh(b, sum);
    } else if (b->support && !is_point(b)) {
        *by = "support function";
        integrate_grid(b, sum);
    } else {
        return false;
    }
    sum->error += 1e-9 * fabs(sum->content);
    return true;
}

/** Inertia about the centroid, per mass: xx yy zz xy xz yz. */
static void inertia_of(const integral *sum, double out[6])
{
    double second[6];
    for (int k = 0; k < 6; k++)
        second[k] = sum->second[k] / sum->content -
                    sum->first[row[k]] / sum->content * sum->first[column[k]] / sum->content;
    out[0] = second[1] + second[2];
    out[1] = second[0] + second[2];
    out[2] = second[0] + second[1];
    for (int k = 3; k < 6; k++)
        out[k] = -second[k];
}

static void compare(const scree_shape_bench *b, const integral *sum, const char *by)
{
    static const char *const names[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    const scree_measure *m = &b->measure;
    // This share of the content may be misplaced, by at most the diameter.
    double share = sum->error / sum->content, inertia[6];
    if (fabs(m->content - sum->content) > sum->error)
        scree_shape_bench_fail(b, "measure: content %g %s, its %s encloses %g +- %.2g", m->content,
                               m->flat ? "m^2" : "m^3", by, sum->content, sum->error);
    for (uint32_t k = 0; k < b->dimension; k++)
        if (fabs(m->centroid[k] - sum->first[k] / sum->content) > 2.0 * share * b->size)
            scree_shape_bench_fail(b, "measure: centroid %c %g m, that of its %s is %g m +- %.2g",
                                   "xyz"[k], m -> centroid[k], by, sum -> first[k] / sum -> content,
                                   2.0 * share * b -> size);
    inertia_of(sum, inertia);
    for (int k = b->dimension == 2 ? 2 : 0; k < (b->dimension == 2 ? 3 : 6); k++)
        if (fabs(m->inertia[k] - inertia[k]) > 4.0 * share * b->size * b->size)
            scree_shape_bench_fail(
                b, "measure: inertia %s %g m^2, that of its %s is %g m^2 +- %.2g", names[k],
                m->inertia[k], by, inertia[k], 4.0 * share * b->size * b->size);
    if (!b->check->failed)
        scree_check_note(b->check, "%s, %uD: content %g %s, by its %s %g +- %.1g", b->setting,
                         b->dimension, m->content, m->flat ? "m^2" : "m^3", by, sum->content,
                         sum->error);
}

/** A ball; in 2D a disc where it is flat. */
static void compare_round(const scree_shape_bench *b)
{
    const scree_measure *m = &b->measure;
    double r = m->radius, content = m->flat ? G_PI * r * r : 4.0 / 3.0 * G_PI * r * r * r;
    double moment = (m->flat ? 0.5 : 0.4) * r * r;
    if (fabs(m->content - content) > 1e-9 * content)
        scree_shape_bench_fail(b,
                               "measure: content %.12g, that of a %s of its radius %g m is %.12g",
                               m->content, m->flat ? "disc" : "ball", r, content);
    for (int k = b->dimension == 2 ? 2 : 0; k < (b->dimension == 2 ? 3 : 6); k++)
        if (fabs(m->inertia[k] - (k < 3 ? moment : 0.0)) > 1e-9 * moment)
            scree_shape_bench_fail(
                b, "measure: inertia[%d] is %.12g m^2, that of a %s is %.12g m^2", k, m->inertia[k],
                m->flat ? "disc" : "ball", k < 3 ? moment : 0.0);
    for (int k = 0; k < 3; k++)
        if (m->centroid[k] != 0.0)
            scree_shape_bench_fail(b, "measure: centroid %c: expected 0 of a round shape, got %g m",
                                   "xyz"[k], m -> centroid[k]);
}

/** Adds up the balls of a clump, whether they overlap or not; *most: the largest content. */
static void integrate_balls(const scree_shape_bench *b, integral *sum, double *most)
{
    const bool flat = b->measure.flat;
    const int n_axes = flat ? 2 : 3;
    *sum = (integral){0};
    for (uint32_t i = 0; i < b->balls->n; i++) {
        const double r = b->balls->radius[i], *const *c = b->balls->centre;
        const double content = flat ? G_PI * r * r : 4.0 / 3.0 * G_PI * r * r * r;
        add_point(sum, content, (const double[3]){c[0][i], c[1][i], flat ? 0.0 : c[2][i]});
        for (int k = 0; k < n_axes; k++)
            sum->second[k] += content * r * r / (flat ? 4.0 : 5.0);
        *most = fmax(*most, content);
    }
    sum->error = 1e-9 * sum->content;
}

/** Returns whether a setting is the content, as a weighed volume is. */
static bool is_given(const scree_shape_bench *b)
{
    const char *const own[] = {b->setting, NULL};
    const char *const *lists[] = {own, b->check->settings ? b->check->settings : own};
    for (size_t k = 0; k < G_N_ELEMENTS(lists); k++)
        for (const char *const *text = lists[k]; *text; text++)
            for (const char *at = *text; (at = strchr(at, '=')); at++)
                if (g_ascii_strtod(at + 1, NULL) == b->measure.content)
                    return true;
    return false;
}

/** Overlaps count in each ball or once. A smaller content, as that of a hollow body by an optional
 * parameter, leaves open how the mass is spread. */
static void compare_balls(const scree_shape_bench *b)
{
    integral each, once = {0};
    double most = 0.0;
    if (!b->balls) {
        scree_shape_bench_fail(b, "view: a clump needs the view " SCREE_VIEW_BALLS);
        return;
    }
    const double content = b->measure.content;
    integrate_balls(b, &each, &most);
    integrate_grid(b, &once);
    if (fabs(content - each.content) <= each.error)
        compare(b, &each, "balls, each whole,");
    else if (fabs(content - once.content) <= once.error)
        compare(b, &once, "balls, overlaps once,");
    else if (content > each.content
                 ? !is_given(b)
                 : !strcmp(b->setting, "defaults") && !(content >= most * (1.0 - 1e-9)))
        scree_shape_bench_fail(
            b, "measure: content %g; expected %g, of its largest ball, to %g, of all", content,
            most, each.content);
}

/** The content is at most that of the bounding ball. In 2D a shape that is not flat may have any
 * depth; a clump may count overlaps. */
static void check_content(const scree_shape_bench *b)
{
    static const double typed = 1e-4; // relative: a plugin may have its own pi
    const scree_measure *m = &b->measure;
    const double r = m->radius, most = m->flat ? G_PI * r * r : 4.0 / 3.0 * G_PI * r * r * r;
    if (b->flags & SCREE_CAP_BALLS || (m->dimension == 2 && !m->flat) ||
        m->content <= most * (1.0 + typed))
        return;
    scree_shape_bench_fail(
        b, "measure: content: expected at most %g, that of the %s of its radius %g m, got %g %s",
        most, m->flat ? "disc" : "ball", r, m->content, m->flat ? "m^2" : "m^3");
}

/** Principal moments: each is at most the sum of the others, and at most radius^2. */
static void check_inertia(const scree_shape_bench *b)
{
    const scree_measure *m = &b->measure;
    double moments[3] = {0.0, 0.0, m->inertia[2]}, q[4];
    const double r2 = m->radius * m->radius * (1.0 + SLACK);
    if (b->dimension == 3)
        scree_principal(m->inertia, moments, q);
    for (int k = b->dimension == 2 ? 2 : 0; k < 3 && !b->check->failed; k++) {
        const double others = moments[(k + 1) % 3] + moments[(k + 2) % 3];
        if (!(moments[k] > 0.0) || !(moments[k] <= r2))
            scree_shape_bench_fail(b,
                                   "measure: inertia: expected 0 < principal moment <= radius^2 = "
                                   "%g m^2, got %g m^2 per mass",
                                   r2, moments[k]);
        else if (b->dimension == 3 && !(moments[k] <= others * (1.0 + SLACK)))
            scree_shape_bench_fail(
                b,
                "measure: its inertia breaks the triangle inequality: the principal moment %g m^2 "
                "per mass is larger than the sum %g m^2 of the two others",
                moments[k], others);
    }
}

void scree_shape_check_measure(const scree_shape_bench *b)
{
    g_autoptr(GError) error = NULL;
    integral sum;
    const char *by;
    if (!scree_measure_check(b->instance, &b->measure, &error)) {
        scree_shape_bench_fail(b, "%s", error->message);
        return;
    }
    if (b->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE)) {
        if (b->measure.content != 0.0)
            scree_shape_bench_fail(
                b, "measure: content: expected 0 of a wall, which has no mass, got %g",
                b->measure.content);
        return;
    }
    check_content(b);
    if (b->dimension == 2 && b->measure.centroid[2] != 0.0)
        scree_shape_bench_fail(b, "measure: centroid z: expected 0 in 2D, got %g m",
                               b->measure.centroid[2]);
    if (!b->check->failed)
        check_inertia(b);
    if (b->check->failed)
        return;
    if (b->flags & SCREE_CAP_ROUND)
        compare_round(b);
    else if (b->flags & SCREE_CAP_BALLS)
        compare_balls(b);
    else if (integrate(b, &sum, &by))
        compare(b, &sum, by);
    else
        scree_check_note(b->check, "%s, %uD: no view encloses it, its content was not compared",
                         b->setting, b->dimension);
}
