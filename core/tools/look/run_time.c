// SPDX-License-Identifier: Apache-2.0
/*
 * How long a run will take, from its scene and from measured costs.
 *
 * Idea    a step costs a time for each pair of bodies whose boxes meet (its resolver, by the facets
 *         of the bodies), for each contact (its laws) and for each body. tests/claims/costs.py
 *         measures these times, and writes costs.tsv. Bodies of most scenes come to rest on each
 *         other: the numbers of pairs and contacts are those of a settled bed.
 * Limits  the times are those of one CPU. A scene whose bodies fall or fly for long takes less.
 *         Bodies that modifiers insert are not counted: such a scene has no forecast.
 */
#include "tools/look/run_time.h"

#include <math.h>
#include <string.h>

#include "shape/shape.h"
#include "tools/look/costs.h"
#include "tools/look/memory_use.h"

/** The mean of the free bodies of a scene. */
typedef struct mean_body {
    double n, facets, balls; /* of a body: 1 where it has none */
    bool round;
} mean_body;

static mean_body take_mean(const scree_scene *s)
{
    mean_body m = {.round = true};
    for (guint i = 0; i < s->bodies->len; i++) {
        const scree_body *b = &g_array_index(s->bodies, scree_body, i);
        const scree_shape *shape = s->shapes->pdata[b->shape];
        if (b->motion != SCREE_MOTION_FREE)
            continue;
        m.n++;
        m.facets += MAX(1, scree_shape_facets(shape));
        m.balls += shape->flags & SCREE_CAP_BALLS ? shape->balls->n : 1;
        m.round = m.round && shape->flags & (SCREE_CAP_ROUND | SCREE_CAP_BALLS);
    }
    m.facets /= MAX(1.0, m.n);
    m.balls /= MAX(1.0, m.n);
    return m;
}

/** Costs of this name: those of the nearest numbers of facets, between which powers are taken. All
 * 0: no row has this name. */
static scree_cost find_costs(const char *name, uint32_t dimension, double facets)
{
    const scree_cost *below = NULL, *above = NULL;
    for (uint32_t i = 0; i < scree_costs_n; i++)
        if (!strcmp(scree_costs[i].name, name) &&
            (!scree_costs[i].dimension || scree_costs[i].dimension == dimension)) {
            if (scree_costs[i].facets <= facets || !below)
                below = &scree_costs[i];
            if (scree_costs[i].facets >= facets && !above)
                above = &scree_costs[i];
        }
    if (!below)
        return (scree_cost){.name = name};
    if (!above || above == below || above->facets <= below->facets)
        return *below;
    const double part = log(facets / below->facets) / log(above->facets / below->facets);
    scree_cost found = *below;
    found.pair *= pow(above->pair / below->pair, part);
    return found;
}

/** The dearest of the scene's resolvers that bodies which are round, or are not, need. */
static scree_cost find_resolver(const scree_scene *s, const mean_body *m)
{
    scree_cost dearest = find_costs("sphere", 0, 1.0);
    for (guint i = 0; !m->round && i < s->resolvers->len; i++) {
        const scree_choice_of *choice = s->resolvers->pdata[i];
        const scree_cost one = find_costs(choice->plugin->id, s->dimension, m->facets);
        if (one.pair > dearest.pair)
            dearest = one;
    }
    return dearest;
}

/** Value of a parameter of an observer, by name; `otherwise` if it has none. */
static double read_param(const scree_choice_of *choice, const char *name, double otherwise)
{
    for (uint32_t p = 0; p < choice->plugin->n_params; p++) {
        const scree_param *param = choice->plugin->params[p];
        if (!strcmp(param->name, name) && param->type == SCREE_TYPE_INT)
            return (double)*(const int64_t *)((const char *)choice->config + param->offset);
    }
    return otherwise;
}

/** Time [s] of all pictures of a run that takes `time` seconds of its scene. */
static double picture_time(const scree_scene *s, double time)
{
    double sum = 0.0;
    for (guint i = 0; i < s->observers->len; i++) {
        const scree_timed_choice *one = s->observers->pdata[i];
        if (!one->choice || strcmp(one->choice->plugin->id, "image"))
            continue;
        const double n = one->every_time > 0.0   ? time / one->every_time
                         : one->every_steps > 0u ? (double)(s->steps / one->every_steps)
                                                 : 1.0;
        sum += (n + 1.0) * 1e-9 * find_costs("image", 0, 1.0).body *
               read_param(one->choice, "width", 800.0) * read_param(one->choice, "height", 600.0);
    }
    return sum;
}

/** Whether bodies come to rest on each other: something pushes them together. */
static bool settles(const scree_scene *s)
{
    bool any = s->gravity[0] != 0.0 || s->gravity[1] != 0.0 || s->gravity[2] != 0.0;
    for (guint i = 0; !any && i < s->modifiers->len; i++)
        any = !strcmp(((scree_timed_choice *)s->modifiers->pdata[i])->choice->plugin->id, "servo");
    for (guint i = 0; !any && i < s->forces->len; i++)
        any = !strcmp(((scree_choice_of *)s->forces->pdata[i])->plugin->id, "bonded");
    return any;
}

double scree_run_time(const scree_scene *s, double dt)
{
    const mean_body m = take_mean(s);
    const scree_cost resolver = find_resolver(s, &m);
    const scree_settled_bed bed = scree_settled_bed_of(s->dimension);
    const double share = settles(s) ? 1.0 : 0.1;
    double law = resolver.contact, body = resolver.body;
    for (guint i = 0; i < s->forces->len; i++)
        law += find_costs(((scree_choice_of *)s->forces->pdata[i])->plugin->id, 0, 1.0).contact;
    if (m.n < 1.0 || !s->steps || s->to_come->len)
        return 0.0;
    body += m.balls * share * (bed.pairs * resolver.pair + bed.contacts * law);
    return 1e-9 * (double)s->steps * m.n * body + picture_time(s, (double)s->steps * dt);
}
