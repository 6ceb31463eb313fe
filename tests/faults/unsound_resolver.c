/* SPDX-License-Identifier: Apache-2.0 */
/* A sound resolver of balls, once per promise that it breaks. */
#include <math.h>

#include "unsound.h"

#define GIVES_OVERLAP                                                                              \
    (SCREE_GIVES_AREA | SCREE_GIVES_CHORD | SCREE_GIVES_VOLUME | SCREE_GIVES_OVERLAP)
#define SEGMENTS(sin) ((sin) == PATCHES || (sin) == HIDDEN)
#define PI 3.14159265358979323846

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(OUTPUTS, "outputs")                                                                        \
    SIN(INPUTS, "inputs")                                                                          \
    SIN(EXCHANGE, "exchange")                                                                      \
    SIN(FRAME, "frame")                                                                            \
    SIN(GAP, "gap")                                                                                \
    SIN(UNIT, "unit")                                                                              \
    SIN(FLAT, "flat")                                                                              \
    SIN(MIDDLE, "middle")                                                                          \
    SIN(SURFACE, "surface") /* points of solids are on that of b */                                \
    SIN(MISSES, "misses")   /* small balls in large ones */                                        \
    SIN(RANGE, "range")                                                                            \
    SIN(KEEP, "keep")                                                                              \
    SIN(BATCHES, "batches")                                                                        \
    SIN(ORDER, "order")                                                                            \
    SIN(HINTS, "hints")                                                                            \
    SIN(PATCHES, "patches") /* a contact per segment, seams or not */                              \
    SIN(HIDDEN, "hidden")   /* the nearest segment hides the others */                             \
    SIN(LOOPS, "loops")     /* its point is off the line along n */                                \
    SIN(VOLUME, "volume")   /* of the cut that is too large */                                     \
    SIN(PARTS, "parts")                                                                            \
    SIN(PRINCIPAL, "principal")                                                                    \
    SIN(OVERLAP, "overlap") /* a cut that is not the slope of the volume */                        \
    SIN(BED, "bed")         /* slopes that are too large */                                        \
    SIN(WIDTH, "width")     /* a negative one */
enum sin { SINS(UNSOUND_NAME) };

typedef struct resolver {
    enum sin sin;
    uint32_t dimension;
} resolver;

static int32_t create(enum sin sin, const scree_host *host, const void *config, void **instance)
{
    resolver *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (resolver){sin, host->dimension};
    *instance = self;
    return SCREE_OK;
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    const char *a = pair->a->name, *b = pair->b->name;
    const resolver *self = instance;
    if (self->dimension == 2)
        pair->provides &= ~(uint64_t)(SCREE_GIVES_VOLUME | SCREE_GIVES_OVERLAP | SCREE_GIVES_BED);
    if (strcmp(a, "sphere") == 0 && strcmp(b, "sphere") == 0)
        pair->contacts = SCREE_SUPPORTS_ONE;
    if (strcmp(a, "superquadric") == 0 && strcmp(b, a) == 0) // one with equal axes, a ball
        pair->contacts = SCREE_SUPPORTS_ONE;
    if (SEGMENTS(self->sin) && strcmp(a, "disc") == 0 && strcmp(b, "mesh") == 0)
        pair->contacts = SCREE_SUPPORTS_MANY;
    return SCREE_OK;
}

/* Where a contact's depth is wrong, by a little. */
static double spoil_depth(const resolver *self, const scree_candidates *in, uint32_t p,
                          double depth, const double n[3])
{
    if (self->sin == EXCHANGE)
        depth += 1e-8 * in->radius_a[p];
    if (self->sin == FRAME)
        depth += 1e-7 * n[0] * n[0];
    if (self->sin == GAP)
        depth *= 1.01;
    if (self->sin == BATCHES && p >= in->n / 8 * 8) // the rest of a loop, computed in another way
        depth *= 1.0 + 0x1p-50;
    if (self->sin == HINTS) {
        double *hint = (double *)in->hints + p;
        depth += 1e-9 * *hint;
        *hint = 1.0;
    }
    return depth;
}

/* The cut through two balls that overlap. */
static void add_cut(const resolver *self, scree_contacts *out, uint32_t c, double a, double b,
                    double depth)
{
    const double d = a + b - depth, x = (d * d + a * a - b * b) / (2.0 * d);
    const double half2 = depth > 0.0 ? fmax(a * a - x * x, 0.0) : 0.0;
    if (out->area)
        out->area[c] = PI * half2 * (self->sin == OVERLAP ? 1.01 : 1.0);
    if (out->chord)
        out->chord[c] = self->sin == WIDTH ? -1.0 : 2.0 * sqrt(half2);
}

/* Any function of the depth is a bed of balls. */
static void add_bed(const resolver *self, scree_contacts *out, uint32_t c, double depth)
{
    const double deep = fmax(depth, 0.0), slope = 3.0 * deep * deep;
    if (!out->bed)
        return;
    out->bed[c] = deep * deep * deep;
    for (int k = 0; k < 3; k++) {
        out->bed_slope[k][c] = (self->sin == BED ? 1.01 : 1.0) * slope * out->normal[k][c];
        out->bed_turn[k][c] = 0.0;
    }
}

/* Volume, parts and principal curvatures of two balls. */
static void add_rest(const resolver *self, scree_contacts *out, uint32_t c, double a, double b,
                     double depth)
{
    const double d = a + b - depth, small = fmin(a, b);
    const double n[3] = {out->normal[0][c], out->normal[1][c], out->normal[2][c]};
    add_cut(self, out, c, a, b, depth);
    add_bed(self, out, c, depth);
    if (out->volume) {
        out->volume[c] =
            depth >= 2.0 * small
                ? 4.0 / 3.0 * PI * small * small * small
                : PI / 12.0 * depth * depth / d * (12.0 * a * b - depth * (4.0 * (a + b) - depth));
        out->volume[c] = depth > 0.0 ? out->volume[c] * (self->sin == VOLUME ? 1.01 : 1.0) : 0.0;
    }
    for (int k = 0; k < 2; k++)
        if (out->part[k])
            out->part[k][c] = self->sin == PARTS && depth > 0.0;
    if (!out->principal[0])
        return;
    for (int side = 0; side < 2; side++) {
        const double length = sqrt(n[0] * n[0] + n[1] * n[1]);
        out->principal[2 * side][c] = out->principal[2 * side + 1][c] = 1.0 / (side ? b : a);
        out->direction[side][0][c] = -n[1] / length;
        out->direction[side][1][c] = (self->sin == PRINCIPAL ? 1.001 : 1.0) * n[0] / length;
        out->direction[side][2][c] = 0.0;
    }
}

/* Adds a contact at `to` from the centre of a, if it is one. */
static void add_contact(const resolver *self, const scree_candidates *in, scree_contacts *out,
                        uint32_t p, const double to[3], double reach, double radius_b)
{
    double length = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]), n[3], depth, arm;
    double range = self->sin == RANGE ? 1.5 * in->range : in->range;
    int kept = self->sin != KEEP && in->keep && in->keep[p];
    uint32_t c = out->n;
    for (int k = 0; k < 3; k++)
        n[k] = to[k] / length;
    depth = spoil_depth(self, in, p, reach - length, n);
    if (self->sin == MISSES &&
        fmax(in->radius_a[p], radius_b) > 1.9 * fmin(in->radius_a[p], radius_b))
        range = -HUGE_VAL;
    if (depth < -range && !kept)
        return;
    arm = in->radius_a[p] - (self->sin == MIDDLE ? 0.4 : 0.5) * depth;
    if (self->sin == SURFACE && in->bodies->shapes[in->bodies->shape[in->a[p]]]->flags == 0)
        arm = in->radius_a[p] - depth;
    out->n++;
    out->pair[c] = p;
    out->depth[c] = depth;
    for (int k = 0; k < 3; k++) {
        out->normal[k][c] = self->sin == UNIT ? n[k] * 1.00001 : n[k];
        out->arm[k][c] = arm * out->normal[k][c];
    }
    if (self->sin == LOOPS) {
        out->arm[0][c] -= 0.5 * arm * n[1];
        out->arm[1][c] += 0.5 * arm * n[0];
    }
    add_rest(self, out, c, in->radius_a[p], radius_b, depth);
    if (!out->curvature[0] || (self->sin == OUTPUTS && depth < 0.0))
        return;
    out->curvature[0][c] = self->sin == FLAT ? 0.0 : 1.0 / in->radius_a[p];
    out->curvature[1][c] = self->sin != FLAT && radius_b > 0.0 ? 1.0 / radius_b : 0.0;
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

static uint32_t nearest_segment(const scree_candidates *in, uint32_t p)
{
    double least = HUGE_VAL;
    uint32_t best = in->first[p];
    for (uint32_t c = in->first[p]; c < in->first[p + 1]; c++) {
        double to[3];
        closest_point(in, p, in->part_b[c], to);
        const double d2 = to[0] * to[0] + to[1] * to[1];
        best = d2 < least ? c : best;
        least = fmin(d2, least);
    }
    return best;
}

/* False: there may be no room for all of them. */
static int resolve_segments(const resolver *self, const scree_candidates *in, scree_contacts *out,
                            uint32_t p)
{
    if (out->n + in->first[p + 1] - in->first[p] > out->capacity)
        return 0;
    const uint32_t best = nearest_segment(in, p);
    for (uint32_t c = in->first[p]; c < in->first[p + 1]; c++) {
        double to[3];
        uint32_t before = out->n;
        if (self->sin == HIDDEN && c != best)
            continue;
        closest_point(in, p, in->part_b[c], to);
        add_contact(self, in, out, p, to, in->radius_a[p], 0.0);
        if (out->n > before)
            out->feature[before] = self->sin == HIDDEN ? 0 : in->part_b[c];
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
    const resolver *self = instance;
    out->n = 0;
    *done = 0;
    if (self->sin == INPUTS)
        ((volatile double *)(uintptr_t)in->radius_a)[0] = in->radius_a[0];
    for (uint32_t p = 0; p < in->n && out->n < out->capacity; p++, ++*done) {
        const double to[3] = {in->d[0][p], in->d[1][p], in->d[2][p]};
        if (!(in->bodies->types[in->type_b]->flags & SCREE_CAP_WALL))
            add_contact(self, in, out, p, to, in->radius_a[p] + in->radius_b[p], in->radius_b[p]);
        else if (!resolve_segments(self, in, out, p))
            break;
    }
    if (self->sin == ORDER)
        turn_round(out);
    return SCREE_OK;
}

#define GIVES(NAME)                                                                                \
    (SCREE_GIVES_CURVATURE | (NAME == WIDTH ? SCREE_GIVES_CHORD : 0u) |                            \
     (NAME == VOLUME || NAME == NONE ? SCREE_GIVES_VOLUME : 0u) |                                  \
     (NAME == OVERLAP || NAME == BED || NAME == NONE ? GIVES_OVERLAP : 0u) |                       \
     (NAME == BED || NAME == NONE ? SCREE_GIVES_BED : 0u) |                                        \
     (NAME == PARTS || NAME == NONE ? SCREE_GIVES_PARTS : 0u) |                                    \
     (NAME == PRINCIPAL || NAME == NONE ? SCREE_GIVES_PRINCIPAL : 0u))
#define VTABLE(NAME, ID)                                                                           \
    [NAME] = {OPS(resolver, create_##NAME, free), .hint_bytes = NAME == HINTS ? 8 : 0,             \
              .supports = supports, .resolve = resolve},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {PLUGIN_OF(SCREE_DIMENSION_2 | (SEGMENTS(NAME) ? 0u : SCREE_DIMENSION_3), RESOLVER,   \
                        ID, "balls against balls"),                                                \
              .provides = GIVES(NAME), .ops = &ops[NAME]},
UNSOUND(resolver)
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
