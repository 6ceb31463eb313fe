// SPDX-License-Identifier: Apache-2.0
// Judges the measure and the views of a shape that a plugin makes.
#include "scene/plugin_shape_check.h"

#include <math.h>
#include <string.h>

#include "plugin/call.h"
#include "plugin/loader.h"
#include "scene/principal.h"

#define MEASURE_SLACK 1e-9 /* relative: rounding of a plugin's own sums */
#define TYPED 1e-4         /* relative: a plugin's own pi */
#define MOVED 1e-6         /* relative: rounding of sums far from the origin */
enum { MOST_PARTS = 1 << 29 };

/* ---- measure ---- */

G_GNUC_PRINTF(3, 4)
static bool blame_answer(const scree_instance *instance, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    return scree_call_blame(instance, "measure", SCREE_EXIT_PLUGIN, error, "%s", text);
}

static bool has_mass(const scree_instance *instance)
{
    return !(instance->plugin->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE));
}

static bool check_numbers(const scree_instance *in, const scree_measure *m, GError **error)
{
    const double *all[] = {&m->content, &m->radius, m->centroid, m->inertia};
    static const char *const names[] = {"content", "radius", "centroid", "inertia"};
    static const int n[] = {1, 1, 3, 6};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        for (int k = 0; k < n[i]; k++)
            if (!isfinite(all[i][k]))
                return blame_answer(in, error, "%s: expected a finite number, got %g", names[i],
                                    all[i][k]);
    return true;
}

/** No more than the ball that holds it. In 2D a shape that is not flat may have any depth; a clump
 * may count the overlaps of its balls. */
static bool check_content(const scree_instance *in, const scree_measure *m, GError **error)
{
    const double r = m->radius, most = m->flat ? G_PI * r * r : 4.0 / 3.0 * G_PI * r * r * r;
    if (in->plugin->flags & SCREE_CAP_BALLS || (m->dimension == 2 && !m->flat) ||
        m->content <= most * (1.0 + TYPED))
        return true;
    return blame_answer(
        in, error, "content: expected at most %g, that of the %s of its radius %g m, got %g %s",
        most, m->flat ? "disc" : "ball", r, m->content, m->flat ? "m^2" : "m^3");
}

/** Moments of which each is at most the sum of the others, and at most radius^2. */
static bool check_inertia(const scree_instance *in, const scree_measure *m, GError **error)
{
    double moments[3], q[4], r2 = m->radius * m->radius * (1.0 + MEASURE_SLACK);
    if (m->dimension == 2) {
        double zz = m->inertia[2];
        return (zz > 0.0 && zz <= r2) ||
               blame_answer(in, error,
                            "inertia zz: expected 0 < zz <= radius^2 = %g m^2, got %g m^2", r2, zz);
    }
    scree_principal(m->inertia, moments, q);
    for (int k = 0; k < 3; k++) {
        double others = moments[(k + 1) % 3] + moments[(k + 2) % 3];
        if (!(moments[k] > 0.0) || !(moments[k] <= r2))
            return blame_answer(
                in, error,
                "inertia: expected 0 < principal moment <= radius^2 = %g m^2, got %g m^2 "
                "per mass",
                r2, moments[k]);
        if (!(moments[k] <= others * (1.0 + MEASURE_SLACK)))
            return blame_answer(
                in, error,
                "its inertia breaks the triangle inequality: the principal moment %g m^2 "
                "per mass is larger than the sum %g m^2 of the two others",
                moments[k], others);
    }
    return true;
}

/** A turn must change nothing: one part, its centre at the origin, one moment about all axes. */
static bool check_round(const scree_instance *in, const scree_measure *m, GError **error)
{
    const double *i = m->inertia, slack = MEASURE_SLACK * i[0];
    for (int k = 0; k < 3; k++)
        if (m->centroid[k] != 0.0)
            return blame_answer(in, error, "centroid %c: expected 0 of a round shape, got %g m",
                                "xyz"[k], m -> centroid[k]);
    if (m->n_parts != 1)
        return blame_answer(in, error, "n_parts: expected 1 of a round shape, got %u", m->n_parts);
    if (m->dimension == 2)
        return true;
    if (fabs(i[1] - i[0]) > slack || fabs(i[2] - i[0]) > slack)
        return blame_answer(
            in, error,
            "principal moments: expected one value of a round shape, got %g, %g and %g m^2", i[0],
            i[1], i[2]);
    for (int k = 3; k < 6; k++)
        if (fabs(i[k]) > slack)
            return blame_answer(
                in, error, "product of inertia: expected 0 of a round shape, got %g m^2", i[k]);
    return true;
}

bool scree_measure_check(const scree_instance *in, const scree_measure *m, GError **error)
{
    const bool infinite = in->plugin->flags & SCREE_CAP_INFINITE;
    if (!check_numbers(in, m, error))
        return false;
    if (infinite ? m->n_parts != 0 : m->n_parts == 0 || m->n_parts > MOST_PARTS)
        return infinite
                   ? blame_answer(in, error, "n_parts: expected 0 of an infinite shape, got %u",
                                  m->n_parts)
                   : blame_answer(in, error, "n_parts: expected 1 to %d, got %u", MOST_PARTS,
                                  m->n_parts);
    if (m->flat > 1 || (m->flat && m->dimension == 3))
        return blame_answer(in, error, "flat: expected 0%s, got %u",
                            m->dimension == 3 ? " in 3D" : " or 1", m->flat);
    if (infinite ? m->radius != 0.0 : !(m->radius > 0.0))
        return blame_answer(in, error, "radius: expected %s, got %g m",
                            infinite ? "0 of an infinite shape" : "> 0", m->radius);
    if (!has_mass(in))
        return m->content == 0.0 ||
               blame_answer(in, error, "content: expected 0 of a wall, which has no mass, got %g",
                            m->content);
    if (!(m->content > 0.0))
        return blame_answer(in, error, "content: expected > 0, got %g %s", m->content,
                            m->flat ? "m^2" : "m^3");
    if (!check_content(in, m, error))
        return false;
    if (m->dimension == 2 && m->centroid[2] != 0.0)
        return blame_answer(in, error, "centroid z: expected 0 in 2D, got %g m", m->centroid[2]);
    if (in->plugin->flags & SCREE_CAP_ROUND && !check_round(in, m, error))
        return false;
    return check_inertia(in, m, error);
}

/** The content, the parts and the sum of the moments, which are the same in every frame. */
static bool check_same(const scree_instance *in, const scree_measure *was, const scree_measure *m,
                       GError **error)
{
    const double before = was->inertia[0] + was->inertia[1] + was->inertia[2];
    const double after = m->inertia[0] + m->inertia[1] + m->inertia[2];
    if (m->n_parts != was->n_parts || m->flat != was->flat)
        return blame_answer(
            in, error,
            "after place() n_parts and flat: expected %u and %u as before, got %u and %u",
            was->n_parts, was->flat, m->n_parts, m->flat);
    if (!(fabs(m->content - was->content) <= MOVED * was->content))
        return blame_answer(in, error, "after place() content: expected %g as before, got %g",
                            was->content, m->content);
    return m->dimension == 2 || fabs(after - before) <= MOVED * before ||
           blame_answer(
               in, error,
               "after place() sum of the moments of inertia: expected %g m^2 as before, got %g m^2",
               before, after);
}

bool scree_measure_check_placed(const scree_instance *in, const scree_measure *was,
                                const scree_measure *m, GError **error)
{
    double largest = fmax(m->inertia[0], fmax(m->inertia[1], m->inertia[2]));
    if (!scree_measure_check(in, m, error))
        return false;
    for (int k = 0; k < 3; k++) {
        if (!(fabs(m->centroid[k]) <= MEASURE_SLACK * m->radius))
            return blame_answer(
                in, error, "after place() the centroid's %c is %g m; expected 0 to within %g m",
                "xyz"[k], m -> centroid[k], MEASURE_SLACK * m -> radius);
        if (m->dimension == 3 && !(fabs(m->inertia[k + 3]) <= MEASURE_SLACK * largest))
            return blame_answer(
                in, error,
                "after place() a product of inertia is %g m^2; expected 0 to within %g "
                "m^2: the axes are principal",
                m->inertia[k + 3], MEASURE_SLACK * largest);
    }
    return check_same(in, was, m, error);
}

/* ---- views ---- */

/** A view under judgement. */
typedef struct judged_view {
    const scree_instance *instance;
    const char *name;
    double radius;
    GError **error;
} judged_view;

G_GNUC_PRINTF(2, 3)
static bool blame_view(const judged_view *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    return scree_call_blame(v->instance, "view", SCREE_EXIT_PLUGIN, v->error, "%s: %s", v->name,
                            text);
}

/** Points that are finite and not farther from the origin than the radius, less `r` each. */
static bool check_points(const judged_view *v, uint32_t n, const double *const x[3],
                         const double *r)
{
    for (uint32_t i = 0; i < n; i++) {
        double z = x[2] ? x[2][i] : 0.0, reach = r ? r[i] : 0.0;
        double far = sqrt(x[0][i] * x[0][i] + x[1][i] * x[1][i] + z * z) + reach;
        if (!isfinite(x[0][i]) || !isfinite(x[1][i]) || !isfinite(z) || !isfinite(reach))
            return blame_view(v, "point %u is not finite", i);
        if (v->radius > 0.0 && far > v->radius * (1.0 + MEASURE_SLACK))
            return blame_view(v,
                              "point %u is %g m from the centre, beyond the radius %g m that "
                              "measure() gives",
                              i, far, v->radius);
    }
    return true;
}

static bool check_view_size(const judged_view *v, uint32_t size, size_t least)
{
    return size >= least || blame_view(v, "expected at least %zu bytes, got %u", least, size);
}

static bool check_reserved(const judged_view *v, uint32_t word)
{
    return word == 0 || blame_view(v, "`reserved`: expected 0, got %u", word);
}

static bool check_mesh(const judged_view *v, const scree_mesh *m)
{
    if (!check_view_size(v, m->size, SCREE_SIZE_TO(scree_mesh, edge)))
        return false;
    if (!m->n_vertices || !m->n_facets || !m->vertex[0] || !m->vertex[1] || !m->vertex[2] ||
        !m->facet || !m->neighbour || !m->edge)
        return blame_view(v, "%u vertices and %u facets, or an array is missing", m->n_vertices,
                          m->n_facets);
    for (size_t i = 0; i < 4 * (size_t)m->n_facets; i++) {
        const bool needed = i % 4 < (v->instance->host.dimension == 2 ? 2u : 3u);
        if (m->facet[i] == SCREE_NONE ? needed : m->facet[i] >= m->n_vertices)
            return blame_view(v, "facet %zu names vertex %u of %u", i / 4, m->facet[i],
                              m->n_vertices);
        if (m->neighbour[i] != SCREE_NONE && m->neighbour[i] >= m->n_facets)
            return blame_view(v, "facet %zu names neighbour %u of %u", i / 4, m->neighbour[i],
                              m->n_facets);
        if (m->edge[i] > SCREE_EDGE_CONCAVE)
            return blame_view(v, "facet %zu has an edge of the unknown kind %u", i / 4, m->edge[i]);
    }
    return check_points(v, m->n_vertices, m->vertex, NULL);
}

static bool check_balls(const judged_view *v, const scree_balls *b)
{
    if (!check_view_size(v, b->size, SCREE_SIZE_TO(scree_balls, radius)))
        return false;
    if (!b->n || !b->centre[0] || !b->centre[1] || !b->centre[2] || !b->radius)
        return blame_view(v, "%u balls, or an array is missing", b->n);
    for (uint32_t i = 0; i < b->n; i++)
        if (!(b->radius[i] > 0.0))
            return blame_view(v, "ball %u: expected a radius > 0, got %g m", i, b->radius[i]);
    return check_points(v, b->n, b->centre, b->radius);
}

static bool check_outline(const judged_view *v, const scree_outline *o)
{
    if (!check_view_size(v, o->size, SCREE_SIZE_TO(scree_outline, vertex)))
        return false;
    if (o->n < 3 || !o->vertex[0] || !o->vertex[1])
        return blame_view(v, "%u vertices, expected 3 or more, or an array is missing", o->n);
    const double *const x[3] = {o->vertex[0], o->vertex[1], NULL};
    double area = 0.0;
    if (!check_points(v, o->n, x, NULL))
        return false;
    for (uint32_t i = 0, j = o->n - 1; i < o->n; j = i++)
        area += 0.5 * (x[0][j] * x[1][i] - x[0][i] * x[1][j]);
    return area > 0.0 || blame_view(v, "its area is %g m^2; expected > 0: counterclockwise", area);
}

bool scree_view_check(const scree_instance *instance, const char *name, const void *view,
                      double radius, GError **error)
{
    const judged_view v = {instance, name, radius, error};
    if (!strcmp(name, SCREE_VIEW_MESH))
        return check_mesh(&v, view);
    if (!strcmp(name, SCREE_VIEW_BALLS))
        return check_balls(&v, view);
    if (!strcmp(name, SCREE_VIEW_OUTLINE))
        return check_outline(&v, view);
    if (!strcmp(name, SCREE_VIEW_SUPPORT)) {
        const scree_support *s = view;
        return check_view_size(&v, s->size, SCREE_SIZE_TO(scree_support, farthest)) &&
               check_reserved(&v, s->reserved) &&
               (s->farthest || blame_view(&v, "the function farthest is missing"));
    }
    if (!strcmp(name, SCREE_VIEW_IMPLICIT)) {
        const scree_implicit *i = view;
        return check_view_size(&v, i->size, SCREE_SIZE_TO(scree_implicit, value)) &&
               check_reserved(&v, i->reserved) &&
               (i->value || blame_view(&v, "the function value is missing"));
    }
    return true;
}
