// SPDX-License-Identifier: Apache-2.0
// Resolver `cyrus_beck`: convex polygons and polyhedra, each point against each side: O'Connor's baseline.
/*
 * Sources
 *   [1] R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 1.4.1, 3.2.3.
 *   [2] M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping, Computers & Graphics 3, 1978, 23.
 *
 * Idea: a point is inside of a convex polygon when it is on the inner side of all its sides. With the
 * distances of both ends of a side of b from all sides of a, [2] cuts it to a.
 *
 *   1. each point of a against each side of b: which ones are inside
 *   2. each point of b against each side of a: the same, and each side of b is cut to a
 *   3. the points inside and the ends of the cut sides are the corners of the overlap; ordered by
 *      angle about their mean they give its area
 *   4. b's border inside of a gives the chord (overlap/overlap.c)
 *
 * Space, contact = "distance": each vertex of one polyhedron against each face of the other, the least
 * translation that parts them, and the points of the face that they share: cyrus_beck/polyhedra.c, clip.c,
 * gaps.c. contact = "overlap": a is cut by all faces of b [2]; volume, and how it changes: volume.c, cell.c.
 *
 *                              solid   wall, closed and convex   plane   ball   point
 *     polygon (2D)             yes     no                        no      no     no
 *     polyhedron, distance     yes     yes                       yes     yes    yes: others.c
 *     polyhedron, overlap      yes     yes                       yes     no     no
 *
 * Cost: 2 N^2 edge tests for two polygons of N sides, always: two of 100 take 20 000. They are counted, and the
 * log says how many there were when the run ends. In space V_a F_b + V_b F_a tests of points against faces.
 *
 * Deviations from the paper, and why
 *   - [1] has R'' = R' · PQ, which is a number; the projection divides by PQ · PQ (form = "as_printed").
 *     One dot product decides the same (form = "dot").
 *   - [1] calls convex polygons in contact when a point of one is in the other: bars that cross are missed.
 *     Here cut sides count too.
 *   - No early exit for a point that is outside of one side: the thesis' times are of complete overlap.
 *
 * Energy: by overlap a law that is a function of the volume is conservative to rounding (twist included). By
 * distance the choice of points is not: see docs/explanation/contact-resolution.md.
 *
 * Limits: convex ones only. In 2D others are refused, with the vertex; in space their types are left to other
 * resolvers, and the log names the vertex.
 */
#include "cyrus_beck/polyhedra.h"
#include "cyrus_beck/tests.h"
#include "overlap/overlap.h"

#define FORM_PRINTED 0
#define FORM_DOT 1

enum { CONTACT_USUAL, CONTACT_OVERLAP, CONTACT_DISTANCE };

typedef struct config {
    int32_t form, contact;
} config;

typedef struct polygon {
    cyrus_sides sides;
    double *memory; // NULL: none
} polygon;

/* Each lane counts in a cache line of its own. */
typedef struct counter {
    _Alignas(64) uint64_t tests;
} counter;

typedef struct resolver {
    const scree_host *host;
    const config *config;
    polygon *polygons; // [n_polygons] by index of shape
    cyrus_solids solids;
    uint64_t n_polygons, capacity;
    uint32_t most;     // sides of the polygon with the most
    counter *counters; // [lanes]
} resolver;

/* ---- shapes ---- */

static int make_sides(polygon *out, const scree_outline *o)
{
    const uint32_t n = o->n;
    double *a[7];
    out->memory = calloc(n, sizeof a / sizeof *a * sizeof(double));
    if (!out->memory)
        return 0;
    for (size_t k = 0; k < SCREE_COUNT(a); k++)
        a[k] = out->memory + k * n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = i + 1 < n ? i + 1 : 0;
        a[0][i] = o->vertex[0][i];
        a[1][i] = o->vertex[1][i];
        a[2][i] = o->vertex[0][j] - a[0][i];
        a[3][i] = o->vertex[1][j] - a[1][i];
        const double length = sqrt(a[2][i] * a[2][i] + a[3][i] * a[3][i]);
        a[4][i] = -a[3][i] / length;
        a[5][i] = a[2][i] / length;
        a[6][i] = a[4][i] * a[0][i] + a[5][i] * a[1][i];
    }
    out->sides = (cyrus_sides){n, a[0], a[1], a[2], a[3], a[4], a[5], a[6]};
    return 1;
}

static int32_t prepare(void *instance, uint32_t index, const scree_shape *shape)
{
    resolver *self = instance;
    const scree_host *host = self->host;
    const scree_outline *o = overlap_outline(shape);
    if (host->dimension == 3)
        return cyrus_solids_prepare(host, &self->solids, index, overlap_name(host, index), shape);
    const uint32_t at = o ? plane_turns_in(o->n, o->vertex[0], o->vertex[1]) : SCREE_NONE;
    if (!o)
        return SCREE_OK;
    if (at != SCREE_NONE)
        return scree_failf(
            host, SCREE_E_CONFIG,
            "shape \"%s\": expected a convex polygon, got a corner that turns in at vertex %u, "
            "(%g, %g) m from its centroid; `dfr2d` and `closest_feature` take such shapes",
            overlap_name(host, index), at, o->vertex[0][at], o->vertex[1][at]);
    polygon made;
    if (!overlap_reserve(&self->polygons, &self->n_polygons, &self->capacity, index,
                         sizeof *self->polygons) ||
        !make_sides(&made, o))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for shapes");
    free(self->polygons[index].memory);
    self->polygons[index] = made;
    self->most = o->n > self->most ? o->n : self->most;
    return SCREE_OK;
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    const resolver *self = instance;
    if (self->host->dimension == 3) {
        cyrus_solids_support(pair, self->config->contact == CONTACT_OVERLAP);
        pair->provides &= ~(uint64_t)SCREE_GIVES_ECCENTRICITY;
        return SCREE_OK;
    }
    overlap_supports(pair);
    pair->provides &= ~((uint64_t)SCREE_GIVES_DISTANCE | SCREE_GIVES_BED);
    if (pair->contacts == SCREE_SUPPORTS_MANY)
        pair->contacts = SCREE_SUPPORTS_ONE; // prepare() refuses what is not convex
    return SCREE_OK;
}

/* ---- tests ---- */

/* Work on a pair: rows of distances, and the corners of the overlap. */
typedef struct work {
    double *row[3]; // [most] distances of the first point, and of two in turns
    double *x, *y;  // [most] a's or b's points in the other frame
    double *at[3];  // [4 most] corners and their angle
    uint32_t n;     // corners
    overlap_arcs arcs;
    eccentricity_sums sums; // about the origin
    double origin[2];
} work;

enum { ROWS = 5 + 12 };

static void test_point(const resolver *self, const cyrus_sides *s, double x, double y, double *row)
{
    if (self->config->form == FORM_PRINTED)
        cyrus_printed(s->n, x, y, s->px, s->py, s->ex, s->ey, s->nx, s->ny, row);
    else
        cyrus_dot(s->n, x, y, s->nx, s->ny, s->offset, row);
}

static double least_of(const double *row, uint32_t n)
{
    double least = row[0];
    for (uint32_t j = 1; j < n; j++)
        least = scree_min(row[j], least);
    return least;
}

static void add_corner(work *w, double x, double y)
{
    w->at[0][w->n] = x;
    w->at[1][w->n++] = y;
}

/* Cuts the side whose ends have these distances to the part without negative distances; 0: nothing
 * is left. by: the sides that cut, if any. */
static int cut_side(uint32_t n, const double *g, const double *h, double *from, double *to,
                    uint32_t by[2])
{
    for (uint32_t j = 0; j < n; j++) {
        if (g[j] < 0.0 && h[j] < 0.0)
            return 0;
        const double at = g[j] / (g[j] - h[j]);
        if (g[j] < 0.0 && at > *from) {
            *from = at;
            by[0] = j;
        } else if (h[j] < 0.0 && at < *to) {
            *to = at;
            by[1] = j;
        }
    }
    return *to > *from;
}

/* Points of a that are inside of b, in a's frame. */
static void take_points_of_a(const resolver *self, const cyrus_sides *a, const cyrus_sides *b,
                             const overlap_pose *pose, work *w)
{
    for (uint32_t i = 0; i < a->n; i++) {
        const double x = a->px[i] - pose->t[0], y = a->py[i] - pose->t[1];
        test_point(self, b, pose->inverse[0][0] * x + pose->inverse[0][1] * y,
                   pose->inverse[1][0] * x + pose->inverse[1][1] * y, w->row[0]);
        if (least_of(w->row[0], b->n) >= 0.0)
            add_corner(w, a->px[i], a->py[i]);
    }
}

/* A part of b's border inside of a. */
typedef struct arc {
    double from[2], to[2];
    double
        side[2][2]
            [2]; // directions of the sides of a and of b at both ends; of a (0, 0): a corner of b
} arc;

static int is_joined(const double p[2], const double q[2], double join)
{
    return fabs(p[0] - q[0]) <= join && fabs(p[1] - q[1]) <= join;
}

/* The arcs so far. The first is kept, because the last one may continue in it. */
typedef struct arcs {
    arc first, now;
    uint32_t n;
    double join;
} arcs;

/* Adds the arc from the start of one to the end of another. */
static void add_arc(work *w, const arc *from, const arc *to)
{
    const double p[2] = {from->from[0] - w->origin[0], from->from[1] - w->origin[1]};
    const double q[2] = {to->to[0] - w->origin[0], to->to[1] - w->origin[1]};
    overlap_add_arc(&w->arcs, from->from, to->to);
    eccentricity_add_end(&w->sums, -1.0, p, from->side[0][0], from->side[0][1]);
    eccentricity_add_end(&w->sums, 1.0, q, to->side[1][0], to->side[1][1]);
}

static void take_part(work *w, arcs *so_far, const arc *part)
{
    const double *p = part->from, *q = part->to;
    if (so_far->n == 0)
        memcpy(w->origin, p, sizeof w->origin);
    add_corner(w, p[0], p[1]);
    add_corner(w, q[0], q[1]);
    eccentricity_add_side(&w->sums, 1, (double[2]){p[0] - w->origin[0], p[1] - w->origin[1]},
                          (double[2]){q[0] - w->origin[0], q[1] - w->origin[1]});
    if (so_far->n == 0 || !is_joined(so_far->now.to, p, so_far->join)) {
        if (so_far->n == 1)
            so_far->first = so_far->now;
        else if (so_far->n > 1)
            add_arc(w, &so_far->now, &so_far->now);
        so_far->now = *part;
        so_far->n++;
    }
    memcpy(so_far->now.to, q, sizeof so_far->now.to);
    memcpy(so_far->now.side[1], part->side[1], sizeof so_far->now.side[1]);
}

static void end_arcs(work *w, const arcs *all)
{
    const arc *first = all->n > 1 ? &all->first : &all->now, *last = &all->now;
    if (all->n == 0)
        return;
    if (!is_joined(last->to, first->from, all->join)) {
        add_arc(w, last, last);
        if (all->n > 1)
            add_arc(w, first, first);
    } else if (all->n > 1) {
        add_arc(w, last, first);
    }
}

/* Sums over the border of the overlap, whose corners are sorted about `mean`. */
static void add_border(work *w, const double mean[2])
{
    eccentricity_sums all = {.area = 0.0};
    for (uint32_t i = 0; i < w->n; i++) {
        const uint32_t j = i + 1 < w->n ? i + 1 : 0;
        double p[2], q[2];
        for (int k = 0; k < 2; k++) {
            p[k] = w->at[k][i] + mean[k] - w->origin[k];
            q[k] = w->at[k][j] + mean[k] - w->origin[k];
        }
        eccentricity_add_side(&all, 0, p, q);
    }
    w->sums.area = all.area;
    memcpy(w->sums.first, all.first, sizeof all.first);
}

/* Distances of b's point from all sides of a, increased a little so that the border counts as
 * inside. */
static void test_on_a(const resolver *self, const cyrus_sides *a, const work *w, uint32_t point,
                      double closed, double *row)
{
    test_point(self, a, w->x[point], w->y[point], row);
    for (uint32_t j = 0; j < a->n; j++)
        row[j] += closed;
}

/* Sides of b, cut to a. */
static void take_sides_of_b(const resolver *self, const cyrus_sides *a, const cyrus_sides *b,
                            double size, work *w)
{
    arcs all = {.n = 0, .join = OVERLAP_JOIN * size};
    uint32_t k = 1;
    test_on_a(self, a, w, 0, OVERLAP_CLOSED * size, w->row[0]);
    memcpy(w->row[1], w->row[0], a->n * sizeof *w->row[0]);
    for (uint32_t p = 0; p < b->n; p++) {
        const uint32_t q = p + 1 < b->n ? p + 1 : 0;
        const double *here = w->row[k], *next = w->row[q ? 3 - k : 0];
        double from = 0.0, to = 1.0;
        uint32_t by[2] = {SCREE_NONE, SCREE_NONE};
        if (q)
            test_on_a(self, a, w, q, OVERLAP_CLOSED * size, w->row[3 - k]);
        k = 3 - k;
        if (!cut_side(a->n, here, next, &from, &to, by))
            continue;
        const double ex = w->x[q] - w->x[p], ey = w->y[q] - w->y[p];
        arc part = {
            .from = {w->x[p] + from * ex, w->y[p] + from * ey},
            .to = {to < 1.0 ? w->x[p] + to * ex : w->x[q], to < 1.0 ? w->y[p] + to * ey : w->y[q]},
            .side = {{{0.0, 0.0}, {ex, ey}}, {{0.0, 0.0}, {ex, ey}}}};
        for (int end = 0; end < 2; end++)
            if (by[end] != SCREE_NONE) {
                part.side[end][0][0] = a->ex[by[end]];
                part.side[end][0][1] = a->ey[by[end]];
            }
        take_part(w, &all, &part);
    }
    end_arcs(w, &all);
}

/* Sorts the corners by angle about their mean: by gaps of 3^k, for the two orders in it are sorted already. */
static double area_of_corners(work *w, double mean[2])
{
    double gap_x, gap_y, gap_head;
    mean[0] = mean[1] = 0.0;
    if (w->n < 3)
        return 0.0;
    for (uint32_t i = 0; i < w->n; i++) {
        mean[0] += (w->at[0][i] - w->at[0][0]) / w->n;
        mean[1] += (w->at[1][i] - w->at[1][0]) / w->n;
    }
    mean[0] += w->at[0][0];
    mean[1] += w->at[1][0];
    for (uint32_t i = 0; i < w->n; i++) {
        w->at[0][i] -= mean[0];
        w->at[1][i] -= mean[1];
        w->at[2][i] = plane_heading(w->at[0][i], w->at[1][i]);
    }
    uint32_t gap = 1;
    while (gap < w->n / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < w->n; i++) {
            uint32_t at = i;
            gap_x = w->at[0][i];
            gap_y = w->at[1][i];
            gap_head = w->at[2][i];
            for (; at >= gap && w->at[2][at - gap] > gap_head; at -= gap)
                for (int k = 0; k < 3; k++)
                    w->at[k][at] = w->at[k][at - gap];
            w->at[0][at] = gap_x;
            w->at[1][at] = gap_y;
            w->at[2][at] = gap_head;
        }
    double sum = 0.0;
    for (uint32_t i = 0; i < w->n; i++) {
        const uint32_t j = i + 1 < w->n ? i + 1 : 0;
        sum += w->at[0][i] * w->at[1][j] - w->at[0][j] * w->at[1][i];
    }
    return 0.5 * sum;
}

/* ---- contacts ---- */

/* 1: pair p is a contact. */
static int resolve_pair(const resolver *self, const scree_candidates *in, uint32_t p, work *w,
                        overlap_pose *pose, overlap_piece *piece)
{
    static const overlap_frame own = {{1.0, 0.0}, {0.0, 0.0}};
    const cyrus_sides *a = &self->polygons[in->bodies->shape[in->a[p]]].sides;
    const cyrus_sides *b = &self->polygons[in->bodies->shape[in->b[p]]].sides;
    overlap_pose_pair(in, p, &own, &own, pose);
    memset(piece, 0, sizeof *piece);
    w->n = 0;
    w->arcs = (overlap_arcs){.n_ends = 0.0};
    w->sums = (eccentricity_sums){.plain = pose->plain};
    overlap_bring(pose, b->n, b->px, b->py, w->x, w->y);
    take_points_of_a(self, a, b, pose, w);
    take_sides_of_b(self, a, b, in->radius_a[p] / pose->scale, w);
    self->counters[in->lane].tests += 2ull * a->n * b->n;
    double mean[2];
    const double area = area_of_corners(w, mean);
    if (area > 0.0) {
        overlap_finish(&w->arcs, area, pose, piece);
        if (!pose->plain)
            add_border(w, mean);
        piece->off = eccentricity_of(&w->sums, (double[2]){piece->middle[0] - w->origin[0],
                                                           piece->middle[1] - w->origin[1]});
        return 1;
    }
    return overlap_range(in, p) > 0.0 &&
           overlap_gap(in, p, pose, a->n, a->px, a->py, b->n, w->x, w->y, piece);
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    const resolver *self = instance;
    const uint32_t n = in->n < out->capacity ? in->n : out->capacity;
    const uint64_t most = self->most;
    if (self->host->dimension == 3)
        return cyrus_solids_resolve(self->host, &self->solids, self->config->form == FORM_PRINTED,
                                    self->config->contact == CONTACT_OVERLAP, in, out, done,
                                    &self->counters[in->lane].tests);
    double *memory =
        self->host->scratch(self->host->ctx, in->lane, (ROWS * most + 8) * sizeof(double));
    if (!memory)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a pair");
    work w = {.row = {memory, memory + most, memory + 2 * most},
              .x = memory + 3 * most,
              .y = memory + 4 * most};
    for (int k = 0; k < 3; k++)
        w.at[k] = memory + (5 + 4 * k) * most;
    out->n = 0;
    for (uint32_t p = 0; p < n; p++) {
        overlap_pose pose = {.plain = !out->eccentricity};
        overlap_piece piece;
        if (!resolve_pair(self, in, p, &w, &pose, &piece))
            continue;
        if (out->volume)
            out->volume[out->n] = pose.scale * pose.scale * piece.area * in->bodies->thickness;
        overlap_write(&pose, &piece, p, out, out->n++);
    }
    *done = n;
    return SCREE_OK;
}

static int32_t adjoins(void *instance, uint32_t shape_a, uint32_t shape_b, uint64_t feature,
                       uint64_t other)
{
    const cyrus_solids *solids = &((const resolver *)instance)->solids;
    return shape_a < solids->n && shape_b < solids->n &&
           cyrus_adjoins(&solids->list[shape_a], &solids->list[shape_b], feature, other);
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    resolver *self = instance;
    uint64_t tests = 0;
    char text[96];
    if (!self)
        return;
    for (uint32_t k = 0; k < self->host->lanes; k++)
        tests += self->counters[k].tests;
    if (tests > 0) {
        snprintf(text, sizeof text, "%llu %s tests", (unsigned long long)tests,
                 self->host->dimension == 2 ? "edge" : "face");
        self->host->log(self->host->ctx, SCREE_LOG_INFO, text);
    }
    for (uint64_t i = 0; i < self->n_polygons; i++)
        free(self->polygons[i].memory);
    free(self->polygons);
    cyrus_solids_clear(&self->solids);
    free(self->counters);
    free(self);
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    if (host->dimension == 2 && ((const config *)given)->contact == CONTACT_DISTANCE)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "contact: expected \"usual\" or \"overlap\" in 2D, got \"distance\"; "
                          "closest_feature takes it");
    resolver *self = calloc(1, sizeof *self);
    const uint64_t room = host->lanes * sizeof *self->counters;
    if (self)
        self->counters = aligned_alloc(64, room);
    if (!self || !self->counters) {
        free(self);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    }
    memset(self->counters, 0, room);
    self->host = host;
    self->config = given;
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const resolver *self = instance;
    uint64_t sum = sizeof *self + self->capacity * sizeof *self->polygons +
                   self->host->lanes * sizeof *self->counters + cyrus_solids_bytes(&self->solids);
    for (uint64_t i = 0; i < self->n_polygons; i++)
        sum += 7ull * self->polygons[i].sides.n * sizeof(double);
    return sum;
}

static const scree_resolver_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .supports = supports,
    .prepare = prepare,
    .resolve = resolve,
    .bytes = bytes,
    .adjoins = adjoins,
};

SCREE_CHOICE_VALUE(
    as_printed, FORM_PRINTED,
    "the point's vector less its part along the side, times the normal, with a division; in space "
    "from a corner of the face");
SCREE_CHOICE_VALUE(dot, FORM_DOT, "one dot product with the side's normal: the same distance");
SCREE_CHOICE_PARAM(config, form, 0, "dot", "how a point is tested against a side", &choice_dot,
                   &choice_as_printed);

SCREE_CHOICE_VALUE(usual, CONTACT_USUAL, "in 2D the overlap, in space the distance");
SCREE_CHOICE_VALUE(overlap, CONTACT_OVERLAP,
                   "area or volume of the overlap, for laws of these; in space not of balls");
SCREE_CHOICE_VALUE(distance, CONTACT_DISTANCE,
                   "the least translation that parts the bodies, for laws of the depth; in space");
SCREE_CHOICE_PARAM(config, contact, 0, "usual", "the geometry of contacts", &choice_usual,
                   &choice_overlap, &choice_distance);

static const scree_param *const params[] = {&param_form, &param_contact};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_RESOLVER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "cyrus_beck",
    .version = "0.2.0",
    .licence = "Apache-2.0",
    .help = "2D: convex polygons; 3D: convex polyhedra with each other, planes, balls, convex "
            "closed walls",
    .summary =
        "Serves, in 2D, pairs of convex polygons; in space, convex polyhedra with each other, with "
        "planes and with "
        "closed convex walls whose facets face outward, and, by `distance`, balls with polyhedra "
        "and such walls, and points with polyhedra. "
        "Tests all points of two convex bodies against all sides of the other one, in 2D 2 N^2 "
        "tests, without an early exit; the log has their number at the end of the run. In 2D "
        "it gives area, chord, its normal and middle of the overlap. In space, by `distance`, "
        "the least translation that parts two polyhedra, with up to four points of the faces "
        "that touch; by `overlap`, not of balls, volume, vector area and twist of the overlap, "
        "exactly. Types with a shape that is not convex, and open walls, are left to other "
        "resolvers. Made to be compared with: `dfr2d` finds the same in linear time, `sdf` "
        "serves any closed surface.",
    .citation =
        "M. Cyrus and J. Beck, Generalized two- and three-dimensional clipping, Computers & "
        "Graphics 3, 23-28, 1978; R. O'Connor, A Distributed Discrete Element Modeling "
        "Environment, PhD thesis, Massachusetts Institute of Technology, 1996",
    .provides = SCREE_GIVES_AREA | SCREE_GIVES_CHORD | SCREE_GIVES_VOLUME | SCREE_GIVES_OVERLAP |
                SCREE_GIVES_DISTANCE | SCREE_GIVES_TWIST | SCREE_GIVES_ECCENTRICITY |
                SCREE_GIVES_BED,
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
