/* SPDX-License-Identifier: Apache-2.0 */
/* The range of forces, for the sizes of the current bodies, and how far extents look ahead. */
#include "engine/reach.h"

#include "plugin/call.h"
#include "shape/shape.h"

#include <math.h>

/*
 * A law is asked, for each pair of materials, about the smallest and the largest radii of both, and
 * about each of them at a flat wall. The largest answer of any law is the gap up to which two
 * bodies of these materials are in contact. So the gap depends only on the current bodies, never on
 * previous ones: a run continued from a checkpoint has the same contacts.
 */

/** Sizes of the bodies of one material. */
typedef struct scree_span {
    double least, most; // [m] radii of bodies with a mass; least > most: none
    bool walled;        // facets or a plane are of this material
} span;

static bool any_law_reaches(const scree_sim *sim)
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        if (SCREE_HAS(sim->plugins.contact.laws[l].ops, range))
            return true;
    return false;
}

/** Takes the radii of a body, or of the balls of a clump. */
static void take_radii(span *s, const scree_shape *shape, double scale)
{
    const scree_balls *balls = shape->flags & SCREE_CAP_BALLS ? shape->balls : NULL;
    const uint32_t n = balls ? balls->n : 1;
    for (uint32_t p = 0; p < n; p++) {
        const double radius = (balls ? balls->radius[p] : shape->radius) * scale;
        s->least = fmin(s->least, radius);
        s->most = fmax(s->most, radius);
    }
}

static span *measure(const scree_world *w)
{
    span *spans = g_new(span, w->n_materials + 1);
    for (uint32_t m = 0; m <= w->n_materials; m++)
        spans[m] = (span){.least = HUGE_VAL, .most = -HUGE_VAL};
    for (uint32_t i = 0; i < w->n; i++) {
        span *s = &spans[w->material[i]];
        if (scree_shape_is_wall(w->shapes[w->shape[i]])) {
            s->walled = true;
            continue;
        }
        take_radii(s, w->shapes[w->shape[i]], w->scale[i]);
    }
    return spans;
}

static bool same_spans(const span *a, const span *b, uint32_t n)
{
    bool same = a && b;
    for (uint32_t m = 0; m < n && same; m++)
        same = a[m].walled == b[m].walled && !(a[m].least < b[m].least) &&
               !(a[m].least > b[m].least) && !(a[m].most < b[m].most) && !(a[m].most > b[m].most);
    return same;
}

/** Asks a law once; raises *gap to the answer. */
static bool ask_range(scree_law *law, scree_range_query *query, double *gap, GError **error)
{
    query->gap = 0.0;
    scree_call call =
        scree_call_begin(law->instance, law->asked ? SCREE_CALL_LANE : SCREE_CALL_CONFIG, "range");
    int32_t code = law->ops->range(law->instance->self, query);
    code = scree_call_end(&call, code, SCREE_OK, error);
    law->asked = true;
    if (code >= 0 && query->gap >= 0.0 && isfinite(query->gap)) {
        *gap = fmax(*gap, query->gap);
        return true;
    }
    if (code == SCREE_E_CONFIG && error && *error) // its parameters contradict each other
        (*error)->code = SCREE_EXIT_USAGE;
    if (code >= 0)
        scree_call_blame(law->instance, "range", SCREE_EXIT_PLUGIN, error,
                         "the range between materials %u and %u, radii %g and %g m, is %g m; "
                         "expected a finite number >= 0",
                         query->material_a, query->material_b, query->radius_a, query->radius_b,
                         query->gap);
    return false;
}

/** Asks about balls of one material at balls and walls of another. */
static bool ask_pair(scree_law *law, const span *spans, uint32_t a, uint32_t b, double *gap,
                     GError **error)
{
    const double of_a[] = {spans[a].least, spans[a].most}, of_b[] = {spans[b].least, spans[b].most};
    scree_range_query query = {.size = sizeof query, .material_a = a, .material_b = b};
    if (!(of_a[0] <= of_a[1]))
        return true;
    for (int i = 0; i < 2; i++) {
        query.radius_a = of_a[i];
        if (of_b[0] <= of_b[1])
            for (int j = 0; j < 2; j++) {
                query.radius_b = of_b[j];
                if (!ask_range(law, &query, gap, error))
                    return false;
            }
        query.radius_b = 0.0;
        if (spans[b].walled && !ask_range(law, &query, gap, error))
            return false;
    }
    return true;
}

static bool ask_all_ranges(const scree_sim *sim, const span *spans, double *gap, GError **error)
{
    uint32_t n = sim->scene->materials.n;
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        for (uint32_t k = 0; SCREE_HAS(sim->plugins.contact.laws[l].ops, range) && k < n * n; k++)
            if (!ask_pair(&sim->plugins.contact.laws[l], spans, k / n, k % n, &gap[k], error))
                return false;
    // Either body of a pair may be first: the larger answer counts.
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < a; b++)
            gap[a * n + b] = gap[b * n + a] = fmax(gap[a * n + b], gap[b * n + a]);
    return true;
}

/** Sets the range and the gaps. */
static void take_gaps(scree_sim *sim, double *gap)
{
    uint32_t n = sim->scene->materials.n;
    double before = sim->plugins.contact.range;
    sim->plugins.contact.range = 0.0;
    for (uint32_t k = 0; k < n * n; k++)
        sim->plugins.contact.range = fmax(sim->plugins.contact.range, gap[k]);
    if (sim->plugins.contact.range > before) { // extents were grown by less
        sim->boxes.valid = sim->boxes.numbered = false;
        sim->contacts.stale = true;
    }
    g_clear_pointer(&sim->plugins.contact.gap, g_free);
    if (sim->plugins.contact.range > 0.0 || sim->plugins.contact.any_keep)
        sim->plugins.contact.gap = gap;
    else
        g_free(gap);
}

bool scree_reach_find(scree_sim *sim, GError **error)
{
    uint32_t n = sim->scene->materials.n;
    bool asks = any_law_reaches(sim);
    span *spans = asks ? measure(sim->world) : NULL;
    if (asks && same_spans(sim->plugins.contact.spans, spans, n)) {
        g_free(spans);
        sim->plugins.contact.reach_known = true;
        return true;
    }
    double *gap = g_new0(double, (size_t)n *n + 1);
    if (asks && !ask_all_ranges(sim, spans, gap, error)) {
        g_free(spans);
        g_free(gap);
        return false;
    }
    g_free(sim->plugins.contact.spans);
    sim->plugins.contact.spans = spans;
    sim->plugins.contact.reach_known = true;
    take_gaps(sim, gap);
    return true;
}

/* ---- how far extents look ahead ---- */

double scree_reach_square(const scree_world *w, uint32_t first, uint32_t end)
{
    double sum[4] = {0.0};
    for (int k = 0; k < 3; k++) {
        const double *v = w->v[k];
        uint32_t i = first;
        for (; i + 4 <= end; i += 4)
            for (uint32_t l = 0; l < 4; l++)
                sum[l] += v[i + l] * v[i + l];
        for (; i < end; i++)
            sum[0] += v[i] * v[i];
    }
    return sum[0] + sum[1] + sum[2] + sum[3];
}

/* A body has about MANY candidates, if all bodies have the mean speed and are evenly spread. In
 * wider extents fast bodies would be candidates with nearly all others, and each step would cost
 * more than a renewal. */
double scree_reach_share(const scree_sim *sim, double square, const double *space)
{
    enum { MANY = 64 };
    const scree_world *w = sim->world;
    double ahead = sim->extents.eps_v * sim->dt * sqrt(square / fmax(w->n_free, 1.0)),
           radius = scree_world_largest(sim->world);
    if (!(ahead > 4.0 * radius) || !(radius > 0.0))
        return 1.0;
    double room = 0.5 * pow(MANY * (space ? *space : scree_world_space(w)) / w->n_free,
                            1.0 / w->dimension); // on each side
    return CLAMP((room - 2.0 * radius) / (2.0 * ahead), 2.0 * radius / ahead, 1.0);
}
