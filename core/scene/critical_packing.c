// SPDX-License-Identifier: Apache-2.0
// The critical step of bodies among their neighbours, as a scene begins.
#include "scene/critical_packing.h"

#include <float.h>
#include <math.h>

#include "scene/mount.h"
#include "scene/obstacles.h"
#include "shape/shape.h"

#define TOUCHING 1e-9 /* [-] of a radius: a gap that rounding makes */

/** Values of a free body. */
typedef struct held {
    const scree_body *body;
    double radius, mass, inertia[3];
} held;

typedef struct packer {
    const scree_scene *scene;
    scree_stiff *stiff;
    double speed;
    const bool *of_bodies, *of_walls;
    scree_obstacles *obstacles;
    double *load;    // [bodies] [1/s^2] of all contacts of a body
    bool alike;      // all bodies have the same load
    uint32_t others; // free bodies that one may touch; those to come are any number
    held now;
    scree_mount mount;
    double trace, damped;     // sums of eigenvalues of mount.k, mount.c
    held last;                // whose assumed contacts were looked at
    double most, most_damped; // of the body that is in `out`
    scree_critical_step *out;
    GError *error;
} packer;

static held hold(const scree_scene *scene, const scree_body *body)
{
    const scree_shape *shape = scene->shapes->pdata[body->shape];
    held h = {.body = body, .radius = body->scale * shape->radius};
    scree_shape_mass(shape, body->scale, scene->density[body->material], scene->thickness, &h.mass,
                     h.inertia);
    return h;
}

static const scree_body *body_at(const packer *p, uint32_t i)
{
    return &g_array_index(p->scene->bodies, scree_body, i);
}

/** Keeps the mount's step when it is the smallest; true when it is. */
static bool keep_smallest(packer *p)
{
    const uint32_t dimension = p->scene->dimension;
    const held *h = &p->now;
    if (p->trace < p->most && p->damped < p->most_damped)
        return false;
    double rate = scree_mount_rate(p->mount.k, dimension, h->mass, h->inertia), zeta;
    double damping = scree_mount_rate(p->mount.c, dimension, h->mass, h->inertia);
    if (!(rate > 0.0) || (rate < p->most && damping < p->most_damped))
        return false;
    double step = scree_critical_limit(p->scene->integrator, rate, damping, &zeta);
    if (!(step < p->out->step))
        return false;
    p->most = rate;
    p->most_damped = damping;
    *p->out = (scree_critical_step){
        .step = step, .id = h->body->id, .radius = h->radius, .contacts = p->mount.n, .zeta = zeta};
    return true;
}

static void add(packer *p, double share, const double normal[3], double reach,
                const scree_stiffness *k)
{
    const double arm[3] = {reach * normal[0], reach * normal[1], reach * normal[2]};
    scree_mount_add(&p->mount, share, normal, arm, k);
    const scree_stiffness c = {.kn = k->cn, .kt = k->ct, .kr = k->cr, .ktwist = k->ctwist};
    p->trace +=
        share * scree_mount_load(p->scene->dimension, p->now.mass, p->now.inertia, normal, arm, k);
    p->damped +=
        share * scree_mount_load(p->scene->dimension, p->now.mass, p->now.inertia, normal, arm, &c);
}

/* contacts of the start */

static uint32_t type_of(const scree_scene *scene, const scree_body *body)
{
    return ((const scree_shape *)scene->shapes->pdata[body->shape])->type;
}

/** How stiff a contact of the present body is, now and at the speed to expect. */
static bool ask(packer *p, const scree_body *other, double radius, double depth, scree_stiffness *k)
{
    const held *h = &p->now;
    double mass = h->mass;
    if (other->motion == SCREE_MOTION_FREE) {
        double its = hold(p->scene, other).mass;
        mass = mass * its / (mass + its);
    }
    scree_stiffness_query query = {.size = sizeof query,
                                   .material_a = h->body->material,
                                   .material_b = other->material,
                                   .radius_a = h->radius,
                                   .radius_b = radius,
                                   .mass = mass,
                                   .speed = p->speed,
                                   .depth = depth > 0.0 ? depth : DBL_MIN};
    scree_stiffness expected;
    p->stiff->type_a = type_of(p->scene, h->body);
    p->stiff->type_b = type_of(p->scene, other);
    if (!scree_stiff_sum(p->stiff, &query, k, &p->error))
        return false;
    query.depth = 0.0;
    if (!scree_stiff_sum(p->stiff, &query, &expected, &p->error))
        return false;
    scree_stiffness_widen(k, &expected);
    return true;
}

/** Point of a contact from the centre: half the overlap is the partner's, none of it a wall's. */
static double reach_of(const packer *p, double distance, double radius)
{
    return radius > 0.0 ? 0.5 * (p->now.radius + distance) : distance;
}

static void take_load(void *user, uint32_t owner, const double normal[3], double distance,
                      double radius)
{
    packer *p = user;
    scree_stiffness k;
    double reach = reach_of(p, distance, radius);
    const double arm[3] = {reach * normal[0], reach * normal[1], reach * normal[2]};
    if (p->error || !ask(p, body_at(p, owner), radius, p->now.radius - distance, &k))
        return;
    p->trace += scree_mount_load(p->scene->dimension, p->now.mass, p->now.inertia, normal, arm, &k);
}

/** Factor of a contact's stiffness on the body that it holds; see critical_packing.h. */
static double share_of(const packer *p, const scree_body *other, uint32_t owner)
{
    const guint me = (guint)(p->now.body - body_at(p, 0));
    if (other->motion != SCREE_MOTION_FREE)
        return 1.0;
    if (p->alike || !(p->load[me] > 0.0))
        return 2.0;
    return 1.0 + CLAMP(p->load[owner] / p->load[me], 1e-6, 1e6);
}

static void take_contact(void *user, uint32_t owner, const double normal[3], double distance,
                         double radius)
{
    packer *p = user;
    const scree_body *other = body_at(p, owner);
    scree_stiffness k;
    if (!p->error && ask(p, other, radius, p->now.radius - distance, &k))
        add(p, share_of(p, other, owner), normal, reach_of(p, distance, radius), &k);
}

static void each_contact(packer *p, const scree_body *body, scree_touch_fn fn)
{
    p->now = hold(p->scene, body);
    p->mount = (scree_mount){.n = 0};
    p->trace = p->damped = 0.0;
    scree_obstacles_each(p->obstacles, body->x, p->now.radius * (1.0 + TOUCHING), fn, p);
}

/** Lists all bodies by place; finds out whether the free ones are alike. */
static void list_obstacles(packer *p)
{
    const scree_scene *s = p->scene;
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double widest = 0.0;
    const scree_body *first = NULL;
    uint32_t n_free = 0;
    p->alike = true;
    for (guint i = 0; i < s->bodies->len; i++) {
        const scree_body *b = body_at(p, i);
        if (b->motion != SCREE_MOTION_FREE)
            continue;
        first = first ? first : b;
        n_free++;
        p->alike = p->alike && b->shape == first->shape && b->material == first->material &&
                   !(b->scale < first->scale || b->scale > first->scale);
        widest = fmax(widest, 2.0 * hold(s, b).radius);
        for (int k = 0; k < 3; k++) {
            lo[k] = fmin(lo[k], b->x[k]);
            hi[k] = fmax(hi[k], b->x[k]);
        }
    }
    p->others = s->to_come->len ? UINT32_MAX : n_free - 1;
    if (!first)
        return;
    p->obstacles = scree_obstacles_new(s, lo, hi, widest, s->bodies->len);
    for (guint i = 0; i < s->bodies->len; i++) {
        scree_obstacles_number(p->obstacles, i);
        scree_obstacles_add(p->obstacles, body_at(p, i));
    }
}

/* contacts to come */

static const double side = 0.70710678118654752, slope = 0.57735026918962576; // 1/√2, 1/√3
static const double half = 0.5, tall = 0.86602540378443865;                  // √3/2
static const double rise = 0.81649658092772603, low = 0.28867513459481288;   // √(2/3), 1/(2√3)

/** Directions of twelve neighbours in fcc; of nine that lie in a plane and above it; of six in 2D;
 * of four. Opposite ones come together, so that fewer of them are in a row. */
static uint32_t directions(uint32_t dimension, bool wall, double to[12][3])
{
    const double fcc[12][3] = {{side, side, 0},   {-side, -side, 0}, {side, -side, 0},
                               {-side, side, 0},  {side, 0, side},   {-side, 0, -side},
                               {side, 0, -side},  {-side, 0, side},  {0, side, side},
                               {0, -side, -side}, {0, side, -side},  {0, -side, side}};
    const double layer[9][3] = {{1, 0, 0},         {-1, 0, 0},         {half, tall, 0},
                                {-half, -tall, 0}, {-half, tall, 0},   {half, -tall, 0},
                                {0, slope, rise},  {half, -low, rise}, {-half, -low, rise}};
    const double flat[6][3] = {{1, 0, 0},         {-1, 0, 0},       {half, tall, 0},
                               {-half, -tall, 0}, {-half, tall, 0}, {half, -tall, 0}};
    const double row[4][3] = {{1, 0, 0}, {-1, 0, 0}, {half, tall, 0}, {-half, tall, 0}};
    const double(*from)[3] = dimension == 2 ? (wall ? row : flat) : wall ? layer : fcc;
    uint32_t n = dimension == 2 ? (wall ? 4 : 6) : wall ? 9 : 12;
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            to[i][k] = from[i][k];
    return n;
}

/** One of its likes of material `partner`, all around; or on a wall of that. */
static bool assume(packer *p, uint32_t like, uint32_t partner, bool wall)
{
    const held *h = &p->now;
    double to[12][3];
    scree_stiffness k, at_wall = {.size = sizeof at_wall};
    scree_stiffness_query query = {.size = sizeof query,
                                   .material_a = h->body->material,
                                   .material_b = like,
                                   .radius_a = h->radius,
                                   .radius_b = h->radius,
                                   .mass = 0.5 * h->mass,
                                   .speed = p->speed};
    p->stiff->type_a = type_of(p->scene, h->body);
    p->stiff->type_b = SCREE_NONE;
    if (!scree_stiff_sum(p->stiff, &query, &k, &p->error))
        return false;
    query.material_b = partner;
    query.radius_b = 0.0;
    query.mass = h->mass;
    if (wall && !scree_stiff_sum(p->stiff, &query, &at_wall, &p->error))
        return false;
    const bool flat = p->scene->dimension == 2;
    const double below[3] = {0.0, flat ? -1.0 : 0.0, flat ? 0.0 : -1.0};
    uint32_t n = MIN(directions(p->scene->dimension, wall, to), p->others);
    p->mount = (scree_mount){.n = 0};
    p->trace = p->damped = 0.0;
    for (uint32_t i = 0; i < n; i++)
        add(p, 2.0, to[i], h->radius, &k);
    if (wall)
        add(p, 1.0, below, h->radius, &at_wall);
    if (keep_smallest(p)) {
        p->out->assumed = true;
        p->out->wall = wall;
        p->out->partner = partner;
    }
    return true;
}

static bool same(const held *a, const held *b)
{
    return a->body && a->body->material == b->body->material && a->body->shape == b->body->shape &&
           !(a->radius < b->radius || a->radius > b->radius);
}

static bool assume_all(packer *p, const scree_body *body)
{
    p->now = hold(p->scene, body);
    if (same(&p->last, &p->now))
        return true;
    p->last = p->now;
    for (uint32_t m = 0; m < p->scene->materials.n; m++) {
        if (p->of_bodies[m] && !assume(p, m, m, false))
            return false;
        for (uint32_t w = 0; p->of_bodies[m] && w < p->scene->materials.n; w++)
            if (p->of_walls[w] && !assume(p, m, w, true))
                return false;
    }
    return true;
}

static void find_loads(packer *p)
{
    for (guint i = 0; i < p->scene->bodies->len && !p->error; i++) {
        if (body_at(p, i)->motion != SCREE_MOTION_FREE)
            continue;
        each_contact(p, body_at(p, i), take_load);
        p->load[i] = p->trace;
    }
}

static bool find_all(packer *p)
{
    const scree_scene *s = p->scene;
    g_autofree bool *loose = g_new0(bool, s->bodies->len + 1);
    uint64_t n_loose = 0, n_held = 0;
    if (!p->alike)
        find_loads(p);
    for (guint i = 0; i < s->bodies->len && !p->error; i++) {
        if (body_at(p, i)->motion != SCREE_MOTION_FREE)
            continue;
        each_contact(p, body_at(p, i), take_contact);
        loose[i] = !p->mount.n;
        n_loose += loose[i];
        n_held += !loose[i];
        if (!p->error && p->mount.n)
            keep_smallest(p);
    }
    if (n_loose > n_held)
        for (guint i = 0; i < s->bodies->len && !p->error; i++)
            if (loose[i])
                assume_all(p, body_at(p, i));
    p->out->loose = n_loose && n_loose <= n_held;
    for (guint i = 0; i < s->to_come->len && !p->error; i++) {
        const scree_body *body = &g_array_index(s->to_come, scree_body, i);
        if (body->motion == SCREE_MOTION_FREE)
            assume_all(p, body);
    }
    return !p->error;
}

bool scree_packing_find(const scree_scene *scene, scree_stiff *stiff, double speed,
                        const bool *of_bodies, const bool *of_walls, scree_critical *out,
                        GError **error)
{
    g_autofree double *load = g_new0(double, scene->bodies->len + 1);
    packer p = {.scene = scene,
                .stiff = stiff,
                .speed = speed,
                .of_bodies = of_bodies,
                .of_walls = of_walls,
                .load = load,
                .out = &out->packing};
    if (!stiff->answers)
        return true;
    list_obstacles(&p);
    bool ok = find_all(&p);
    scree_obstacles_free(p.obstacles);
    if (!ok)
        g_propagate_error(error, p.error);
    return ok;
}
