// SPDX-License-Identifier: Apache-2.0
/* shape/pearls: a solid whose parts are balls in a row along x, the first at the origin. resolver/pearls:
 * balls against these, a contact per part; resolver/pearls_memory: the same with a field of pairs;
 * resolver/pearls_wide: the same with features that a clump cannot have. */
#include "balls.h"

#define MY_VIEW "pearls.balls/1" /* scree_balls: for the resolver */

typedef struct config {
    int64_t count;
    double radius, pitch; /* [m] */
} config;

SCREE_INT_PARAM(config, count, 0, 4, 1, 1000, "of balls");
SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "of each ball");
SCREE_REAL_PARAM(config, pitch, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "between centres");
static const scree_param *const params[] = {&param_count, &param_radius, &param_pitch};

/* ---- the shape ---- */

static int32_t pearls_create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    cluster *self = balls_new(host, (uint32_t)c->count);
    if (!self)
        return SCREE_E_MEMORY;
    for (int64_t p = 0; p < c->count; p++) {
        self->radius[p] = c->radius;
        self->centre[0][p] = c->pitch * (double)p;
    }
    *instance = self;
    return SCREE_OK;
}

/* Moments of a row of balls. */
static int32_t pearls_measure(void *instance, scree_measure *m)
{
    const cluster *self = instance;
    const uint32_t n = self->balls.n;
    const double r = self->radius[0];
    const double own = 0.4 * r * r, half = 0.5 * (self->centre[0][n - 1] - self->centre[0][0]);
    const double spread = n > 1 ? half * half * (n + 1) / (3.0 * (n - 1)) : 0.0;
    m->content = n * 4.0 / 3.0 * 3.14159265358979323846 * r * r * r;
    m->centroid[0] = self->centre[0][0] + half;
    m->inertia[0] = own;
    m->inertia[1] = m->inertia[2] = own + spread;
    m->radius = half + r;
    m->n_parts = n;
    return SCREE_OK;
}

static int32_t pearls_place(void *instance, const scree_frame *frame)
{
    cluster *self = instance;
    for (uint32_t p = 0; p < self->balls.n; p++)
        self->centre[0][p] -= frame->shift[0]; // the axes are principal
    return SCREE_OK;
}

static int32_t pearls_boxes(void *instance, const scree_shape_boxes *b)
{
    const cluster *self = instance;
    for (uint32_t i = 0; i < b->n; i++) {
        const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
        double at[3] = {b->scale[i] * self->centre[0][b->part[i]]};
        scree_rotate(q, at, at);
        b->radius[i] = b->scale[i] * self->radius[b->part[i]];
        for (int k = 0; k < 3; k++) {
            b->centre[k][i] = b->x[k][i] + at[k];
            b->lo[k][i] = b->centre[k][i] - b->radius[i];
            b->hi[k][i] = b->centre[k][i] + b->radius[i];
        }
    }
    return SCREE_OK;
}

static int32_t pearls_view(void *instance, const char *name, double tolerance, const void **out)
{
    const cluster *self = instance;
    *out = strcmp(name, MY_VIEW) == 0 ? &self->balls : NULL;
    return SCREE_OK;
}

static const scree_shape_ops shape_ops = {OPS(shape, pearls_create, balls_destroy),
                                          .measure = pearls_measure, .place = pearls_place,
                                          .boxes = pearls_boxes, .view = pearls_view};

static const scree_plugin shape = {
    PLUGIN_OF(SCREE_DIMENSION_3, SHAPE, "pearls",
              "a solid whose parts are balls in a row, of the tests"),
    PLUGIN_CONFIG, .ops = &shape_ops};

/* ---- the resolver ---- */

enum { MOST_SHAPES = 64 };

typedef struct resolver {
    const scree_host *host;
    const scree_balls *balls[MOST_SHAPES]; /* NULL: not pearls */
    uint64_t mark;                         /* bits of every feature, besides the part */
} resolver;

CREATE(resolver, .host = host)

static int32_t supports(void *instance, scree_pair_support *pair)
{
    if (pair->a->flags & SCREE_CAP_ROUND && strcmp(pair->b->name, "pearls") == 0)
        pair->contacts = SCREE_SUPPORTS_MANY;
    return SCREE_OK;
}

static int32_t prepare(void *instance, uint32_t index, const scree_shape *of)
{
    resolver *self = instance;
    if (index >= MOST_SHAPES)
        return self->host->fail(self->host->ctx, SCREE_E_CONFIG, "too many shapes");
    self->balls[index] = of->view ? of->view(of, MY_VIEW, 0.0) : NULL;
    return SCREE_OK;
}

/* The ball a of pair p against a part of b: writes contact `at`, whether it is in range. */
static int touch(const resolver *self, const scree_candidates *in, const scree_balls *balls,
                 uint32_t p, uint32_t part, scree_contacts *out, uint32_t at)
{
    const scree_bodies *w = in->bodies;
    const uint32_t b = in->b[p];
    const double q[4] = {w->q[0][b], w->q[1][b], w->q[2][b], w->q[3][b]}, s = w->scale[b];
    double d[3] = {s * balls->centre[0][part]}, distance, depth;
    scree_rotate(q, d, d);
    for (int k = 0; k < 3; k++)
        d[k] += in->d[k][p];
    distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    depth = in->radius_a[p] + s * balls->radius[part] - distance;
    if (depth < -in->range)
        return 0;
    out->pair[at] = p;
    out->depth[at] = depth;
    out->feature[at] = self->mark | part;
    for (int k = 0; k < 3; k++) {
        out->normal[k][at] = d[k] / distance;
        out->arm[k][at] = (in->radius_a[p] - 0.5 * depth) * out->normal[k][at];
    }
    return 1;
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    const resolver *self = instance;
    *done = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        const scree_balls *balls = self->balls[in->bodies->shape[in->b[p]]];
        const uint32_t first = in->first ? in->first[p] : 0,
                       last = in->first ? in->first[p + 1] : 1;
        if (out->n + (last - first) > out->capacity) {
            out->n = p ? out->n : last - first;
            return SCREE_OK;
        }
        for (uint32_t k = first; k < last; k++) {
            if (in->part_a && in->part_a[k] != 0)
                return self->host->fail(self->host->ctx, SCREE_E_CONFIG, "a ball has one part");
            out->n +=
                (uint32_t)touch(self, in, balls, p, in->part_b ? in->part_b[k] : 0, out, out->n);
        }
        *done = p + 1;
    }
    return SCREE_OK;
}

static const scree_resolver_ops ops = {OPS(resolver, create, free), .supports = supports,
                                       .prepare = prepare, .resolve = resolve};

static int32_t create_wide(const scree_host *host, const void *given, void **instance)
{
    int32_t code = create(host, given, instance);
    if (code == SCREE_OK)
        ((resolver *)*instance)->mark = 1ull << 38;
    return code;
}

static const scree_resolver_ops wide_ops = {OPS(resolver, create_wide, free), .supports = supports,
                                            .prepare = prepare, .resolve = resolve};

static const scree_plugin plain = {
    PLUGIN_OF(SCREE_DIMENSION_3, RESOLVER, "pearls", "balls against pearls"), .ops = &ops};

SCREE_FIELD(age, PAIR, 1, 1, "s", 0.0, "of a pair");
static const scree_field *const fields[] = {&field_age};
static const scree_plugin with_memory = {PLUGIN_OF(SCREE_DIMENSION_3, RESOLVER, "pearls_memory",
                                                   "balls against pearls, with a field of pairs"),
                                         PLUGIN_FIELDS(fields), .ops = &ops};

static const scree_plugin wide = {PLUGIN_OF(SCREE_DIMENSION_3, RESOLVER, "pearls_wide",
                                            "balls against pearls, with wide features"),
                                  .ops = &wide_ops};

SCREE_DEFINE_MANIFEST(&shape, &plain, &with_memory, &wide);
