// SPDX-License-Identifier: Apache-2.0
/*
 * Bodies in space, and questions about them.
 *
 * Idea: each part of a body (a ball, a ball of a clump, a part of a solid, a facet) is a row of an
 * index (query_index.h) with its box and a ball around it; planes are a list. A question comes from
 * a body that looks for room, or from a region, a ball or a box. Each of its parts asks for the
 * rows in its box, once for each periodic image with rows nearby. If both parts are balls, or one
 * is a plane or a box, the balls decide; for other parts they may show that these are apart. The
 * rest are candidates for the resolvers of the scene. One that overlaps decides, whatever their
 * order, which is that of the GCD; a pair that no resolver serves counts only if none does.
 */
#include "scene/query_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rotation.h"
#include "scene/query_index.h"
#include "scene/query_pair.h"
#include "scene/scene_runtime.h"
#include "scene/scene_settings.h"
#include "scree/cell_sdk.h"
#include "scree/sdk.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"

#define DEEP 1e-12       /* [-] depth over size; smaller depths only touch */
#define ROW_SLACK 1e-14  /* [-] relative to coordinates: boxes of questions are widened */
#define MOST_CELLS 1000. /* most periodic cells that a region may span */

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

/** Returns whether all parts of bodies with this shape are balls. */
static bool is_of_balls(const scree_shape *shape)
{
    return shape->balls || scree_shape_is_round(shape);
}

/** Returns the shape of a clump's ball, and of a region. */
static uint32_t unit_ball(const scree_space *s)
{
    return s->scene->dimension == 2;
}

/* ---- bodies ---- */

static void set_ball(const scree_space *s, scree_query_row *row, const double x[3], double r)
{
    *row = (scree_query_row){.radius = r};
    for (uint32_t k = 0; k < 3; k++)
        row->centre[k] = x[k];
    for (uint32_t k = 0; k < s->scene->dimension; k++) {
        row->lo[k] = x[k] - r;
        row->hi[k] = x[k] + r;
    }
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
    return scree_shape_find_boxes(shape_in(s, body->shape), &one, SCREE_CALL_LANE, error);
}

/** Sets `own` to the parts of a body; a plane has none. */
static bool list_parts(scree_space *s, const scree_body *body, GError **error)
{
    const scree_shape *shape = shape_in(s, body->shape);
    const uint32_t n = shape->flags & SCREE_CAP_INFINITE ? 0
                       : shape->balls                    ? shape->balls->n
                       : scree_shape_is_round(shape)     ? 1
                                                         : shape->n_parts;
    g_array_set_size(s->own, n);
    for (uint32_t p = 0; p < n; p++) {
        scree_query_row *row = &g_array_index(s->own, scree_query_row, p);
        double x[3] = {0.0, 0.0, 0.0};
        if (!is_of_balls(shape)) {
            if (!set_box(s, body, p, row, error))
                return false;
            continue;
        }
        for (int k = 0; k < 3 && shape->balls; k++)
            x[k] = body->scale * shape->balls->centre[k][p];
        scree_rotate(body->q, x, x);
        for (int k = 0; k < 3; k++)
            x[k] += body->x[k];
        set_ball(s, row, x, body->scale * (shape->balls ? shape->balls->radius[p] : shape->radius));
    }
    return true;
}

void scree_space_wrap(const scree_space *s, scree_body *body)
{
    double by[3];
    int32_t cells[3];
    scree_wrap(&s->cell, body->x, INT32_MAX / 2, cells, by);
    for (int k = 0; k < 3; k++)
        body->x[k] += by[k];
}

static void add_plane(scree_space *s, const scree_body *body, uint32_t at, uint64_t id)
{
    scree_query_row p = {.id = id, .body = at, .shape = body->shape};
    scree_rotate(body->q, shape_in(s, body->shape)->normal, p.centre);
    for (int k = 0; k < 3; k++)
        p.radius += p.centre[k] * body->x[k];
    g_array_append_val(s->planes, p);
}

bool scree_space_add(scree_space *s, const scree_body *body, uint64_t id, GError **error)
{
    const scree_shape *shape = shape_in(s, body->shape);
    const uint32_t at = is_of_balls(shape) ? SCREE_NONE : s->bodies->len;
    if (at != SCREE_NONE)
        g_array_append_val(s->bodies, *body);
    if (shape->flags & SCREE_CAP_INFINITE)
        add_plane(s, body, at, id);
    if (!list_parts(s, body, error))
        return false;
    for (uint32_t p = 0; p < s->own->len; p++) {
        scree_query_row *row = &g_array_index(s->own, scree_query_row, p);
        row->id = id;
        row->body = at;
        row->shape = shape->balls ? unit_ball(s) : body->shape;
        row->number = at == SCREE_NONE ? 0 : p; // a ball is asked about as a body
        if (scree_query_row_overlaps(row, s->lo, s->hi))
            scree_query_index_add(s->index, row);
    }
    return true;
}

/** Returns a clump's ball, or a body of a round type, as a body. */
static scree_body ball_body(const scree_space *s, uint32_t shape, const double x[3], double r)
{
    return (scree_body){.shape = shape,
                        .scale = r / shape_in(s, shape)->radius,
                        .x = {x[0], x[1], x[2]},
                        .q = {1.0}};
}

/* ---- questions ---- */

/** A part that asks, and a row that it may meet at an image. */
typedef struct candidate {
    const scree_query_row *row;
    double shift[3]; // [m] of the row
    uint32_t number; // of the part
} candidate;

typedef struct question {
    scree_space *space;
    const scree_body *body;     // asking body, never a clump; NULL: a box or cylinder
    const scree_zone *zone;     // the zone; NULL: a body looks for room
    uint64_t instead;           // id of a body that is not in the way; SCREE_NO_BODY: none
    const uint64_t *named;      // [ids] names that count in place of ids; NULL: the ids
    uint64_t last;              // larger ids are not in the way
    const scree_query_row *own; // its current part
    double reach;               // radius of the ball around the part; 0: a box or cylinder
    uint32_t number;            // number of the part
    bool exact;                 // the part is exactly this ball, box or cylinder
    GArray *hits;               // all hits; NULL: the first one counts
    bool hit;
    double shift[3]; // added to the rows
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

/** Returns whether the box of a row is inside the zone. */
static bool is_inside(const question *q, const scree_query_row *row)
{
    bool inside = true;
    double x[3];
    for (int k = 0; k < 3; k++)
        x[k] = row->centre[k] + q->shift[k];
    if (q->zone->type == SCREE_ZONE_CYLINDER)
        return scree_zone_holds(q->zone, x, row->radius);
    for (uint32_t k = 0; k < q->space->scene->dimension; k++)
        inside = inside && row->lo[k] + q->shift[k] >= q->own->lo[k] &&
                 row->hi[k] + q->shift[k] <= q->own->hi[k];
    return inside;
}

/** [m^2] Returns the squared distance of a point from a cylinder: in the half plane of the distance from
 * its axis and the place along it, the cylinder is a rectangle. */
static double cylinder_distance2(const scree_zone *z, const double x[3])
{
    double length2 = 0.0, along = 0.0, far2 = 0.0;
    for (int k = 0; k < 3; k++) {
        const double axis = z->b[k] - z->a[k], d = x[k] - z->a[k];
        length2 += axis * axis;
        along += d * axis;
        far2 += d * d;
    }
    const double length = sqrt(length2), at = along / length;
    const double off = sqrt(fmax(0.0, far2 - at * at));
    const double beyond = fmax(fmax(-at, at - length), 0.0),
                 beside = fmax(fmax(z->inner - off, off - z->radius), 0.0);
    return beyond * beyond + beside * beside;
}

/** [m^2] Returns the squared distance of a point from the centre of the part, or from the zone. */
static double find_distance2(const question *q, const double x[3])
{
    double d2 = 0.0;
    if (!q->body && q->zone->type == SCREE_ZONE_CYLINDER)
        return cylinder_distance2(q->zone, x);
    for (int k = 0; k < 3; k++) {
        const double lo = q->body ? q->own->centre[k] : q->own->lo[k],
                     hi = q->body ? q->own->centre[k] : q->own->hi[k];
        const double d = x[k] < lo ? x[k] - lo : x[k] > hi ? x[k] - hi : 0.0;
        d2 += d * d;
    }
    return d2;
}

/** Takes a row whose ball, or a plane, that the ball of the part meets. `sure`: so do row and
 * part. */
static void take_near(question *q, const scree_query_row *row, bool sure)
{
    const candidate c = {row, {q->shift[0], q->shift[1], q->shift[2]}, q->exact ? 0 : q->number};
    if (sure || !q->body)
        take_hit(q, row->id, !sure && !is_inside(q, row));
    else
        g_array_append_val(q->space->candidates, c);
}

static bool is_ignored(const question *q, const scree_query_row *row)
{
    return row->id > q->last ||
           (q->instead != SCREE_NO_BODY && (q->named ? q->named[row->id] : row->id) == q->instead);
}

static bool take_row(void *user, const scree_query_row *row)
{
    question *q = user;
    const double reach = row->radius + q->reach, reach2 = reach * reach;
    const double x[3] = {row->centre[0] + q->shift[0], row->centre[1] + q->shift[1],
                         row->centre[2] + q->shift[2]};
    const double d2 = find_distance2(q, x);
    if (!is_ignored(q, row) && (q->zone ? d2 <= reach2 : d2 < reach2 * (1.0 - DEEP)))
        take_near(q, row, q->exact && row->body == SCREE_NONE);
    return is_open(q);
}

/** [m] Returns the smallest n x of a zone; n is a unit vector. */
static double zone_least(const scree_zone *z, const double n[3])
{
    double a = 0.0, b = 0.0, length2 = 0.0;
    for (int k = 0; k < 3; k++) {
        length2 += (z->b[k] - z->a[k]) * (z->b[k] - z->a[k]);
        if (n[k] == 0.0) // in 2D z is not set
            continue;
        a += n[k] * (z->type == SCREE_ZONE_BOX ? (n[k] > 0.0 ? z->lo : z->hi)[k] : z->a[k]);
        b += n[k] * z->b[k];
    }
    if (z->type != SCREE_ZONE_CYLINDER)
        return z->type == SCREE_ZONE_BALL ? a - z->radius : a;
    const double across2 = length2 > 0.0 ? 1.0 - (b - a) * (b - a) / length2 : 1.0;
    return fmin(a, b) - z->radius * sqrt(fmax(0.0, across2));
}

void scree_zone_enclose(const scree_zone *z, uint32_t dimension, double lo[3], double hi[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2}, back[3] = {-axis[0], -axis[1], -axis[2]};
        lo[k] = k < dimension ? zone_least(z, axis) : z->a[k];
        hi[k] = k < dimension ? -zone_least(z, back) : z->a[k];
    }
}

static void ask_planes(question *q)
{
    memset(q->shift, 0, sizeof q->shift);
    for (guint i = 0; i < q->space->planes->len && is_open(q); i++) {
        const scree_query_row *p = &g_array_index(q->space->planes, scree_query_row, i);
        const double *n = p->centre, *c = q->own->centre;
        const double least =
            q->body ? n[0] * c[0] + n[1] * c[1] + n[2] * c[2] : zone_least(q->zone, n);
        if (!is_ignored(q, p) &&
            (q->zone ? least - q->reach <= p->radius : least - p->radius < q->reach * (1.0 - DEEP)))
            take_near(q, p, q->exact);
    }
}

/** Asks the index for the rows in a box, of one periodic image. */
static bool ask_image(question *q, const int32_t cell[3], const double lo[3], const double hi[3],
                      GError **error)
{
    double from[3], to[3];
    scree_shift(&q->space->cell, cell, q->shift);
    for (int k = 0; k < 3; k++) {
        from[k] = lo[k] - q->shift[k];
        to[k] = hi[k] - q->shift[k];
    }
    return scree_query_index_each(q->space->index, from, to, take_row, q, error);
}

/** Asks about a part: finds hits and candidates at all images. */
static bool ask_part(question *q, const scree_query_row *own, GError **error)
{
    const scree_space *s = q->space;
    double from[3], to[3], lo[3], hi[3];
    scree_images m = s->images;
    int32_t c[3] = {0, 0, 0}, last[3];
    q->own = own;
    q->reach = q->body ? own->radius : 0.0;
    ask_planes(q);
    if (!scree_query_index_bounds(s->index, from, to))
        return true;
    for (int k = 0; k < 3; k++) {
        const double slack =
            ROW_SLACK * (fabs(own->lo[k]) + fabs(own->hi[k]) + fabs(from[k]) + fabs(to[k]));
        lo[k] = own->lo[k] - slack;
        hi[k] = own->hi[k] + slack;
        m.least[k] = lo[k] - to[k];
        m.most[k] = hi[k] - from[k];
    }
    for (scree_images_range(&m, 2, c, last); c[2] <= last[2]; c[2]++)
        for (scree_images_range(&m, 1, c, last); c[1] <= last[1]; c[1]++)
            for (scree_images_range(&m, 0, c, last); c[0] <= last[0] && is_open(q); c[0]++)
                if (!ask_image(q, c, lo, hi, error))
                    return false;
    return true;
}

/* ---- pairs ---- */

/** Asks a resolver about a candidate. *unserved: the error of the first pair without a resolver. */
static bool ask_candidate(question *q, const candidate *c, GError **unserved, GError **error)
{
    const scree_space *s = q->space;
    const scree_query_row *row = c->row;
    scree_body other = row->body == SCREE_NONE ? ball_body(s, row->shape, row->centre, row->radius)
                                               : g_array_index(s->bodies, scree_body, row->body);
    bool meets, served;
    for (int k = 0; k < 3; k++)
        other.x[k] += c->shift[k];
    const scree_query_pair pair = {
        {other, *q->body}, {row->number, c->number}, q->zone ? -DEEP : DEEP};
    if (!scree_query_pair_meets(s->asker, &pair, &meets, &served, error))
        return false;
    if (meets || (q->zone && !served))
        take_hit(q, row->id, !meets);
    if (!served && !q->zone && !*unserved)
        scree_query_pair_unserved(s->asker, &pair, unserved);
    return true;
}

/** Asks for a body that is not a clump, or for a zone, about its parts [0, n). */
static bool ask_parts(question *q, const scree_query_row *own, uint32_t n, GError **error)
{
    GArray *all = q->space->candidates;
    g_autoptr(GError) unserved = NULL;
    bool good = true;
    g_array_set_size(all, 0);
    for (q->number = 0; q->number < n && is_open(q) && good; q->number++)
        good = ask_part(q, &own[q->number], error);
    for (guint i = 0; i < all->len && is_open(q) && good; i++)
        good = ask_candidate(q, &g_array_index(all, candidate, i), &unserved, error);
    if (!good || !unserved || !is_open(q))
        return good;
    g_propagate_error(error, g_steal_pointer(&unserved));
    return false;
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

/** Asks for a body with a volume; `at`, the body of the question, changes. */
static bool ask_body(question *q, scree_body *at, GError **error)
{
    scree_space *s = q->space;
    const scree_shape *shape = shape_in(s, at->shape);
    const bool balls = is_of_balls(shape);
    q->exact = balls;
    scree_space_wrap(s, at);
    if (!list_parts(s, at, error))
        return false;
    const scree_query_row *own = (const scree_query_row *)(void *)s->own->data;
    const uint32_t n_balls = balls ? s->own->len : 0;
    bool good = balls || ask_parts(q, own, s->own->len, error);
    for (uint32_t p = 0; p < n_balls && good && is_open(q); p++) {
        if (shape->balls)
            *at = ball_body(s, unit_ball(s), own[p].centre, own[p].radius);
        good = ask_parts(q, &own[p], 1, error);
    }
    return good;
}

bool scree_space_is_free(scree_space *s, const scree_body *body, uint64_t instead, bool *is_free,
                         GError **error)
{
    scree_body at = *body;
    question q = {.space = s, .body = &at, .instead = instead, .last = UINT64_MAX};
    const bool good = ask_body(&q, &at, error);
    *is_free = !q.hit;
    return good;
}

bool scree_space_meets(scree_space *s, const scree_body *body, uint64_t number,
                       const uint64_t *instead, GArray *hits, GError **error)
{
    const guint first = hits->len;
    scree_body at = *body;
    question q = {.space = s,
                  .body = &at,
                  .instead = instead ? instead[number] : SCREE_NO_BODY,
                  .named = instead,
                  .last = number - 1,
                  .hits = hits};
    const bool good = !number || ask_body(&q, &at, error);
    sort_hits(hits, first);
    return good;
}

/* ---- zones ---- */

/** Returns why a ball or cylinder is invalid, to be freed; NULL: it is valid. */
static char *check_round(const scree_scene *scene, const scree_zone *z)
{
    const bool ball = z->type == SCREE_ZONE_BALL;
    const char *name = ball ? "ball" : "cylinder";
    double length2 = 0.0, from[3], to[3];
    scree_zone_enclose(z, scene->dimension, from, to);
    if (!(z->radius >= 0.0 && isfinite(z->radius)))
        return g_strdup_printf("%s of radius %g m; expected 0 or more", name, z->radius);
    for (uint32_t k = 0; k < scene->dimension; k++) {
        const double end = ball ? z->a[k] : z->b[k];
        const double slack = 1e-9 * (z->radius + fabs(z->a[k]) + fabs(end));
        if (!isfinite(z->a[k]) || !isfinite(end))
            return g_strdup_printf("centre %g m along %c; expected a finite number",
                                   isfinite(end) ? z->a[k] : end, "xyz"[k]);
        if (!(z->lo[k] <= from[k] + slack && z->hi[k] >= to[k] - slack))
            return g_strdup_printf("box from %g to %g m along %c around a %s from %g to %g m; "
                                   "expected lo and hi that hold it",
                                   z->lo[k], z->hi[k], "xyz"[k], name, from[k], to[k]);
        length2 += (end - z->a[k]) * (end - z->a[k]);
    }
    if (ball ||
        (scene->dimension == 3 && length2 > 0.0 && z->inner >= 0.0 && z->inner <= z->radius))
        return NULL;
    return g_strdup_printf(
        "cylinder of length %g m, hole of radius %g m in %g m, in %uD; expected a "
        "length above 0, a hole no wider than the cylinder, in 3D",
        sqrt(length2), z->inner, z->radius, scene->dimension);
}

char *scree_space_check_zone(const scree_scene *scene, const scree_zone *z)
{
    if (z->type < SCREE_ZONE_BOX || z->type > SCREE_ZONE_CYLINDER)
        return g_strdup_printf("zone of type %u; expected SCREE_ZONE_BOX, _BALL or _CYLINDER",
                               z->type);
    const double most = 1e6 / scree_tilt_cells(scene->region_min, scene->region_max, scene->tilt);
    char *text = z->type == SCREE_ZONE_BOX ? NULL : check_round(scene, z);
    if (text)
        return text;
    for (uint32_t k = 0; k < scene->dimension; k++) {
        if (!(isfinite(z->lo[k]) && isfinite(z->hi[k]) && z->lo[k] <= z->hi[k]))
            return g_strdup_printf("box from %g to %g m along %c; expected finite numbers, the "
                                   "lower one first",
                                   z->lo[k], z->hi[k], "xyz"[k]);
        const double length = scene->region_max[k] - scene->region_min[k];
        const double wide = z->hi[k] - z->lo[k], far = fmax(fabs(z->lo[k]), fabs(z->hi[k]));
        if (scene->boundary[k] == SCREE_BOUNDARY_PERIODIC &&
            !(wide <= MOST_CELLS * length && far <= most * length))
            return g_strdup_printf("a zone of %g m along %c, %g m from 0; expected at most %g "
                                   "periodic cells of %g m, and fewer than %g from 0",
                                   wide, "xyz"[k], far, MOST_CELLS, length, most);
    }
    return NULL;
}

bool scree_space_find(scree_space *s, const scree_zone *zone, GArray *hits, GError **error)
{
    const bool ball = zone->type == SCREE_ZONE_BALL;
    const guint first = hits->len;
    scree_body body = {.shape = unit_ball(s), .scale = ball ? zone->radius : 0.0, .q = {1.0}};
    question q = {.space = s,
                  .body = ball ? &body : NULL,
                  .zone = zone,
                  .instead = SCREE_NO_BODY,
                  .last = UINT64_MAX,
                  .exact = true,
                  .hits = hits};
    scree_query_row box = {.radius = 0.0};
    for (uint32_t k = 0; k < s->scene->dimension; k++) {
        body.x[k] = ball ? zone->a[k] : 0.0;
        box.lo[k] = zone->lo[k];
        box.hi[k] = zone->hi[k];
    }
    if (ball)
        set_ball(s, &box, body.x, zone->radius);
    const bool good = ask_parts(&q, &box, 1, error);
    sort_hits(hits, first);
    return good;
}

/* ---- life ---- */

scree_space *scree_space_new(const scree_scene *scene, const GPtrArray *resolvers)
{
    scree_space *s = g_new0(scree_space, 1);
    s->scene = scene;
    s->runtime = scree_scene_runtime(scene, scree_pool_new(1));
    s->index = scree_query_index_new(scene, &s->runtime);
    s->asker = scree_query_asker_new(scene, &s->runtime, resolvers);
    s->bodies = g_array_new(FALSE, FALSE, sizeof(scree_body));
    s->planes = g_array_new(FALSE, FALSE, sizeof(scree_query_row));
    s->own = g_array_new(FALSE, TRUE, sizeof(scree_query_row));
    s->candidates = g_array_new(FALSE, FALSE, sizeof(candidate));
    scree_scene_cell(scene, &s->cell);
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
    scree_pool_free(s->runtime.pool);
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
