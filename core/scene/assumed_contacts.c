// SPDX-License-Identifier: Apache-2.0
// Contacts of a body that has none yet: as one of a dense packing of its likes, on a wall or not.
#include "scene/assumed_contacts.h"

#include <math.h>

#include "scene/shape_size.h"

#define ROUNDING 1e-9    /* [-] */
#define MOST_PLACED 341u /* balls of a clump whose neighbours are placed, in pairs of twelve each */

static const double side = 0.70710678118654752, slope = 0.57735026918962576; // 1/√2, 1/√3
static const double middle = 0.5, tall = 0.86602540378443865;                // √3/2
static const double rise = 0.81649658092772603, low = 0.28867513459481288;   // √(2/3), 1/(2√3)

/** Directions of twelve neighbours in fcc; of nine that lie in a plane and above it; of six in 2D;
 * of four. Opposite ones come together, so that fewer of them are in a row. */
static uint32_t directions(uint32_t dimension, bool wall, double to[12][3])
{
    const double fcc[12][3] = {{side, side, 0},   {-side, -side, 0}, {side, -side, 0},
                               {-side, side, 0},  {side, 0, side},   {-side, 0, -side},
                               {side, 0, -side},  {-side, 0, side},  {0, side, side},
                               {0, -side, -side}, {0, side, -side},  {0, -side, side}};
    const double layer[9][3] = {{1, 0, 0},           {-1, 0, 0},           {middle, tall, 0},
                                {-middle, -tall, 0}, {-middle, tall, 0},   {middle, -tall, 0},
                                {0, slope, rise},    {middle, -low, rise}, {-middle, -low, rise}};
    const double flat[6][3] = {{1, 0, 0},           {-1, 0, 0},         {middle, tall, 0},
                               {-middle, -tall, 0}, {-middle, tall, 0}, {middle, -tall, 0}};
    const double row[4][3] = {{1, 0, 0}, {-1, 0, 0}, {middle, tall, 0}, {-middle, tall, 0}};
    const double(*from)[3] = dimension == 2 ? (wall ? row : flat) : wall ? layer : fcc;
    uint32_t n = dimension == 2 ? (wall ? 4 : 6) : wall ? 9 : 12;
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            to[i][k] = from[i][k];
    return n;
}

static void scaled(double by, const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = by * v[k];
}

static uint32_t each_of_ball(const scree_assumed *a, scree_assumed_fn fn, void *user)
{
    const bool flat = a->dimension == 2;
    const double r = a->scale * a->shape->radius;
    const double down[3] = {0.0, flat ? -1.0 : 0.0, flat ? 0.0 : -1.0};
    double to[12][3], arm[3];
    const uint32_t n = MIN(directions(a->dimension, a->wall, to), a->others);
    for (uint32_t i = 0; i < n; i++) {
        scaled(r, to[i], arm);
        fn(user, 2.0, to[i], arm, a->k);
    }
    scaled(r, down, arm);
    if (a->wall)
        fn(user, 1.0, down, arm, a->at_wall);
    return n + a->wall;
}

/** A ball that touches a clump, and the ball of the clump that it touches. */
typedef struct toucher {
    double at[3];
    uint32_t ball;
} toucher;

static double distance2(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static double smallest_ball(const scree_balls *balls)
{
    double r = balls->radius[0];
    for (uint32_t b = 1; b < balls->n; b++)
        r = fmin(r, balls->radius[b]);
    return r;
}

/** Whether a ball of radius r that touches ball t->ball would be inside another one of the clump. */
static bool is_blocked(const scree_balls *balls, const toucher *t, double r)
{
    for (uint32_t b = 0; b < balls->n; b++) {
        const double at[3] = {balls->centre[0][b], balls->centre[1][b], balls->centre[2][b]};
        const double apart = (1.0 - ROUNDING) * (balls->radius[b] + r);
        if (b != t->ball && distance2(at, t->at) < apart * apart)
            return true;
    }
    return false;
}

/** The part of its contacts that a ball of a clump of very many has: they share the surface of the
 * box. */
static double share_of_surface(const scree_shape *shape, uint32_t dimension)
{
    const double r = scree_shape_size(shape), n = shape->n_parts;
    double half[3];
    scree_shape_sides(shape, half);
    const double balls =
        dimension == 2
            ? (half[0] + half[1]) / (2.0 * r)
            : (half[0] * half[1] + half[1] * half[2] + half[2] * half[0]) / (3.0 * r * r);
    return fmin(1.0, fmax(1.0, balls) / n);
}

/** Shares of the touching balls: none of one that is blocked; of those that overlap only one can be
 * there, which is 1 / (1 + number of others that it overlaps) of each. */
static void share_places(const scree_balls *balls, const toucher *all, uint32_t n, double r,
                         double *share)
{
    const double apart2 = 4.0 * (1.0 - ROUNDING) * r * r;
    for (uint32_t i = 0; i < n; i++)
        share[i] = is_blocked(balls, &all[i], r) ? 0.0 : 1.0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t same = 0;
        for (uint32_t j = 0; j < n; j++)
            same += share[i] > 0.0 && share[j] > 0.0 && distance2(all[i].at, all[j].at) < apart2;
        share[i] = same ? 1.0 / same : 0.0;
    }
}

double *scree_assumed_shares(const scree_shape *shape, uint32_t dimension, bool wall)
{
    const scree_balls *balls = shape->balls;
    double to[12][3];
    const uint32_t n = directions(dimension, wall, to), all = n * balls->n;
    double *share = g_new(double, all);
    if (balls->n > MOST_PLACED) {
        const double same = share_of_surface(shape, dimension);
        for (uint32_t i = 0; i < all; i++)
            share[i] = same;
        return share;
    }
    g_autofree toucher *places = g_new(toucher, all);
    const double r = smallest_ball(balls);
    for (uint32_t i = 0; i < all; i++) {
        const uint32_t b = i / n;
        places[i].ball = b;
        for (int k = 0; k < 3; k++)
            places[i].at[k] = balls->centre[k][b] + (balls->radius[b] + r) * to[i % n][k];
    }
    share_places(balls, places, all, r, share);
    return share;
}

/** [own length] How far a ball of the clump reaches along `down`. */
static double reach_of(const scree_balls *balls, const double down[3], uint32_t b)
{
    double reach = balls->radius[b];
    for (int k = 0; k < 3; k++)
        reach += balls->centre[k][b] * down[k];
    return reach;
}

/** The balls that touch a wall along `down`: those that reach beyond *from, with the share returned.
 * These are the ones that reach farthest; if they are too few to hold the body, any of three (2D:
 * two). */
static double share_at_wall(const scree_assumed *a, const double down[3], double *from)
{
    const scree_balls *balls = a->shape->balls;
    double most = -HUGE_VAL;
    uint32_t n = 0;
    for (uint32_t b = 0; b < balls->n; b++)
        most = fmax(most, reach_of(balls, down, b));
    *from = most - ROUNDING * fabs(most);
    for (uint32_t b = 0; b < balls->n; b++)
        n += reach_of(balls, down, b) >= *from;
    if (n >= a->dimension)
        return 1.0;
    *from = -HUGE_VAL;
    return fmin(1.0, (double)a->dimension / balls->n);
}

static uint32_t each_of_clump(const scree_assumed *a, const double half[3], scree_assumed_fn fn,
                              void *user)
{
    const scree_balls *balls = a->shape->balls;
    double to[12][3], down[3] = {0.0}, sum = 0.0, at_wall = 0.0;
    const uint64_t most = (uint64_t)a->others * balls->n;
    const uint32_t all = directions(a->dimension, a->wall, to), n = (uint32_t)MIN(all, most);
    uint32_t thinnest = 0;
    for (uint32_t k = 1; k < a->dimension; k++)
        thinnest = half[k] < half[thinnest] ? k : thinnest;
    down[thinnest] = -1.0;
    const double same = n < all ? share_of_surface(a->shape, a->dimension) : 0.0; // few others
    double from, on_wall = share_at_wall(a, down, &from);
    for (uint32_t b = 0; b < balls->n; b++) {
        const double held = a->wall && reach_of(balls, down, b) >= from ? on_wall : 0.0;
        double arm[3];
        for (uint32_t i = 0; i <= n; i++) {
            const double *way = i < n ? to[i] : down;
            const double share = i == n ? held : n < all ? same : a->share[b * all + i];
            for (int k = 0; k < 3; k++)
                arm[k] = a->scale * (balls->centre[k][b] + balls->radius[b] * way[k]);
            if (share > 0.0)
                fn(user, i < n ? 2.0 * share : share, way, arm, i < n ? a->k : a->at_wall);
            sum += i < n ? share : 0.0;
        }
        at_wall += held;
    }
    return (uint32_t)(ceil(sum - ROUNDING) + ceil(at_wall - ROUNDING));
}

/** The same stiffness in all directions: the mean over normals around an axis, which is at least the
 * mean over all normals. */
static scree_stiffness mean_way(const scree_stiffness *k)
{
    const double along = 0.5 * (k->kn + k->kt), slow = 0.5 * (k->cn + k->ct);
    const double turn = 0.5 * (k->kr + fmax(k->kr, k->ktwist));
    const double slow_turn = 0.5 * (k->cr + fmax(k->cr, k->ctwist));
    return (scree_stiffness){.size = sizeof *k,
                             .kn = fmax(along, k->kt),
                             .kt = fmax(along, k->kt),
                             .kr = turn,
                             .ktwist = turn,
                             .cn = fmax(slow, k->ct),
                             .ct = fmax(slow, k->ct),
                             .cr = slow_turn,
                             .ctwist = slow_turn};
}

/** The same stiffness whatever its normal. */
static scree_stiffness any_way(const scree_stiffness *k)
{
    const double along = fmax(k->kn, k->kt), turn = fmax(k->kr, k->ktwist);
    const double slow = fmax(k->cn, k->ct), slow_turn = fmax(k->cr, k->ctwist);
    return (scree_stiffness){.size = sizeof *k,
                             .kn = along,
                             .kt = along,
                             .kr = turn,
                             .ktwist = turn,
                             .cn = slow,
                             .ct = slow,
                             .cr = slow_turn,
                             .ctwist = slow_turn};
}

/** A contact at each corner of the box, or only at those of the face. */
static void each_corner(const scree_assumed *a, const double half[3], bool of_face, double share,
                        const scree_stiffness *k, scree_assumed_fn fn, void *user)
{
    static const double along[3] = {1.0, 0.0, 0.0}; // any
    for (uint32_t corner = 0; corner < 1u << a->dimension; corner++) {
        double arm[3] = {0.0};
        if (of_face && corner >> a->face & 1)
            continue;
        for (uint32_t i = 0; i < a->dimension; i++)
            arm[i] = corner >> i & 1 ? half[i] : -half[i];
        fn(user, share, along, arm, k);
    }
}

static uint32_t each_of_solid(const scree_assumed *a, const double half[3], scree_assumed_fn fn,
                              void *user)
{
    const uint32_t corners = 1u << a->dimension, face = corners / 2;
    double to[12][3];
    const uint64_t most = (uint64_t)a->others * face;
    const uint32_t n = (uint32_t)MIN(directions(a->dimension, a->wall, to), most);
    const scree_stiffness k = n > face ? mean_way(a->k) : any_way(a->k);
    const scree_stiffness at_wall = any_way(a->at_wall);
    if (n)
        each_corner(a, half, n <= face, 2.0 * n / (n <= face ? face : corners), &k, fn, user);
    if (a->wall)
        each_corner(a, half, true, 1.0, &at_wall, fn, user);
    return n + (a->wall ? face : 0);
}

uint32_t scree_assumed_each(const scree_assumed *a, scree_assumed_fn fn, void *user)
{
    double half[3];
    if (scree_shape_is_round(a->shape))
        return each_of_ball(a, fn, user);
    scree_shape_sides(a->shape, half);
    scaled(a->scale, half, half);
    return a->shape->flags & SCREE_CAP_BALLS ? each_of_clump(a, half, fn, user)
                                             : each_of_solid(a, half, fn, user);
}

uint32_t scree_assumed_faces(const scree_assumed *a)
{
    return a->shape->flags ? 1 : a->dimension;
}
