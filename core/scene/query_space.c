// SPDX-License-Identifier: Apache-2.0
/*
 * Bodies in space, and questions about them.
 *
 * Idea: a ball, a ball of a clump, or a solid is a row of one index, a facet a row of another
 * (query_index.h); planes are a list. Rows are at the places of the bodies: a question is asked once
 * for each periodic image of its place at which rows can be near. Ball against ball, facet or plane is
 * tested in closed form, other pairs by the resolvers of the scene.
 *
 * Walls may be far wider than a periodic cell: their images are those next to the cell, as in a run.
 */
#include "scene/query_space.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "scene/plugin_shape.h"
#include "scene/query_pairs.h"
#include "scene/query_rows.h"
#include "scene/query_shape.h"
#include "scene/scene_query.h"
#include "scene/scene_runtime.h"
#include "shape/shape.h"

#define TOUCH (1.0 - 1e-12)

static const scree_choice_of *choose_gcd(void *user, GError **error)
{
    return scree_scene_query_gcd(user, error);
}

scree_space *scree_space_new(const scree_scene *scene, const GPtrArray *resolvers)
{
    scree_space *s = g_new0(scree_space, 1);
    s->scene = scene;
    s->runtime = scree_scene_runtime(scene, scree_pool_new(1));
    s->pairs = scree_query_pairs_new(scene, &s->runtime, resolvers);
    s->near = scree_query_index_new(&s->runtime, choose_gcd, (void *)scene);
    s->facets = scree_query_index_new(&s->runtime, choose_gcd, (void *)scene);
    s->rounds = g_array_new(FALSE, FALSE, sizeof(scree_round_row));
    s->shapes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    s->owners = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    s->facet_rows = g_array_new(FALSE, FALSE, sizeof(scree_facet_row));
    s->walls = g_array_new(FALSE, FALSE, sizeof(scree_body));
    s->wall_owner = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    s->planes = g_array_new(FALSE, FALSE, sizeof(scree_half_space));
    s->solids = g_array_new(FALSE, FALSE, sizeof(scree_body));
    s->solid_of = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (uint32_t k = 0; k < scene->dimension; k++)
        if (scene->boundary[k] == SCREE_BOUNDARY_PERIODIC)
            s->length[k] = scene->region_max[k] - scene->region_min[k];
    for (int k = 0; k < 3; k++) {
        s->lo[k] = -HUGE_VAL;
        s->hi[k] = HUGE_VAL;
    }
    return s;
}

void scree_space_free(scree_space *s)
{
    if (!s)
        return;
    GArray *arrays[] = {s->rounds, s->shapes,     s->owners, s->facet_rows,
                        s->walls,  s->wall_owner, s->planes, s->solids};
    for (size_t k = 0; k < G_N_ELEMENTS(arrays); k++)
        g_array_unref(arrays[k]);
    g_hash_table_unref(s->solid_of);
    scree_query_index_free(s->near);
    scree_query_index_free(s->facets);
    scree_query_pairs_free(s->pairs);
    scree_pool_free(s->runtime.pool);
    g_free(s);
}

void scree_space_reserve(scree_space *s, uint64_t n)
{
    const uint64_t most = UINT32_MAX / 4;
    const uint32_t rows = (uint32_t)MIN(scree_query_index_rows(s->near) + n, most);
    GArray *arrays[] = {s->rounds, s->shapes, s->owners};
    scree_query_index_reserve(s->near, rows);
    for (size_t k = 0; k < G_N_ELEMENTS(arrays); k++) {
        const guint used = arrays[k]->len;
        g_array_set_size(arrays[k], MAX(rows, used));
        g_array_set_size(arrays[k], used);
    }
}

uint64_t scree_space_bytes(const scree_space *s)
{
    return sizeof *s + scree_query_index_bytes(s->near) + scree_query_index_bytes(s->facets) +
           s->rounds->len * (sizeof(scree_round_row) + 2 * sizeof(uint32_t)) +
           s->facet_rows->len * sizeof(scree_facet_row) +
           (s->walls->len + s->solids->len) * sizeof(scree_body);
}

void scree_space_stats(const scree_space *s, uint32_t *n_groups, uint64_t *n_indexed)
{
    scree_query_index_stats(s->near, n_groups, n_indexed);
}

void scree_space_limit(scree_space *s, const double lo[3], const double hi[3])
{
    for (uint32_t k = 0; k < s->scene->dimension; k++)
        if (!(s->length[k] > 0.0)) {
            s->lo[k] = lo[k];
            s->hi[k] = hi[k];
        }
}

static bool is_beyond(const scree_space *s, const double lo[3], const double hi[3])
{
    bool beyond = false;
    for (int k = 0; k < 3; k++)
        beyond = beyond || hi[k] < s->lo[k] || lo[k] > s->hi[k];
    return beyond;
}

/* ---- bodies ---- */

/** From the body's place to the centre of a ball of a clump. */
static void find_part_ball(const scree_balls *balls, uint32_t p, const scree_body *body,
                           double arm[3])
{
    for (int k = 0; k < 3; k++)
        arm[k] = body->scale * balls->centre[k][p];
    scree_rotate(body->q, arm, arm);
}

static void add_round(scree_space *s, const double x[3], double r, uint32_t shape,
                      const double lo[3], const double hi[3])
{
    const scree_round_row row = {{x[0], x[1], x[2]}, r};
    if (is_beyond(s, lo, hi))
        return;
    scree_query_index_add(s->near, lo, hi, x, r);
    g_array_append_val(s->rounds, row);
    g_array_append_val(s->shapes, shape);
    g_array_append_val(s->owners, s->n_bodies);
}

static void add_ball(scree_space *s, const double x[3], double r, uint32_t shape)
{
    double lo[3] = {0}, hi[3] = {0};
    for (uint32_t k = 0; k < s->scene->dimension; k++) {
        lo[k] = x[k] - r;
        hi[k] = x[k] + r;
    }
    add_round(s, x, r, shape, lo, hi);
}

/** The box around all parts of a solid. */
static bool find_box(const scree_space *s, const scree_body *body, double lo[3], double hi[3],
                     GError **error)
{
    const scree_shape *shape = scree_space_shape(s, body->shape);
    for (int k = 0; k < 3; k++) {
        lo[k] = HUGE_VAL;
        hi[k] = -HUGE_VAL;
    }
    for (uint32_t part = 0; part < shape->n_parts; part++) {
        double to[10];
        const scree_shape_boxes one = {.size = sizeof one,
                                       .n = 1,
                                       .dimension = s->scene->dimension,
                                       .x = {&body->x[0], &body->x[1], &body->x[2]},
                                       .q = {&body->q[0], &body->q[1], &body->q[2], &body->q[3]},
                                       .scale = &body->scale,
                                       .part = &part,
                                       .lo = {&to[0], &to[1], &to[2]},
                                       .hi = {&to[3], &to[4], &to[5]},
                                       .centre = {&to[6], &to[7], &to[8]},
                                       .radius = &to[9]};
        if (!scree_shape_find_boxes(shape, &one, SCREE_CALL_LANE, error))
            return false;
        for (int k = 0; k < 3; k++) {
            lo[k] = fmin(lo[k], to[k]);
            hi[k] = fmax(hi[k], to[3 + k]);
        }
    }
    return true;
}

static bool add_solid(scree_space *s, const scree_body *body, GError **error)
{
    const scree_shape *shape = scree_space_shape(s, body->shape);
    double lo[3], hi[3];
    if (!find_box(s, body, lo, hi, error))
        return false;
    g_array_append_val(s->solids, *body);
    g_hash_table_insert(s->solid_of, GUINT_TO_POINTER(s->rounds->len),
                        GUINT_TO_POINTER(s->solids->len));
    add_round(s, body->x, body->scale * shape->radius, body->shape, lo, hi);
    return true;
}

static void add_wall(scree_space *s, const scree_body *body)
{
    const scree_shape *shape = scree_space_shape(s, body->shape);
    const uint32_t wall = s->walls->len, n = scree_shape_facets(shape);
    g_array_append_val(s->walls, *body);
    g_array_append_val(s->wall_owner, s->n_bodies);
    if (shape->flags & SCREE_CAP_INFINITE) {
        scree_half_space p = {.wall = wall};
        scree_rotate(body->q, shape->normal, p.n);
        p.at = p.n[0] * body->x[0] + p.n[1] * body->x[1] + p.n[2] * body->x[2];
        g_array_append_val(s->planes, p);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        scree_query_facet f;
        double centre[3], r2 = 0.0;
        const scree_facet_row row = {wall, i};
        scree_query_facet_place(&f, shape->mesh, i, body->x, body->q, body->scale);
        if (is_beyond(s, f.lo, f.hi))
            continue;
        for (int k = 0; k < 3; k++) {
            centre[k] = 0.5 * (f.lo[k] + f.hi[k]);
            r2 += (f.hi[k] - centre[k]) * (f.hi[k] - centre[k]);
        }
        scree_query_index_add(s->facets, f.lo, f.hi, centre, sqrt(r2));
        g_array_append_val(s->facet_rows, row);
    }
}

bool scree_space_add(scree_space *s, const scree_body *body, GError **error)
{
    const scree_shape *shape = scree_space_shape(s, body->shape);
    const scree_balls *balls = shape->balls;
    bool good = true;
    if (scree_shape_is_wall(shape))
        add_wall(s, body);
    else if (balls)
        for (uint32_t p = 0; p < balls->n; p++) {
            double centre[3];
            find_part_ball(balls, p, body, centre);
            for (int k = 0; k < 3; k++)
                centre[k] += body->x[k];
            add_ball(s, centre, body->scale * balls->radius[p], s->scene->dimension == 2);
        }
    else if (scree_shape_is_round(shape))
        add_ball(s, body->x, body->scale * shape->radius, body->shape);
    else
        good = add_solid(s, body, error);
    s->n_bodies++;
    return good;
}

/* ---- room for a body ---- */

/** A facet near a solid, and the image that it is of. */
typedef struct near_facet {
    scree_facet_row row;
    double shift[3];
} near_facet;

/** A body that looks for room, or a ball of it. */
typedef struct trial {
    scree_space *space;
    const scree_body *body; // for resolvers
    double x[3], r;         // the ball, or the one that holds the solid
    double shift[3];        // of rows
    bool solid, hit;
    GArray *facets; // of near_facet, of a solid
    GError *error;
} trial;

static bool try_row(void *user, uint32_t row)
{
    trial *t = user;
    const scree_round_row *b = &g_array_index(t->space->rounds, scree_round_row, row);
    double dx = b->x[0] + t->shift[0] - t->x[0], dy = b->x[1] + t->shift[1] - t->x[1],
           dz = b->x[2] + t->shift[2] - t->x[2], sum = b->r + t->r;
    if (!(dx * dx + dy * dy + dz * dz < sum * sum * TOUCH))
        return true;
    if (!t->solid && !scree_space_is_solid(t->space, row)) {
        t->hit = true;
        return false;
    }
    const scree_body other = scree_space_body(t->space, row, t->shift);
    return scree_query_pairs_overlap(t->space->pairs, t->body, &other, NULL, 0, &t->hit,
                                     &t->error) &&
           !t->hit;
}

static bool try_facet(void *user, uint32_t row)
{
    trial *t = user;
    const near_facet near = {g_array_index(t->space->facet_rows, scree_facet_row, row),
                             {t->shift[0], t->shift[1], t->shift[2]}};
    const scree_body *wall = &g_array_index(t->space->walls, scree_body, near.row.wall);
    scree_query_facet f;
    double x[3], way[3];
    if (t->solid) {
        g_array_append_val(t->facets, near);
        return true;
    }
    scree_query_facet_place(&f, scree_space_shape(t->space, wall->shape)->mesh, near.row.facet,
                            wall->x, wall->q, wall->scale);
    for (int k = 0; k < 3; k++)
        x[k] = t->x[k] - t->shift[k];
    t->hit = scree_query_facet_way(&f, x, way) < t->r * t->r * TOUCH;
    return !t->hit;
}

static bool try_planes(trial *t)
{
    const scree_space *s = t->space;
    for (guint i = 0; i < s->planes->len && !t->hit; i++) {
        const scree_half_space *p = &g_array_index(s->planes, scree_half_space, i);
        const bool near =
            p->n[0] * t->x[0] + p->n[1] * t->x[1] + p->n[2] * t->x[2] - p->at < t->r * TOUCH;
        t->hit = near && !t->solid;
        if (near && t->solid &&
            !scree_query_pairs_overlap(s->pairs, t->body,
                                       &g_array_index(s->walls, scree_body, p->wall), NULL, 0,
                                       &t->hit, &t->error))
            return false;
    }
    return true;
}

static int compare_near(const void *pa, const void *pb)
{
    const near_facet *a = pa, *b = pb;
    for (int k = 0; k < 3; k++)
        if (a->shift[k] < b->shift[k] || a->shift[k] > b->shift[k])
            return a->shift[k] < b->shift[k] ? -1 : 1;
    if (a->row.wall != b->row.wall)
        return a->row.wall < b->row.wall ? -1 : 1;
    return a->row.facet < b->row.facet ? -1 : a->row.facet > b->row.facet;
}

/** The facets near a solid, a question for each wall and image. */
static bool try_walls(trial *t)
{
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_sort(t->facets, compare_near);
    for (guint i = 0, end; i < t->facets->len && !t->hit; i = end) {
        const near_facet *first = &g_array_index(t->facets, near_facet, i);
        scree_body wall = g_array_index(t->space->walls, scree_body, first->row.wall);
        g_array_set_size(parts, 0);
        for (end = i; end < t->facets->len; end++) {
            const near_facet *f = &g_array_index(t->facets, near_facet, end);
            if (f->row.wall != first->row.wall ||
                memcmp(f->shift, first->shift, sizeof f->shift) != 0)
                break;
            if (end == i || f->row.facet != f[-1].row.facet)
                g_array_append_val(parts, f->row.facet);
        }
        for (int k = 0; k < 3; k++)
            wall.x[k] += first->shift[k];
        if (!scree_query_pairs_overlap(t->space->pairs, t->body, &wall,
                                       (const uint32_t *)(void *)parts->data, parts->len, &t->hit,
                                       &t->error))
            return false;
    }
    return true;
}

/** Asks about a trial whose parts are in the box. */
static bool try_trial(trial *t, const double lo[3], const double hi[3])
{
    scree_space *s = t->space;
    if (!try_planes(t))
        return false;
    scree_space_images c = scree_space_cells(s, s->near, lo, hi, 1);
    if (!t->hit && scree_query_index_rows(s->near) &&
        !scree_space_ask(s, s->near, &c, lo, hi, t->shift, try_row, t, &t->error))
        return false;
    c = scree_space_cells(s, s->facets, lo, hi, 1);
    if (t->hit || t->error || !scree_query_index_rows(s->facets))
        return !t->error;
    if (t->solid)
        t->facets = g_array_new(FALSE, FALSE, sizeof(near_facet));
    bool good = scree_space_ask(s, s->facets, &c, lo, hi, t->shift, try_facet, t, &t->error);
    if (t->solid) {
        good = good && try_walls(t);
        g_array_unref(t->facets);
    }
    return good;
}

static bool try_ball(scree_space *s, const scree_body *body, const double x[3], double r, bool *hit,
                     GError **error)
{
    trial t = {.space = s, .body = body, .x = {x[0], x[1], x[2]}, .r = r};
    double lo[3] = {0}, hi[3] = {0};
    for (uint32_t k = 0; k < s->scene->dimension; k++) {
        lo[k] = x[k] - r;
        hi[k] = x[k] + r;
    }
    const bool good = try_trial(&t, lo, hi);
    *hit = t.hit;
    if (!good)
        g_propagate_error(error, t.error);
    return good;
}

static bool try_solid(scree_space *s, const scree_body *body, bool *hit, GError **error)
{
    trial t = {.space = s,
               .body = body,
               .x = {body->x[0], body->x[1], body->x[2]},
               .r = body->scale * scree_space_shape(s, body->shape)->radius,
               .solid = true};
    double lo[3], hi[3];
    if (!find_box(s, body, lo, hi, error))
        return false;
    const bool good = try_trial(&t, lo, hi);
    *hit = t.hit;
    if (!good)
        g_propagate_error(error, t.error);
    return good;
}

/** Moves a body that is off a periodic cell into it. */
static void wrap(const scree_space *s, double x[3])
{
    for (int k = 0; k < 3; k++) {
        const double least = s->scene->region_min[k], length = s->length[k];
        if (length > 0.0 && !(x[k] >= least && x[k] <= s->scene->region_max[k]))
            x[k] -= length * floor((x[k] - least) / length);
    }
}

bool scree_space_is_free(scree_space *s, const scree_body *body, bool *is_free, GError **error)
{
    const scree_shape *shape = scree_space_shape(s, body->shape);
    const scree_balls *balls = shape->balls;
    scree_body at = *body;
    bool hit = false, good = true;
    wrap(s, at.x);
    if (scree_shape_is_round(shape))
        good = try_ball(s, &at, at.x, at.scale * shape->radius, &hit, error);
    else if (!balls)
        good = try_solid(s, &at, &hit, error);
    const uint32_t n_balls = balls ? balls->n : 0;
    for (uint32_t p = 0; p < n_balls && good && !hit; p++) {
        double centre[3];
        find_part_ball(balls, p, &at, centre);
        for (int k = 0; k < 3; k++)
            centre[k] += at.x[k];
        const scree_body ball =
            scree_query_pairs_ball(s->scene, centre, at.scale * balls->radius[p]);
        good = try_ball(s, &ball, centre, ball.scale, &hit, error);
    }
    *is_free = !hit;
    return good;
}
