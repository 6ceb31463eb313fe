/* SPDX-License-Identifier: MIT */
/*
 * balls_planes: contacts of balls with balls and with infinite planes; in 2D of discs with lines.
 *
 * Idea     All of a ball's contact follows from one vector, from its centre to the closest point of
 *          what it meets:
 *
 *              ball - ball    n = d / |d|, depth = r_a + r_b - |d|
 *              ball - plane   n = -N, depth = r + d·N, for the outward normal N and a vector d to
 *                             some point of the plane; the solid is behind N
 *
 * This is the smallest resolver: copy it. plugins/resolver/sphere.c of the sources goes on with
 * facets, areas, chords, and is vectorised.
 */
#include <scree/sdk.h>

typedef struct resolver {
    const scree_host *host;
} resolver;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    resolver *self = calloc(1, sizeof *self);
    (void)config; /* it has no parameters */
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    *instance = self;
    return SCREE_OK;
}

/** A ball, whatever its type is called. In 3D a disc is not one. */
static int is_ball(const resolver *self, const scree_shape_type *type)
{
    return (type->flags & SCREE_CAP_ROUND) &&
           (self->host->dimension == 2 || !type->shapes[0]->flat);
}

/** Asked for each pair of types in the scene. `contacts` is SCREE_SUPPORTS_NOT on entry: pairs that
 * are left so go to another resolver, or the scene is refused. */
static int32_t supports(void *instance, scree_pair_support *pair)
{
    const resolver *self = instance;
    if (is_ball(self, pair->a) && (is_ball(self, pair->b) || (pair->b->flags & SCREE_CAP_INFINITE)))
        pair->contacts = SCREE_SUPPORTS_ONE; /* at most one contact per pair of bodies */
    return SCREE_OK;
}

/** Adds the contact of pair p: normal n from a to b, the point is the middle of the overlap. */
static void add(const scree_candidates *in, uint32_t p, const double n[3], double depth,
                double curvature_b, scree_contacts *out)
{
    const uint32_t c = out->n++;
    const double r = in->radius_a[p];
    out->pair[c] = p;
    out->depth[c] = depth;
    for (int k = 0; k < 3; k++) {
        out->normal[k][c] = n[k];
        out->arm[k][c] = (r - 0.5 * depth) * n[k];
    }
    if (out->curvature[0]) { /* only where a law wants it */
        out->curvature[0][c] = 1.0 / r;
        out->curvature[1][c] = curvature_b;
    }
}

/** A gap within the range, or a contact that a law keeps at any distance. */
static int is_wanted(const scree_candidates *in, uint32_t p, double depth)
{
    return depth >= -in->range || (in->keep && in->keep[p]);
}

static void resolve_ball(const scree_candidates *in, uint32_t p, scree_contacts *out)
{
    const double d[3] = {in->d[0][p], in->d[1][p], in->d[2][p]}, r = in->radius_b[p];
    const double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double depth = in->radius_a[p] + r - distance, by = distance > 0.0 ? 1.0 / distance : 0.0;
    /* Balls with one centre part along x. */
    const double n[3] = {distance > 0.0 ? by * d[0] : 1.0, by * d[1], by * d[2]};
    if (is_wanted(in, p, depth))
        add(in, p, n, depth, 1.0 / r, out);
}

static void resolve_plane(const scree_candidates *in, uint32_t p, scree_contacts *out)
{
    const scree_bodies *bodies = in->bodies;
    const double d[3] = {in->d[0][p], in->d[1][p], in->d[2][p]};
    double n[3], depth = in->radius_a[p];
    scree_to_world(bodies, in->b[p], bodies->shapes[bodies->shape[in->b[p]]]->normal, n);
    for (int k = 0; k < 3; k++) {
        depth += d[k] * n[k];
        n[k] = -n[k];
    }
    if (is_wanted(in, p, depth))
        add(in, p, n, depth, 0.0, out);
}

/** Works on as many pairs as the contacts have room for; the host asks again for the others. All
 * candidates are of one pair of types. Several threads call it at the same time. */
static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    const int planes = (in->bodies->types[in->type_b]->flags & SCREE_CAP_INFINITE) != 0;
    const uint32_t n = in->n < out->capacity ? in->n : out->capacity;
    (void)instance;
    out->n = 0;
    for (uint32_t p = 0; p < n; p++)
        if (planes)
            resolve_plane(in, p, out);
        else
            resolve_ball(in, p, out);
    *done = n;
    return SCREE_OK;
}

static const scree_resolver_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = free,
    .supports = supports,
    .resolve = resolve,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_RESOLVER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "balls_planes",
    .version = "0.1.0",
    .licence = "MIT",
    .help = "balls against balls and planes",
    .summary = "One contact per pair, at the closest points. A plane is solid behind its normal.",
    .citation = "Ericson 2005, Real-Time Collision Detection, section 5.1",
    .provides = SCREE_GIVES_CURVATURE,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
