/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the sources that fill a part of space: bodies by number, and their room.
 *
 * Every random number is a pure function of the scene's seed, the name of the group, the number of
 * the body in it and the number of the draw, so that no group depends on another's order.
 *
 * Random orientations are uniform (Shoemake, "Uniform random rotations", Graphics Gems III, 1992,
 * pp. 124-132) and drawn once for each body, not for each try: so free places do not select
 * orientations.
 */
#ifndef PLUGINS_SOURCE_PACKING_H
#define PLUGINS_SOURCE_PACKING_H

#include <math.h>
#include <string.h>

#include "scree/sdk.h"

#define PI 3.1415926535897932384626433832795
#define MOST_BODIES 100000000

/* Streams of random numbers of one group. */
enum {
    STREAM_SIZE = 1,
    STREAM_PLACE,
    STREAM_JITTER,
    STREAM_VELOCITY,
    STREAM_TURN,
    STREAM_MEMBER,
    STREAM_FORM,
    STREAM_WALK,
    STREAM_SPIN
};
/* Bodies that are asked for, or added, at a time. */
enum { CHUNK = 64 };

/** The settings that all these sources have. */
typedef struct packing_config {
    const scree_zone *region;
    const scree_recipe *body;
    int64_t count;   /* -1: not given */
    double fraction; /* NaN: not given */
    double grow;
} packing_config;

/** Shapes; each body has one of them, drawn by its number. The recipe then has a round shape, with
 * the size of the disc (ball) of equal area (volume), and bodies are placed as the discs that hold
 * them. */
typedef struct packing_family {
    uint32_t n;
    const uint32_t *shape; /* [n] */
    const double *equal;   /* [n] [m] radius of the disc of equal area, at scale 1 */
    const double *bulge;   /* [n] [-] radius of the disc that holds it, over `equal` */
} packing_family;

/** One call of make(). */
typedef struct packing {
    const scree_host *host;
    const packing_config *config;
    const scree_making *args;
    const scree_query *query;
    uint64_t stream;
    uint32_t dimension;
    const scree_shape *shape;
    double equal;          /* [m] radius of the sphere or disc of equal volume, at scale 1 */
    double min[3], max[3]; /* [m] box around the region */
    int spans[3];          /* 1: a periodic axis from end to end */
    double max_scale;
    const packing_family *family; /* NULL: all have the shape of the recipe */
} packing;

/** Bodies in the form that the host takes them. */
typedef struct chunk {
    uint32_t n;
    uint32_t shape[CHUNK], material[CHUNK], motion[CHUNK];
    double scale[CHUNK], x[3][CHUNK], q[4][CHUNK], v[3][CHUNK], w[3][CHUNK];
} chunk;

static inline uint64_t packing_mix(uint64_t z)
{
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* FNV-1a of the name of the group, or of the slot of an instance that a modifier owns. */
static inline uint64_t packing_stream(const char *slot)
{
    static const char group[] = "generate.";
    const char *name = strncmp(slot, group, sizeof group - 1) ? slot : slot + sizeof group - 1;
    uint64_t h = 0xcbf29ce484222325u;
    for (; *name; name++)
        h = (h ^ (uint8_t)*name) * 0x100000001b3u;
    return packing_mix(h);
}

static inline double packing_draw(const packing *p, int stream, uint64_t body, uint64_t number)
{
    return scree_uniform(p->host->random(p->host->ctx, p->stream + (uint64_t)stream, body, number));
}

/* Number of the shape that a body of a family has. */
static inline uint32_t packing_member(const packing *p, uint64_t body)
{
    const uint32_t n = p->family->n;
    const uint32_t drawn = (uint32_t)(packing_draw(p, STREAM_MEMBER, body, 0) * n);
    return drawn < n ? drawn : n - 1;
}

/* Scale of a body; in a family that of the disc around it. */
static inline double packing_scale(const packing *p, uint64_t body)
{
    const double by = p->family ? p->family->bulge[packing_member(p, body)] : 1.0;
    return by * scree_size_draw(p->config->body->sizes, packing_draw(p, STREAM_SIZE, body, 0));
}

/* [m] Radius of the ball that holds a body of that scale. */
static inline double packing_reach(const packing *p, double scale)
{
    return scale * p->shape->radius;
}

/* "radius", or "bounding radius" for bodies that are not round. */
static inline const char *packing_radius(const packing *p)
{
    return p->shape->flags & SCREE_CAP_ROUND ? "radius" : "bounding radius";
}

/* Measure for the solid fraction: volume in 3D, area in 2D. */
static inline double packing_solid(const packing *p, double scale)
{
    double r = scale * p->equal;
    return p->dimension == 2 ? PI * r * r : 4.0 / 3.0 * PI * r * r * r;
}

/* The same for a body by its number. */
static inline double packing_solid_of(const packing *p, uint64_t body, double scale)
{
    return packing_solid(p, p->family ? scale / p->family->bulge[packing_member(p, body)] : scale);
}

static inline double packing_region(const packing *p)
{
    const scree_zone *z = p->config->region;
    double size = 1.0, length2 = 0.0;
    if (z->type == SCREE_ZONE_BALL)
        return p->dimension == 2 ? PI * z->radius * z->radius
                                 : 4.0 / 3.0 * PI * z->radius * z->radius * z->radius;
    for (uint32_t k = 0; k < p->dimension; k++) {
        size *= p->max[k] - p->min[k];
        length2 += (z->b[k] - z->a[k]) * (z->b[k] - z->a[k]);
    }
    return z->type == SCREE_ZONE_CYLINDER
               ? PI * (z->radius * z->radius - z->inner * z->inner) * sqrt(length2)
               : size;
}

/* Range of the centre of a ball of radius r along axis k. */
static inline int packing_range(const packing *p, double r, uint32_t k, double *lo, double *hi)
{
    *lo = p->min[k] + (p->spans[k] ? 0.0 : r);
    *hi = p->max[k] - (p->spans[k] ? 0.0 : r);
    return *hi >= *lo && (!p->spans[k] || p->max[k] - p->min[k] >= 2.0 * r);
}

/* Is a ball about x in the region? A region that is a box needs no further test. */
static inline int packing_holds(const packing *p, const double x[3], double r)
{
    const scree_zone *z = p->config->region;
    return z->type == SCREE_ZONE_BOX || scree_zone_holds(z, x, r);
}

__attribute__((format(printf, 2, 3))) static inline int32_t packing_problem(const packing *p,
                                                                            const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    p->args->problem(p->args->ctx, NULL, 0, text);
    return SCREE_E_CONFIG;
}

/* Reports that the region cannot hold all bodies. Before the first step this is an error; during a
 * run it may pass, because bodies leave. */
#define PACKING_FULL(p, ...)                                                                       \
    (packing_problem((p), __VA_ARGS__) < 0 && (p)->args->add_shape ? SCREE_E_CONFIG : SCREE_OK)

/* Appends a hint about a clump whose given volume is less than that of its largest ball: the scale
 * of a body of a given diameter follows from the volume. */
static inline const char *packing_volume_hint(const packing *p, char *text, size_t size)
{
    const scree_balls *balls = p->shape->balls;
    const uint32_t n = balls ? balls->n : 0;
    double most = 0.0;
    text[0] = '\0';
    for (uint32_t i = 0; i < n; i++)
        most = fmax(most, balls->radius[i]);
    most = p->dimension == 2 ? PI * most * most : 4.0 / 3.0 * PI * most * most * most;
    if (balls && p->shape->volume < most * (1.0 - 1e-6))
        snprintf(text, size,
                 "; the shape's volume of %.4g m^%u is less than the %.4g of its largest ball",
                 p->shape->volume, p->dimension, most);
    return text;
}

/* Reports a body that does not fit into the empty region: no number of tries would find a place. */
static inline int packing_fits(const packing *p, double r)
{
    const scree_zone *z = p->config->region;
    double lo, hi, length2 = 0.0;
    char hint[160];
    for (uint32_t k = 0; k < p->dimension; k++) {
        length2 += (z->b[k] - z->a[k]) * (z->b[k] - z->a[k]);
        if (packing_range(p, r, k, &lo, &hi))
            continue;
        packing_problem(p,
                        "a body of %s %g m does not fit into the region: expected %g m or more "
                        "along %c, got %g m%s",
                        packing_radius(p), r, 2.0 * r, "xyz"[k], p -> max[k] - p -> min[k],
                        packing_volume_hint(p, hint, sizeof hint));
        return 0;
    }
    if (z->type != SCREE_ZONE_BOX &&
        (z->radius < r || (z->type == SCREE_ZONE_CYLINDER && length2 < 4.0 * r * r))) {
        packing_problem(p, "a body of %s %g m does not fit into the region of radius %g m%s",
                        packing_radius(p), r, z->radius, packing_volume_hint(p, hint, sizeof hint));
        return 0;
    }
    if (z->type == SCREE_ZONE_CYLINDER && z->inner > 0.0 && z->radius - z->inner < 2.0 * r) {
        packing_problem(p, "a body of %s %g m does not fit between the radii %g m and %g m%s",
                        packing_radius(p), r, z->inner, z->radius,
                        packing_volume_hint(p, hint, sizeof hint));
        return 0;
    }
    return 1;
}

/* Shoemake 1992; in 2D an angle. Only a random turn draws numbers. */
static inline void packing_turn(const packing *p, uint64_t number, double q[4])
{
    double u[3];
    memcpy(q, p->config->body->q, 4 * sizeof *q);
    if (!p->config->body->random_orientation)
        return;
    for (uint64_t k = 0; k < 3; k++)
        u[k] = packing_draw(p, STREAM_TURN, number, k);
    if (p->dimension == 2) {
        q[0] = cos(PI * u[0]); /* half of an angle up to 2 pi */
        q[3] = sin(PI * u[0]);
        return;
    }
    q[0] = sqrt(u[0]) * cos(2.0 * PI * u[2]);
    q[1] = sqrt(1.0 - u[0]) * sin(2.0 * PI * u[1]);
    q[2] = sqrt(1.0 - u[0]) * cos(2.0 * PI * u[1]);
    q[3] = sqrt(u[0]) * sin(2.0 * PI * u[2]);
}

static inline void packing_velocity(const packing *p, uint64_t number, double v[3])
{
    const scree_recipe *recipe = p->config->body;
    memcpy(v, recipe->velocity, 3 * sizeof *v);
    for (uint32_t k = 0; k < p->dimension && recipe->velocity_random > 0.0; k++) {
        double u1 = packing_draw(p, STREAM_VELOCITY, number, 2 * k);
        double u2 = packing_draw(p, STREAM_VELOCITY, number, 2 * k + 1);
        v[k] += recipe->velocity_random * scree_velocity_spread(recipe->velocity_uniform, u1, u2);
    }
}

/* Puts a body at the end of a chunk. */
static inline void packing_put(const packing *p, chunk *c, uint64_t number, double scale,
                               const double x[3])
{
    const scree_recipe *recipe = p->config->body;
    double q[4], v[3];
    uint32_t i = c->n++;
    packing_turn(p, number, q);
    packing_velocity(p, number, v);
    c->shape[i] = recipe->shape;
    c->material[i] = recipe->material;
    c->motion[i] = recipe->motion;
    c->scale[i] = scale;
    if (p->family) {
        const uint32_t member = packing_member(p, number);
        c->shape[i] = p->family->shape[member];
        c->scale[i] = scale * p->equal / (p->family->bulge[member] * p->family->equal[member]);
    }
    for (int k = 0; k < 4; k++)
        c->q[k][i] = q[k];
    for (int k = 0; k < 3; k++) {
        c->x[k][i] = x[k];
        c->v[k][i] = v[k];
        c->w[k][i] = recipe->spin[k];
    }
}

/* The first n bodies of a chunk, to ask about or to add. */
static inline scree_new_bodies packing_bodies(const chunk *c, uint32_t n)
{
    scree_new_bodies bodies;
    memset(&bodies, 0, sizeof bodies);
    bodies.size = sizeof bodies;
    bodies.n = n;
    bodies.shape = c->shape;
    bodies.material = c->material;
    bodies.motion = c->motion;
    bodies.scale = c->scale;
    bodies.has_room = 1; /* the source has asked, and `grow` may make them overlap */
    for (int k = 0; k < 4; k++)
        bodies.q[k] = c->q[k];
    for (int k = 0; k < 3; k++) {
        bodies.x[k] = c->x[k];
        bodies.v[k] = c->v[k];
        bodies.w[k] = c->w[k];
    }
    return bodies;
}

/* Adds the first n bodies of a chunk, grown, and removes them from the chunk. */
static inline int32_t packing_add(const packing *p, chunk *c, uint32_t n)
{
    const scree_new_bodies bodies = packing_bodies(c, n);
    for (uint32_t i = 0; i < n; i++)
        c->scale[i] *= p->config->grow;
    return n ? p->args->add(p->args->ctx, &bodies) : SCREE_OK;
}

/* [config] Gets the service for questions about room; NULL after host->fail. */
static inline const scree_query *packing_query(const scree_host *host)
{
    const scree_query *query =
        (const scree_query *)host->get_service(host->ctx, SCREE_SERVICE_QUERY);
    if (!query)
        host->fail(host->ctx, SCREE_E_UNSUPPORTED, "the host does not offer " SCREE_SERVICE_QUERY);
    return query;
}

/* Reads the arguments of make(). SCREE_E_CONFIG: a problem has been reported. */
static inline int32_t packing_begin(packing *p, const scree_host *host, const scree_query *query,
                                    const packing_config *config, const scree_making *args)
{
    const scree_bodies *b = args->bodies;
    const scree_zone *z = config->region;
    memset(p, 0, sizeof *p);
    p->host = host;
    p->config = config;
    p->args = args;
    p->stream = packing_stream(host->slot);
    p->dimension = b->dimension;
    p->shape = b->shapes[config->body->shape];
    p->max_scale = scree_size_max(config->body->sizes);
    p->equal = p->shape->flags & SCREE_CAP_ROUND ? p->shape->radius
               : p->shape->flat                  ? sqrt(p->shape->volume / PI)
                                                 : cbrt(0.75 * p->shape->volume / PI);
    p->query = query;
    if (config->count >= 0 && !isnan(config->fraction))
        return packing_problem(p, "expected one of count and fraction, got both");
    if (z->type == SCREE_ZONE_ALL)
        return packing_problem(
            p, "region = { min = (..); max = (..); } is missing, and the scene has none");
    for (uint32_t k = 0; k < p->dimension; k++) {
        p->min[k] = z->lo[k];
        p->max[k] = z->hi[k];
    }
    for (uint32_t k = 0; k < p->dimension; k++)
        p->spans[k] = z->type == SCREE_ZONE_BOX && scree_spans(b->cell, p->min, p->max, (int)k);
    return SCREE_OK;
}

/* Descriptors of the parameters of packing_config, for a config struct whose first member is
 * `packing`. */
#define PACKING_OFFSET(type, member) (offsetof(type, packing) + offsetof(packing_config, member))
#define PACKING_PARAMS(config_type)                                                                \
    static const scree_param param_region = {.size = sizeof(scree_param),                          \
                                             .type = SCREE_TYPE_ZONE,                              \
                                             .flags = SCREE_PARAM_OPTIONAL,                        \
                                             .offset = PACKING_OFFSET(config_type, region),        \
                                             .name = "region",                                     \
                                             .help =                                               \
                                                 "region of the bodies; absent: scene.region"};    \
    static const scree_param param_body = {.size = sizeof(scree_param),                            \
                                           .type = SCREE_TYPE_RECIPE,                              \
                                           .flags = SCREE_PARAM_REQUIRED | SCREE_PARAM_INLINE,     \
                                           .offset = PACKING_OFFSET(config_type, body),            \
                                           .name = "body",                                         \
                                           .help = "recipe of the bodies"};                        \
    static const scree_param param_count = {.size = sizeof(scree_param),                           \
                                            .type = SCREE_TYPE_INT,                                \
                                            .flags = SCREE_PARAM_OPTIONAL,                         \
                                            .offset = PACKING_OFFSET(config_type, count),          \
                                            .name = "count",                                       \
                                            .help = "number of bodies",                            \
                                            .int_default = -1,                                     \
                                            .int_max = MOST_BODIES};                               \
    static const scree_param param_fraction = {                                                    \
        .size = sizeof(scree_param),                                                               \
        .type = SCREE_TYPE_REAL,                                                                   \
        .flags = SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN,                                      \
        .offset = PACKING_OFFSET(config_type, fraction),                                           \
        .name = "fraction",                                                                        \
        .help = "share of the region that bodies fill: by volume, in 2D by area",                  \
        .real_max = 1.0};                                                                          \
    static const scree_param param_grow = {.size = sizeof(scree_param),                            \
                                           .type = SCREE_TYPE_REAL,                                \
                                           .flags = SCREE_PARAM_MIN_OPEN,                          \
                                           .offset = PACKING_OFFSET(config_type, grow),            \
                                           .name = "grow",                                         \
                                           .help = "multiplies all sizes once they are placed",    \
                                           .real_default = 1.0,                                    \
                                           .real_max = HUGE_VAL}

#endif
