// SPDX-License-Identifier: Apache-2.0
// Resolver `sphere`: spheres and discs against each other, facets and planes, by the closest point.
/*
 * Sources
 *   [1] R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996,
 *       4.2.2: spheres against quads, two-sided by the side of the centre.
 *   [2] C. Ericson, Real-Time Collision Detection, 2005, 5.1: closest points of segments and
 * polygons.
 *
 * Idea: all quantities of a ball follow from one vector `to`, from its centre to the closest point
 * of the other body: n = to / |to|, depth = r - |to| (for a ball b, r_a + r_b - |d|).
 *
 *      ball - ball      at most one contact; concentric balls part along x
 *      ball - plane     at most one; solid behind the plane's normal N: height = -(d · N), depth =
 *                       r - height, n = -N, also when the centre is inside the solid
 *      ball - facets    any number; sphere/facets.c reduces them to touches, sphere/mesh.c prepares
 *
 * Steps of ball - ball, the hottest loop of a run:
 *   1. reach² - |d|² for all candidates, vectorised; reach = r_a + r_b + range
 *   2. their numbers, compacted without a branch: write always, advance by the test
 *   3. gather, square root, normal, depth, arm for those in reach
 * Where the first pairs are all in reach, step 3 is tried for all at once, and checks their reach.
 * Two other orders were slower: square roots for all, then indices, then gather; everything for
 * all, then copied.
 * A touch is decided on squares, so depth is kept from falling below -range by its own rounding.
 *
 * Extras: curvature (1/r of a ball, 0 of facets and planes, edges included), principal curvatures
 * alike; volume, of the lens of two balls or of the cap that the plane cuts off (2D: area times
 * thickness); chord, the diameter of
 * the circle (2D: length of the line) in which the surfaces cross; area, in 3D that circle's, in 2D
 * the overlap of the two discs, caps integrated by 16-point Gauss-Legendre (relative error below
 * 1e-11: tests/resolver/sphere/resolver.c), since kernels call no arc cosine. An edge or vertex counts
 * as the plane across n.
 *
 * Deviations from the paper, and why: [1] tries the face and the vertices of a quad, so a sphere
 * over an edge with no vertex inside is missed; here edges count. Planes are one-sided, facets have
 * two sides, as in [1].
 *
 * Limits: facets are convex, flat, and share the places of their vertices (a vertex in the middle
 * of a neighbour's edge is not a seam). Two-sided also means that a ball which reaches through a
 * thin wall touches both its sheets.
 */
#include <math.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "sphere/sphere.h"

static void square_margins(uint32_t n, SCREE_IN3(d), SCREE_IN radius_a, SCREE_IN radius_b,
                           double range, SCREE_OUT margin)
{
    for (uint32_t p = 0; p < n; p++) {
        double reach = radius_a[p] + radius_b[p] + range;
        margin[p] = reach * reach - (dx[p] * dx[p] + dy[p] * dy[p] + dz[p] * dz[p]);
    }
}

/* Writes the numbers of entries with margin >= 0; the write past the last one is within n. */
static uint32_t compact(uint32_t n, SCREE_IN margin, uint32_t *SCREE_RESTRICT pair)
{
    uint32_t n_in = 0;
    for (uint32_t p = 0; p < n; p++) {
        pair[n_in] = p;
        n_in += margin[p] >= 0.0;
    }
    return n_in;
}

/* Does the work of square_margins and compact. */
static uint32_t near_pairs(uint32_t n, SCREE_IN3(d), SCREE_IN radius_a, SCREE_IN radius_b,
                           double range, SCREE_OUT margin, uint32_t *SCREE_RESTRICT pair)
{
#ifdef __AVX2__ /* four at a time: of those in reach the numbers, which a table packs */
    static const _Alignas(16) uint32_t packed[16][4] = {
        {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0},
        {1, 2, 0, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
        {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    const __m256d wide = _mm256_set1_pd(range);
    uint32_t n_in = 0, p = 0;
    for (; p + 4 <= n; p += 4) {
        const __m256d x = _mm256_loadu_pd(dx + p), y = _mm256_loadu_pd(dy + p);
        const __m256d z = _mm256_loadu_pd(dz + p);
        const __m256d sum =
            _mm256_add_pd(_mm256_loadu_pd(radius_a + p), _mm256_loadu_pd(radius_b + p));
        const __m256d reach = _mm256_add_pd(sum, wide);
        const __m256d xy = _mm256_add_pd(_mm256_mul_pd(x, x), _mm256_mul_pd(y, y));
        const __m256d d2 = _mm256_add_pd(xy, _mm256_mul_pd(z, z));
        const __m256d left = _mm256_sub_pd(_mm256_mul_pd(reach, reach), d2);
        const int is_in = _mm256_movemask_pd(_mm256_cmp_pd(left, _mm256_setzero_pd(), _CMP_GE_OQ));
        const __m128i of = _mm_load_si128((const __m128i *)(const void *)packed[is_in]);
        _mm_storeu_si128((__m128i *)(void *)(pair + n_in),
                         _mm_add_epi32(_mm_set1_epi32((int)p), of));
        n_in += (uint32_t)__builtin_popcount((unsigned)is_in);
    }
    square_margins(n - p, dx + p, dy + p, dz + p, radius_a + p, radius_b + p, range, margin);
    const uint32_t rest = compact(n - p, margin, pair + n_in);
    for (uint32_t c = n_in; c < n_in + rest; c++)
        pair[c] += p;
    return n_in + rest;
#else
    square_margins(n, dx, dy, dz, radius_a, radius_b, range, margin);
    return compact(n, margin, pair);
#endif
}

/* `all`: contact c is of pair c. Returns how many contacts are not in reach. */
static inline uint64_t touch_balls_of(int all, uint32_t n, const uint32_t *SCREE_RESTRICT pair,
                                      SCREE_IN3(d), SCREE_IN radius_a, SCREE_IN radius_b,
                                      double range, double lowest, SCREE_OUT depth, SCREE_OUT3(n),
                                      SCREE_OUT3(arm_))
{
    uint64_t apart = 0;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t p = all ? c : pair[c];
        double x = dx[p], y = dy[p], z = dz[p], r = radius_a[p], rb = radius_b[p];
        double square = x * x + y * y + z * z, reach = r + rb + range;
        double distance = sqrt(square);
        double overlap = r + rb - distance;
        double inverse = 1.0 / (distance > COINCIDENT ? distance : 1.0);
        double ux = distance > COINCIDENT ? x * inverse : 1.0;
        double uy = distance > COINCIDENT ? y * inverse : 0.0;
        double uz = distance > COINCIDENT ? z * inverse : 0.0;
        double arm;
        overlap = overlap > lowest ? overlap : lowest;
        arm = r - 0.5 * overlap;
        depth[c] = overlap;
        nx[c] = ux;
        ny[c] = uy;
        nz[c] = uz;
        arm_x[c] = arm * ux;
        arm_y[c] = arm * uy;
        arm_z[c] = arm * uz;
        apart += !(reach * reach - square >= 0.0);
    }
    return apart;
}

static void touch_balls(const scree_candidates *in, double lowest, scree_contacts *out)
{
    touch_balls_of(0, out->n, out->pair, SCREE_XYZ(in->d), in->radius_a, in->radius_b, in->range,
                   lowest, out->depth, SCREE_XYZ(out->normal), SCREE_XYZ(out->arm));
}

/* Finds the contacts of n pairs that are all in reach, as most are where the host has left out the
 * others. Returns 0 otherwise. */
static int touch_all(const scree_candidates *in, uint32_t n, double lowest, double *margin,
                     scree_contacts *out)
{
    enum { FEW = 16 };
    const uint32_t few = n < FEW ? n : FEW;
    uint32_t *pair = out->pair;
    if (near_pairs(few, SCREE_XYZ(in->d), in->radius_a, in->radius_b, in->range, margin, pair) <
            few ||
        touch_balls_of(1, n, pair, SCREE_XYZ(in->d), in->radius_a, in->radius_b, in->range, lowest,
                       out->depth, SCREE_XYZ(out->normal), SCREE_XYZ(out->arm)) > 0)
        return 0;
    for (uint32_t c = 0; c < n; c++)
        pair[c] = c;
    out->n = n;
    return 1;
}

/* Does as touch_balls does with `lowest`, for the pairs of a batch that are not kept. */
static void hold_in_range(const scree_candidates *in, scree_contacts *out)
{
    for (uint32_t c = 0; c < out->n; c++) {
        uint32_t p = out->pair[c];
        double arm = in->radius_a[p] - 0.5 * -in->range;
        if (in->keep[p] || out->depth[c] >= -in->range)
            continue;
        out->depth[c] = -in->range;
        for (int k = 0; k < 3; k++)
            out->arm[k][c] = arm * out->normal[k][c];
    }
}

static int32_t resolve_balls(const sphere_resolver *self, const scree_candidates *in,
                             scree_contacts *out, uint32_t *done)
{
    uint32_t n = in->n < out->capacity ? in->n : out->capacity;
    double *margin = self->host->scratch(self->host->ctx, in->lane, (n + 1u) * sizeof *margin);
    double lowest = in->keep ? -(double)INFINITY : -in->range;
    if (!margin)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a batch");
    *done = n;
    if (!in->keep && touch_all(in, n, lowest, margin, out))
        return SCREE_OK;
    if (in->keep) {
        square_margins(n, SCREE_XYZ(in->d), in->radius_a, in->radius_b, in->range, margin);
        for (uint32_t p = 0; p < n; p++)
            margin[p] = in->keep[p] ? 0.0 : margin[p];
        out->n = compact(n, margin, out->pair);
    } else {
        out->n = near_pairs(n, SCREE_XYZ(in->d), in->radius_a, in->radius_b, in->range, margin,
                            out->pair);
    }
    touch_balls(in, lowest, out);
    if (in->keep)
        hold_in_range(in, out);
    return SCREE_OK;
}

/* Outward normals of the last planes: planes are few, and every body near one needs its normal. */
typedef struct plane_cache {
    uint32_t plane[8];
    double outward[8][3];
} plane_cache;

static const double *outward_of(const scree_bodies *bodies, uint32_t b, plane_cache *cache)
{
    uint32_t at = b % 8;
    if (cache->plane[at] != b) {
        double q[4];
        for (int k = 0; k < 4; k++)
            q[k] = bodies->q[k][b];
        scree_rotate_nested(q, bodies->shapes[bodies->shape[b]]->normal, cache->outward[at]);
        cache->plane[at] = b;
    }
    return cache->outward[at];
}

static int32_t resolve_planes(const scree_candidates *in, scree_contacts *out, uint32_t *done)
{
    uint32_t n = in->n < out->capacity ? in->n : out->capacity, n_in = 0;
    plane_cache cache;
    memset(cache.plane, 0xff, sizeof cache.plane);
    for (uint32_t p = 0; p < n; p++) {
        const double *outward = outward_of(in->bodies, in->b[p], &cache);
        double d[3] = {in->d[0][p], in->d[1][p], in->d[2][p]};
        double depth = in->radius_a[p] + dot3(d, outward), arm = in->radius_a[p] - 0.5 * depth;
        out->pair[n_in] = p;
        out->depth[n_in] = depth;
        for (int k = 0; k < 3; k++) {
            out->normal[k][n_in] = -outward[k];
            out->arm[k][n_in] = -outward[k] * arm;
        }
        n_in += (depth >= -in->range) | (in->keep && in->keep[p]);
    }
    out->n = n_in;
    *done = n;
    return SCREE_OK;
}

/* Area of the part of a disc of radius r beyond a line, `height` deep. With z = height s² the width
 * 2 sqrt(z (2 r - z)) becomes smooth and even in s, so half the 16 nodes do. */
static double cap_area(double r, double height)
{
    static const double node[8] = {0.0950125098376374, 0.2816035507792589, 0.4580167776572274,
                                   0.6178762444026438, 0.7554044083550030, 0.8656312023878318,
                                   0.9445750230732326, 0.9894009349916499};
    static const double weight[8] = {0.1894506104550685, 0.1826034150449236, 0.1691565193950025,
                                     0.1495959888165767, 0.1246289712555339, 0.0951585116824928,
                                     0.0622535239386479, 0.0271524594117541};
    const double disc = 3.14159265358979323846 * r * r;
    double low = height > r ? 2.0 * r - height : height, sum = 0.0;
    if (low <= 0.0)
        return height > r ? disc : 0.0;
    for (int k = 0; k < 8; k++) {
        double s2 = node[k] * node[k];
        sum += weight[k] * s2 * sqrt(2.0 * r - low * s2);
    }
    sum *= 4.0 * low * sqrt(low);
    return height > r ? disc - sum : sum;
}

/* [m^2] Common area of two discs; flat: b is the half-plane across the normal. */
static double overlap_area(double a, double b, double depth, int flat)
{
    double d = a + b - depth;
    if (!(depth > 0.0))
        return 0.0;
    if (flat)
        return cap_area(a, depth);
    if (depth >= 2.0 * (a < b ? a : b)) // one inside the other
        return 3.14159265358979323846 * (a < b ? a * a : b * b);
    return cap_area(a, depth * (2.0 * b - depth) / (2.0 * d)) +
           cap_area(b, depth * (2.0 * a - depth) / (2.0 * d));
}

/* Sets curvatures of contacts that have their pair; flat: b has none. */
static void add_curvatures(const scree_candidates *in, int flat, scree_contacts *out)
{
    for (uint32_t c = 0; c < out->n; c++) {
        uint32_t p = out->pair[c];
        out->curvature[0][c] = 1.0 / in->radius_a[p];
        out->curvature[1][c] = flat ? 0.0 : 1.0 / in->radius_b[p];
    }
}

/* Sets how the chord of a disc changes: with its depth. Its eccentricity counts as 0. */
static void put_chord_slope(double a, double b, double chord, int flat, scree_contacts *out,
                            uint32_t c)
{
    const double d = a + b - out->depth[c],
                 x = 0.5 * (d + (a + b) * (a - b) / d);                     // from a to the chord
    const double half_slope = flat ? a - out->depth[c] : x * (1.0 - x / d); // L dL/d(depth) / 4
    const double slope = chord > 0.0 ? 4.0 * half_slope / chord : 0.0;
    out->eccentricity[c] = out->eccentricity_turn[c] = out->chord_turn[c] = 0.0;
    for (int k = 0; k < 2; k++) {
        out->eccentricity_slope[k][c] = 0.0;
        out->chord_slope[k][c] = slope * out->normal[k][c];
    }
}

/* Sets chord and area of contacts that have all else; flat: b has no curvature. */
static void add_extras(const scree_candidates *in, int flat, scree_contacts *out)
{
    for (uint32_t c = 0; c < out->n; c++) {
        double a = in->radius_a[out->pair[c]], b = in->radius_b[out->pair[c]];
        double depth = out->depth[c], d = a + b - depth;
        // 4 d² times the squared half chord, as a product that keeps its digits at small overlap
        double heron = flat ? depth * (2.0 * a - depth)
                            : depth * (a + b + d) * (2.0 * b - depth) * (2.0 * a - depth);
        double chord = depth > 0.0 && heron > 0.0 ? sqrt(heron) * 2.0 : 0.0;
        if (!flat)
            chord /= 2.0 * (d > COINCIDENT ? d : 1.0);
        if (out->chord)
            out->chord[c] = chord;
        if (out->eccentricity)
            put_chord_slope(a, b, chord, flat, out, c);
        if (out->area && in->bodies->dimension == 3)
            out->area[c] = 0.25 * 3.14159265358979323846 * chord * chord;
        else if (out->area)
            out->area[c] = overlap_area(a, b, depth, flat);
    }
}

/* [m^3] Sets the volume of contacts that have all else; flat: b is the half-space behind the plane
 * across the normal, and a ball behind the plane is wholly inside. */
static void add_volumes(const scree_candidates *in, int flat, scree_contacts *out)
{
    const double pi = 3.14159265358979323846;
    for (uint32_t c = 0; c < out->n; c++) {
        double a = in->radius_a[out->pair[c]], b = in->radius_b[out->pair[c]];
        double depth = out->depth[c], d = a + b - depth, small = flat || a < b ? a : b;
        double height = depth < 2.0 * a ? depth : 2.0 * a;
        if (in->bodies->dimension == 2)
            out->volume[c] = in->bodies->thickness * overlap_area(a, b, depth, flat);
        else if (!(depth > 0.0))
            out->volume[c] = 0.0;
        else if (flat)
            out->volume[c] = pi / 3.0 * height * height * (3.0 * a - height);
        else if (depth >= 2.0 * small) // one inside the other
            out->volume[c] = 4.0 / 3.0 * pi * small * small * small;
        else // the last factor is d² + 2 d (a + b) - 3 (a - b)², which keeps fewer digits
            out->volume[c] =
                pi / 12.0 * depth * depth / d * (12.0 * a * b - depth * (4.0 * (a + b) - depth));
    }
}

/* Sets principal curvatures of contacts that have all else: 1/r of a ball, 0 of facets and planes;
 * a disc has 1/r in the plane and 0 along its thickness. */
static void add_principal(const scree_candidates *in, int flat, scree_contacts *out)
{
    const scree_bodies *bodies = in->bodies;
    for (uint32_t c = 0; c < out->n; c++) {
        const uint32_t p = out->pair[c], body[2] = {in->a[p], in->b[p]};
        const double radius[2] = {in->radius_a[p], in->radius_b[p]};
        const double n[3] = {out->normal[0][c], out->normal[1][c], out->normal[2][c]};
        const double in_plane = n[0] * n[0] + n[1] * n[1];
        double u[3] = {-n[1], n[0], 0.0}, length = sqrt(in_plane);
        if (in_plane < 0.5) {
            u[0] = 0.0;
            u[1] = -n[2];
            u[2] = n[1];
            length = sqrt(n[1] * n[1] + n[2] * n[2]);
        }
        for (int side = 0; side < 2; side++) {
            const double first = side && flat ? 0.0 : 1.0 / radius[side];
            out->principal[2 * side][c] = first;
            out->principal[2 * side + 1][c] =
                bodies->shapes[bodies->shape[body[side]]]->flat ? 0.0 : first;
            for (int k = 0; k < 3; k++)
                out->direction[side][k][c] = u[k] / length;
        }
    }
}

/** Is the body a ball? A disc is one only in the plane. */
static int is_ball(const sphere_resolver *self, const scree_shape_type *type)
{
    return (type->flags & SCREE_CAP_ROUND) &&
           (self->host->dimension == 2 || !type->shapes[0]->flat);
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    const sphere_resolver *self = instance;
    if (!is_ball(self, pair->a))
        return SCREE_OK;
    if (pair->b->flags & SCREE_CAP_WALL)
        pair->contacts = SCREE_SUPPORTS_MANY;
    else if (is_ball(self, pair->b) || pair->b->flags & SCREE_CAP_INFINITE)
        pair->contacts = SCREE_SUPPORTS_ONE;
    if (self->host->dimension == 3)
        pair->provides &= ~(uint64_t)SCREE_GIVES_ECCENTRICITY;
    return SCREE_OK;
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    const sphere_resolver *self = instance;
    const uint32_t flags = in->bodies->types[in->type_b]->flags;
    const int flat = (flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE)) != 0;
    int32_t status;
    if (flags & SCREE_CAP_WALL)
        status = facets_resolve(self, in, out, done);
    else if (flags & SCREE_CAP_INFINITE)
        status = resolve_planes(in, out, done);
    else
        status = resolve_balls(self, in, out, done);
    if (status != SCREE_OK)
        return status;
    if (out->feature && !(flags & SCREE_CAP_WALL))
        memset(out->feature, 0, out->n * sizeof *out->feature);
    if (out->curvature[0])
        add_curvatures(in, flat, out);
    if (out->area || out->chord || out->eccentricity)
        add_extras(in, flat, out);
    if (out->volume)
        add_volumes(in, flat, out);
    if (out->part[0] && !(flags & SCREE_CAP_WALL))
        for (int side = 0; side < 2; side++)
            memset(out->part[side], 0, out->n * sizeof *out->part[side]);
    if (out->principal[0])
        add_principal(in, flat, out);
    return SCREE_OK;
}

static int32_t prepare(void *instance, uint32_t index, const scree_shape *shape)
{
    sphere_resolver *self = instance;
    mesh built;
    int32_t status;
    if (!(shape->flags & SCREE_CAP_WALL))
        return SCREE_OK;
    status = mesh_build(self->host, shape, &built);
    if (status != SCREE_OK)
        return status;
    if (!scree_grow(&self->meshes, &self->capacity, index + 1ull, sizeof *self->meshes)) {
        mesh_clear(&built);
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for shapes");
    }
    for (; self->n_meshes <= index; self->n_meshes++)
        memset(&self->meshes[self->n_meshes], 0, sizeof *self->meshes);
    mesh_clear(&self->meshes[index]);
    self->meshes[index] = built;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    sphere_resolver *self = instance;
    if (!self)
        return;
    for (uint64_t i = 0; i < self->n_meshes; i++)
        mesh_clear(&self->meshes[i]);
    free(self->meshes);
    free(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    sphere_resolver *self = calloc(1, sizeof *self);
    (void)config;
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const sphere_resolver *self = instance;
    uint64_t sum = sizeof *self + self->capacity * sizeof *self->meshes;
    for (uint64_t i = 0; i < self->n_meshes; i++)
        sum += mesh_bytes(&self->meshes[i]);
    return sum;
}

static int32_t adjoins(void *instance, uint32_t shape_a, uint32_t shape_b, uint64_t feature,
                       uint64_t other)
{
    const sphere_resolver *self = instance;
    (void)shape_a;
    return shape_b < self->n_meshes && self->meshes[shape_b].shape &&
           mesh_adjoins(&self->meshes[shape_b], feature, other);
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

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_RESOLVER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "sphere",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "spheres and discs against each other, facets and planes",
    .summary =
        "Closest points: face, edge or vertex of facets, which have two sides; planes are solid "
        "behind their normal. A ball that rolls over the seam of coplanar facets keeps one "
        "contact.",
    .citation = "R. O'Connor, A Distributed Discrete Element Modeling Environment - Algorithms, "
                "Implementation and Applications, PhD thesis, Massachusetts Institute of "
                "Technology, 1996",
    .provides = SCREE_GIVES_CURVATURE | SCREE_GIVES_AREA | SCREE_GIVES_CHORD | SCREE_GIVES_VOLUME |
                SCREE_GIVES_PARTS | SCREE_GIVES_PRINCIPAL | SCREE_GIVES_OVERLAP |
                SCREE_GIVES_DISTANCE | SCREE_GIVES_ECCENTRICITY,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
