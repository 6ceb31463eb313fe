// SPDX-License-Identifier: Apache-2.0
// The critical step of bodies among their neighbours, as a scene begins.
#include "scene/critical_packing.h"

#include <float.h>
#include <math.h>

#include "base/rotation.h"
#include "scene/assumed_contacts.h"
#include "scene/mount.h"
#include "scene/query_find.h"
#include "scene/shape_size.h"
#include "shape/shape.h"

#define TOUCHING 1e-9 /* [-] of a radius: a gap that rounding makes */

#define OWN 1e-9 /* [-] of a radius: an own ball of a clump, found again */

/** Values of a free body. */
typedef struct held {
    const scree_body *body;
    const scree_shape *shape;
    double radius; // of a ball about its centre that holds it
    double mass, inertia[3];
} held;

/** The ball of a body that contacts are sought for: its own, or one of a clump. */
typedef struct prober {
    double x[3], lever[3], radius; // place, from the body's centre
} prober;

typedef struct packer {
    const scree_scene *scene;
    scree_stiff *stiff;
    double speed;
    const bool *of_bodies, *of_walls;
    scree_space *space;
    double *load;    // [bodies] [1/s^2] of all contacts of a body
    bool alike;      // all bodies have the same load
    bool solids;     // some body is one
    bool unsure;     // the present body may touch one: contacts with it are known in the run only
    uint32_t others; // free bodies that one may touch; those to come are any number
    held now;
    prober probe;
    scree_mount mount;
    double trace, damped;     // sums of eigenvalues of mount.k, mount.c
    held last;                // whose assumed contacts were looked at
    double **share;           // [2 x shapes] of clumps, apart from a wall and on one; NULL: not yet
    double most, most_damped; // of the body that is in `out`
    scree_critical_step *out;
    GError *error;
} packer;

static held hold(const scree_scene *scene, const scree_body *body)
{
    const scree_shape *shape = scene->shapes->pdata[body->shape];
    held h = {.body = body, .shape = shape, .radius = body->scale * shape->radius};
    scree_shape_mass(shape, body->scale, scree_scene_density(scene, body), scene->thickness,
                     &h.mass, h.inertia);
    return h;
}

static const scree_body *packed_body(const packer *p, uint32_t i)
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
        .step = step, .id = h->body->id, .contacts = p->mount.n, .zeta = zeta};
    scree_critical_size(p->out, h->shape, h->body->scale);
    return true;
}

/** A contact, its normal and arm in the axes of the mount. */
static void add(packer *p, double share, const double normal[3], const double arm[3],
                const scree_stiffness *k)
{
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

static bool is_solid(const scree_scene *scene, const scree_body *body)
{
    return !((const scree_shape *)scene->shapes->pdata[body->shape])->flags;
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
                                   .radius_a = p->probe.radius,
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

/** Point of a contact from the centre: half the overlap is the partner's; of a ball none of it is a
 * wall's. */
static double pack_reach(const packer *p, double distance, double radius)
{
    const bool half = radius > 0.0 || !scree_shape_is_round(p->now.shape);
    return half ? 0.5 * (p->probe.radius + distance) : distance;
}

/** Normal and arm of a contact of the probe, in the axes of the mount. */
static void find_arm(const packer *p, const double normal[3], double distance, double radius,
                     double n[3], double arm[3])
{
    const double reach = pack_reach(p, distance, radius);
    for (int k = 0; k < 3; k++) {
        n[k] = normal[k];
        arm[k] = p->probe.lever[k] + reach * normal[k];
    }
    if (scree_shape_is_round(p->now.shape) || p->scene->dimension == 2)
        return;
    scree_rotate_back(p->now.body->q, n, n);
    scree_rotate_back(p->now.body->q, arm, arm);
}

/** From the centre of a clump to that of one of its balls. */
static void find_ball(const scree_body *body, const scree_balls *balls, uint32_t i, double lever[3])
{
    for (int k = 0; k < 3; k++)
        lever[k] = body->scale * balls->centre[k][i];
    scree_rotate(body->q, lever, lever);
}

/** Whether the ball at that place is one of the present clump itself, not of its periodic image. */
static bool is_own(const packer *p, uint32_t owner, const double normal[3], double way)
{
    const held *h = &p->now;
    bool own = false;
    if (packed_body(p, owner) != h->body || !(h->shape->flags & SCREE_CAP_BALLS))
        return false;
    for (uint32_t i = 0; i < h->shape->n_parts && !own; i++) {
        double at[3], off = 0.0;
        find_ball(h->body, h->shape->balls, i, at);
        for (int k = 0; k < 3; k++)
            off = fmax(off, fabs(p->probe.x[k] + way * normal[k] - h->body->x[k] - at[k]));
        own = off < OWN * h->radius;
    }
    return own;
}

/** Whether a contact that was found is one: not with an own ball, nor with a solid. */
static bool is_touch(packer *p, uint32_t owner, const double normal[3], double distance,
                     double radius)
{
    const bool solid = is_solid(p->scene, packed_body(p, owner));
    p->unsure = p->unsure || solid;
    return !p->error && !solid && !is_own(p, owner, normal, distance + radius);
}

static void take_load(void *user, uint32_t owner, const double normal[3], double distance,
                      double radius)
{
    packer *p = user;
    scree_stiffness k;
    double n[3], arm[3];
    if (!is_touch(p, owner, normal, distance, radius) ||
        !ask(p, packed_body(p, owner), radius, p->probe.radius - distance, &k))
        return;
    find_arm(p, normal, distance, radius, n, arm);
    p->trace += scree_mount_load(p->scene->dimension, p->now.mass, p->now.inertia, n, arm, &k);
}

/** Factor of a contact's stiffness on the body that it holds; see critical_packing.h. */
static double share_of(const packer *p, const scree_body *other, uint32_t owner)
{
    const guint me = (guint)(p->now.body - packed_body(p, 0));
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
    const scree_body *other = packed_body(p, owner);
    scree_stiffness k;
    double n[3], arm[3];
    if (!is_touch(p, owner, normal, distance, radius) ||
        !ask(p, other, radius, p->probe.radius - distance, &k))
        return;
    find_arm(p, normal, distance, radius, n, arm);
    add(p, share_of(p, other, owner), n, arm, &k);
}

static void each_contact(packer *p, const scree_body *body, scree_touch_fn fn)
{
    p->now = hold(p->scene, body);
    p->mount = (scree_mount){.n = 0};
    p->trace = p->damped = 0.0;
    p->unsure = is_solid(p->scene, body);
    const scree_shape *shape = p->now.shape;
    const bool clump = shape->flags & SCREE_CAP_BALLS;
    const uint32_t n = p->unsure ? 0 : clump ? shape->n_parts : 1;
    for (uint32_t i = 0; i < n; i++) {
        prober *at = &p->probe;
        *at = (prober){.radius = clump ? body->scale * shape->balls->radius[i] : p->now.radius};
        if (clump)
            find_ball(body, shape->balls, i, at->lever);
        for (int k = 0; k < 3; k++)
            at->x[k] = body->x[k] + at->lever[k];
        if (p->error)
            return;
        GError *error = NULL; // a law may set p->error meanwhile
        if (scree_space_each(p->space, at->x, at->radius * (1.0 + TOUCHING), fn, p, &error))
            continue;
        g_clear_error(&p->error);
        p->error = error;
    }
}

/** Lists all bodies by place; finds out whether the free ones are alike. */
static bool list_bodies(packer *p)
{
    const scree_scene *s = p->scene;
    const scree_body *first = NULL;
    uint32_t n_free = 0;
    p->alike = true;
    for (guint i = 0; i < s->bodies->len; i++) {
        const scree_body *b = packed_body(p, i);
        p->solids = p->solids || is_solid(s, b);
        if (b->motion != SCREE_MOTION_FREE)
            continue;
        first = first ? first : b;
        n_free++;
        p->alike = p->alike && b->shape == first->shape && b->material == first->material &&
                   !(b->scale < first->scale || b->scale > first->scale);
    }
    for (guint i = 0; i < s->to_come->len; i++)
        p->solids = p->solids || is_solid(s, &g_array_index(s->to_come, scree_body, i));
    p->others = s->to_come->len ? UINT32_MAX : n_free - 1;
    if (!first)
        return true;
    p->space = scree_space_new(s, NULL);
    scree_space_reserve(p->space, s->bodies->len);
    for (guint i = 0; i < s->bodies->len; i++)
        if (!scree_space_add(p->space, packed_body(p, i), &p->error))
            return false;
    return true;
}

/* contacts to come */

/** [m] The radius of a contact to come: of a clump that of its largest ball. */
static double touching_radius(const held *h)
{
    double most = 0.0;
    if (!(h->shape->flags & SCREE_CAP_BALLS))
        return h->radius;
    for (uint32_t i = 0; i < h->shape->n_parts; i++)
        most = fmax(most, h->shape->balls->radius[i]);
    return h->body->scale * most;
}

/** How stiff contacts with its likes are, and with a wall. Where there are solids, their flat faces
 * count too. */
static bool ask_to_come(packer *p, uint32_t like, uint32_t partner, bool wall, scree_stiffness *k,
                        scree_stiffness *at_wall)
{
    const held *h = &p->now;
    const double radius = touching_radius(h);
    scree_stiffness at_face;
    scree_stiffness_query query = {.size = sizeof query,
                                   .material_a = h->body->material,
                                   .material_b = like,
                                   .radius_a = radius,
                                   .radius_b = radius,
                                   .mass = 0.5 * h->mass,
                                   .speed = p->speed};
    p->stiff->type_a = type_of(p->scene, h->body);
    p->stiff->type_b = SCREE_NONE;
    *at_wall = (scree_stiffness){.size = sizeof *at_wall};
    if (!scree_stiff_sum(p->stiff, &query, k, &p->error))
        return false;
    query.radius_b = 0.0;
    if (p->solids && !scree_stiff_sum(p->stiff, &query, &at_face, &p->error))
        return false;
    if (p->solids)
        scree_stiffness_widen(k, &at_face);
    query.material_b = partner;
    query.mass = h->mass;
    return !wall || scree_stiff_sum(p->stiff, &query, at_wall, &p->error);
}

static void take_assumed(void *user, double share, const double normal[3], const double arm[3],
                         const scree_stiffness *k)
{
    add(user, share, normal, arm, k);
}

/** The shares of the present body, if it is a clump. */
static const double *shares_of(packer *p, bool wall)
{
    const scree_shape *shape = p->now.shape;
    if (!(shape->flags & SCREE_CAP_BALLS) || scree_shape_is_round(shape))
        return NULL;
    double **share = &p->share[2 * p->now.body->shape + wall];
    if (!*share)
        *share = scree_assumed_shares(shape, p->scene->dimension, wall);
    return *share;
}

/** One of its likes of material `partner`, all around; or on a wall of that. */
static bool assume(packer *p, uint32_t like, uint32_t partner, bool wall)
{
    const held *h = &p->now;
    scree_stiffness k, at_wall;
    if (!ask_to_come(p, like, partner, wall, &k, &at_wall))
        return false;
    scree_assumed assumed = {.dimension = p->scene->dimension,
                             .shape = h->shape,
                             .scale = h->body->scale,
                             .others = p->others,
                             .wall = wall,
                             .k = &k,
                             .at_wall = &at_wall,
                             .share = shares_of(p, wall)};
    for (; assumed.face < scree_assumed_faces(&assumed); assumed.face++) {
        p->mount = (scree_mount){.n = 0};
        p->trace = p->damped = 0.0;
        p->mount.n = scree_assumed_each(&assumed, take_assumed, p);
        if (!keep_smallest(p))
            continue;
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
        if (packed_body(p, i)->motion != SCREE_MOTION_FREE)
            continue;
        each_contact(p, packed_body(p, i), take_load);
        p->load[i] = p->trace;
    }
}

static bool find_packing(packer *p)
{
    const scree_scene *s = p->scene;
    g_autofree bool *loose = g_new0(bool, s->bodies->len + 1);
    g_autofree bool *unsure = g_new0(bool, s->bodies->len + 1);
    uint64_t n_loose = 0, n_held = 0;
    if (!p->alike)
        find_loads(p);
    for (guint i = 0; i < s->bodies->len && !p->error; i++) {
        if (packed_body(p, i)->motion != SCREE_MOTION_FREE)
            continue;
        each_contact(p, packed_body(p, i), take_contact);
        unsure[i] = p->unsure;
        loose[i] = !p->mount.n && !p->unsure;
        n_loose += loose[i];
        n_held += p->mount.n > 0;
        if (!p->error && p->mount.n)
            keep_smallest(p);
    }
    for (guint i = 0; i < s->bodies->len && !p->error; i++)
        if (unsure[i] || (loose[i] && n_loose > n_held))
            assume_all(p, packed_body(p, i));
    p->out->loose = n_loose && n_loose <= n_held;
    for (guint i = 0; i < s->to_come->len && !p->error; i++) {
        const scree_body *body = &g_array_index(s->to_come, scree_body, i);
        if (body->motion == SCREE_MOTION_FREE && !isnan(body->scale))
            assume_all(p, body);
    }
    return !p->error;
}

bool scree_packing_find(const scree_scene *scene, scree_stiff *stiff, double speed,
                        const bool *of_bodies, const bool *of_walls, scree_critical *out,
                        GError **error)
{
    g_autofree double *load = g_new0(double, scene->bodies->len + 1);
    g_autofree double **share = g_new0(double *, 2 * (size_t)scene->shapes->len + 1);
    packer p = {.scene = scene,
                .stiff = stiff,
                .speed = speed,
                .of_bodies = of_bodies,
                .of_walls = of_walls,
                .load = load,
                .share = share,
                .out = &out->packing};
    if (!stiff->answers)
        return true;
    bool ok = list_bodies(&p) && find_packing(&p);
    scree_space_free(p.space);
    for (guint i = 0; i < 2 * scene->shapes->len; i++)
        g_free(p.share[i]);
    if (!ok)
        g_propagate_error(error, p.error);
    return ok;
}
