/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the measure and the views of a shape made by a plugin, as far as the host computes with
 * their numbers and reads their memory. Whether they are true is checked by `scree check`. */
#include "shape/plugin_shape_check.h"

#include <math.h>
#include <string.h>

#include "plugin/call.h"
#include "plugin/struct_size.h"

enum { MOST_PARTS = 1 << 29 };

/* ---- measure ---- */

#define blame_answer(instance, error, ...)                                                         \
    scree_call_blame(instance, "measure", SCREE_EXIT_PLUGIN, error, __VA_ARGS__)

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
    if (in->plugin->flags & SCREE_CAP_ROUND && m->n_parts != 1)
        return blame_answer(in, error, "n_parts: expected 1 of a round shape, got %u", m->n_parts);
    if (m->flat > 1 || (m->flat && m->dimension == 3))
        return blame_answer(in, error, "flat: expected 0%s, got %u",
                            m->dimension == 3 ? " in 3D" : " or 1", m->flat);
    if (infinite ? m->radius != 0.0 : !(m->radius > 0.0))
        return blame_answer(in, error, "radius: expected %s, got %g m",
                            infinite ? "0 of an infinite shape" : "> 0", m->radius);
    if (in->plugin->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE)) // these have no mass
        return true;
    if (!(m->content > 0.0))
        return blame_answer(in, error, "content: expected > 0, got %g %s", m->content,
                            m->flat ? "m^2" : "m^3");
    for (uint32_t k = m->dimension == 2 ? 2 : 0; k < 3; k++)
        if (!(m->inertia[k] > 0.0))
            return blame_answer(in, error, "inertia: expected moments > 0, got %g m^2 per mass",
                                m->inertia[k]);
    return true;
}

/* ---- views ---- */

/** A view that is being checked. */
typedef struct judged_view {
    const scree_instance *instance;
    const char *name;
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

static bool check_points(const judged_view *v, uint32_t n, const double *const x[3])
{
    for (uint32_t i = 0; i < n; i++)
        if (!isfinite(x[0][i]) || !isfinite(x[1][i]) || (x[2] && !isfinite(x[2][i])))
            return blame_view(v, "point %u is not finite", i);
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
    return check_points(v, m->n_vertices, m->vertex);
}

static bool check_balls(const judged_view *v, const scree_balls *b)
{
    if (!check_view_size(v, b->size, SCREE_SIZE_TO(scree_balls, radius)))
        return false;
    if (!b->n || !b->centre[0] || !b->centre[1] || !b->centre[2] || !b->radius)
        return blame_view(v, "%u balls, or an array is missing", b->n);
    for (uint32_t i = 0; i < b->n; i++)
        if (!(b->radius[i] > 0.0) || !isfinite(b->radius[i]))
            return blame_view(v, "ball %u: expected a radius > 0, got %g m", i, b->radius[i]);
    return check_points(v, b->n, b->centre);
}

static bool check_outline(const judged_view *v, const scree_outline *o)
{
    if (!check_view_size(v, o->size, SCREE_SIZE_TO(scree_outline, vertex)))
        return false;
    if (o->n < 3 || !o->vertex[0] || !o->vertex[1])
        return blame_view(v, "%u vertices, expected 3 or more, or an array is missing", o->n);
    const double *const x[3] = {o->vertex[0], o->vertex[1], NULL};
    return check_points(v, o->n, x);
}

bool scree_view_check(const scree_instance *instance, const char *name, const void *view,
                      GError **error)
{
    const judged_view v = {instance, name, error};
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
