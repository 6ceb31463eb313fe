// SPDX-License-Identifier: Apache-2.0
// The critical step of a body with as many neighbours as it has room for.
#include "critical/critical_bound.h"

#include <math.h>

#include "critical/critical_surface.h"
#include "plugin/call.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"

#define AT_REST 0.01      /* [-] overlap over radius, where no speed is known */
#define THIRTEENTH 1.0914 /* [-] radius of a ball with room for thirteen balls of radius 1 */
#define FEW_PARTS 100.0   /* [-] ratio of radii above which Fejes Toth's bound is that of a plane */

/** Springs and dashpots on two motions: displacement or along a contact, rotation or across it. */
typedef struct bound_hold {
    double k[2]; // [1/s^2] springs
    double c[2]; // [1/s] dashpots
} bound_hold;

/** A body, and numbers that do not depend on its partners. */
typedef struct bounder {
    const scree_scene *scene;
    const scree_crowd *crowd;
    scree_stiff *stiff;
    const scree_bound_body *body;
    bool flat, round;
    double size, touch;    // [m] as in scree_crowd_kind
    double least;          // [kg m^2] smallest moment of inertia
    double lever2;         // [m^2] square of the distance of the farthest point
    double spread;         // [-] mean of arm^2 over inertia / mass, about the worst axis
    double each;           // number of contacts with another body
    double walls;          // number of contacts with walls
    scree_surface surface; // set if the body is smooth
    double depth;          // [m] depth at which laws are asked; 0: at the expected speed
    scree_critical_step *out;
    GError *error;
} bounder;

double scree_bound_limit(const scree_choice_of *integrator, double rate, double damping,
                         double *zeta)
{
    double omega = sqrt(rate), limit = (double)NAN;
    *zeta = 0.5 * damping / omega;
    if (integrator)
        limit = scree_call_stability(integrator->plugin, integrator->config, *zeta);
    // central differences have the limit 2
    return (limit > 0.0 && isfinite(limit) ? limit : 2.0) / omega;
}

bool scree_bound_keep(const scree_scene *scene, const scree_bound_body *body, double rate,
                      double damping, scree_critical_step *out)
{
    double zeta;
    if (!(rate > 0.0) || (rate <= out->rate && damping <= out->damping)) // its limit is no smaller
        return false;
    const double step = scree_bound_limit(scene->integrator, rate, damping, &zeta);
    if (!(step < out->step))
        return false;
    *out = (scree_critical_step){.step = step,
                                 .rate = rate,
                                 .damping = damping,
                                 .zeta = zeta,
                                 .id = body->id,
                                 .size = body->scale * scree_shape_size(body->shape),
                                 .flags = body->shape->flags};
    return true;
}

bool scree_bound_ask(const scree_crowd *crowd, scree_stiff *stiff, const scree_bound_body *body,
                     const scree_crowd_kind *kind, const double radius[2], double mass,
                     double depth, scree_stiffness *k, GError **error)
{
    scree_stiffness_query query = {.size = sizeof query,
                                   .material_a = body->material,
                                   .material_b = kind->material,
                                   .radius_a = radius[0],
                                   .radius_b = radius[1],
                                   .mass = mass,
                                   .speed = crowd->speed,
                                   .depth = depth};
    stiff->type_a = body->shape->type;
    stiff->type_b = kind->type;
    return scree_stiff_sum(stiff, &query, k, error);
}

/* ---- one body ---- */

/** [m^2] Mean square of the arms along each axis, for contacts spread evenly over the surface of a
 * clump's balls. */
static void spread_over_balls(const scree_balls *balls, double square[3])
{
    double sum = 0.0;
    for (uint32_t i = 0; i < balls->n; i++) {
        const double surface = balls->radius[i] * balls->radius[i];
        sum += surface;
        for (int k = 0; k < 3; k++)
            square[k] += surface * (balls->centre[k][i] * balls->centre[k][i] + surface / 3.0);
    }
    for (int k = 0; k < 3; k++)
        square[k] /= sum;
}

/** Mean of arm^2 over inertia / mass, about the worst axis, for contacts all around a body. */
static double find_spread(const bounder *b)
{
    const scree_bound_body *body = b->body;
    const uint32_t dimension = b->scene->dimension;
    double square[3] = {0.0}, most = 0.0;
    if (body->shape->balls)
        spread_over_balls(body->shape->balls, square);
    else if (!body->shape->mesh) // a scaled copy has its mass at its surface: (d + 2) / d
        return (dimension + 2.0) / dimension;
    else {
        scree_shape_sides(body->shape, square);
        for (int k = 0; k < 3; k++)
            square[k] *= square[k];
    }
    for (int i = dimension == 2 ? 2 : 0; i < 3; i++) {
        const double arm2 = square[(i + 1) % 3] + square[(i + 2) % 3];
        most = fmax(most, body->scale * body->scale * arm2 * body->mass / body->inertia[i]);
    }
    return most;
}

/** Number of contacts with another body. */
static double count_each(const scree_shape *shape, uint32_t dimension)
{
    if (shape->flags & SCREE_CAP_BALLS)
        return MIN(shape->n_parts, dimension);
    return !shape->flags && shape->mesh ? 2.0 * (dimension - 1) : 1.0;
}

static bounder begin_body(const scree_scene *scene, const scree_crowd *crowd, scree_stiff *stiff,
                          const scree_bound_body *body, scree_critical_step *out)
{
    const double *inertia = body->inertia;
    const double reach = body->scale * body->shape->radius;
    bounder b = {
        .scene = scene,
        .crowd = crowd,
        .stiff = stiff,
        .body = body,
        .flat = scene->dimension == 2,
        .round = scree_shape_is_round(body->shape),
        .size = body->scale * scree_shape_equal_radius(body->shape),
        .touch = body->scale * scree_crowd_touch(body->shape),
        .depth = crowd->speed > 0.0 ? 0.0 : AT_REST * body->scale * scree_crowd_touch(body->shape),
        .lever2 = reach * reach,
        .each = count_each(body->shape, scene->dimension),
        .out = out};
    const double walls = (double)crowd->planes + (double)scene->dimension * (double)crowd->facets;
    b.walls = fmin(scene->dimension, walls + (double)crowd->set);
    b.least = b.flat ? inertia[2] : fmin(fmin(inertia[0], inertia[1]), inertia[2]);
    b.spread = b.round ? 0.0 : find_spread(&b);
    return b;
}

/** Springs or dashpots of a contact with a partner at rest, on both motions over the masses. */
static void hold_by_one(const bounder *b, double along, double across, double roll, double twist,
                        double out[2])
{
    const double turn = b->lever2 / b->least, mass = b->body->mass;
    if (b->round) {
        out[0] = along / mass;
        out[1] = across * (1.0 / mass + turn) + roll / b->least;
        out[1] = fmax(out[1], b->flat ? 0.0 : twist / b->least);
        return;
    }
    out[0] = out[1] = fmax(along, across) * (1.0 / mass + turn) + fmax(roll, twist) / b->least;
}

/** Springs or dashpots of one of many contacts all around: the mean over their normals. */
static void hold_by_many(const bounder *b, double along, double across, double roll, double twist,
                         double out[2])
{
    const double d = b->scene->dimension, mass = b->body->mass;
    const double turn = b->flat ? roll : (2.0 * roll + twist) / 3.0;
    out[0] = (along + (d - 1.0) * across) / (d * mass);
    if (b->round) // the axis is at right angles to most arms
        out[1] = (across * b->lever2 * (b->flat ? 1.0 : 2.0 / 3.0) + turn) / b->least;
    else
        out[1] =
            fmax(0.5 * (along + across), across) * b->spread / mass + fmax(roll, turn) / b->least;
}

/** Contacts of a smooth body, by its surface; both motions are the fastest one. A resolver may
 * report both ends of a straight side, so few contacts count at least as those at the farthest
 * point. */
static bound_hold hold_smooth(const bounder *b, const scree_stiffness *k, double n, double most)
{
    double one[2], many[2], far[2] = {0.0, 0.0}, slow[2] = {0.0, 0.0};
    scree_surface_hold(&b->surface, b->body, b->scene->dimension, k, false, one);
    scree_surface_hold(&b->surface, b->body, b->scene->dimension, k, true, many);
    if (b->surface.straight) {
        hold_by_one(b, k->kn, k->kt, k->kr, k->ktwist, far);
        hold_by_one(b, k->cn, k->ct, k->cr, k->ctwist, slow);
    }
    one[0] = fmax(one[0], far[0]);
    one[1] = fmax(one[1], slow[0]);
    const bool few = n <= most && n * one[0] < most * many[0];
    const double by = few ? n : most, *from = few ? one : many;
    return (bound_hold){{by * from[0], by * from[0]}, {by * from[1], by * from[1]}};
}

/** Hold by n contacts, with room for `most`: all around, or fewer, each at its worst place. */
static bound_hold hold_by(const bounder *b, const scree_stiffness *k, double n, double most)
{
    bound_hold one, many;
    if (b->surface.n)
        return hold_smooth(b, k, n, most);
    hold_by_one(b, k->kn, k->kt, k->kr, k->ktwist, one.k);
    hold_by_one(b, k->cn, k->ct, k->cr, k->ctwist, one.c);
    hold_by_many(b, k->kn, k->kt, k->kr, k->ktwist, many.k);
    hold_by_many(b, k->cn, k->ct, k->cr, k->ctwist, many.c);
    const bool few = n <= most && n * fmax(one.k[0], one.k[1]) < most * fmax(many.k[0], many.k[1]);
    const bound_hold *from = few ? &one : &many;
    const double by = few ? n : most;
    return (bound_hold){{by * from->k[0], by * from->k[1]}, {by * from->c[0], by * from->c[1]}};
}

/* ---- partners ---- */

/** Number of balls of radius 1 with room on a ball of radius `ratio` (2D: discs). The angle between
 * their centres is at least 2 asin(1 / (1 + ratio)). */
static double find_room(uint32_t dimension, double ratio)
{
    const double apart = 1.0 / (1.0 + ratio), rounding = 1e-9;
    if (dimension == 2)
        return fmax(3.0, floor(G_PI / asin(apart) + rounding));
    if (ratio > FEW_PARTS)
        return 2.0 * G_PI / sqrt(3.0) / (apart * apart);
    const double cot2 = 3.0 - 4.0 * apart * apart; // 2 cos(angle) + 1
    if (!(cot2 > 1.0 / 3.0))
        return 4.0;
    const double room = floor(2.0 / (1.0 - G_PI / (6.0 * atan(1.0 / sqrt(cot2)))) + rounding);
    return ratio < THIRTEENTH ? fmin(room, 12.0) : room;
}

/** Tries all combinations of both motions: none can be faster. */
static void try_both(bounder *b, const bound_hold *others, const bound_hold *walls, double contacts,
                     const scree_crowd_kind *partner)
{
    for (int motion = 0; motion < 4; motion++) {
        const double k = 2.0 * others->k[motion & 1] + walls->k[motion >> 1];
        const double c = 2.0 * others->c[motion & 1] + walls->c[motion >> 1];
        if (!scree_bound_keep(b->scene, b->body, k, c, b->out))
            continue;
        b->out->partner = partner->material;
        b->out->wall = partner->wall;
        b->out->contacts = (uint32_t)fmin(ceil(contacts), UINT32_MAX);
    }
}

/** Tries free bodies of one size and stiffness all around, then with one more wall at a time. */
static bool bound_at_walls(bounder *b, const scree_crowd_kind *kind, const scree_stiffness *k,
                           double n, double room)
{
    const scree_crowd *crowd = b->crowd;
    const bound_hold nothing = {{0.0}, {0.0}};
    const bound_hold all = hold_by(b, k, n, room);
    try_both(b, &all, &nothing, fmin(n, room), kind);
    for (guint i = 0; b->walls > 0.0 && i < crowd->kinds->len; i++) {
        const scree_crowd_kind *wall = &g_array_index(crowd->kinds, scree_crowd_kind, i);
        const double radius[2] = {b->touch, 0.0};
        scree_stiffness at_wall;
        if (!wall->wall)
            continue;
        if (!scree_bound_ask(crowd, b->stiff, b->body, wall, radius, b->body->mass, b->depth,
                             &at_wall, &b->error))
            return false;
        for (double w = 1.0; w <= b->walls; w++) {
            const double rest = room * (1.0 - w / (b->scene->dimension + 1.0));
            const bound_hold left = hold_by(b, k, fmin(n, rest), rest);
            const bound_hold on = hold_by(b, &at_wall, w * b->each, room);
            try_both(b, &left, &on, fmin(n, rest) + w * b->each, wall);
        }
        // bodies that do not move are all around
        const bound_hold set = hold_by(b, &at_wall, (double)crowd->set * b->each, room);
        if (crowd->set)
            try_both(b, &nothing, &set, fmin((double)crowd->set * b->each, room), wall);
    }
    return true;
}

/** Tries partners of one kind and size. */
static bool try_size(bounder *b, const scree_crowd_kind *kind, double size, double touch,
                     double mass)
{
    const double own = b->body->mass, both = own * mass / (own + mass);
    const double n = (double)(b->crowd->n_free - 1) * b->each;
    const double room = find_room(b->scene->dimension, b->size / size);
    scree_stiffness k, flat;
    if (!scree_bound_ask(b->crowd, b->stiff, b->body, kind, (double[]){b->touch, touch}, both,
                         b->depth, &k, &b->error))
        return false;
    if (kind->solid || !b->body->shape->flags) { // a law may depend on curvature
        if (!scree_bound_ask(b->crowd, b->stiff, b->body, kind, (double[]){b->touch, 0.0}, both,
                             b->depth, &flat, &b->error))
            return false;
        scree_stiffness_widen(&k, &flat);
    }
    return bound_at_walls(b, kind, &k, n, room);
}

/** Tries the smallest and the largest partners, and partners of the body's own size in between. */
static bool try_kind(bounder *b, const scree_crowd_kind *kind)
{
    const double *size = kind->size;
    if (kind->wall)
        return true;
    if (!try_size(b, kind, size[0], kind->touch[0], kind->mass[0]))
        return false;
    if (size[1] > size[0] && !try_size(b, kind, size[1], kind->touch[1], kind->mass[1]))
        return false;
    return !(b->size > size[0] && b->size < size[1]) ||
           try_size(b, kind, b->size, b->touch, b->body->mass);
}

bool scree_bound_take(const scree_scene *scene, const scree_crowd *crowd, scree_stiff *stiff,
                      const scree_bound_body *body, scree_critical_step *out, GError **error)
{
    bounder b = begin_body(scene, crowd, stiff, body, out);
    if (!scree_surface_take(body->shape, scene->dimension, &b.surface, error))
        return false;
    for (guint i = 0; i < crowd->kinds->len && !b.error; i++)
        if (!try_kind(&b, &g_array_index(crowd->kinds, scree_crowd_kind, i)))
            break;
    if (b.error)
        g_propagate_error(error, b.error);
    return !b.error;
}
