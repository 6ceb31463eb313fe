// SPDX-License-Identifier: Apache-2.0
/*
 * planes: solids against planes, which are solid behind their normal.
 *
 * Idea     the height of a sample over the plane is exact; those below it are touches.
 * Feature  2 sample.
 */
#include "sdf.h"

/* The plane in the frame of the solid: height of x is normal · x - level, at scale 1. */
typedef struct plane {
    scree_vec normal, world; // [-] normal out of the plane's solid: body axes, world axes
    double level, scale;     // [m] [-]
    solid_matrix turn;
} plane;

static plane plane_of(const scree_candidates *in, uint32_t p)
{
    const scree_bodies *bodies = in->bodies;
    const uint32_t b = in->b[p];
    const double *n = bodies->shapes[bodies->shape[b]]->normal;
    const solid_matrix turn = solid_turn_of(bodies, b);
    plane out = {.scale = bodies->scale[in->a[p]]};
    out.turn = solid_turn_of(bodies, in->a[p]);
    out.world = solid_mul(&turn, scree_vec_of(n[0], n[1], n[2]));
    out.normal = solid_mul_back(&out.turn, out.world);
    out.level = scree_dot(out.world, scree_vec_at(in->d, p)) / out.scale;
    return out;
}

static solid_touch touch_of(const plane *b, const sdf_shape *a, uint32_t i)
{
    const double height = scree_dot(b->normal, a->sample[i]) - b->level;
    const scree_vec middle = scree_less(a->sample[i], 0.5 * height, b->normal);
    return (solid_touch){.depth = -height * b->scale,
                         .normal = scree_scaled(-1.0, b->world),
                         .at = solid_mul(&b->turn, scree_scaled(b->scale, middle)),
                         .feature = 2ull * i};
}

static uint32_t collect(const plane *b, const sdf_shape *a, solid_touch *touches)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < a->n_buckets; k++) {
        const sdf_bucket *of = &a->bucket[k];
        if (scree_dot(b->normal, of->centre) - b->level > of->radius)
            continue;
        for (uint32_t i = of->first; i < of->first + of->n; i++) {
            const double height = scree_dot(b->normal, a->sample[i]) - b->level;
            if (height <= 0.0 && sdf_faces(a, i, b->normal))
                touches[n++] = touch_of(b, a, i);
        }
    }
    return n;
}

static solid_touch lowest_of(const plane *b, const sdf_shape *a)
{
    double least = HUGE_VAL;
    uint32_t at = 0;
    for (uint32_t k = 0; k < a->n_buckets; k++) {
        const sdf_bucket *of = &a->bucket[k];
        if (scree_dot(b->normal, of->centre) - b->level - of->radius > least)
            continue;
        for (uint32_t i = of->first; i < of->first + of->n; i++) {
            const double height = scree_dot(b->normal, a->sample[i]) - b->level;
            at = height < least ? i : at;
            least = scree_min(height, least);
        }
    }
    return touch_of(b, a, at);
}

static uint32_t touches_of(const sdf_resolver *self, const scree_candidates *in, uint32_t p,
                           solid_touch *touches)
{
    const sdf_shape *a = sdf_shape_of(self, in->bodies, in->a[p]);
    const plane b = plane_of(in, p);
    const double reach = -b.level * b.scale - in->radius_a[p]; // least possible height
    if (reach > in->range && !sdf_keeps(in, p))
        return 0;
    const uint32_t n = self->overlap ? 0 : collect(&b, a, touches);
    if (n > 0)
        return solid_reduce(touches, n, self->most, 1.5 * a->spacing * b.scale);
    if (!(in->range > 0.0) && !sdf_keeps(in, p))
        return 0;
    touches[0] = lowest_of(&b, a);
    return touches[0].depth >= -in->range || sdf_keeps(in, p);
}

int32_t sdf_resolve_planes(const sdf_resolver *self, const scree_candidates *in,
                           scree_contacts *out, uint32_t *done)
{
    uint64_t most = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        const uint64_t n = sdf_shape_of(self, in->bodies, in->a[p])->n_samples;
        most = n > most ? n : most;
    }
    solid_touch *touches =
        self->host->scratch(self->host->ctx, in->lane, (most + 1) * sizeof *touches);
    if (!touches)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a plane");
    out->n = *done = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        solid_overlap overlap;
        const int has_volume = self->overlap && sdf_volume_of_plane(self, in, p, &overlap);
        const uint32_t n = has_volume ? 1 : touches_of(self, in, p, touches);
        if (n > out->capacity - out->n) {
            out->n = *done > 0 ? out->n : n;
            return SCREE_OK;
        }
        if (has_volume)
            solid_put_overlap(out, p, &overlap);
        else if (self->overlap && n > 0)
            solid_put_gap(out, p, touches);
        else
            solid_put(out, p, touches, n);
        *done = p + 1;
    }
    return SCREE_OK;
}
