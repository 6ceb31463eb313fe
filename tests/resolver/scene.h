/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies, types and pairs that tests of resolvers make by hand: one pair with its call, and batches of pairs. */
#ifndef TEST_RESOLVER_SCENE_H
#define TEST_RESOLVER_SCENE_H

#include "resolver_call.h"

enum { TYPE_ROUND, TYPE_SOLID, TYPE_WALL, TYPE_PLANE, N_TYPES };
enum { MOST_BODIES = 4096, MOST_PAIRS = 2048, MOST_PARTS = MOST_TOUCHES };

/** A random unit quaternion; in 2D about z. */
static inline void random_turn(fake_host *fake, int dimension, double q[4])
{
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        q[k] = dimension == 2 && (k == 1 || k == 2) ? 0.0 : fake_uniform(fake, -1.0, 1.0);
        sum += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(sum);
}

/* ---- one pair ---- */

/** Body 0 is a, at the origin, body 1 is b; the types are those of the shapes. */
typedef struct test_pair {
    scree_bodies bodies;
    scree_shape_type type[N_TYPES];
    const scree_shape_type *types[N_TYPES];
    const scree_shape *shapes[2];
    scree_shape ball, plane;
    double q[4][2], x[3][2], scale[2], d[3], radius[2];
    uint32_t shape[2];
    uint8_t keep;
    void *hints; /* from call to call; NULL: none */
} test_pair;

/** A ball, in 2D a disc, in front of a plane. */
static inline void init_pair(test_pair *p, uint32_t dimension)
{
    static const uint32_t flags[N_TYPES] = {SCREE_CAP_ROUND, 0, SCREE_CAP_WALL, SCREE_CAP_INFINITE};
    static const char *const names[N_TYPES] = {"round", "solid", "wall", "plane"};
    static const uint64_t ids[2] = {1, 2};
    memset(p, 0, sizeof *p);
    p->bodies = (scree_bodies){.size = sizeof p->bodies,
                               .dimension = dimension,
                               .n = 2,
                               .n_shapes = 2,
                               .n_types = N_TYPES,
                               .thickness = dimension == 2 ? 1.0 : 0.0,
                               .id = ids,
                               .shape = p->shape,
                               .scale = p->scale,
                               .radius = p->radius,
                               .shapes = p->shapes,
                               .types = p->types};
    for (int k = 0; k < 4; k++)
        p->bodies.q[k] = p->q[k];
    for (int k = 0; k < 3; k++)
        p->bodies.x[k] = p->x[k];
    for (uint32_t k = 0; k < N_TYPES; k++) {
        p->type[k] = (scree_shape_type){
            .size = sizeof p->type[k], .code = k, .flags = flags[k], .name = names[k]};
        p->types[k] = &p->type[k];
    }
    p->ball = (scree_shape){.size = sizeof p->ball,
                            .flags = SCREE_CAP_ROUND,
                            .n_parts = 1,
                            .flat = dimension == 2,
                            .radius = 1.0};
    p->plane =
        (scree_shape){.size = sizeof p->plane, .type = TYPE_PLANE, .flags = SCREE_CAP_INFINITE};
    p->plane.normal[dimension - 1] = 1.0;
    p->q[0][0] = p->q[0][1] = p->scale[0] = p->scale[1] = 1.0;
    p->shape[1] = 1;
    p->shapes[0] = &p->ball;
    p->shapes[1] = &p->plane;
}

/** Sets the shape of a body, 0 or 1, whose scale is set. */
static inline void set_shape(test_pair *p, int body, const scree_shape *of)
{
    p->shapes[body] = of;
    p->radius[body] = p->scale[body] * of->radius;
}

static inline void set_ball(test_pair *p, double radius)
{
    p->scale[0] = radius;
    set_shape(p, 0, &p->ball);
}

/** Turns a body about z. */
static inline void set_turn(test_pair *p, int body, double angle)
{
    p->q[0][body] = cos(0.5 * angle);
    p->q[3][body] = sin(0.5 * angle);
}

/** Hands the shapes to the resolver, other than a ball and a plane. */
static inline void prepare_pair(subject *s, const test_pair *p)
{
    for (uint32_t k = 0; k < 2; k++)
        if (p->shapes[k] != &p->ball && p->shapes[k] != &p->plane)
            prepare_shape(s, k, p->shapes[k]);
}

/** The candidates of a call for one pair, whose first body is order[0]; they point to the arguments. */
static inline scree_candidates pair_candidates(const subject *s, const test_pair *p,
                                               const uint32_t order[2], const double d[3],
                                               double range, void *hints)
{
    return (scree_candidates){.size = sizeof(scree_candidates),
                              .n = 1,
                              .type_a = p->shapes[order[0]]->type,
                              .type_b = p->shapes[order[1]]->type,
                              .hint_bytes = s->ops->hint_bytes,
                              .a = &order[0],
                              .b = &order[1],
                              .d = {&d[0], &d[1], &d[2]},
                              .radius_a = &p->radius[order[0]],
                              .radius_b = &p->radius[order[1]],
                              .keep = &p->keep,
                              .range = range,
                              .bodies = &p->bodies,
                              .hints = hints};
}

/** Resolves the pair, in 2D with areas and chords; hint NULL: none. A failure ends the program. */
static inline uint32_t touch_ordered(subject *s, const test_pair *p, const uint32_t order[2],
                                     const double d[3], double range, void *hint, test_touches *t)
{
    double none[HINT_WORDS] = {0};
    const scree_candidates in = pair_candidates(s, p, order, d, range, hint ? hint : none);
    if (p->bodies.dimension == 2)
        clear_areas(t);
    else
        clear_touches(t);
    return resolve_pairs(s, &in, t);
}

static inline uint32_t touch_pair(subject *s, const test_pair *p, double range, void *hint,
                                  test_touches *t)
{
    static const uint32_t order[2] = {0, 1};
    return touch_ordered(s, p, order, p->d, range, hint ? hint : p->hints, t);
}

static inline uint32_t deepest_touch(const test_touches *t)
{
    uint32_t best = 0;
    for (uint32_t c = 1; c < t->out.n; c++)
        best = t->depth[c] > t->depth[best] ? c : best;
    return best;
}

/* ---- batches ---- */

typedef struct test_world {
    scree_bodies bodies;
    double q[4][MOST_BODIES], x[3][MOST_BODIES], scale[MOST_BODIES], radius[MOST_BODIES];
    uint32_t shape[MOST_BODIES];
} test_world;

typedef struct test_batch {
    scree_candidates in;
    uint32_t a[MOST_PAIRS], b[MOST_PAIRS], first[MOST_PAIRS + 1];
    double d[3][MOST_PAIRS], radius_a[MOST_PAIRS], radius_b[MOST_PAIRS];
    uint32_t part_a[MOST_PARTS], part_b[MOST_PARTS];
    uint8_t keep[MOST_PAIRS];
} test_batch;

/** n bodies at the origin, not turned, all of the first shape. */
static inline void init_world(test_world *w, uint32_t dimension, uint32_t n,
                              const scree_shape *const *shapes, uint32_t n_shapes,
                              const scree_shape_type *const *types, uint32_t n_types)
{
    memset(w, 0, sizeof *w);
    w->bodies = (scree_bodies){.size = sizeof w->bodies,
                               .dimension = dimension,
                               .n = n,
                               .shape = w->shape,
                               .scale = w->scale,
                               .radius = w->radius,
                               .shapes = shapes,
                               .n_shapes = n_shapes,
                               .types = types,
                               .n_types = n_types};
    for (int k = 0; k < 4; k++)
        w->bodies.q[k] = w->q[k];
    for (int k = 0; k < 3; k++)
        w->bodies.x[k] = w->x[k];
    for (uint32_t i = 0; i < n; i++)
        w->scale[i] = w->q[0][i] = 1.0;
}

/** No pair yet; the candidates of a pair have parts or have none. */
static inline void init_batch(test_batch *t, const test_world *w, uint32_t type_a, uint32_t type_b,
                              int parts)
{
    memset(t, 0, sizeof *t);
    t->in = (scree_candidates){.size = sizeof t->in,
                               .type_a = type_a,
                               .type_b = type_b,
                               .a = t->a,
                               .b = t->b,
                               .d = {t->d[0], t->d[1], t->d[2]},
                               .radius_a = t->radius_a,
                               .radius_b = t->radius_b,
                               .first = parts ? t->first : NULL,
                               .part_a = parts ? t->part_a : NULL,
                               .part_b = parts ? t->part_b : NULL,
                               .bodies = &w->bodies};
}

#endif
