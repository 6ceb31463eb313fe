/* SPDX-License-Identifier: Apache-2.0 */
/* A pair field: discs are taken as the squares inscribed in them; the closest features of a pair
 * (edge 0-3 of a or 4-7 of b, vertex of the other) are state: an edge stays until another is
 * clearly better. */
#include "probe.h"

typedef struct square {
    double c, s, half; /* cosine and sine of its angle, half its side */
} square;

static square square_of(const scree_bodies *bodies, uint32_t i)
{
    double w = bodies->q[0][i], z = bodies->q[3][i];
    return (square){w * w - z * z, 2.0 * w * z, bodies->radius[i] * sqrt(0.5)};
}

/** Gap between an edge of one square and the lowest vertex, `at`, of the other, whose centre is at
 * d. */
static double edge_gap(const square *one, const square *other, const double d[2], uint32_t edge,
                       double n[2], double at[2], uint32_t *vertex)
{
    static const double axis[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    n[0] = one->c * axis[edge][0] - one->s * axis[edge][1];
    n[1] = one->s * axis[edge][0] + one->c * axis[edge][1];
    double x = n[0] * other->c + n[1] * other->s > 0.0 ? -other->half : other->half;
    double y = n[1] * other->c - n[0] * other->s > 0.0 ? -other->half : other->half;
    *vertex = (x > 0.0) + 2u * (y > 0.0);
    at[0] = d[0] + other->c * x - other->s * y;
    at[1] = d[1] + other->s * x + other->c * y;
    return n[0] * at[0] + n[1] * at[1] - one->half;
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    *done = in->n < out->capacity ? in->n : out->capacity;
    for (uint32_t p = 0; p < *done; p++) {
        square both[2] = {square_of(in->bodies, in->a[p]), square_of(in->bodies, in->b[p])};
        double d[2][2] = {{in->d[0][p], in->d[1][p]}, {-in->d[0][p], -in->d[1][p]}};
        double gap[8], n[8][2], at[8][2], tracked = in->in[0][p];
        uint32_t vertex[8], best = 0;
        for (uint32_t e = 0; e < 8; e++) {
            uint32_t of = e / 4;
            gap[e] = edge_gap(&both[of], &both[1 - of], d[of], e % 4, n[e], at[e], &vertex[e]);
            best = gap[e] > gap[best] ? e : best;
        }
        if (tracked >= 0.0 && gap[(int)tracked] >= gap[best] - 0.05 * in->radius_a[p])
            best = (uint32_t)tracked;
        in->out[0][p] = best;
        in->out[1][p] = vertex[best];
        in->out[2][p] = in->in[2][p] + (tracked < 0.0 ? 2.0 : 1.0); // evaluations since they met
        if (gap[best] > in->range)
            continue;
        out->pair[out->n] = p;
        out->depth[out->n] = -gap[best];
        for (int k = 0; k < 2; k++) {
            out->normal[k][out->n] = best < 4 ? n[best][k] : -n[best][k];
            out->arm[k][out->n] =
                at[best][k] - 0.5 * gap[best] * n[best][k] + (best < 4 ? 0.0 : d[0][k]);
        }
        out->normal[2][out->n] = out->arm[2][out->n] = 0.0;
        out->n++;
    }
    return SCREE_OK;
}

PROBE_FIELD(features, PAIR, 3, -1.0);
PROBE_RESOLVER("squares", "disc", "disc", SCREE_SUPPORTS_ONE, PLUGIN_FIELDS(fields));
