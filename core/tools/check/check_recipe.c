/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that are made by a recipe (params.h). Random values are judged by their means: with 4.5 standard
 * deviations a sound plugin fails in one mean of 150 000, and the seed of the scenes is always the same. */
#include "tools/check/check_recipe.h"

#include <math.h>

#include "base/rotation.h"
#include "scree/cell_sdk.h"
#include "scree/source_sdk.h"
#include "tools/check/check_report.h"

enum { ENOUGH = 30 };
static const double deviations = 4.5;

const char *scree_check_made_lacks(const scree_check *check)
{
    const uint32_t of_file = SCREE_PARAM_INLINE | SCREE_PARAM_OPTIONAL; // which gives a part of it
    bool found = false;
    for (uint32_t k = 0; k < check->plugin->n_params; k++)
        found = found || (check->plugin->params[k]->type == SCREE_TYPE_RECIPE &&
                          (check->plugin->params[k]->flags & of_file) != of_file);
    return found ? NULL : "it has no recipe, or a file gives a part of it";
}

/** The value of the first parameter of a type, which is a pointer; NULL: no parameter has the type. */
static const void *find_param(const scree_choice_of *choice, uint32_t type)
{
    for (uint32_t k = 0; k < choice->plugin->n_params; k++)
        if (choice->plugin->params[k]->type == type)
            return *(void *const *)((const char *)choice->config +
                                    choice->plugin->params[k]->offset);
    return NULL;
}

bool scree_check_made_begin(scree_check_made *m, const scree_choice_of *choice)
{
    m->recipe = find_param(choice, SCREE_TYPE_RECIPE);
    m->zone = find_param(choice, SCREE_TYPE_ZONE);
    return m->recipe != NULL;
}

/** Whether the ball around a body is in the zone; along an axis that repeats a box needs only its
 * centre. */
static bool is_inside(const scree_zone *zone, const scree_cell *cell, const scree_body *b, double r)
{
    if (zone->type != SCREE_ZONE_BOX)
        return scree_zone_holds(zone, b->x, r);
    for (uint32_t k = 0; k < 3; k++) {
        const double reach = cell->repeats & 1u << k ? 0.0 : r;
        if (zone->hi[k] > zone->lo[k] &&
            !(b->x[k] - reach >= zone->lo[k] && b->x[k] + reach <= zone->hi[k]))
            return false;
    }
    return true;
}

/** The difference of a body from its recipe; NULL: none. */
static const char *find_fault(const scree_check_made *m, const scree_body *b)
{
    const scree_recipe *r = m->recipe;
    const scree_size_table *s = r->sizes;
    const double most = r->velocity_uniform ? r->velocity_random : 8.0 * r->velocity_random;
    const int n = m->resized ? 0 : 3;
    if (b->material != r->material)
        return "another material";
    if (b->motion != r->motion)
        return "another motion";
    if (!m->resized && b->shape != r->shape)
        return "another shape";
    if (!m->resized &&
        !(b->scale >= s->radius[0] * (1.0 - 1e-9) && b->scale <= scree_size_max(s) * (1.0 + 1e-9)))
        return "another size";
    for (int k = 0; k < n; k++)
        if (!(fabs(b->v[k] - r->velocity[k]) <= most) || !(fabs(b->w[k] - r->spin[k]) <= 1e-12))
            return "another velocity or spin";
    return NULL;
}

/** Adds a body to the sums. */
static void add(scree_check_made *m, const scree_body *b)
{
    const scree_recipe *r = m->recipe;
    double part[3] = {0.0};
    m->n++;
    m->n_low += b->scale < scree_size_draw(r->sizes, 0.5);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        double turned[3];
        scree_rotate(b->q, axis, turned);
        for (int j = 0; j < 3; j++)
            m->turn[3 * k + j] += turned[j];
        if (r->velocity_random > 0.0)
            part[k] = (b->v[k] - r->velocity[k]) / r->velocity_random *
                      (r->velocity_uniform ? sqrt(3.0) : 1.0);
        m->v[k] += part[k];
        m->vv[k] += part[k] * part[k];
    }
    for (int k = 0; k < 3; k++)
        m->vw[k] += part[k] * part[(k + 1) % 3];
}

void scree_check_made_judge(scree_check_made *m, const scree_body *b, const scree_shape *shape,
                            const scree_cell *cell)
{
    const double radius = b->scale * shape->radius, reach = radius - 1e-9; // rounding
    const char *fault = find_fault(m, b);
    if (!fault && m->zone && !is_inside(m->zone, cell, b, reach))
        fault = "another zone";
    if (fault)
        scree_check_fail(m->check,
                         "%s: body %u at (%g, %g, %g) m, of scale %g, material %u, motion %u, "
                         "shape %u, has %s than its parameters say",
                         m->setting, m->n, b->x[0], b->x[1], b->x[2], b->scale, b->material,
                         b->motion, b->shape, fault);
    m->largest = fmax(m->largest, radius);
    add(m, b);
}

/** Share of the zone where a largest body may find no room: near the border, or near a body; twice
 * that, since other bodies of the scene take room, too. At most 1. */
static double share_without_room(const scree_check_made *m)
{
    const double r = m->largest, pi = 3.14159265358979323846;
    double taken = m->n * (m->dimension == 3 ? 32.0 / 3.0 * pi * r * r * r : 4.0 * pi * r * r);
    double border = 0.0;
    if (!m->zone || m->zone->type != SCREE_ZONE_BOX)
        return 1.0;
    for (uint32_t k = 0; k < m->dimension; k++) {
        const double side = m->zone->hi[k] - m->zone->lo[k];
        taken /= side;
        border += 2.0 * r / side;
    }
    return fmin(1.0, 2.0 * (taken + border));
}

/** How far the share of bodies below the median may be from a half, by room and by chance. If the
 * large ones find room in a part p of all tries, and the small ones always, the share is 1 / (1 + p). */
static double slack_of_sizes(const scree_check_made *m)
{
    const double lost = share_without_room(m);
    return fmin(0.3, 0.5 * lost / (2.0 - lost) + deviations * 0.5 / sqrt(m->n));
}

/** Fails unless a mean is as expected, within `slack` or deviations of one value. */
static void expect(const scree_check_made *m, const char *what, double sum, double mean,
                   double deviation, double slack)
{
    const double most = fmax(slack, deviations * deviation / sqrt(m->n));
    if (!(fabs(sum / m->n - mean) <= most))
        scree_check_fail(m->check, "%s: of %u bodies the mean %s is %.3g; expected %.3g, to %.2g",
                         m->setting, m->n, what, sum / m->n, mean, most);
}

void scree_check_made_end(const scree_check_made *m)
{
    const scree_recipe *r = m->recipe;
    const uint32_t d = m->dimension, n_moving = r->velocity_random > 0.0 ? d : 0;
    const uint32_t n_turns = r->random_orientation ? 9 : 0;
    if (m->n < ENOUGH || m->resized)
        return;
    if (!r->sizes->discrete && scree_size_max(r->sizes) > r->sizes->radius[0])
        expect(m, "share below the median of the sizes", m->n_low, 0.5, 0.5, slack_of_sizes(m));
    for (uint32_t k = 0; k < n_turns; k++)
        if (k / 3 < d && k % 3 < d)
            expect(m, "cosine between an axis of a body and one of the scene", m->turn[k], 0.0,
                   sqrt(1.0 / d), 0.0);
    for (uint32_t k = 0; k < n_moving; k++) {
        expect(m, "random velocity, of its size,", m->v[k], 0.0, 1.0, 0.0);
        expect(m, "square of that", m->vv[k], 1.0, sqrt(2.0), 0.0);
        if (d == 3 || k == 0)
            expect(m, "product of two of its components", m->vw[k], 0.0, 1.0, 0.0);
    }
}
