/* SPDX-License-Identifier: Apache-2.0 */
/* A patch reduction: one contact of a sphere per connected flat patch (of at most 64 facets). */
#include "probe.h"

/** Lowest facet that is connected with f through flat edges. */
static uint64_t patch_of(const scree_shape *shape, uint32_t f)
{
    uint64_t seen = 1ull << f, before = 0;
    while (seen != before) {
        before = seen;
        for (uint32_t e = 0; e < 4 * shape->mesh->n_facets; e++)
            if ((seen >> e / 4 & 1) && shape->mesh->edge[e] == SCREE_EDGE_FLAT)
                seen |= 1ull << shape->mesh->neighbour[e];
    }
    return (uint64_t)__builtin_ctzll(seen);
}

/** `to`: from p to the closest point of facet f, in body axes; returns the distance. */
static double closest(const scree_shape *shape, uint32_t f, const double p[3], double to[3])
{
    double v[4][3], side[4][3], n[3], best = HUGE_VAL, inside = 1.0;
    uint32_t corners = shape->mesh->facet[4 * f + 3] == SCREE_NONE ? 3 : 4;
    for (uint32_t e = 0; e < corners; e++)
        for (int k = 0; k < 3; k++) {
            v[e][k] = shape->mesh->vertex[k][shape->mesh->facet[4 * f + e]];
            side[e][k] =
                shape->mesh->vertex[k][shape->mesh->facet[4 * f + (e + 1) % corners]] - v[e][k];
        }
    cross3(side[0], side[1], n);
    for (uint32_t e = 0; e < corners; e++) {
        double from[3] = {p[0] - v[e][0], p[1] - v[e][1], p[2] - v[e][2]}, out[3], at[3];
        double t = fmin(fmax(dot3(from, side[e]) / dot3(side[e], side[e]), 0.0), 1.0);
        cross3(side[e], n, out);
        inside = dot3(from, out) > 0.0 ? 0.0 : inside;
        for (int k = 0; k < 3; k++)
            at[k] = t * side[e][k] - from[k];
        if (dot3(at, at) < best) {
            best = dot3(at, at);
            memcpy(to, at, sizeof at);
        }
    }
    double down = (dot3(v[0], n) - dot3(p, n)) / dot3(n, n);
    if (inside > 0.0)
        for (int k = 0; k < 3; k++)
            to[k] = down * n[k];
    return sqrt(dot3(to, to));
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    for (*done = 0; *done < in->n; ++*done) {
        uint32_t p = *done, b = in->b[p];
        const scree_shape *shape = in->bodies->shapes[in->bodies->shape[b]];
        double d[3] = {-in->d[0][p], -in->d[1][p], -in->d[2][p]}, centre[3], to[3];
        if (out->n + shape->mesh->n_facets > out->capacity)
            return SCREE_OK;
        turn3(in->bodies, b, -1.0, d, centre);
        for (uint32_t f = 0; f < shape->mesh->n_facets; f++) {
            double reach = in->keep && in->keep[p] ? HUGE_VAL : in->radius_a[p] + in->range;
            double best[3] = {0.0}, n[3], gap = HUGE_VAL;
            for (uint32_t k = in->first[p]; k < in->first[p + 1] && patch_of(shape, f) == f; k++) {
                uint32_t part = in->part_b[k];
                double far = patch_of(shape, part) == f ? closest(shape, part, centre, to) : gap;
                if (far <= reach && far < gap) {
                    gap = far;
                    memcpy(best, to, sizeof to);
                }
            }
            if (gap == HUGE_VAL)
                continue;
            turn3(in->bodies, b, 1.0, best, n);
            out->pair[out->n] = p;
            out->feature[out->n] = f;
            out->depth[out->n] = in->radius_a[p] - gap;
            for (int a = 0; a < 3; a++) {
                out->normal[a][out->n] = n[a] / gap;
                out->arm[a][out->n] = n[a] / gap * 0.5 * (in->radius_a[p] + gap);
            }
            out->n++;
        }
    }
    return SCREE_OK;
}

PROBE_RESOLVER("patch", "sphere", "mesh", SCREE_SUPPORTS_MANY, .flags = 0);
