// SPDX-License-Identifier: Apache-2.0
/*
 * solids: pairs in space of a batch: convex polyhedra with each other, with convex closed walls,
 * with planes, with balls and with points.
 *
 * Steps    distance: the least axis (polyhedra.c); overlap: the points of the face (clip.c), reduced to four
 *          (../solid/manifold.c); else, within the range, the gap (gaps.c). Planes and balls: others.c.
 *          overlap: volume.c; across a gap as by distance.
 */
#include "../solid/served.h"
#include "polyhedra.h"

enum { POINTS = 4 };
static const double APART = 1e-6; // [-] part of the size: closer points count as one

/* 1: all shapes of the type are convex polyhedra: solids, or walls that enclose one. */
static int is_polyhedron(const scree_shape_type *type)
{
    if ((type->flags != 0 && type->flags != SCREE_CAP_WALL) || type->n_shapes == 0)
        return 0;
    for (uint32_t k = 0; k < type->n_shapes; k++)
        if (type->shapes[k]->flat || !type->shapes[k]->mesh ||
            !cyrus_is_convex(type->shapes[k]->mesh))
            return 0;
    return 1;
}

void cyrus_solids_support(scree_pair_support *pair, int overlap)
{
    const int ball = (pair->a->flags & SCREE_CAP_ROUND) && !pair->a->shapes[0]->flat;
    const int plane = (pair->b->flags & SCREE_CAP_INFINITE) != 0;
    const int solid = pair->a->flags == 0 && is_polyhedron(pair->a);
    const int point = (solid && solid_is_point(pair->b)) || // a wall has no box inside of it
                      (solid_is_point(pair->a) && pair->b->flags == 0 && is_polyhedron(pair->b));
    if (!overlap && (point || (ball && is_polyhedron(pair->b))))
        pair->contacts = SCREE_SUPPORTS_ONE;
    else if (solid && (plane || is_polyhedron(pair->b)))
        pair->contacts = overlap ? SCREE_SUPPORTS_ONE : SCREE_SUPPORTS_MANY;
    pair->provides &= overlap ? SCREE_GIVES_OVERLAP | SCREE_GIVES_AREA | SCREE_GIVES_VOLUME |
                                    SCREE_GIVES_TWIST | (uint64_t)SCREE_GIVES_BED
                              : (uint64_t)SCREE_GIVES_DISTANCE;
}

int32_t cyrus_solids_prepare(const scree_host *host, cyrus_solids *self, uint32_t index,
                             const char *name, const scree_shape *shape)
{
    if ((shape->flags != 0 && shape->flags != SCREE_CAP_WALL) || shape->flat || !shape->mesh)
        return SCREE_OK;
    if (!scree_grow(&self->list, &self->capacity, index + 1ull, sizeof *self->list))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for shapes");
    for (; self->n <= index; self->n++)
        memset(&self->list[self->n], 0, sizeof *self->list);
    cyrus_polyhedron_clear(&self->list[index]);
    return cyrus_polyhedron_make(host, name, shape->mesh, shape->flags == 0, &self->list[index]);
}

void cyrus_solids_clear(cyrus_solids *self)
{
    for (uint64_t k = 0; k < self->n; k++)
        cyrus_polyhedron_clear(&self->list[k]);
    free(self->list);
}

uint64_t cyrus_solids_bytes(const cyrus_solids *self)
{
    uint64_t sum = self->capacity * sizeof *self->list;
    for (uint64_t k = 0; k < self->n; k++)
        sum += cyrus_polyhedron_bytes(&self->list[k]);
    return sum;
}

/* ---- pairs ---- */

/* A call of resolve(). */
typedef struct job {
    const scree_candidates *in;
    const cyrus_solids *solids;
    int printed, overlap, plane;
    int ball;   // 1: a is a ball or a point, or b is a point
    int point;  // 1: of radius 0
    int turned; // 1: it is b
    int bed;    // 1: a law asks for the bed
    double *memory;
    uint64_t tests;
    solid_overlap found; // overlap of the current pair
    int has_volume;      // 1: `found` is set
} job;

static const cyrus_polyhedron *solid_of(const job *j, uint32_t body)
{
    return &j->solids->list[j->in->bodies->shape[body]];
}

static double range_of(const job *j, uint32_t p)
{
    return j->in->keep && j->in->keep[p] ? (double)HUGE_VAL : j->in->range;
}

static uint32_t touches_of_ball(job *j, uint32_t p, solid_touch *touches)
{
    const cyrus_polyhedron *of = solid_of(j, (j->turned ? j->in->a : j->in->b)[p]);
    touches[0] = cyrus_ball_touch(j->in, p, of, j->point ? 0.0 : j->in->radius_a[p], j->turned);
    j->tests += of->n_faces;
    return touches[0].depth >= -range_of(j, p);
}

static uint32_t touches_of_plane(job *j, uint32_t p, void *room, solid_touch *touches)
{
    const cyrus_polyhedron *a = solid_of(j, j->in->a[p]);
    const cyrus_plane b = cyrus_plane_of(j->in, p);
    const double range = range_of(j, p);
    uint32_t n = 0;
    j->tests += a->n_vertices;
    if (j->overlap)
        n = cyrus_volume_of_plane(a, &b, j->in->radius_a[p], room, &j->found) != 0;
    else
        n = solid_reduce(touches, cyrus_plane_touches(a, &b, touches), POINTS,
                         APART * j->in->radius_a[p]);
    j->has_volume = j->overlap && n > 0;
    if (n > 0 || !(range > 0.0))
        return n;
    touches[0] = cyrus_plane_gap(a, &b);
    return touches[0].depth <= 0.0 && touches[0].depth >= -range;
}

static uint32_t touches_of_pair(job *j, uint32_t p, void *room, solid_touch *touches)
{
    cyrus_pair pair;
    cyrus_pair_set(j->in, p, solid_of(j, j->in->a[p]), solid_of(j, j->in->b[p]), j->memory, &pair);
    pair.printed = j->printed;
    const double range = range_of(j, p);
    uint32_t n = 0;
    int apart = 1; // as far as known, the gap exceeds the range
    if (j->overlap) {
        n = cyrus_volume_of_pair(&pair, scree_vec_at(j->in->d, p), j->in->radius_a[p], j->bed, room,
                                 &j->found) != 0;
    } else {
        const cyrus_axis axis = cyrus_least_axis(&pair);
        apart = axis.depth < 0.0 && -axis.depth * pair.scale <= range; // the gap is at least that
        if (axis.depth >= 0.0)
            n = solid_reduce(touches, cyrus_touches(&pair, &axis, touches), POINTS,
                             APART * pair.size * pair.scale);
    }
    j->tests += pair.tests;
    j->has_volume = j->overlap && n > 0;
    if (n > 0 || !apart || !(range > 0.0))
        return n;
    touches[0] = cyrus_gap(&pair);
    return touches[0].depth >= -range;
}

static uint32_t touches_of(job *j, uint32_t p, solid_touch *touches, void *room)
{
    return j->ball    ? touches_of_ball(j, p, touches)
           : j->plane ? touches_of_plane(j, p, room, touches)
                      : touches_of_pair(j, p, room, touches);
}

static void put(const job *j, uint32_t p, const solid_touch *touches, uint32_t n,
                scree_contacts *out)
{
    if (!j->overlap)
        solid_put(out, p, touches, n);
    else if (j->has_volume)
        solid_put_overlap(out, p, &j->found);
    else if (n > 0)
        solid_put_gap(out, p, touches);
}

/* ---- memory ---- */

/* Doubles for the vertices of a pair, rounded up to touches, then touches and two polygons. */
static uint64_t doubles_for(const cyrus_polyhedron *a, const cyrus_polyhedron *b)
{
    return b ? cyrus_room(a, b) + 8 : 8;
}

static uint64_t touches_for(const cyrus_polyhedron *a, const cyrus_polyhedron *b)
{
    return b ? 3 * cyrus_most_touches(a, b) : a->n_vertices + 8ull;
}

static uint64_t bytes_for(const job *j, uint32_t p)
{
    const cyrus_polyhedron *a = j->ball ? NULL : solid_of(j, j->in->a[p]);
    const cyrus_polyhedron *b = j->ball || j->plane ? NULL : solid_of(j, j->in->b[p]);
    if (!a)
        return sizeof(solid_touch) + 64;
    return doubles_for(a, b) * sizeof(double) + touches_for(a, b) * sizeof(solid_touch) +
           (j->overlap ? cyrus_volume_bytes(a, b, j->bed) : 0) + 64;
}

static int32_t resolve_all(const scree_host *host, job *j, scree_contacts *out, uint32_t *done)
{
    uint64_t most = 64;
    for (uint32_t p = 0; p < j->in->n; p++) {
        const uint64_t n = bytes_for(j, p);
        most = n > most ? n : most;
    }
    j->memory = host->scratch(host->ctx, j->in->lane, most);
    if (!j->memory)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a pair");
    for (uint32_t p = 0; p < j->in->n; p++) {
        const cyrus_polyhedron *a = j->ball ? NULL : solid_of(j, j->in->a[p]);
        const cyrus_polyhedron *b = j->ball || j->plane ? NULL : solid_of(j, j->in->b[p]);
        solid_touch *touches = (solid_touch *)(void *)(j->memory + (a ? doubles_for(a, b) : 0));
        const uint32_t n = touches_of(j, p, touches, touches + (a ? touches_for(a, b) : 1));
        if (n > out->capacity - out->n) {
            out->n = *done > 0 ? out->n : n;
            return SCREE_OK;
        }
        put(j, p, touches, n, out);
        *done = p + 1;
    }
    return SCREE_OK;
}

int32_t cyrus_solids_resolve(const scree_host *host, const cyrus_solids *self, int printed,
                             int overlap, const scree_candidates *in, scree_contacts *out,
                             uint32_t *done, uint64_t *tests)
{
    const scree_shape_type *a = in->bodies->types[in->type_a], *b = in->bodies->types[in->type_b];
    const int turned = solid_is_point(b), point = turned || solid_is_point(a);
    job j = {.in = in,
             .solids = self,
             .printed = printed,
             .overlap = overlap,
             .bed = overlap && out->bed,
             .ball = point || (a->flags & SCREE_CAP_ROUND) != 0,
             .point = point,
             .turned = turned,
             .plane = (b->flags & SCREE_CAP_INFINITE) != 0};
    out->n = *done = 0;
    const int32_t status = resolve_all(host, &j, out, done);
    *tests += j.tests;
    return status;
}
