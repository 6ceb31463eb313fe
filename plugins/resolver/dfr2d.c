// SPDX-License-Identifier: Apache-2.0
// Resolver `dfr2d`: polygons by their discrete function representation, in time linear in its points.
/*
 * Sources
 *   [1] R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 3.1, 3.2.
 *
 * Idea: a polygon is two functions, its upper and lower half, sampled at equal distances dx along its longest
 * diagonal. The panel of a point then follows from one division, and only that panel is looked at, where
 * Cyrus and Beck look at all sides.
 *
 *      prepare    the strip of a polygon with `resample`; of others one of `panels` (dfr2d/strip.c)
 *      resolve    clip, point test, sides over panels, area, chord (dfr2d/overlap.c); pieces of concave
 *                 ones (dfr2d/pieces.c); what follows from the chord (overlap/overlap.c)
 *
 * Deviations from the paper, and why
 *   - The slopes in (3.5) run the other way in print; B's transformation is read as x' = x T_B T_A^-1; the
 *     last panel is clamped, and in (3.4) both ends are stored twice (N = 2 (n + 1)).
 *   - [1] collects the points that are inside and reports no contact without any: bars that
 *     cross, and thin bodies, are missed this way. Here the sides of b are led over the panels of
 *     a, all of them.
 *   - [1] leaves open what a contact is. Here it is the overlap: area, chord, and the chord's middle.
 *   - The reduced box is cut along Y too.
 *
 * Across a gap, for laws that ask for one, the closest points are found by all vertices and sides: linear
 * search is for touch only.
 *
 * Limits: both halves single-valued in some direction; contacts are those of the resampled outline.
 * A polygon without `resample` differs from it: the loss of area is logged.
 */
#include "dfr2d/dfr.h"

#include "../shape/polygon/strip.h"

typedef struct config {
    int64_t panels;
} config;

typedef struct resolver {
    const scree_host *host;
    const config *config;
    dfr_strip *strips; // [n_strips] by index of shape
    uint64_t n_strips, capacity;
    uint32_t most; // panels of the longest strip
} resolver;

/* ---- shapes ---- */

/* Copies the strip that the shape has. */
static int copy_strip(dfr_strip *s, const polygon_strip *from)
{
    if (!dfr_strip_new(s, from->n, from->x0, from->x0 + from->n * from->dx))
        return 0;
    for (uint32_t k = 0; k <= from->n; k++) {
        s->y[k] = from->upper[from->n - k];
        s->y[s->n_points - 1 - k] = from->lower[from->n - k];
    }
    for (int k = 0; k < 2; k++) {
        s->frame.turn[k] = from->turn[k];
        s->frame.shift[k] = from->shift[k];
    }
    dfr_strip_finish(s);
    return 1;
}

static int32_t resample(const resolver *self, uint32_t index, const scree_outline *outline,
                        dfr_strip *out)
{
    const scree_host *host = self->host;
    const uint32_t n = (uint32_t)self->config->panels;
    const double area = plane_area(outline->n, outline->vertex[0], outline->vertex[1]);
    char text[256];
    const int32_t status = dfr_strip_resample(out, outline, n);
    if (status == SCREE_E_MEMORY)
        return host->fail(host->ctx, status, "no memory for a strip");
    if (status != SCREE_OK)
        return scree_failf(
            host, status,
            "shape \"%s\": expected a polygon that each line across some direction meets in one "
            "piece, got one of %u vertices that 32 directions do not suit; "
            "`closest_feature` takes it",
            overlap_name(host, index), outline->n);
    snprintf(text, sizeof text,
             "shape \"%s\" is not resampled: its contacts are those of a strip of %u panels, whose "
             "area is "
             "%.3g %% of its own off; with `resample` of the polygon the body is that strip",
             overlap_name(host, index), n, 100.0 * (out->area - area) / area);
    host->log(host->ctx, SCREE_LOG_WARNING, text);
    return SCREE_OK;
}

static int32_t prepare(void *instance, uint32_t index, const scree_shape *shape)
{
    resolver *self = instance;
    const scree_outline *outline = overlap_outline(shape);
    if (!outline)
        return SCREE_OK;
    if (!overlap_reserve(&self->strips, &self->n_strips, &self->capacity, index,
                         sizeof *self->strips))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for shapes");
    dfr_strip made;
    const polygon_strip *strip = shape->view(shape, POLYGON_VIEW_STRIP, 0.0);
    if (!strip) {
        const int32_t status = resample(self, index, outline, &made);
        if (status != SCREE_OK)
            return status;
    } else if (!copy_strip(&made, strip)) {
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a strip");
    }
    dfr_strip_clear(&self->strips[index]);
    self->strips[index] = made;
    self->most = made.n > self->most ? made.n : self->most;
    return SCREE_OK;
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    (void)instance;
    overlap_supports(pair);
    return SCREE_OK;
}

/* ---- contacts ---- */

/* Finds at most `room` contacts of pair p; returns their number. */
static uint32_t resolve_pair(const resolver *self, const scree_candidates *in, uint32_t p,
                             void *scratch, overlap_pose *pose, overlap_piece *pieces,
                             uint32_t room)
{
    const dfr_strip *a = &self->strips[in->bodies->shape[in->a[p]]];
    const dfr_strip *b = &self->strips[in->bodies->shape[in->b[p]]];
    const double range = overlap_range(in, p);
    overlap_pose_pair(in, p, &a->frame, &b->frame, pose);
    const uint32_t n = dfr_overlap(a, b, pose, scratch, pieces, room);
    const double apart = sqrt(in->d[0][p] * in->d[0][p] + in->d[1][p] * in->d[1][p]);
    if (n > 0 || !(range > 0.0) || room == 0 || apart - in->radius_a[p] - in->radius_b[p] > range)
        return n;
    double *x = scratch, *y = x + b->n_points;
    overlap_bring(pose, b->n_points, b->x, b->y, x, y);
    return (uint32_t)overlap_gap(in, p, pose, a->n_points, a->x, a->y, b->n_points, x, y, pieces);
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    const resolver *self = instance;
    const uint64_t bytes = dfr_scratch_bytes(self->most);
    const uint32_t most = out->feature ? out->capacity : 1;
    overlap_piece *pieces =
        self->host->scratch(self->host->ctx, in->lane, bytes + (uint64_t)most * sizeof *pieces);
    if (!pieces)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a pair");
    void *scratch = pieces + most;
    uint32_t p = 0, n_out = 0;
    for (; p < in->n && n_out < out->capacity; p++) {
        overlap_pose pose = {.plain = !out->eccentricity};
        const uint32_t room = out->feature ? out->capacity - n_out : 1;
        const uint32_t n = resolve_pair(self, in, p, scratch, &pose, pieces, room);
        if (n > room) {
            n_out = p ? n_out : n;
            break;
        }
        for (uint32_t i = 0; i < n; i++)
            overlap_write(&pose, &pieces[i], p, out, n_out++);
    }
    out->n = n_out;
    *done = p;
    return SCREE_OK;
}

/* Pieces move along the borders, to neighbouring panels. */
static int32_t adjoins(void *instance, uint32_t shape_a, uint32_t shape_b, uint64_t feature,
                       uint64_t other)
{
    const int64_t of_a = (int64_t)(feature >> 36) - (int64_t)(other >> 36);
    const int64_t of_b = (int64_t)(feature >> 8 & 0xfffffff) - (int64_t)(other >> 8 & 0xfffffff);
    (void)instance;
    (void)shape_a;
    (void)shape_b;
    return of_a >= -2 && of_a <= 2 && of_b >= -2 && of_b <= 2;
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    resolver *self = instance;
    if (!self)
        return;
    for (uint64_t i = 0; i < self->n_strips; i++)
        dfr_strip_clear(&self->strips[i]);
    free(self->strips);
    free(self);
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    resolver *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->config = given;
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const resolver *self = instance;
    uint64_t sum = sizeof *self + self->capacity * sizeof *self->strips;
    for (uint64_t i = 0; i < self->n_strips; i++)
        sum += (2ull * self->strips[i].n_points + 3ull * (self->strips[i].n + 1)) * sizeof(double);
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

SCREE_INT_PARAM(config, panels, 0, 100, 2, 100000,
                "panels of the strip of a polygon that has no `resample` of its own");

static const scree_param *const params[] = {&param_panels};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_RESOLVER,
    .dimensions = SCREE_DIMENSION_2,
    .id = "dfr2d",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "2D: polygons with each other, by their discrete function representation, in linear "
            "time",
    .summary = "Serves pairs of polygons, convex or not; not discs, lines and segments, which it "
               "leaves to other "
               "resolvers. Polygons are two functions over equal panels, of which a point or side "
               "looks only "
               "at those that it "
               "is over. Gives area, chord, its normal and middle of each connected piece of the "
               "overlap; concave "
               "polygons need halves that are single-valued. Meant for polygons with `resample`; "
               "of others a "
               "strip of `panels` is met, and the log says what that loses.",
    .citation = "R. O'Connor, A Distributed Discrete Element Modeling Environment - Algorithms, "
                "Implementation and Applications, PhD thesis, Massachusetts Institute of "
                "Technology, 1996",
    .provides = SCREE_GIVES_AREA | SCREE_GIVES_CHORD | SCREE_GIVES_OVERLAP | SCREE_GIVES_TWIST |
                SCREE_GIVES_ECCENTRICITY,
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
