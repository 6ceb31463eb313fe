// SPDX-License-Identifier: Apache-2.0
/*
 * Bodies in space, and questions about them.
 *
 * Idea: each part of a body (a ball, a ball of a clump, a part of a solid, a facet) is a row of an
 * index (query_index.h) with its box and a ball around it; planes are a list. A question comes from
 * a body that looks for room, or from a zone. Each of its parts asks for the rows in its box, at
 * all periodic images. If both parts are balls, or one is a plane or a box, the balls decide; for
 * other parts they may show that these are apart. The rest are candidates for the resolvers of the
 * scene. One that overlaps decides, whatever their order, which is that of the GCD; a pair that no
 * resolver serves counts only if none does.
 */
#include "tools/query/query_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rotation.h"
#include "scene/scene_zone.h"
#include "scree/sdk.h"
#include "shape/shape.h"
#include "tools/query/query_index.h"
#include "tools/query/query_pair.h"
#include "tools/query/query_zone.h"

#define DEEP 1e-12 /* [-] depth over size; smaller depths only touch */

struct scree_space {
    const scree_scene *scene;
    scree_runtime runtime;
    scree_query_index *index;
    scree_query_asker *asker;
    GArray *bodies;     // elements: scree_body, solids and walls
    GArray *planes;     // elements: scree_query_row, the half-space centre x <= radius
    GArray *own;        // elements: scree_query_row, parts of the current body
    GArray *candidates; // elements: candidate, of the question
    scree_cell cell;
    scree_images images; // axes of the cell
    double lo[3], hi[3]; // bodies outside are left out
};

static const scree_shape *shape_in(const scree_space *s, uint32_t shape)
{
    return s->scene->shapes->pdata[shape];
}

/** Returns the shape of a clump's ball, and of a round zone. */
static uint32_t unit_ball(const scree_space *s)
{
    return s->scene->dimension == 2;
}

/* ---- bodies ---- */

static void set_ball(const scree_space *s, const double x[3], double r, scree_query_row *row)
{
    row->radius = r;
    memcpy(row->centre, x, sizeof row->centre);
    for (uint32_t k = 0; k < s->scene->dimension; k++) {
        row->lo[k] = x[k] - r;
        row->hi[k] = x[k] + r;
    }
}

/** Sets a row to ball p of a clump, or to a body that is a ball. */
static void set_part_ball(const scree_space *s, const scree_body *body, uint32_t p,
                          scree_query_row *row)
{
    const scree_shape *shape = shape_in(s, body->shape);
    double x[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3 && shape->balls; k++)
        x[k] = body->scale * shape->balls->centre[k][p];
    scree_rotate(body->q, x, x);
    for (int k = 0; k < 3; k++)
        x[k] += body->x[k];
    set_ball(s, x, body->scale * (shape->balls ? shape->balls->radius[p] : shape->radius), row);
}

/** Sets a row to part p of a solid or a wall. */
static bool set_box(const scree_space *s, const scree_body *body, uint32_t p, scree_query_row *row,
                    GError **error)
{
    const scree_shape_boxes one = {.size = sizeof one,
                                   .n = 1,
                                   .dimension = s->scene->dimension,
                                   .x = {&body->x[0], &body->x[1], &body->x[2]},
                                   .q = {&body->q[0], &body->q[1], &body->q[2], &body->q[3]},
                                   .scale = &body->scale,
                                   .part = &p,
                                   .lo = {&row->lo[0], &row->lo[1], &row->lo[2]},
                                   .hi = {&row->hi[0], &row->hi[1], &row->hi[2]},
                                   .centre = {&row->centre[0], &row->centre[1], &row->centre[2]},
                                   .radius = &row->radius};
    return query_host->shape_find_boxes(shape_in(s, body->shape), &one, SCREE_CALL_LANE, error);
}

static void add_plane(scree_space *s, const scree_body *body, uint64_t id)
{
    scree_query_row p = {.id = id, .body = s->bodies->len - 1, .shape = body->shape};
    scree_rotate(body->q, shape_in(s, body->shape)->normal, p.centre);
    for (int k = 0; k < 3; k++)
        p.radius += p.centre[k] * body->x[k];
    g_array_append_val(s->planes, p);
}

/** Sets `own` to the parts of a body in the brick of the cell; a plane has none. Lists solids and
 * walls. */
static bool list_parts(scree_space *s, const scree_body *given, uint64_t id, GError **error)
{
    const scree_shape *shape = shape_in(s, given->shape);
    const bool balls = shape->balls || scree_shape_is_round(shape);
    scree_body wrapped = *given, *body = &wrapped;
    double by[3] = {0.0, 0.0, 0.0};
    int32_t cells[3];
    if (shape->n_parts)
        scree_wrap(&s->cell, given->x, INT32_MAX / 2, cells, by);
    for (int k = 0; k < 3; k++)
        body->x[k] += by[k];
    if (!balls)
        g_array_append_val(s->bodies, *body);
    g_array_set_size(s->own, shape->n_parts);
    for (uint32_t p = 0; p < shape->n_parts; p++) {
        scree_query_row *row = &g_array_index(s->own, scree_query_row, p);
        *row = (scree_query_row){.id = id,
                                 .body = balls ? SCREE_NONE : s->bodies->len - 1,
                                 .shape = shape->balls ? unit_ball(s) : body->shape,
                                 .number = balls ? 0 : p}; // a ball is asked about as a body
        if (balls)
            set_part_ball(s, body, p, row);
        else if (!set_box(s, body, p, row, error))
            return false;
    }
    return true;
}

bool scree_space_add(scree_space *s, const scree_body *body, uint64_t id, GError **error)
{
    if (!list_parts(s, body, id, error))
        return false;
    if (shape_in(s, body->shape)->flags & SCREE_CAP_INFINITE)
        add_plane(s, body, id);
    for (uint32_t p = 0; p < s->own->len; p++) {
        const scree_query_row *row = &g_array_index(s->own, scree_query_row, p);
        bool near = true;
        for (int k = 0; k < 3; k++)
            near = near && row->lo[k] <= s->hi[k] && row->hi[k] >= s->lo[k];
        if (near)
            scree_query_index_add(s->index, row);
    }
    return true;
}

/** Returns the body of a row, without its material and motion. */
static scree_body body_of(const scree_space *s, const scree_query_row *row)
{
    if (row->body != SCREE_NONE)
        return g_array_index(s->bodies, scree_body, row->body);
    return (scree_body){.shape = row->shape,
                        .scale = row->radius / shape_in(s, row->shape)->radius,
                        .x = {row->centre[0], row->centre[1], row->centre[2]},
                        .q = {1.0}};
}

/* ---- questions ---- */

/** A part that asks, and a row that it may meet at an image. */
typedef struct candidate {
    const scree_query_row *row, *own;
    double shift[3]; // [m] of the row
} candidate;

typedef struct question {
    scree_space *space;
    const scree_zone *zone;     // the zone; NULL: a body looks for room
    const scree_query_row *own; // the part that asks; of a zone, its box, and of a BALL the ball
    uint64_t instead;           // id of a body that is not in the way; SCREE_NO_BODY: none
    const uint64_t *named;      // [ids] names that count in place of ids; NULL: the ids
    uint64_t last;              // larger ids are not in the way
    GArray *hits;               // all hits; NULL: the first one counts
    bool hit;
} question;

/** Returns whether further hits matter. */
static bool is_open(const question *q)
{
    return q->hits || !q->hit;
}

/** Takes a body in the way, or in the zone. */
static void take_hit(question *q, uint64_t id, bool by_box)
{
    const scree_space_hit hit = {id, by_box};
    q->hit = true;
    if (q->hits)
        g_array_append_val(q->hits, hit);
}

/** Takes a row at an image whose ball, or half-space, has this gap [m] to the zone, or to the ball
 * of the part; both have this size [m]. `exact`: the row is just that. */
static void take_near(question *q, const scree_query_row *row, const double shift[3], double gap,
                      double size, bool exact)
{
    const candidate c = {row, q->own, {shift[0], shift[1], shift[2]}};
    const bool solid = q->zone && q->zone->type != SCREE_ZONE_BALL,
               ball = q->own->body == SCREE_NONE;
    if (row->id > q->last || (q->zone ? gap > 0.0 : gap >= -DEEP * size) ||
        (q->instead != SCREE_NO_BODY && (q->named ? q->named[row->id] : row->id) == q->instead))
        return;
    if (solid || (exact && ball))
        take_hit(q, row->id, !exact && !scree_zone_encloses(q->zone, row, shift));
    else
        g_array_append_val(q->space->candidates, c);
}

static bool take_row(void *user, const scree_query_row *row, const double shift[3])
{
    question *q = user;
    double d2 = 0.0, x[3], gap;
    for (int k = 0; k < 3; k++) {
        x[k] = row->centre[k] + shift[k];
        d2 += (x[k] - q->own->centre[k]) * (x[k] - q->own->centre[k]);
    }
    gap = q->zone ? scree_zone_distance(q->zone, x) : sqrt(d2) - q->own->radius;
    take_near(q, row, shift, gap - row->radius, row->radius + q->own->radius,
              row->body == SCREE_NONE);
    return is_open(q);
}

static void ask_planes(question *q)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    for (guint i = 0; i < q->space->planes->len && is_open(q); i++) {
        const scree_query_row *p = &g_array_index(q->space->planes, scree_query_row, i);
        const double *n = p->centre, *c = q->own->centre;
        const double least = q->zone ? scree_zone_least(q->zone, n)
                                     : n[0] * c[0] + n[1] * c[1] + n[2] * c[2] - q->own->radius;
        take_near(q, p, none, least - p->radius, q->own->radius, true);
    }
}

/** Asks a resolver about a candidate. *unserved: the error of the first pair without a resolver. */
static bool ask_candidate(question *q, const candidate *c, GError **unserved, GError **error)
{
    const scree_space *s = q->space;
    bool meets, served;
    scree_query_pair pair = {{body_of(s, c->row), body_of(s, c->own)},
                             {c->row->number, c->own->number},
                             q->zone ? -DEEP : DEEP};
    for (int k = 0; k < 3; k++)
        pair.body[0].x[k] += c->shift[k];
    if (!scree_query_pair_meets(s->asker, &pair, &meets, &served, error))
        return false;
    if (meets || (q->zone && !served))
        take_hit(q, c->row->id, !meets);
    if (!served && !q->zone && !*unserved)
        scree_query_pair_unserved(s->asker, &pair, unserved);
    return true;
}

static int compare_hits(const void *pa, const void *pb)
{
    const scree_space_hit *a = pa, *b = pb;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->by_box < b->by_box ? -1 : a->by_box > b->by_box;
}

/** Sorts the hits from `first` on, and keeps the best answer of each body. */
static void sort_hits(GArray *hits, guint first)
{
    scree_space_hit *h = (scree_space_hit *)(void *)hits->data;
    guint to = first;
    if (hits->len > first)
        qsort(h + first, hits->len - first, sizeof *h, compare_hits);
    for (guint i = first; i < hits->len; i++)
        if (i == first || h[i].id != h[to - 1].id)
            h[to++] = h[i];
    g_array_set_size(hits, to);
}

/** Asks for each part in `own`. */
static bool ask(question *q, GError **error)
{
    scree_space *s = q->space;
    const guint first = q->hits ? q->hits->len : 0;
    g_autoptr(GError) unserved = NULL;
    bool good = true;
    g_array_set_size(s->candidates, 0);
    for (guint p = 0; p < s->own->len && is_open(q) && good; p++) {
        q->own = &g_array_index(s->own, scree_query_row, p);
        ask_planes(q);
        good = !is_open(q) || scree_query_index_each(s->index, &s->images, q->own->lo, q->own->hi,
                                                     take_row, q, error);
    }
    for (guint i = 0; i < s->candidates->len && is_open(q) && good; i++)
        good = ask_candidate(q, &g_array_index(s->candidates, candidate, i), &unserved, error);
    if (q->hits)
        sort_hits(q->hits, first);
    if (!good || !unserved || !is_open(q))
        return good;
    g_propagate_error(error, g_steal_pointer(&unserved));
    return false;
}

/** Asks for a body with a volume. */
static bool ask_body(question *q, const scree_body *body, GError **error)
{
    const guint n = q->space->bodies->len;
    const bool good = list_parts(q->space, body, SCREE_NO_BODY, error) && ask(q, error);
    g_array_set_size(q->space->bodies, n);
    return good;
}

bool scree_space_is_free(scree_space *s, const scree_body *body, uint64_t instead, bool *is_free,
                         GError **error)
{
    question q = {.space = s, .instead = instead, .last = UINT64_MAX};
    const bool good = ask_body(&q, body, error);
    *is_free = !q.hit;
    return good;
}

bool scree_space_meets(scree_space *s, const scree_body *body, uint64_t number,
                       const uint64_t *instead, GArray *hits, GError **error)
{
    question q = {.space = s,
                  .instead = instead ? instead[number] : SCREE_NO_BODY,
                  .named = instead,
                  .last = number - 1,
                  .hits = hits};
    return !number || ask_body(&q, body, error);
}

bool scree_space_find(scree_space *s, const scree_zone *given, GArray *hits, GError **error)
{
    const bool flat = s->scene->dimension == 2, ball = given->type == SCREE_ZONE_BALL;
    scree_zone zone = *given;
    scree_query_row own = {.body = SCREE_NONE, .shape = unit_ball(s)};
    question q = {
        .space = s, .zone = &zone, .instead = SCREE_NO_BODY, .last = UINT64_MAX, .hits = hits};
    if (flat) // z need not be set
        zone.lo[2] = zone.hi[2] = zone.a[2] = zone.b[2] = 0.0;
    memcpy(own.lo, zone.lo, sizeof own.lo);
    memcpy(own.hi, zone.hi, sizeof own.hi);
    if (ball)
        set_ball(s, zone.a, zone.radius, &own);
    g_array_set_size(s->own, 0);
    g_array_append_val(s->own, own);
    return ask(&q, error);
}

/* ---- life ---- */

scree_space *scree_space_new(const scree_scene *scene, const GPtrArray *resolvers)
{
    scree_space *s = g_new0(scree_space, 1);
    s->scene = scene;
    s->runtime = query_host->scene_runtime(scene, query_host->pool_new(1));
    s->index = scree_query_index_new(scene, &s->runtime);
    s->asker = scree_query_asker_new(scene, &s->runtime, resolvers);
    s->bodies = g_array_new(FALSE, FALSE, sizeof(scree_body));
    s->planes = g_array_new(FALSE, FALSE, sizeof(scree_query_row));
    s->own = g_array_new(FALSE, FALSE, sizeof(scree_query_row));
    s->candidates = g_array_new(FALSE, FALSE, sizeof(candidate));
    query_host->scene_cell(scene, &s->cell);
    s->images = scree_images_of(&s->cell, s->lo, s->hi, s->lo, s->hi);
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
    GArray *arrays[] = {s->bodies, s->planes, s->own, s->candidates};
    for (size_t k = 0; k < G_N_ELEMENTS(arrays); k++)
        g_array_unref(arrays[k]);
    scree_query_index_free(s->index);
    scree_query_asker_free(s->asker);
    query_host->pool_free(s->runtime.pool);
    g_free(s);
}

void scree_space_clear(scree_space *s)
{
    g_array_set_size(s->bodies, 0);
    g_array_set_size(s->planes, 0);
    scree_query_index_clear(s->index);
}

void scree_space_limit(scree_space *s, const double lo[3], const double hi[3])
{
    for (uint32_t k = 0; k < s->scene->dimension; k++)
        if (!scree_repeats(&s->cell, (int)k)) {
            s->lo[k] = lo[k];
            s->hi[k] = hi[k];
        }
}
