// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: darkens hollows between bodies, where light from all around hardly gets.
/*
 * Source: T. Luft, C. Colditz, O. Deussen, Image enhancement by unsharp masking the depth buffer,
 * ACM Transactions on Graphics 25 (2006) 1206.
 *
 * Where a pixel lies deeper than the mean of its surroundings it is darkened, by how much deeper,
 * counted in radii of the bodies. The mean is that of two box filters, whose running sums take the
 * same time for any width; the background counts neither here nor there.
 */
#include "image.h"

#define DARKEST 0.50f /* a hollow keeps this share of its light, or more */
#define STRIP 32u     /* columns at a time */

/* One pass of a filter over the picture. */
typedef struct pass {
    image *self;
    double base; // [m] depths are counted from here: small numbers
    uint32_t width, height, radius;
} pass;

/* Means of `in` over 2 radius + 1 places of a row; weight: how many of them count. */
static void filter_row(uint32_t n, uint32_t radius, uint32_t stride, const float *in,
                       const float *weight, float *out, float *out_weight)
{
    double sum = 0.0, count = 0.0;
    for (uint32_t i = 0; i < n + radius; i++) {
        if (i < n) {
            sum += (double)in[(uint64_t)i * stride];
            count += (double)weight[(uint64_t)i * stride];
        }
        if (i > 2 * radius) {
            uint64_t gone = (uint64_t)(i - 2 * radius - 1) * stride;
            sum -= (double)in[gone];
            count -= (double)weight[gone];
        }
        if (i >= radius) {
            uint64_t at = (uint64_t)(i - radius) * stride;
            out[at] = (float)(sum / (2.0 * radius + 1.0));
            out_weight[at] = (float)(count / (2.0 * radius + 1.0));
        }
    }
}

/* Rows: depth into the two last quarters of the work memory. */
static int32_t filter_rows(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const pass *p = user;
    uint64_t size = (uint64_t)p->width * p->height;
    float *value = p->self->work, *weight = value + size;
    (void)lane;
    for (uint64_t row = begin; row < end; row++) {
        uint64_t at = row * p->width;
        for (uint32_t i = 0; i < p->width; i++) {
            float depth = p->self->depth[at + i];
            int there = depth < HUGE_VALF;
            value[at + i] = there ? depth - (float)p->base : 0.0f;
            weight[at + i] = there ? 1.0f : 0.0f;
        }
        filter_row(p->width, p->radius, 1, value + at, weight + at, value + 2 * size + at,
                   weight + 2 * size + at);
    }
    return SCREE_OK;
}

/* Columns: back into the two first quarters. */
static int32_t filter_columns(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const pass *p = user;
    uint64_t size = (uint64_t)p->width * p->height;
    float *value = p->self->work, *weight = value + size;
    (void)lane;
    for (uint64_t i = begin; i < end; i++)
        filter_row(p->height, p->radius, p->width, value + 2 * size + i, weight + 2 * size + i,
                   value + i, weight + i);
    return SCREE_OK;
}

static uint32_t darken(uint32_t pixel, float share)
{
    uint32_t out = pixel & 0xff000000u;
    for (uint32_t shift = 0; shift < 24; shift += 8)
        out |= (uint32_t)((float)(pixel >> shift & 255) * share + 0.5f) << shift;
    return out;
}

static int32_t darken_rows(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const pass *p = user;
    uint64_t size = (uint64_t)p->width * p->height;
    const float *value = p->self->work, *weight = value + size;
    float per = 1.0f / (float)p->self->drawing.softness;
    (void)lane;
    for (uint64_t at = begin * p->width; at < end * p->width; at++) {
        float depth = p->self->depth[at];
        if (!(depth < HUGE_VALF) || !(weight[at] > 0.0f))
            continue;
        float deeper = (depth - (float)p->base - value[at] / weight[at]) * per;
        deeper = deeper > 0.0f ? deeper < 1.5f ? deeper / 1.5f : 1.0f : 0.0f;
        p->self->pixels[at] = darken(p->self->pixels[at], 1.0f - (1.0f - DARKEST) * deeper);
    }
    return SCREE_OK;
}

int32_t soften(image *self)
{
    const scree_host *host = self->host;
    const drawing *d = &self->drawing;
    pass p = {.self = self,
              .width = (uint32_t)self->config->width,
              .height = (uint32_t)self->config->height};
    double most = 0.1 * (p.width < p.height ? p.width : p.height), reach = 1.2 * d->reach;
    if (!self->config->hollows || host->dimension == 2 || !(d->softness > 0.0))
        return SCREE_OK;
    p.radius = (uint32_t)(reach < most ? reach > 2.0 ? reach : 2.0 : most);
    p.base = d->balls[0].x[2];
    int32_t status = host->parallel_for(host->ctx, 0, p.height, 16, filter_rows, &p);
    if (status == SCREE_OK)
        status = host->parallel_for(host->ctx, 0, p.width, STRIP, filter_columns, &p);
    if (status == SCREE_OK)
        status = host->parallel_for(host->ctx, 0, p.height, 16, darken_rows, &p);
    return status;
}
