// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: darkens hollows between bodies, where light from all around hardly gets.
/*
 * Source: B. J. Loos, P.-P. Sloan, Volumetric obscurance, I3D 2010: occlusion only from the
 * depths of the picture, by pairs of samples.
 *
 * Around each pixel pairs of opposite neighbours are looked at, within a little more than the mean
 * radius of the bodies. Where their mean is nearer to the eye than the pixel it lies in a hollow;
 * on a plane, however tilted, it is the pixel's own depth. Pairs with the background, or with
 * something far in front or behind, say little or nothing: an edge is not a hollow.
 */
#include "image.h"

#define PAIRS 20
#define STRENGTH 3.0f
#define SHALLOW 0.1f             // [radii] less is not a hollow: the folds of a wall
#define DARKEST 0.40f            /* share of its light that a hollow keeps at least */
#define RANGE 3.0f               /* [radii] further apart than this is another thing */
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

/* 1 at the same depth, 0 from a range on. */
static float closeness(float difference, float range)
{
    float share = 1.0f - fabsf(difference) / range;
    return share > 0.0f ? share : 0.0f;
}

/* How much light a pixel gets from around, by what surrounds it. */
static float light_around(const hollows *h, int32_t x, int32_t y)
{
    const float *depth = h->self->depth;
    float here = depth[(int64_t)y * h->width + x], sum = 0.0f, range = RANGE * h->radius;
    for (int k = 0; k < PAIRS; k++) {
        int32_t dx = h->dx[k], dy = h->dy[k];
        if (x - abs(dx) < 0 || x + abs(dx) >= h->width || y - abs(dy) < 0 ||
            y + abs(dy) >= h->height)
            continue;
        float a = here - depth[(int64_t)(y + dy) * h->width + x + dx];
        float b = here - depth[(int64_t)(y - dy) * h->width + x - dx];
        float nearer = 0.5f * (a + b) - SHALLOW * h->radius;
        float same = closeness(a, range) * closeness(b, range);
        sum += nearer > 0.0f ? same * (nearer < h->radius ? nearer : h->radius) : 0.0f;
    }
    float share = 1.0f - STRENGTH * sum / (PAIRS * h->radius);
    return share > DARKEST ? share : DARKEST;
}

static int32_t darken_rows(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const hollows *h = user;
    (void)lane;
    for (uint64_t y = begin; y < end; y++)
        for (int32_t x = 0; x < h->width; x++) {
            uint64_t at = y * (uint64_t)h->width + (uint64_t)x;
            if (h->self->depth[at] < HUGE_VALF)
                h->self->pixels[at] = darken(h->self->pixels[at], light_around(h, x, (int32_t)y));
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
