// SPDX-License-Identifier: Apache-2.0
// Counts the bodies of a scene for its critical step, in one pass, whatever their places.
#include "critical/critical_crowd.h"

#include <math.h>

#include "shape/shape.h"

typedef struct crowd_counter {
    const scree_scene *scene;
    scree_crowd *crowd;
    uint32_t *first; // [shapes] newest class of the shape; SCREE_NONE: none yet
    double fastest2; // [m^2/s^2] square of the largest speed
    double lo[3], hi[3];
} crowd_counter;

double scree_crowd_touch(const scree_shape *shape)
{
    double most = 0.0;
    if (!(shape->flags & SCREE_CAP_BALLS))
        return shape->radius;
    for (uint32_t i = 0; i < shape->n_parts; i++)
        most = fmax(most, shape->balls->radius[i]);
    return most;
}

/** [m^2/s^2] Square of the speed of a body's centre; of its farthest point if it is not round. */
static double speed2_of(const scree_body *b, const scree_shape *shape)
{
    const double v2 = b->v[0] * b->v[0] + b->v[1] * b->v[1] + b->v[2] * b->v[2];
    if (scree_shape_is_round(shape) || scree_shape_is_wall(shape))
        return v2;
    const double w2 = b->w[0] * b->w[0] + b->w[1] * b->w[1] + b->w[2] * b->w[2];
    const double speed = sqrt(v2) + sqrt(w2) * b->scale * shape->radius;
    return speed * speed;
}

static scree_crowd_class *find_class(crowd_counter *c, const scree_body *b)
{
    GArray *classes = c->crowd->classes;
    uint32_t at = c->first[b->shape];
    while (at != SCREE_NONE) {
        scree_crowd_class *one = &g_array_index(classes, scree_crowd_class, at);
        if (one->material == b->material)
            return one;
        at = one->next;
    }
    const scree_crowd_class fresh = {.shape = b->shape,
                                     .material = b->material,
                                     .next = c->first[b->shape],
                                     .scale = {HUGE_VAL, -HUGE_VAL},
                                     .density = {HUGE_VAL, -HUGE_VAL}};
    c->first[b->shape] = classes->len;
    g_array_append_val(classes, fresh);
    return &g_array_index(classes, scree_crowd_class, classes->len - 1);
}

static void count_free(crowd_counter *c, const scree_body *b)
{
    scree_crowd_class *one = find_class(c, b);
    const double density = scree_scene_density(c->scene, b);
    one->n++;
    one->density[0] = fmin(one->density[0], density);
    one->density[1] = fmax(one->density[1], density);
    if (b->scale < one->scale[0]) {
        one->scale[0] = b->scale;
        one->id[0] = b->id;
    }
    if (b->scale > one->scale[1]) {
        one->scale[1] = b->scale;
        one->id[1] = b->id;
    }
}

static scree_crowd_kind *find_kind(crowd_counter *c, const scree_shape *shape, uint32_t material,
                                   bool wall)
{
    GArray *kinds = c->crowd->kinds;
    for (guint i = 0; i < kinds->len; i++) {
        scree_crowd_kind *one = &g_array_index(kinds, scree_crowd_kind, i);
        if (one->type == shape->type && one->material == material && one->wall == wall)
            return one;
    }
    const scree_crowd_kind fresh = {
        .type = shape->type,
        .material = material,
        .wall = wall,
        .solid = !shape->flags,
        .size = {wall ? 0.0 : HUGE_VAL},
    };
    g_array_append_val(kinds, fresh);
    return &g_array_index(kinds, scree_crowd_kind, kinds->len - 1);
}

static void count_wall(crowd_counter *c, const scree_body *b, const scree_shape *shape)
{
    find_kind(c, shape, b->material, true);
    if (shape->flags & SCREE_CAP_INFINITE)
        c->crowd->planes++;
    else if (shape->flags & SCREE_CAP_WALL)
        c->crowd->facets++;
    else
        c->crowd->set++;
}

static void count_body(crowd_counter *c, const scree_body *b)
{
    const scree_shape *shape = c->scene->shapes->pdata[b->shape];
    c->fastest2 = fmax(c->fastest2, speed2_of(b, shape));
    if (isnan(b->scale)) // a file has its size and material
        return;
    if (b->motion == SCREE_MOTION_FREE)
        count_free(c, b);
    else
        count_wall(c, b, shape);
}

static void count_bodies(crowd_counter *c)
{
    for (guint i = 0; i < c->scene->bodies->len; i++) {
        const scree_body *b = &g_array_index(c->scene->bodies, scree_body, i);
        count_body(c, b);
        c->crowd->n_free += b->motion == SCREE_MOTION_FREE;
        for (int k = 0; k < 3; k++) {
            c->lo[k] = fmin(c->lo[k], b->x[k]);
            c->hi[k] = fmax(c->hi[k], b->x[k]);
        }
    }
    for (guint i = 0; i < c->scene->to_come->len; i++)
        count_body(c, &g_array_index(c->scene->to_come, scree_body, i));
    if (c->scene->to_come->len)
        c->crowd->n_free = UINT64_MAX;
}

/** Whether a body could touch two periodic images of a body at once. */
static bool meets_images(const crowd_counter *c)
{
    double reach = 0.0;
    bool any = false;
    for (guint i = 0; i < c->crowd->classes->len; i++) {
        const scree_crowd_class *one = &g_array_index(c->crowd->classes, scree_crowd_class, i);
        const scree_shape *shape = c->scene->shapes->pdata[one->shape];
        reach = fmax(reach, one->scale[1] * shape->radius);
    }
    for (uint32_t k = 0; k < c->scene->dimension; k++)
        any = any || (c->scene->boundary[k] == SCREE_BOUNDARY_PERIODIC &&
                      c->scene->region_max[k] - c->scene->region_min[k] <= 4.0 * reach);
    return any;
}

/** Finds the smallest and the largest body of each kind. */
static void size_kinds(crowd_counter *c)
{
    for (guint i = 0; i < c->crowd->classes->len; i++) {
        const scree_crowd_class *one = &g_array_index(c->crowd->classes, scree_crowd_class, i);
        const scree_shape *shape = c->scene->shapes->pdata[one->shape];
        scree_crowd_kind *kind = find_kind(c, shape, one->material, false);
        for (int end = 0; end < 2; end++) {
            const double size = one->scale[end] * scree_shape_equal_radius(shape);
            double inertia[3];
            if (end ? size <= kind->size[1] : size >= kind->size[0])
                continue;
            kind->size[end] = size;
            kind->touch[end] = one->scale[end] * scree_crowd_touch(shape);
            scree_shape_mass(shape, one->scale[end], one->density[end], c->scene->thickness,
                             &kind->mass[end], inertia);
        }
    }
}

void scree_crowd_take(const scree_scene *scene, scree_crowd *crowd)
{
    g_autofree uint32_t *first = g_new(uint32_t, scene->shapes->len + 1);
    crowd_counter c = {.scene = scene, .crowd = crowd, .first = first};
    double drop2 = 0.0;
    *crowd = (scree_crowd){.classes = g_array_new(FALSE, FALSE, sizeof(scree_crowd_class)),
                           .kinds = g_array_new(FALSE, FALSE, sizeof(scree_crowd_kind))};
    for (guint i = 0; i < scene->shapes->len; i++)
        first[i] = SCREE_NONE;
    for (int k = 0; k < 3; k++) {
        c.lo[k] = scene->has_region ? scene->region_min[k] : HUGE_VAL;
        c.hi[k] = scene->has_region ? scene->region_max[k] : -HUGE_VAL;
    }
    count_bodies(&c);
    size_kinds(&c);
    if (meets_images(&c))
        crowd->n_free = UINT64_MAX;
    for (int k = 0; k < 3; k++)
        if (c.hi[k] > c.lo[k])
            drop2 += 2.0 * fabs(scene->gravity[k]) * (c.hi[k] - c.lo[k]);
    crowd->speed = fmax(2.0 * sqrt(c.fastest2), sqrt(drop2));
}

void scree_crowd_clear(scree_crowd *crowd)
{
    g_clear_pointer(&crowd->classes, g_array_unref);
    g_clear_pointer(&crowd->kinds, g_array_unref);
}
