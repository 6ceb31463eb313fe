// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: darkens hollows between bodies, where light from all around hardly gets.
/*
 * Source: B. J. Loos, P.-P. Sloan, Volumetric obscurance, I3D 2010: occlusion only from the
 * depths of the picture, by pairs of samples.
 *
 * Each pixel is compared with pairs of opposite neighbours, within a little more than the mean
 * radius of the bodies. If the mean depth of a pair is nearer to the eye than the pixel, the pixel
 * is in a hollow; on any plane the mean is the pixel's own depth. Pairs with the background, or
 * with things far in front or behind, count little or nothing, because an edge is not a hollow.
 * Walls are not darkened: a body in front of a wall would have a dark smear next to it.
 */
#include "image.h"

#define PAIRS 20
#define STRENGTH 3.0f
#define SHALLOW 0.1f             // [radii] smaller depths are not hollows but folds of a wall
#define DARKEST 0.40f            /* share of its light that a hollow keeps at least */
#define RANGE 3.0f               /* [radii] things further apart are different */
#define GOLDEN 2.399963229728653 /* [rad] spreads directions evenly */

typedef struct hollows {
    image *self;
    int32_t dx[PAIRS], dy[PAIRS]; // [px]
    int32_t width, height;
    float radius; // [m]
} hollows;

static uint32_t darken(uint32_t pixel, float share)
{
    uint32_t out = pixel & 0xff000000u;
    for (uint32_t shift = 0; shift < 24; shift += 8)
        out |= (uint32_t)((float)(pixel >> shift & 255) * share + 0.5f) << shift;
    return out;
}

/* Weight of a neighbour: 1 at the same depth, 0 at a difference of `range` or more. */
static inline float closeness(float difference, float range)
{
    float share = 1.0f - fabsf(difference) / range;
    return share > 0.0f ? share : 0.0f;
}

/* Adds the light that a pair of neighbours takes from n pixels of a row. */
static void add_pair(uint32_t n, float radius, const float *restrict depth,
                     const float *restrict one, const float *restrict other, float *restrict sum)
{
    const float range = RANGE * radius, shallow = SHALLOW * radius;
    for (uint32_t i = 0; i < n; i++) {
        float here = depth[i] < HUGE_VALF ? depth[i] : 0.0f; // the background is not darkened
        float a = here - one[i], b = here - other[i];
        float nearer = 0.5f * (a + b) - shallow;
        nearer = nearer > 0.0f ? nearer : 0.0f;
        sum[i] += closeness(a, range) * closeness(b, range) * (nearer < radius ? nearer : radius);
    }
}

static int32_t darken_rows(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const hollows *h = user;
    const scree_host *host = h->self->host;
    float *sum = host->scratch(host->ctx, lane, (uint64_t)h->width * sizeof *sum);
    if (!sum)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a row of the picture");
    for (int32_t y = (int32_t)begin; y < (int32_t)end; y++) {
        const int64_t row = (int64_t)y * h->width;
        const float *depth = h->self->depth + row;
        memset(sum, 0, (size_t)h->width * sizeof *sum);
        for (int k = 0; k < PAIRS; k++) {
            const int32_t dx = h->dx[k], dy = h->dy[k], first = abs(dx);
            const int64_t to = (int64_t)dy * h->width + dx;
            if (y - abs(dy) < 0 || y + abs(dy) >= h->height || 2 * first >= h->width)
                continue;
            add_pair((uint32_t)(h->width - 2 * first), h->radius, depth + first, depth + first + to,
                     depth + first - to, sum + first);
        }
        for (int32_t x = 0; x < h->width; x++) {
            float share = 1.0f - STRENGTH * sum[x] / (PAIRS * h->radius);
            share = share > DARKEST ? share : DARKEST;
            if (!h->self->is_wall[row + x] && depth[x] < HUGE_VALF)
                h->self->pixels[row + x] = darken(h->self->pixels[row + x], share);
        }
    }
    return SCREE_OK;
}

int32_t soften(image *self)
{
    const scree_host *host = self->host;
    const drawing *d = &self->drawing;
    hollows h = {.self = self,
                 .width = (int32_t)self->config->width,
                 .height = (int32_t)self->config->height,
                 .radius = (float)d->softness};
    double most = 0.04 * (h.width < h.height ? h.width : h.height), reach = 1.3 * d->reach;
    if (!self->config->hollows || host->dimension == 2 || !(h.radius > 0.0f))
        return SCREE_OK;
    reach = reach < most ? reach > 2.0 ? reach : 2.0 : most;
    for (int k = 0; k < PAIRS; k++) {
        double r = reach * sqrt((k + 0.5) / PAIRS);
        h.dx[k] = (int32_t)lround(r * cos(k * GOLDEN));
        h.dy[k] = (int32_t)lround(r * sin(k * GOLDEN));
    }
    return host->parallel_for(host->ctx, 0, (uint64_t)h.height, 16, darken_rows, &h);
}
