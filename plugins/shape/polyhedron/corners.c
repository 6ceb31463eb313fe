// SPDX-License-Identifier: Apache-2.0
// The corners of a convex hull: how far they reach in a direction, and which is the farthest.
#include "polyhedron.h"

enum { BLOCK = 8 };

int polyhedron_corners_new(polyhedron_corners *c, uint32_t n, const uint8_t *marked)
{
    for (uint32_t i = 0; i < n; i++)
        c->n += marked[i] != 0;
    c->padded = (c->n + BLOCK - 1) / BLOCK * BLOCK;
    c->number = malloc(c->n * sizeof *c->number);
    c->x[0] = malloc(3 * (size_t)c->padded * sizeof(double));
    if (!c->number || !c->x[0])
        return 0;
    c->x[1] = c->x[0] + c->padded;
    c->x[2] = c->x[1] + c->padded;
    for (uint32_t i = 0, at = 0; i < n; i++)
        if (marked[i])
            c->number[at++] = i;
    return 1;
}

void polyhedron_corners_clear(polyhedron_corners *c)
{
    free(c->number);
    free(c->x[0]);
    *c = (polyhedron_corners){0};
}

void polyhedron_corners_set(polyhedron_corners *c, const double *const x[3])
{
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < c->padded; i++)
            c->x[k][i] = x[k][c->number[i < c->n ? i : 0]];
}

/** Finds, for each of the 8 places of a block, the largest d · corner and the first block that has
 * it. */
static void search_blocks(uint32_t n, const double d[3], SCREE_IN3(x), SCREE_OUT most,
                          SCREE_OUT block)
{
    const double dx = d[0], dy = d[1], dz = d[2];
    for (uint32_t k = 0; k < BLOCK; k++) {
        most[k] = dx * xx[k] + dy * xy[k] + dz * xz[k];
        block[k] = 0.0;
    }
    for (uint32_t i = BLOCK; i < n; i += BLOCK) {
        const double number = i;
        for (uint32_t k = 0; k < BLOCK; k++) {
            const double at = dx * xx[i + k] + dy * xy[i + k] + dz * xz[i + k];
            block[k] = at > most[k] ? number : block[k];
            most[k] = at > most[k] ? at : most[k];
        }
    }
}

uint32_t polyhedron_farthest(const polyhedron_corners *c, const double d[3])
{
    double most[BLOCK], block[BLOCK];
    search_blocks(c->padded, d, SCREE_XYZ(c->x), most, block);
    uint32_t best = (uint32_t)block[0];
    double far = most[0];
    for (uint32_t k = 1; k < BLOCK; k++) {
        const uint32_t at = (uint32_t)block[k] + k;
        if (most[k] > far || (most[k] == far && at < best)) {
            far = most[k];
            best = at;
        }
    }
    return best < c->n ? best : 0; // copies of the first corner pad the last block
}

static void find_range(uint32_t n, const double d[3], SCREE_IN3(x), SCREE_OUT lo, SCREE_OUT hi)
{
    const double dx = d[0], dy = d[1], dz = d[2];
    for (uint32_t k = 0; k < BLOCK; k++)
        lo[k] = hi[k] = dx * xx[k] + dy * xy[k] + dz * xz[k];
    for (uint32_t i = BLOCK; i < n; i += BLOCK)
        for (uint32_t k = 0; k < BLOCK; k++) {
            const double at = dx * xx[i + k] + dy * xy[i + k] + dz * xz[i + k];
            lo[k] = at < lo[k] ? at : lo[k];
            hi[k] = at > hi[k] ? at : hi[k];
        }
}

void polyhedron_range(const polyhedron_corners *c, const double d[3], double range[2])
{
    double lo[BLOCK], hi[BLOCK];
    find_range(c->padded, d, SCREE_XYZ(c->x), lo, hi);
    range[0] = lo[0];
    range[1] = hi[0];
    for (uint32_t k = 1; k < BLOCK; k++) {
        range[0] = scree_min(lo[k], range[0]);
        range[1] = scree_max(hi[k], range[1]);
    }
}
