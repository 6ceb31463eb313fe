/* SPDX-License-Identifier: MIT */
/*
 * balls_on_ring: balls at equal distances on a circle, all with the speed of its rotation.
 *
 * Bodies   Ball k of n is at the angle 2 pi k / n in the x-y plane, from the x axis. Neighbours are
 *          2 R sin(pi / n) apart, and `fill` says how much of that a diameter takes.
 *
 * This is the smallest source: copy it. A source may read a file (plugins/source/table.c of the
 * sources), draw sizes and look for room (plugins/source/random.c), or bring the shapes of its
 * bodies (add_shape of source.h).
 */
#include <scree/sdk.h>

#define PI 3.14159265358979323846

enum { CHUNK = 64 }; /* bodies that are added at a time */

/* The values of the scene. The host reads, checks and fills them by the table `params` below. */
typedef struct config {
    int64_t count;
    double ring_radius, fill, speed; /* [m], [-], [m/s] */
    scree_reals centre;              /* [m] a component per axis of the scene */
    scree_ints materials;            /* indices of materials */
} config;

typedef struct source {
    const scree_host *host;
    const config *config;
} source;

/* Some bodies in the form that the host takes them: an array per number. */
typedef struct chunk {
    uint32_t n;
    uint32_t shape[CHUNK], material[CHUNK];
    double scale[CHUNK], x[3][CHUNK], v[3][CHUNK];
} chunk;

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    source *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->config = config_;
    *instance = self;
    return SCREE_OK;
}

/** Ball k, at the end of the chunk. */
static void put_ball(const source *self, const scree_making *args, uint64_t k, double radius,
                     chunk *c)
{
    const config *own = self->config;
    const double angle = 2.0 * PI * (double)k / (double)own->count;
    const double along[3] = {-sin(angle), cos(angle), 0.0};
    const uint32_t i = c->n++;
    c->shape[i] = args->bodies->dimension == 2 ? 1 : 0; /* the host's unit disc, or unit sphere */
    c->material[i] = own->materials.n ? (uint32_t)own->materials.v[k % own->materials.n] : 0;
    c->scale[i] = radius; /* of what has the radius 1 */
    for (int axis = 0; axis < 3; axis++) {
        c->x[axis][i] = (uint64_t)axis < own->centre.n ? own->centre.v[axis] : 0.0;
        c->v[axis][i] = own->speed * along[axis];
    }
    c->x[0][i] += own->ring_radius * cos(angle);
    c->x[1][i] += own->ring_radius * sin(angle);
}

/** Hands the chunk to the host, which judges each body. */
static int32_t add_chunk(const scree_making *args, chunk *c)
{
    scree_new_bodies bodies = {.size = sizeof bodies,
                               .n = c->n,
                               .shape = c->shape,
                               .material = c->material,
                               .scale = c->scale,
                               .x = {c->x[0], c->x[1], c->x[2]},
                               .v = {c->v[0], c->v[1], c->v[2]}};
    c->n = 0;
    return args->add(args->ctx, &bodies);
}

/** Adds the balls from number `first` on, `most` of them at most. */
static int32_t make(void *instance, const scree_making *args)
{
    const source *self = instance;
    const config *own = self->config;
    const uint64_t count = (uint64_t)own->count;
    const double radius = own->fill * own->ring_radius * sin(PI / (double)count);
    chunk c = {0};
    int32_t status = SCREE_OK;
    if (!(radius > 0.0)) {
        args->problem(args->ctx, NULL, 0, "ring_radius and fill leave balls without a radius");
        return SCREE_E_CONFIG;
    }
    for (uint64_t k = args->first; k < count && k - args->first < args->most; k++) {
        put_ball(self, args, k, radius, &c);
        if (c.n == CHUNK)
            status = add_chunk(args, &c);
        if (status < 0)
            return status; /* the host has said why */
    }
    return add_chunk(args, &c);
}

static void destroy(void *instance)
{
    free(instance);
}

SCREE_INT_PARAM(config, count, 0, 12, 2, 1000000, "balls on the ring");
SCREE_REAL_PARAM(config, ring_radius, "m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "from its centre to the centres of the balls");
SCREE_REAL_PARAM(config, fill, "-", SCREE_PARAM_MIN_OPEN, 0.8, 0, 1,
                 "diameter of the balls by the distance of neighbours");
SCREE_REAL_PARAM(config, speed, "m/s", 0, 0, -HUGE_VAL, HUGE_VAL, "along the ring");
/* An optional list of numbers and one of materials: each is empty when the scene does not give it. */
SCREE_REALS_PARAM(config, centre, 0, "m", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                  "of the ring; absent: the origin");
SCREE_MATERIALS_PARAM(config, materials, SCREE_PARAM_OPTIONAL,
                      "of the balls, in turn; absent: the first of the scene");
static const scree_param *const params[] = {&param_count, &param_ring_radius, &param_fill,
                                            &param_speed, &param_centre,      &param_materials};
static const scree_source_ops ops = {
    .size = sizeof(scree_source_ops), .create = create, .destroy = destroy, .make = make};
static const scree_plugin plugin = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_SOURCE,
    .flags = SCREE_CAP_USES_LIBM,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "balls_on_ring",
    .version = "0.1.0",
    .licence = "MIT",
    .help = "balls at equal distances on a circle",
    .summary =
        "Balls whose centres are the corners of a regular polygon in the x-y plane, with the "
        "speed of its rotation. Neighbours do not touch; what else there is may be in the way.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&plugin);
