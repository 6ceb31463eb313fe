// SPDX-License-Identifier: Apache-2.0
/*
 * How long a run will take, from its first state and from measured costs.
 *
 * Idea    a step costs a time, and more for each body, for each pair of bodies whose boxes meet (its
 *         resolver, by the facets of the bodies) and for each contact (its laws). tests/claims/costs.py
 *         measures these times, and writes costs.tsv. Bodies that touch at the start stay as they
 *         are. Others fall for some time, and rest on each other: then pairs and contacts are those of a settled
 *         bed. Where nothing pushes them together, pairs are those of the start, and a tenth of
 *         them touch.
 * Limits  the times are those of one CPU. Bodies that are thrown up again, or fall onto something far below
 *         all of them, take less.
 *         Bodies that modifiers insert are not counted: such a scene has no forecast.
 */
#include "tools/look/run_time.h"

#include <math.h>
#include <string.h>

#include "engine/lists.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"
#include "tools/look/costs.h"
#include "tools/look/memory_use.h"

/* Facets of marching cubes on the solid of a ball with so many cells along each side (measured). */
#define FACETS_OF_CELLS 9.3

/** The free bodies of a type of shape. */
typedef struct free_bodies {
    double n, facets, parts; /* facets and parts of all of them, at least one of each body */
    double reach;            /* [m] of the largest shape at scale 1 */
    bool uncut;              /* some are polygons without `resample` */
} free_bodies;

/** Value of a parameter of a plugin, by name; `otherwise` if it has none. */
static double read_param(const scree_choice_of *choice, const char *name, double otherwise)
{
    for (uint32_t p = 0; p < choice->plugin->n_params; p++) {
        const scree_param *param = choice->plugin->params[p];
        const void *value = (const char *)choice->config + param->offset;
        if (!strcmp(param->name, name) && param->type == SCREE_TYPE_INT)
            return (double)*(const int64_t *)value;
        if (!strcmp(param->name, name) && param->type == SCREE_TYPE_REAL)
            return *(const double *)value;
    }
    return otherwise;
}

static void count_bodies(const scree_sim *sim, free_bodies all[SCREE_MAX_TYPES])
{
    for (uint32_t i = 0; i < sim->world->n_free; i++) {
        const scree_shape *shape = sim->world->shapes[sim->world->shape[i]];
        free_bodies *of = &all[scree_body_type(sim, i)];
        of->n++;
        of->facets += MAX(1, scree_shape_facets(shape));
        const scree_choice_of *choice = scree_shape_choice(shape);
        of->uncut |= choice && read_param(choice, "resample", 1.0) < 1.0;
        of->reach = MAX(of->reach, shape->radius);
        of->parts += shape->flags & SCREE_CAP_BALLS ? shape->balls->n : 1;
    }
}

/** The free bodies of a type of shape, by its code. */
static const free_bodies *bodies_of(const scree_sim *sim, const free_bodies all[SCREE_MAX_TYPES],
                                    uint32_t code)
{
    uint32_t t = 0;
    while (t + 1 < sim->types.n && sim->types.code[t] != code)
        t++;
    return &all[t];
}

/** Costs of this name: those of the nearest numbers of facets, between and above which powers are
 * taken; rows with 1 facet are those of smooth bodies. All 0: no row has this name. */
static scree_cost find_costs(const char *name, uint32_t dimension, double facets)
{
    const scree_cost *low = NULL, *high = NULL;
    for (uint32_t i = 0; i < scree_costs_n; i++) {
        const scree_cost *one = &scree_costs[i];
        if (strcmp(one->name, name) || (one->dimension && one->dimension != dimension))
            continue;
        const bool right = (one->facets > 1.0) == (facets > 1.0);
        const bool other =
            high && right && (high->facets > 1.0) != (facets > 1.0); // of the wrong kind
        if (!high || other || (high->facets < facets && one->facets > high->facets)) {
            low = high && !other ? high : one;
            high = one;
        }
    }
    if (!high)
        return (scree_cost){.name = name};
    scree_cost found = *low;
    if (low != high && facets > low->facets)
        found.pair *= pow(high->pair / low->pair,
                          log(facets / low->facets) / log(high->facets / low->facets));
    return found;
}

/** Costs of the resolver of a list, by the facets of its free bodies, or by the resolver's cells. */
static scree_cost list_costs(const scree_sim *sim, const scree_list *list,
                             const free_bodies all[SCREE_MAX_TYPES])
{
    const free_bodies *a = bodies_of(sim, all, list->type_a),
                      *b = bodies_of(sim, all, list->type_b);
    const char *id = list->resolver->plugin->id;
    double facets = MAX(a->facets / MAX(1.0, a->n), b->facets / MAX(1.0, b->n));
    for (guint i = 0; i < sim->scene->resolvers->len; i++) {
        const scree_choice_of *choice = sim->scene->resolvers->pdata[i];
        if (strcmp(choice->plugin->id, id))
            continue;
        const double side = read_param(choice, "cell", 0.0),
                     cells = side > 0.0 ? 2.0 * MAX(a->reach, b->reach) / side
                                        : read_param(choice, "cells", 0.0);
        facets = cells > 0.0 ? FACETS_OF_CELLS * cells * cells : facets;
        if (a->uncut || b->uncut)
            facets = MAX(facets, 2.0 * read_param(choice, "panels", 0.0));
    }
    return find_costs(id, sim->world->dimension, facets);
}

/** Number of candidates of a list: pairs, or pairs of their balls. */
static double count_candidates(const scree_sim *sim, const scree_list *list)
{
    double n = 0.0;
    for (uint32_t k = 0; k < sim->contacts.n_blocks * (sim->contacts.n_blocks + 1); k++)
        n += scree_segment_parts(&list->segments[k]);
    return n;
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
    return any;
}

/** Share of the run in which bodies rest on each other. They fall from all heights of the box around
 * them, until they are dense. */
static double settled_share(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    const double g = sqrt(w->gravity[0] * w->gravity[0] + w->gravity[1] * w->gravity[1] +
                          w->gravity[2] * w->gravity[2]),
                 time = (double)sim->scene->steps * sim->dt, dense = w->dimension == 3 ? 0.6 : 0.8;
    double volume = 0.0, space = w->dimension == 3 ? 1.0 : w->thickness, height = 0.0;
    if (!(g > 0.0))
        return 1.0;
    for (uint32_t i = 0; i < w->n_free; i++)
        volume += w->mass[i] / scree_world_density(w, i);
    for (uint32_t k = 0; k < w->dimension; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (uint32_t i = 0; i < w->n_free; i++) {
            low = MIN(low, w->x[k][i] - w->radius[i]);
            high = MAX(high, w->x[k][i] + w->radius[i]);
        }
        space *= high - low;
        height += fabs(w->gravity[k]) / g * (high - low);
    }
    const double longest =
        sqrt(2.0 * height * (1.0 - MIN(1.0, volume / (dense * space))) / g); // [s] of the uppermost
    return longest < time ? 1.0 - 2.0 / 3.0 * longest / time
                          : time * time / (3.0 * longest * longest);
}

/** Time [ns] of a step for its bodies: their motion, and the modifiers. */
static double body_time(const scree_sim *sim, const free_bodies all[SCREE_MAX_TYPES])
{
    double sum = find_costs("step", 0, 1.0).step;
    for (uint32_t t = 0; t < sim->types.n; t++) {
        const uint8_t l = sim->plugins.contact.list_of[t][t];
        const scree_cost one = l == UINT8_MAX
                                   ? find_costs("sphere", 0, 1.0)
                                   : list_costs(sim, &sim->plugins.contact.lists[l], all);
        sum += all[t].n * one.body;
    }
    for (guint i = 0; i < sim->scene->modifiers->len; i++) {
        const scree_timed_choice *timed = sim->scene->modifiers->pdata[i];
        const scree_cost one = find_costs(timed->choice->plugin->id, 0, 1.0);
        sum += one.step + one.body * sim->world->n_free;
    }
    return sum;
}

/** Time [ns] of a step for its pairs and contacts. */
static double contact_time(const scree_sim *sim, const free_bodies all[SCREE_MAX_TYPES])
{
    const scree_settled_bed bed = scree_settled_bed_of(sim->world->dimension);
    const double touching = (double)sim->counters.contacts;
    const bool rests = touching > 0.5 * sim->world->n_free;
    const double share = !rests && settles(sim->scene) ? settled_share(sim) : 0.0;
    double parts = 0.0, first = 0.0, sum = 0.0, weights = 0.0, pair = 0.0, law = 0.0;
    for (uint32_t t = 0; t < sim->types.n; t++)
        parts += all[t].parts;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        const scree_list *list = &sim->plugins.contact.lists[l];
        const scree_cost one = list_costs(sim, list, all);
        const double candidates = count_candidates(sim, list),
                     weight = bodies_of(sim, all, list->type_a)->parts *
                              bodies_of(sim, all, list->type_b)->parts *
                              (list->type_a == list->type_b ? 0.5 : 1.0);
        first += candidates;
        sum += candidates * one.pair;
        weights += weight;
        pair += weight * one.pair;
        law += weight * one.contact;
    }
    for (guint i = 0; i < sim->scene->forces->len; i++)
        law += weights *
               find_costs(((scree_choice_of *)sim->scene->forces->pdata[i])->plugin->id, 0, 1.0)
                   .contact;
    if (!(weights > 0.0))
        return sum;
    return sum + share * MAX(0.0, bed.pairs * parts - first) * pair / weights +
           MAX(touching, share > 0.0 ? share * bed.contacts * parts : 0.1 * first) * law / weights;
}

double scree_run_time(const scree_sim *sim)
{
    free_bodies all[SCREE_MAX_TYPES] = {{0}};
    const scree_scene *s = sim->scene;
    if (!sim->world->n_free || !s->steps || s->to_come->len)
        return 0.0;
    count_bodies(sim, all);
    return 1e-9 * (double)s->steps * (body_time(sim, all) + contact_time(sim, all)) +
           picture_time(s, (double)s->steps * sim->dt);
}
