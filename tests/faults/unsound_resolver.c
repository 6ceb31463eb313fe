/* SPDX-License-Identifier: Apache-2.0 */
/* A sound resolver of balls, which breaks one promise: SIN says which. */
#include <math.h>

#include "scree/sdk.h"

#define GIVES_OVERLAP                                                                              \
    (SCREE_GIVES_AREA | SCREE_GIVES_CHORD | SCREE_GIVES_VOLUME | SCREE_GIVES_OVERLAP)
#define PI 3.14159265358979323846

enum {
    NONE,
    OUTPUTS,
    INPUTS,
    EXCHANGE,
    FRAME,
    GAP,
    UNIT,
    FLAT,
    MIDDLE,
    RANGE,
    KEEP,
    BATCHES,
    ORDER,
    HINTS,
    PATCHES, /* a contact per segment, seams or not */
    LOOPS,   /* its point is off the line along n */
    VOLUME,  /* of the cut that is too large */
    PARTS,
    PRINCIPAL,
    OVERLAP, /* a cut that is not the slope of the volume */
    WIDTH    /* a negative one */
};

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    (void)config;
    *instance = (void *)(uintptr_t)host;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    const char *a = pair->a->name, *b = pair->b->name;
    const scree_host *host = instance;
    if (host->dimension == 2)
        pair->provides &= ~(uint64_t)(SCREE_GIVES_VOLUME | SCREE_GIVES_OVERLAP);
    if (strcmp(a, "sphere") == 0 && strcmp(b, "sphere") == 0)
        pair->contacts = SCREE_SUPPORTS_ONE;
    if (SIN == PATCHES && strcmp(a, "disc") == 0 && strcmp(b, "mesh") == 0)
        pair->contacts = SCREE_SUPPORTS_MANY;
    return SCREE_OK;
}

/* Where a contact's depth is wrong, by a little. */
static double spoil_depth(const scree_candidates *in, uint32_t p, double depth, const double n[3])
{
    if (SIN == EXCHANGE)
        depth += 1e-8 * in->radius_a[p];
    if (SIN == FRAME)
        depth += 1e-7 * n[0] * n[0];
    if (SIN == GAP)
        depth *= 1.01;
    if (SIN == BATCHES && p >= in->n / 8 * 8) // the rest of a loop, computed in another way
        depth *= 1.0 + 0x1p-50;
    if (SIN == HINTS) {
        double *hint = (double *)in->hints + p;
        depth += 1e-9 * *hint;
        *hint = 1.0;
    }
    return depth;
}

/* The cut through two balls that overlap. */
static void add_cut(scree_contacts *out, uint32_t c, double a, double b, double depth)
{
    const double d = a + b - depth, x = (d * d + a * a - b * b) / (2.0 * d);
    const double half2 = depth > 0.0 ? fmax(a * a - x * x, 0.0) : 0.0;
    if (out->area)
        out->area[c] = PI * half2 * (SIN == OVERLAP ? 1.01 : 1.0);
    if (out->chord)
        out->chord[c] = SIN == WIDTH ? -1.0 : 2.0 * sqrt(half2);
}

/* Volume, parts and principal curvatures of two balls. */
static void add_rest(scree_contacts *out, uint32_t c, double a, double b, double depth)
{
    const double d = a + b - depth, small = fmin(a, b);
    const double n[3] = {out->normal[0][c], out->normal[1][c], out->normal[2][c]};
    add_cut(out, c, a, b, depth);
    if (out->volume) {
        out->volume[c] =
            depth >= 2.0 * small
                ? 4.0 / 3.0 * PI * small * small * small
                : PI / 12.0 * depth * depth / d * (12.0 * a * b - depth * (4.0 * (a + b) - depth));
        out->volume[c] = depth > 0.0 ? out->volume[c] * (SIN == VOLUME ? 1.01 : 1.0) : 0.0;
    }
    for (int k = 0; k < 2; k++)
        if (out->part[k])
            out->part[k][c] = SIN == PARTS && depth > 0.0;
    if (!out->principal[0])
        return;
    for (int side = 0; side < 2; side++) {
        const double length = sqrt(n[0] * n[0] + n[1] * n[1]);
        out->principal[2 * side][c] = out->principal[2 * side + 1][c] = 1.0 / (side ? b : a);
        out->direction[side][0][c] = -n[1] / length;
        out->direction[side][1][c] = (SIN == PRINCIPAL ? 1.001 : 1.0) * n[0] / length;
        out->direction[side][2][c] = 0.0;
    }
}

/* Adds a contact at `to` from the centre of a, if it is one. */
static void add_contact(const scree_candidates *in, scree_contacts *out, uint32_t p,
                        const double to[3], double reach, double radius_b)
{
    double length = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]), n[3], depth, arm;
    double range = SIN == RANGE ? 1.5 * in->range : in->range;
    int kept = SIN != KEEP && in->keep && in->keep[p];
    uint32_t c = out->n;
    for (int k = 0; k < 3; k++)
        n[k] = to[k] / length;
    depth = spoil_depth(in, p, reach - length, n);
    if (depth < -range && !kept)
        return;
    arm = in->radius_a[p] - (SIN == MIDDLE ? 0.4 : 0.5) * depth;
    out->n++;
    out->pair[c] = p;
    out->depth[c] = depth;
    for (int k = 0; k < 3; k++) {
        out->normal[k][c] = SIN == UNIT ? n[k] * 1.00001 : n[k];
        out->arm[k][c] = arm * out->normal[k][c];
    }
    if (SIN == LOOPS) {
        out->arm[0][c] -= 0.5 * arm * n[1];
        out->arm[1][c] += 0.5 * arm * n[0];
    }
    add_rest(out, c, in->radius_a[p], radius_b, depth);
    if (!out->curvature[0] || (SIN == OUTPUTS && depth < 0.0))
        return;
    out->curvature[0][c] = SIN == FLAT ? 0.0 : 1.0 / in->radius_a[p];
    out->curvature[1][c] = SIN != FLAT && radius_b > 0.0 ? 1.0 / radius_b : 0.0;
}

/* A segment of body b against the centre of a: the closest point, relative to that centre. */
static void closest_point(const scree_candidates *in, uint32_t p, uint32_t part, double to[3])
{
    const scree_bodies *bodies = in->bodies;
    uint32_t b = in->b[p];
    const scree_shape *shape = bodies->shapes[bodies->shape[b]];
    double w = bodies->q[0][b], z = bodies->q[3][b], end[2][2], t = 0.0, length2 = 0.0;
    double cosine = w * w - z * z, sine = 2 * w * z;
    for (uint32_t e = 0; e < 2; e++) {
        uint32_t v = shape->mesh->facet[4 * part + e];
        double x = bodies->scale[b] * shape->mesh->vertex[0][v],
               y = bodies->scale[b] * shape->mesh->vertex[1][v];
        end[e][0] = in->d[0][p] + cosine * x - sine * y;
        end[e][1] = in->d[1][p] + sine * x + cosine * y;
    }
    for (int k = 0; k < 2; k++) {
        t -= end[0][k] * (end[1][k] - end[0][k]);
        length2 += (end[1][k] - end[0][k]) * (end[1][k] - end[0][k]);
    }
    t = fmin(fmax(t / length2, 0.0), 1.0);
    for (int k = 0; k < 2; k++)
        to[k] = end[0][k] + t * (end[1][k] - end[0][k]);
    to[2] = 0.0;
}

/* False: there may be no room for all of them. */
static int resolve_segments(const scree_candidates *in, scree_contacts *out, uint32_t p)
{
    if (out->n + in->first[p + 1] - in->first[p] > out->capacity)
        return 0;
    for (uint32_t c = in->first[p]; c < in->first[p + 1]; c++) {
        double to[3];
        uint32_t before = out->n;
        closest_point(in, p, in->part_b[c], to);
        add_contact(in, out, p, to, in->radius_a[p], 0.0);
        if (out->n > before)
            out->feature[before] = in->part_b[c];
    }
    return 1;
}

/* Contacts the other way round. */
static void turn_round(scree_contacts *out)
{
    for (uint32_t i = 0; i < out->n / 2; i++) {
        uint32_t j = out->n - 1 - i, pair = out->pair[i];
        double *arrays[] = {out->depth,     out->normal[0],    out->normal[1],
                            out->normal[2], out->arm[0],       out->arm[1],
                            out->arm[2],    out->curvature[0], out->curvature[1]};
        out->pair[i] = out->pair[j];
        out->pair[j] = pair;
        for (uint32_t k = 0; k < SCREE_COUNT(arrays); k++) {
            double value = arrays[k][i];
            arrays[k][i] = arrays[k][j];
            arrays[k][j] = value;
        }
    }
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    (void)instance;
    out->n = 0;
    *done = 0;
    if (SIN == INPUTS)
        ((volatile double *)(uintptr_t)in->radius_a)[0] = in->radius_a[0];
    for (uint32_t p = 0; p < in->n && out->n < out->capacity; p++, ++*done) {
        const double to[3] = {in->d[0][p], in->d[1][p], in->d[2][p]};
        if (in->bodies->types[in->type_b]->flags & SCREE_CAP_ROUND)
            add_contact(in, out, p, to, in->radius_a[p] + in->radius_b[p], in->radius_b[p]);
        else if (!resolve_segments(in, out, p))
            break;
    }
    if (SIN == ORDER)
        turn_round(out);
    return SCREE_OK;
}

static const scree_resolver_ops ops = {
    .size = sizeof ops,
    .hint_bytes = SIN == HINTS ? 8 : 0,
    .create = create,
    .destroy = destroy,
    .supports = supports,
    .resolve = resolve,
};
static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_RESOLVER,
    .dimensions = SIN == PATCHES ? SCREE_DIMENSION_2 : SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "unsound",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "balls against balls",
    .provides = SCREE_GIVES_CURVATURE | (SIN == WIDTH ? SCREE_GIVES_CHORD : 0u) |
                (SIN == VOLUME || SIN == NONE ? SCREE_GIVES_VOLUME : 0u) |
                (SIN == OVERLAP || SIN == NONE ? GIVES_OVERLAP : 0u) |
                (SIN == PARTS || SIN == NONE ? SCREE_GIVES_PARTS : 0u) |
                (SIN == PRINCIPAL || SIN == NONE ? SCREE_GIVES_PRINCIPAL : 0u),
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&plugin);
