/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shape/stretch: another shape, which the scene gives as `of`, stretched along the axes.
 *
 * Idea     The map x -> F x, with the factors F = diag(f), takes the volume V to f_x f_y f_z V, the
 *          centroid c to F c, and the second moments S to F S F. The farthest point of the image
 *          along d is F p, where p is the farthest point of the shape along F d.
 * Frame    The nested shape is never placed: it stays in the frame of the scene. A direction is
 *          turned into this frame, and the point is moved back.
 * Shows    a shape that names another one (SCREE_PLUGIN_PARAM, host->make_instance), and uses its
 *          measure and its view.
 * Views    scree.support/1: convex hulls of shapes that have one.
 * Limits   solids with scree.support/1; content and moments are those of the shape itself, so a
 *          shape that is not convex would not be what its view encloses: create() cannot see that.
 */
#include <scree/sdk.h>

typedef struct config {
    const scree_plugin_ref *of;
    scree_reals factors;
} config;

SCREE_PLUGIN_PARAM(config, of, SHAPE, SCREE_PARAM_REQUIRED, NULL,
                   "the shape, as in `shapes`: a convex solid");
SCREE_REALS_PARAM(config, factors, 3, NULL, SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, 1e3,
                  "factors along x, y and z");
static const scree_param *const params[] = {&param_of, &param_factors};

enum { BLOCK = 32 }; /* directions at a time */

typedef struct stretch {
    const scree_host *host;
    const scree_shape_ops *ops; /* of the nested shape */
    void *of;
    const scree_support *nested;
    double f[3];            /* [-] factors */
    double shift[3], q[4];  /* a point p of this frame is at shift + R(q) p in the scene's */
    scree_measure measured; /* of the nested shape */
    scree_support support;
} stretch;

static void destroy(void *instance)
{
    stretch *self = (stretch *)instance;
    if (!self)
        return;
    if (self->of)
        self->ops->destroy(self->of);
    free(self);
}

/* The farthest points of at most BLOCK directions. */
static void farthest_of(const stretch *self, uint32_t n, const double *const direction[3],
                        uint32_t first, double *const point[3])
{
    double d[3][BLOCK], p[3][BLOCK];
    const double *const in[3] = {d[0], d[1], d[2]};
    double *const out[3] = {p[0], p[1], p[2]};
    for (uint32_t i = 0; i < n; i++) {
        double v[3] = {direction[0][first + i], direction[1][first + i], direction[2][first + i]};
        scree_rotate(self->q, v, v);
        for (int k = 0; k < 3; k++)
            d[k][i] = self->f[k] * v[k];
    }
    self->nested->farthest(self->nested->ctx, n, in, out);
    for (uint32_t i = 0; i < n; i++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = self->f[k] * p[k][i] - self->shift[k];
        scree_rotate_back(self->q, x, x);
        for (int k = 0; k < 3; k++)
            point[k][first + i] = x[k];
    }
}

static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    for (uint32_t first = 0; first < n; first += BLOCK)
        farthest_of((const stretch *)ctx, n - first < BLOCK ? n - first : BLOCK, direction, first,
                    point);
}

/* Makes the nested shape, and asks it for what is used. */
static int32_t take_shape(stretch *self, const config *c)
{
    const uint32_t others = SCREE_CAP_ROUND | SCREE_CAP_BALLS | SCREE_CAP_WALL | SCREE_CAP_INFINITE;
    const scree_host *host = self->host;
    const scree_plugin *plugin;
    const void *ops, *view = NULL;
    int32_t code = host->make_instance(host->ctx, c->of, &plugin, &ops, &self->of);
    if (code != SCREE_OK)
        return code;
    self->ops = (const scree_shape_ops *)ops;
    if (!(plugin->flags & others) && SCREE_HAS(self->ops, view))
        code = self->ops->view(self->of, SCREE_VIEW_SUPPORT, 0.0, &view);
    if (code == SCREE_OK && !view)
        return scree_failf(host, SCREE_E_CONFIG,
                           "of: expected a solid with scree.support/1, got shape/%s", plugin->id);
    self->nested = (const scree_support *)view;
    self->measured.size = sizeof self->measured;
    self->measured.dimension = host->dimension;
    return code == SCREE_OK ? self->ops->measure(self->of, &self->measured) : code;
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = (const config *)given;
    stretch *self = (stretch *)calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->q[0] = 1.0;
    memcpy(self->f, c->factors.v, sizeof self->f);
    self->support.size = sizeof self->support;
    self->support.ctx = self;
    self->support.farthest = farthest;
    const int32_t code = take_shape(self, c);
    if (code == SCREE_OK)
        *instance = self;
    else
        destroy(self);
    return code;
}

static uint64_t bytes(void *instance)
{
    const stretch *self = (const stretch *)instance;
    return sizeof *self + (SCREE_HAS(self->ops, bytes) ? self->ops->bytes(self->of) : 0);
}

/* The centroid in the present frame. */
static void find_centroid(const stretch *self, double c[3])
{
    for (int k = 0; k < 3; k++)
        c[k] = self->f[k] * self->measured.centroid[k] - self->shift[k];
    scree_rotate_back(self->q, c, c);
}

static double find_radius(const stretch *self)
{
    return self->measured.radius * scree_max(self->f[0], scree_max(self->f[1], self->f[2]));
}

/* Turns second moments about the centroid: a row for each axis of the present frame. */
static void turn_moments(const stretch *self, const double s[3][3], double out[3][3])
{
    double axis[3][3];
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        scree_rotate(self->q, e, axis[k]);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out[i][j] = 0.0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    out[i][j] += axis[i][k] * s[k][l] * axis[j][l];
        }
}

static int32_t measure(void *instance, scree_measure *out)
{
    const stretch *self = (const stretch *)instance;
    const double *f = self->f, *m = self->measured.inertia, half = 0.5 * (m[0] + m[1] + m[2]);
    const double s[3][3] = {
        {f[0] * f[0] * (half - m[0]), -f[0] * f[1] * m[3], -f[0] * f[2] * m[4]},
        {-f[0] * f[1] * m[3], f[1] * f[1] * (half - m[1]), -f[1] * f[2] * m[5]},
        {-f[0] * f[2] * m[4], -f[1] * f[2] * m[5], f[2] * f[2] * (half - m[2])}};
    double t[3][3];
    turn_moments(self, s, t);
    out->n_parts = 1;
    out->content = f[0] * f[1] * f[2] * self->measured.content;
    out->radius = find_radius(self);
    find_centroid(self, out->centroid);
    for (int k = 0; k < 3; k++)
        out->inertia[k] = t[(k + 1) % 3][(k + 1) % 3] + t[(k + 2) % 3][(k + 2) % 3];
    out->inertia[3] = -t[0][1];
    out->inertia[4] = -t[0][2];
    out->inertia[5] = -t[1][2];
    return SCREE_OK;
}

static int32_t place(void *instance, const scree_frame *frame)
{
    stretch *self = (stretch *)instance;
    memcpy(self->shift, frame->shift, sizeof self->shift);
    memcpy(self->q, frame->q, sizeof self->q);
    return SCREE_OK;
}

static int32_t boxes(void *instance, const scree_shape_boxes *b)
{
    const stretch *self = (const stretch *)instance;
    for (uint32_t i = 0; i < b->n; i++) {
        const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
        double d[3][6], p[3][6], middle[3];
        for (int k = 0; k < 6; k++) {
            double e[3] = {0.0, 0.0, 0.0};
            e[k / 2] = k % 2 ? 1.0 : -1.0;
            scree_rotate_back(q, e, e);
            for (int j = 0; j < 3; j++)
                d[j][k] = e[j];
        }
        const double *const in[3] = {d[0], d[1], d[2]};
        double *const out[3] = {p[0], p[1], p[2]};
        farthest(self, 6, in, out);
        find_centroid(self, middle);
        scree_rotate(q, middle, middle);
        for (int k = 0; k < 3; k++) {
            double lo[3] = {p[0][2 * k], p[1][2 * k], p[2][2 * k]};
            double hi[3] = {p[0][2 * k + 1], p[1][2 * k + 1], p[2][2 * k + 1]};
            scree_rotate(q, lo, lo);
            scree_rotate(q, hi, hi);
            b->lo[k][i] = b->x[k][i] + b->scale[i] * lo[k];
            b->hi[k][i] = b->x[k][i] + b->scale[i] * hi[k];
            b->centre[k][i] = b->x[k][i] + b->scale[i] * middle[k];
        }
        b->radius[i] = b->scale[i] * find_radius(self);
    }
    return SCREE_OK;
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    const stretch *self = (const stretch *)instance;
    (void)tolerance;
    *out = strcmp(name, SCREE_VIEW_SUPPORT) == 0 ? &self->support : NULL;
    return SCREE_OK;
}

static const scree_shape_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .measure = measure,
    .place = place,
    .boxes = boxes,
    .view = view,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .dimensions = SCREE_DIMENSION_3,
    .id = "stretch",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "another convex solid, stretched along the axes",
    .summary = "The shape `of` under the map that multiplies x, y and z by `factors`. Volume and "
               "moments are those of the image; gjk serves it.",
    .citation = "none: elementary geometry",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
