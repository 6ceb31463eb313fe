/* SPDX-License-Identifier: Apache-2.0 */
/* Solids in runs from strings: bricks of a shape plugin of the test program, and a resolver that
 * sees all of their pairs and finds no contact. */
#ifndef TESTS_UNIT_SOLID_FIXTURE_H
#define TESTS_UNIT_SOLID_FIXTURE_H

#include <pthread.h>

#include "base/rotation.h"
#include "plugin/instance.h"
#include "shape/plugin_shape.h"
#include "shape/shape_types.h"
#include "sim_fixture.h"

enum { BRICK_NAN = 1, BRICK_TWISTED, BRICK_CENTRE, BRICK_LARGE, BRICK_FAILS };

/** A brick, cut into slabs along x, which are its parts. */
typedef struct brick {
    double half[3]; // [m]
    uint32_t n_parts;
    int fault;        // BRICK_*
    gint calls, most; // of boxes(); the most boxes in one
    const scree_host *host;
} brick;

static inline void brick_box(const brick *self, const scree_shape_boxes *b, uint32_t i)
{
    const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]}, s = b->scale[i];
    const double half[3] = {s * self->half[0] / self->n_parts, s * self->half[1],
                            s * self->half[2]};
    const double at[3] = {s * self->half[0] * ((2.0 * b->part[i] + 1.0) / self->n_parts - 1.0)};
    double centre[3], reach[3] = {0.0};
    scree_rotate(q, at, centre);
    for (int j = 0; j < 3; j++) {
        double axis[3] = {j == 0, j == 1, j == 2}, to[3];
        scree_rotate(q, axis, to);
        for (int k = 0; k < 3; k++)
            reach[k] += fabs(to[k]) * half[j];
    }
    for (int k = 0; k < 3; k++) {
        const bool flat = k == 2 && b->dimension == 2;
        b->centre[k][i] = flat ? 0.0 : b->x[k][i] + centre[k];
        b->lo[k][i] = b->centre[k][i] - (flat ? 0.0 : reach[k]);
        b->hi[k][i] = b->centre[k][i] + (flat ? 0.0 : reach[k]);
    }
    b->radius[i] = sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
}

static int32_t brick_boxes(void *instance, const scree_shape_boxes *b)
{
    brick *self = instance;
    g_atomic_int_inc(&self->calls);
    for (gint most = g_atomic_int_get(&self->most); most < (gint)b->n;)
        if (g_atomic_int_compare_and_exchange(&self->most, most, (gint)b->n))
            break;
        else
            most = g_atomic_int_get(&self->most);
    for (uint32_t i = 0; i < b->n; i++)
        brick_box(self, b, i);
    if (self->fault == BRICK_NAN)
        b->hi[0][b->n - 1] = (double)NAN;
    if (self->fault == BRICK_TWISTED)
        b->hi[1][b->n - 1] = b->lo[1][b->n - 1] - 1e-3;
    if (self->fault == BRICK_CENTRE)
        b->centre[2][b->n - 1] = b->hi[2][b->n - 1] + 1e-3;
    if (self->fault == BRICK_LARGE)
        b->lo[0][b->n - 1] -= 0.1;
    return self->fault == BRICK_FAILS ? SCREE_E_CONFIG : SCREE_OK;
}

static const scree_shape_ops brick_ops = {OPS(shape, plain_create, plain_destroy),
                                          .boxes = brick_boxes};
static const scree_plugin brick_plugin = {PLUGIN(SHAPE, "brick", "of a test"), .ops = &brick_ops};

/** Pairs that the resolver saw. */
typedef struct seen_pair {
    uint32_t a, b, part_a, part_b, type_a, type_b;
} seen_pair;
static GArray *seen; // of seen_pair
static uint32_t seen_contacts = SCREE_SUPPORTS_ONE;

static int32_t see_all(void *instance, scree_pair_support *pair)
{
    pair->contacts = seen_contacts;
    return SCREE_OK;
}

static int32_t see(void *instance, const scree_candidates *in, scree_contacts *out, uint32_t *done)
{
    for (uint32_t p = 0; p < in->n; p++) {
        seen_pair one = {in->a[p], in->b[p], 0, 0, in->type_a, in->type_b};
        const uint32_t first = in->first ? in->first[p] : 0;
        const uint32_t last = in->first ? in->first[p + 1] : 1;
        for (uint32_t k = first; k < last; k++) {
            one.part_a = in->first ? in->part_a[k] : 0;
            one.part_b = in->first ? in->part_b[k] : 0;
            if (seen)
                g_array_append_val(seen, one);
        }
    }
    out->n = 0;
    *done = in->n;
    return SCREE_OK;
}

static const scree_resolver_ops see_ops = {OPS(resolver, plain_create, plain_destroy),
                                           .supports = see_all, .resolve = see};
static const scree_plugin see_plugin = {PLUGIN(RESOLVER, "watcher", "of a test"), .ops = &see_ops};

/** Appends a shape of this brick to the scene; its bodies get it by fixture_give. */
static inline uint32_t fixture_brick(scree_scene *scene, const scree_plugin *plugin, brick *self)
{
    static scree_runtime runtime;
    scree_choice_of *choice = g_new0(scree_choice_of, 1);
    scree_plugin_shape *made = g_new0(scree_plugin_shape, 1);
    scree_shape *shape = &made->shape;
    const double *h = self->half;
    if (!runtime.pool)
        runtime.pool = scree_pool_new(1);
    runtime.dimension = scene->dimension;
    choice->plugin = plugin;
    choice->memory = g_ptr_array_new();
    made->choice = choice;
    made->instance = scree_instance_new(&runtime, choice, "shapes.brick", NULL);
    made->instance->self = self;
    self->host = &made->instance->host;
    made->views = g_ptr_array_new_with_free_func(scree_plugin_shape_free_view);
    pthread_mutex_init(&made->mutex, NULL);
    shape->size = sizeof *shape;
    shape->ctx = made;
    shape->n_parts = self->n_parts;
    shape->plugin = plugin;
    shape->radius = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    shape->flat = scene->dimension == 2;
    shape->volume = (shape->flat ? 4.0 : 8.0 * h[2]) * h[0] * h[1];
    for (int k = 0; k < 3; k++) {
        const double a = h[(k + 1) % 3], b = h[(k + 2) % 3];
        shape->inertia[k] = (a * a + b * b) / 3.0;
    }
    g_ptr_array_add(scene->shapes, shape);
    g_ptr_array_unref(scene->shape_types);
    scene->shape_types =
        scree_shape_types_new((scree_shape *const *)scene->shapes->pdata, scene->shapes->len, NULL);
    fixture_plug(scene->resolvers->pdata[0], &see_plugin);
    return scene->shapes->len - 1;
}

/** Body i of the scene becomes one of this shape, at scale 1. */
static inline void fixture_give(scree_scene *scene, uint32_t i, uint32_t shape)
{
    scree_body *body = &g_array_index(scene->bodies, scree_body, i);
    body->shape = shape;
    body->scale = 1.0;
}

#endif
