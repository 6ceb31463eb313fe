// SPDX-License-Identifier: Apache-2.0
/*
 * Source `polygons`: irregular polygons of one family, at random places.
 *
 * Idea     A family has `variants` shapes of the type polygon; `corners` gives their numbers of
 *          corners. Corner i of n is on a circle at the angle (i + irregularity (u - 1/2)) / n of a
 *          turn, so that all shapes are convex. With convex = false the radii are 1 - irregularity
 *          v / 2, so that the shapes are stars about their middle. u and v are uniform in [0, 1).
 *          `aspect` then stretches the shapes along x. Each body has one of these shapes, drawn by
 *          its number, and the area of the disc of its size, for any form, resampled or not: sizes
 *          and solid fractions are those of source/random.
 * Steps    1. Forms are drawn by the number of the shape, and given to the host by name: GROUP-0, ..
 *          2. Bodies are placed as the discs that hold them (random/scatter.c): no resolver is asked.
 * Cost     a shape for each variant, for any number of bodies.
 * Limits   the shapes come before step 0: a modifier that inserts bodies cannot own this source.
 */
#include "random/scatter.h"

enum { MOST_CORNERS = 200, MOST_VARIANTS = 2000 };

typedef struct polygons_config {
    scatter_config scatter; // first
    scree_ints corners;
    int64_t variants, resample;
    int32_t convex;
    double irregularity, aspect;
} polygons_config;

typedef struct polygons_source {
    const scree_host *host;
    const scree_query *query;
    const polygons_config *config;
    uint64_t stream;
    packing_family family; // n 0: it is not made yet
    uint32_t *shape;
    double *equal, *bulge;
} polygons_source;

static double draw(const polygons_source *self, uint64_t variant, uint64_t number)
{
    const scree_host *host = self->host;
    return scree_uniform(host->random(host->ctx, self->stream + STREAM_FORM, variant, number));
}

/** The corners of a variant, of unit area times pi; returns their number. */
static uint32_t draw_form(const polygons_source *self, uint64_t variant, double *x, double *y)
{
    const polygons_config *c = self->config;
    const uint64_t least = (uint64_t)c->corners.v[0],
                   most = (uint64_t)c->corners.v[c->corners.n - 1];
    const uint32_t n =
        (uint32_t)(least + (uint64_t)(draw(self, variant, 0) * (double)(most - least + 1)));
    double area = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        const double off = c->irregularity * (draw(self, variant, 1 + 2 * (uint64_t)i) - 0.5);
        const double angle = 2.0 * PI * (i + off) / n;
        const double v = c->convex ? 0.0 : draw(self, variant, 2 + 2 * (uint64_t)i);
        const double radius = 1.0 - 0.5 * c->irregularity * v;
        x[i] = c->aspect * radius * cos(angle);
        y[i] = radius * sin(angle);
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = i + 1 < n ? i + 1 : 0;
        area += 0.5 * (x[i] * y[j] - x[j] * y[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        x[i] *= sqrt(PI / area);
        y[i] *= sqrt(PI / area);
    }
    return n;
}

/** Writes the text of a shape. */
static void write_shape(const polygons_source *self, uint32_t n, const double *x, const double *y,
                        char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "type = \"polygon\"; resample = %lld; vertices = (",
                                 (long long)self->config->resample);
    for (uint32_t i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, size - at, "%s(%.17g, %.17g)", i ? ", " : "", x[i], y[i]);
    snprintf(text + at, size - at, ");");
}

/** Adds the shape of one variant. */
static int32_t add_variant(const polygons_source *self, const scree_making *args, uint32_t variant,
                           uint32_t *index)
{
    enum { SIZE = MOST_CORNERS * 56 + 100 };
    static const char group[] = "generate.";
    const char *slot = self->host->slot;
    const char *name = strncmp(slot, group, sizeof group - 1) ? slot : slot + sizeof group - 1;
    double *x = (double *)malloc(2 * MOST_CORNERS * sizeof *x), *y = x + MOST_CORNERS;
    char *text = (char *)malloc(SIZE), title[256];
    int32_t code = SCREE_OK;
    if (x && text) {
        const uint32_t n = draw_form(self, variant, x, y);
        write_shape(self, n, x, y, text, SIZE);
        snprintf(title, sizeof title, "%.200s-%u", name, variant);
        code = args->add_shape(args->ctx, title, text, index);
    } else {
        code = self->host->fail(self->host->ctx, SCREE_E_MEMORY, "out of memory");
    }
    free(x);
    free(text);
    return code;
}

/** Adds all shapes, and sets their sizes. */
static int32_t add_family(polygons_source *self, const scree_making *args)
{
    self->family.n = 0;
    for (uint32_t k = 0; k < (uint32_t)self->config->variants; k++) {
        const int32_t code = add_variant(self, args, k, &self->shape[k]);
        if (code < 0)
            return code;
        const scree_shape *made = args->bodies->shapes[self->shape[k]];
        self->equal[k] = sqrt(made->volume / PI);
        self->bulge[k] = made->radius / self->equal[k];
    }
    self->family =
        (packing_family){(uint32_t)self->config->variants, self->shape, self->equal, self->bulge};
    return SCREE_OK;
}

static int32_t report(const scree_making *args, const char *text)
{
    args->problem(args->ctx, NULL, 0, text);
    return SCREE_E_CONFIG;
}

static int32_t make(void *instance, const scree_making *args)
{
    polygons_source *self = (polygons_source *)instance;
    const packing_config *c = &self->config->scatter.packing;
    int32_t code;
    if (!args->add_shape)
        return self->family.n
                   ? SCREE_OK // all have come before the first step
                   : report(args, "source polygons makes shapes before the first step, not for "
                                  "modifiers in a run: use it in generate");
    if (!(args->bodies->shapes[c->body->shape]->flags & SCREE_CAP_ROUND))
        return report(args, "shape: source polygons makes its own ones");
    code = add_family(self, args);
    return code < 0
               ? code
               : scatter_make(&self->config->scatter, self->host, self->query, &self->family, args);
}

static void destroy(void *instance)
{
    polygons_source *self = (polygons_source *)instance;
    if (self) {
        free(self->shape);
        free(self->equal);
    }
    free(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const polygons_config *c = (const polygons_config *)config;
    const packing_config *p = &c->scatter.packing;
    if (p->count < 0 && isnan(p->fraction))
        return host->fail(host->ctx, SCREE_E_CONFIG, "count or fraction is missing");
    if (c->corners.n < 1 || c->corners.n > 2 || c->corners.v[0] > c->corners.v[c->corners.n - 1])
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "corners: expected a number, or (least, most) with least <= most");
    if (c->resample == 1)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "resample: expected 0, or 2 panels or more, got 1");
    polygons_source *self = (polygons_source *)calloc(1, sizeof *self);
    if (self) {
        self->shape = (uint32_t *)malloc((size_t)c->variants * sizeof *self->shape);
        self->equal = (double *)malloc(2 * (size_t)c->variants * sizeof *self->equal);
    }
    if (!self || !self->shape || !self->equal) {
        destroy(self);
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    }
    self->bulge = self->equal + c->variants;
    self->host = host;
    self->query = packing_query(host);
    self->config = c;
    self->stream = packing_stream(host->slot);
    if (!self->query) {
        destroy(self);
        return SCREE_E_UNSUPPORTED;
    }
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const polygons_source *self = (const polygons_source *)instance;
    return sizeof *self + (uint64_t)self->config->variants * (sizeof *self->shape + 16);
}

PACKING_PARAMS(scatter_config);
SCREE_INT_PARAM(scatter_config, tries, 0, 10000, 1, 1000000000, "places that are tried for a body");
SCREE_INTS_PARAM(polygons_config, corners, 0, SCREE_PARAM_REQUIRED, 0, 3, MOST_CORNERS,
                 "corners of each polygon: a number, or (least, most)");
SCREE_INT_PARAM(polygons_config, variants, 0, 20, 1, MOST_VARIANTS,
                "different shapes, of which each body has one");
SCREE_BOOL_PARAM(polygons_config, convex, 0, 1, "false: stars, some of whose corners point inward");
SCREE_REAL_PARAM(polygons_config, irregularity, "-", 0, 0.8, 0.0, 0.95,
                 "0: regular ones; 0.95: corners nearly meet");
SCREE_REAL_PARAM(polygons_config, aspect, "-", 0, 1.0, 0.01, 100.0, "length over height");
SCREE_INT_PARAM(polygons_config, resample, 0, 0, 0, 10000,
                "panels, as of shape/polygon; 0: outlines stay as they are drawn");

static const scree_param *const params[] = {&param_region,       &param_body,     &param_count,
                                            &param_fraction,     &param_grow,     &param_tries,
                                            &param_corners,      &param_variants, &param_convex,
                                            &param_irregularity, &param_aspect,   &param_resample};

static const scree_source_ops ops = {.size = sizeof(scree_source_ops),
                                     .create = create,
                                     .destroy = destroy,
                                     .bytes = bytes,
                                     .make = make};

static const scree_plugin plugin = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_SOURCE,
    .flags = SCREE_CAP_USES_LIBM,
    .dimensions = SCREE_DIMENSION_2,
    .id = "polygons",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "irregular polygons by number or solid fraction, at random places",
    .summary =
        "Makes a family of shapes of the type polygon, named GROUP-0 and so on: corners on a "
        "circle at uneven angles, so that they are convex, or stars. radius, diameter and "
        "distribution are those of the disc of equal area, which each body has exactly, "
        "resampled or not. Forms, sizes and places are drawn from the scene's seed and the "
        "name of the group, turns if orientation = \"random\". Bodies are placed as the discs "
        "that hold them: a solid fraction of 0.3 is near the end.",
    .config_size = sizeof(polygons_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
