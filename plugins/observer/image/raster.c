// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: from balls, faces and lines to pixels.
/*
 * Idea
 *   Every pixel has samples x samples rays. For each ray the nearest hit is kept: its depth and
 * what was hit; then it is lit, translucent walls and lines before it are laid over, and the
 * samples of a pixel are averaged. Balls are hit exactly: with (u, v, 1) the ray's direction, c the
 * centre and (X, Y, 0) the ray's place at the depth of c, seen from c, the ray is at (X, Y, 0) + s
 * (u, v, 1), and |.| = r gives (1 + u^2 + v^2) s^2 + 2 (X u + Y v) s + X^2 + Y^2 - r^2 = 0, whose
 * terms are small numbers about the centre, so that single precision does; in orthographic
 *   projection u = v = 0. At last hollows between bodies are darkened: where a pixel lies deeper
 * than the mean of its surroundings (T. Luft, C. Colditz, O. Deussen, ACM Trans. Graph. 25 (2006)
 * 1206).
 *
 *   The picture is made in bands of 8 rows of pixels, each by one lane in memory of its own, with
 *   the balls that touch it from near to far; the order of lanes does not change the result.
 *
 * Cost: time with the samples covered, bodies hidden behind others included, and n log n for their
 * order; memory 9 bytes per pixel, 24 per sample of a band.
 */
#include "raster.h"

#include "light.h"

typedef struct rank {
    double front;
    uint32_t ball, body;
} rank;

static int compare_ranks(const void *pa, const void *pb)
{
    const rank *a = pa, *b = pb;
    if (a->front != b->front)
        return a->front < b->front ? -1 : 1;
    return a->body < b->body ? -1 : a->body > b->body;
}

/* First and last band of a ball. */
static void bands_of(const raster_job *job, const image_ball *ball, uint32_t *first, uint32_t *last)
{
    double top = ball->lo[1] > 0.0 ? ball->lo[1] : 0.0;
    double most = job->height - 1.0, bottom = ball->hi[1] < most ? ball->hi[1] : most;
    *first = (uint32_t)top / BAND;
    *last = (uint32_t)bottom / BAND;
}

/* Sorts balls from near to far, into the bands that they touch. */
static int32_t sort_balls(raster_job *job)
{
    const drawing *d = &job->self->drawing;
    const scree_host *host = job->self->host;
    uint32_t n = (uint32_t)d->n_balls, first, last;
    uint64_t total = 0;
    rank *ranks = malloc((n + (size_t)1) * sizeof *ranks);
    job->first = calloc(job->n_bands + (size_t)2, sizeof *job->first);
    if (!ranks || !job->first) {
        free(ranks);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory to sort bodies");
    }
    for (uint32_t k = 0; k < n; k++) {
        ranks[k] = (rank){d->balls[k].front, k, d->balls[k].body};
        bands_of(job, &d->balls[k], &first, &last);
        for (uint32_t b = first; b <= last; b++)
            job->first[b + 2]++;
        total += last - first + 1;
    }
    qsort(ranks, n, sizeof *ranks, compare_ranks);
    job->list = total <= UINT32_MAX ? malloc((total + 1) * sizeof *job->list) : NULL;
    if (!job->list) {
        free(ranks);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory to sort bodies");
    }
    for (uint32_t b = 0; b < job->n_bands; b++)
        job->first[b + 2] += job->first[b + 1];
    for (uint32_t k = 0; k < n; k++) {
        bands_of(job, &d->balls[ranks[k].ball], &first, &last);
        for (uint32_t b = first; b <= last; b++)
            job->list[job->first[b + 1]++] = ranks[k].ball;
    }
    free(ranks);
    return SCREE_OK;
}

/* Tests a row of samples against a ball: (x, y) is the ray's place seen from the centre. */
static void hit_ball(uint32_t n, float x0, float dx, float y, float u0, float du, float v, float r2,
                     float z, uint32_t number, float *restrict depth, uint32_t *restrict who)
{
    for (uint32_t i = 0; i < n; i++) {
        float step = (float)(int32_t)i, x = x0 + step * dx, u = u0 + step * du;
        float a = 1.0f + u * u + v * v, b = x * u + y * v;
        float under = b * b - a * (x * x + y * y - r2);
        float t = z - (b + sqrtf(under > 0.0f ? under : 0.0f)) / a;
        int hit = (under > 0.0f) & (t < depth[i]);
        depth[i] = hit ? t : depth[i];
        who[i] = hit ? number : who[i];
    }
}

static void hit_disc(uint32_t n, float x0, float dx, float y, float r2, float z, uint32_t number,
                     float *restrict depth, uint32_t *restrict who)
{
    for (uint32_t i = 0; i < n; i++) {
        float x = x0 + (float)(int32_t)i * dx;
        int hit = (x * x + y * y < r2) & (z < depth[i]);
        depth[i] = hit ? z : depth[i];
        who[i] = hit ? number : who[i];
    }
}

/* The same for a ball that the section plane goes through: its own surface is seen, or the
 * plane's. */
static void hit_cut_ball(const drawing *d, const camera *c, uint32_t n, const double ray[3],
                         double step, const image_ball *ball, uint32_t number, float *depth,
                         uint32_t *who)
{
    for (uint32_t i = 0; i < n; i++) {
        double from[3] = {0.0, 0.0, 0.0}, dir[3] = {0.0, 0.0, 1.0}, to[3];
        (c->flat ? from : dir)[0] = ray[0] + i * step;
        (c->flat ? from : dir)[1] = ray[1];
        for (int k = 0; k < 3; k++)
            to[k] = from[k] - ball->x[k];
        double a = dot(dir, dir), b = dot(dir, to),
               root = b * b - a * (dot(to, to) - ball->r * ball->r);
        if (root <= 0.0)
            continue;
        root = sqrt(root);
        double t = (-b - root) / a, end = (-b + root) / a;
        double at = dot(d->section, from) - d->section_at, slope = dot(d->section, dir);
        uint32_t mark = number;
        if (at + slope * t > 0.0) { // the ray enters the part that is cut away
            t = slope < 0.0 ? -at / slope : end;
            mark |= CAP;
        }
        if (t < end && (float)t < depth[i]) {
            depth[i] = (float)t;
            who[i] = mark;
        }
    }
}

static void draw_ball(const raster_band *band, uint32_t number)
{
    const drawing *d = &band->job->self->drawing;
    const camera *c = &band->job->self->camera;
    const image_ball *ball = &d->balls[number];
    double s = band->job->samples, per = 1.0 / (s * c->focal); // size of a sample at depth 1
    if (ball->solid != NO_SOLID) {
        draw_solid(band, number);
        return;
    }
    uint32_t left = clamp(floor(ball->lo[0] * s), band->width);
    uint32_t right = clamp(ceil(ball->hi[0] * s), band->width);
    double z = ball->x[2], deep = c->flat ? 1.0 : z;
    double u0 = ((left + 0.5) / s - c->centre[0]) / c->focal;
    for (uint32_t row = 0; row < band->rows; row++) {
        double py = (band->first + row + 0.5) / s, v = (py - c->centre[1]) / c->focal;
        float x = (float)(u0 * deep - ball->x[0]), y = (float)(v * deep - ball->x[1]);
        float dx = (float)(per * deep), r2 = (float)(ball->r * ball->r);
        uint64_t at = (uint64_t)row * band->width + left;
        if (py < ball->lo[1] || py > ball->hi[1])
            continue;
        if (ball->kind != BALL_SPHERE)
            hit_disc(right - left, x, dx, y, r2, (float)z, number, band->seen.depth + at,
                     band->seen.who + at);
        else if (ball->cut)
            hit_cut_ball(d, c, right - left, (double[3]){u0, v, 0.0}, per, ball, number,
                         band->seen.depth + at, band->seen.who + at);
        else
            hit_ball(right - left, x, dx, y, c->flat ? 0.0f : (float)u0,
                     c->flat ? 0.0f : (float)per, c->flat ? 0.0f : (float)v, r2, (float)z, number,
                     band->seen.depth + at, band->seen.who + at);
    }
}

static void blend(float colour[4], const rgb *over, float alpha)
{
    for (int k = 0; k < 3; k++)
        colour[k] += alpha * (over->c[k] - colour[k]);
    colour[3] += alpha * (1.0f - colour[3]);
}

/* An opaque face hides the things behind it; a translucent one is laid over them. */
static void draw_face(const raster_band *band, const face *f, uint32_t number)
{
    const camera *c = &band->job->self->camera;
    double s = band->job->samples, lo = HUGE_VAL, hi = -HUGE_VAL;
    for (uint32_t k = 0; k < f->n; k++) {
        lo = fmin(lo, f->px[k][1]);
        hi = fmax(hi, f->px[k][1]);
    }
    for (uint32_t row = clamp(floor(lo * s) - band->first, band->rows); row < band->rows; row++) {
        double y = (band->first + row + 0.5) / s, v = (y - c->centre[1]) / c->focal;
        uint32_t from, to;
        if (y > hi)
            break;
        if (!span_of(&f->px[0][0], f->n, y, s, band->width, &from, &to))
            continue;
        for (uint32_t i = from; i < to; i++) {
            uint64_t at = (uint64_t)row * band->width + i;
            double u = ((i + 0.5) / s - c->centre[0]) / c->focal;
            double across = f->normal[0] * u + f->normal[1] * v;
            float t = (float)(c->flat ? (f->offset - across) / f->normal[2]
                                      : f->offset / (across + f->normal[2]));
            if (!(t < band->seen.depth[at]))
                continue;
            if (f->alpha < 1.0f) {
                blend(band->colour[at], &f->colour, f->alpha);
            } else {
                band->seen.depth[at] = t;
                band->seen.who[at] = FACE | number;
            }
        }
    }
}

/* A line is a thin rectangle on the picture; its depth is that of the line below each sample. */
static void draw_stroke(const raster_band *band, const stroke *l)
{
    const camera *c = &band->job->self->camera;
    double s = band->job->samples, bias = band->job->self->drawing.bias;
    double d[2] = {l->px[1][0] - l->px[0][0], l->px[1][1] - l->px[0][1]};
    double length = sqrt(d[0] * d[0] + d[1] * d[1]), side[2], px[4][2], lo = HUGE_VAL, hi = -lo;
    if (!(length > 0.0))
        return;
    side[0] = -0.5 * l->width / length * d[1];
    side[1] = 0.5 * l->width / length * d[0];
    for (int k = 0; k < 2; k++) {
        px[0][k] = l->px[0][k] + side[k];
        px[1][k] = l->px[1][k] + side[k];
        px[2][k] = l->px[1][k] - side[k];
        px[3][k] = l->px[0][k] - side[k];
    }
    for (int k = 0; k < 4; k++) {
        lo = fmin(lo, px[k][1]);
        hi = fmax(hi, px[k][1]);
    }
    for (uint32_t row = clamp(floor(lo * s) - band->first, band->rows); row < band->rows; row++) {
        double y = (band->first + row + 0.5) / s;
        uint32_t from, to;
        if (y > hi)
            break;
        if (!span_of(&px[0][0], 4, y, s, band->width, &from, &to))
            continue;
        for (uint32_t i = from; i < to; i++) {
            uint64_t at = (uint64_t)row * band->width + i;
            double x = (i + 0.5) / s - l->px[0][0];
            double f = (x * d[0] + (y - l->px[0][1]) * d[1]) / (length * length);
            f = f > 0.0 ? f < 1.0 ? f : 1.0 : 0.0;
            double t = c->flat ? l->depth[0] + f * (l->depth[1] - l->depth[0])
                               : 1.0 / ((1.0 - f) / l->depth[0] + f / l->depth[1]);
            if ((float)(t - bias) < band->seen.depth[at])
                blend(band->colour[at], &l->colour, l->alpha);
        }
    }
}

/* Colour of a disc with a rim, and a hand that turns with it. */
static rgb light_disc(const image_ball *ball, float x, float y)
{
    rgb colour = ball->colour;
    float r = (float)ball->r, m[2] = {(float)ball->mark[0], (float)ball->mark[1]};
    float out = sqrtf(x * x + y * y) / r, on = (x * m[0] + y * m[1]) / r;
    float aside = (x * m[1] - y * m[0]) / r;
    int dark = out > 0.88f || (on > 0.0f && aside < 0.07f && aside > -0.07f);
    for (int k = 0; k < 3; k++)
        colour.c[k] *= dark ? 0.55f : 1.0f;
    return colour;
}

/* Colour of an item in 2D; `rim`: it is an outline's rim. */
static rgb light_flat(const image_ball *ball, float x, float y, uint32_t rim)
{
    rgb colour = ball->colour;
    if (ball->kind == BALL_DISC && ball->solid == NO_SOLID)
        return light_disc(ball, x, y);
    if (rim || ball->kind == BALL_RIM)
        for (int k = 0; k < 3; k++)
            colour.c[k] *= 0.55f;
    return colour;
}

/* The unit normal of a surface on the side that is seen. */
static void face_eye(const float normal[3], const float dir[3], float out[3])
{
    float length = sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    float along_sight = normal[0] * dir[0] + normal[1] * dir[1] + normal[2] * dir[2];
    float by = (along_sight > 0.0f ? -1.0f : 1.0f) / (length > 0.0f ? length : 1.0f);
    for (int k = 0; k < 3; k++)
        out[k] = by * normal[k];
}

/* Colour of a sample, without overlays. */
static rgb light_sample(const raster_band *band, uint64_t at, double u, double v)
{
    const uint32_t who = band->seen.who[at];
    const float t = band->seen.depth[at];
    const drawing *d = &band->job->self->drawing;
    const camera *c = &band->job->self->camera;
    if (who & FACE)
        return d->faces[who & INDEX].colour;
    const image_ball *ball = &d->balls[who & INDEX];
    double deep = c->flat ? 1.0 : ball->x[2];
    float s = t - (float)ball->x[2], r = (float)ball->r;
    float x = (float)(u * deep - ball->x[0]), y = (float)(v * deep - ball->x[1]);
    float dir[3] = {c->flat ? 0.0f : (float)u, c->flat ? 0.0f : (float)v, 1.0f};
    if (c->flat && ball->kind != BALL_SPHERE)
        return light_flat(ball, x, y, who & CAP);
    if (who & CAP) {
        float n[3] = {(float)d->section[0], (float)d->section[1], (float)d->section[2]};
        return light_wall(ball->colour, n);
    }
    float n[3] = {(x + s * dir[0]) / r, (y + s * dir[1]) / r, s / r};
    if (ball->solid != NO_SOLID)
        face_eye(band->seen.normal[at], dir, n);
    float facing =
        -(n[0] * dir[0] + n[1] * dir[1] + n[2]) / sqrtf(dir[0] * dir[0] + dir[1] * dir[1] + 1.0f);
    return light_ball(ball->colour, n, facing);
}

static void light_band(const raster_band *band)
{
    const drawing *d = &band->job->self->drawing;
    const camera *c = &band->job->self->camera;
    double s = band->job->samples;
    for (uint32_t row = 0; row < band->rows; row++) {
        double v = ((band->first + row + 0.5) / s - c->centre[1]) / c->focal;
        for (uint32_t i = 0; i < band->width; i++) {
            uint64_t at = (uint64_t)row * band->width + i;
            float *colour = band->colour[at];
            uint32_t who = band->seen.who[at];
            rgb seen = d->background;
            if (who != NOBODY)
                seen = light_sample(band, at, ((i + 0.5) / s - c->centre[0]) / c->focal, v);
            colour[3] = who == NOBODY ? d->background_alpha : 1.0f;
            for (int k = 0; k < 3; k++)
                colour[k] = colour[3] * seen.c[k];
        }
    }
}

/* Averages the samples of each pixel. */
static void settle_band(const raster_band *band)
{
    const raster_job *job = band->job;
    uint32_t s = job->samples;
    float share = 1.0f / (float)(s * s);
    for (uint32_t row = 0; row < band->rows / s; row++)
        for (uint32_t i = 0; i < job->width; i++) {
            uint64_t pixel = (uint64_t)(band->first / s + row) * job->width + i;
            float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f}, nearest = HUGE_VALF;
            uint32_t out = 0, who = NOBODY;
            for (uint32_t line = row * s; line < (row + 1) * s; line++) {
                const uint64_t first = (uint64_t)line * band->width + i * s;
                for (uint64_t at = first; at < first + s; at++) {
                    for (int j = 0; j < 4; j++)
                        sum[j] += band->colour[at][j];
                    who = band->seen.depth[at] < nearest ? band->seen.who[at] : who;
                    nearest = band->seen.depth[at] < nearest ? band->seen.depth[at] : nearest;
                }
            }
            job->self->depth[pixel] = nearest;
            job->self->is_wall[pixel] = who != NOBODY && who & FACE;
            for (int j = 0; j < 4; j++)
                out |= (uint32_t)(255.0f * share * sum[j] + 0.5f) << (j == 3 ? 24 : 16 - 8 * j);
            job->self->pixels[pixel] = out;
        }
}

static int32_t draw_bands(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const raster_job *job = user;
    const drawing *d = &job->self->drawing;
    const scree_host *host = job->self->host;
    uint64_t n = (uint64_t)job->width * job->samples * BAND * job->samples;
    const uint64_t more = solid_room(d, n);
    float *memory = host->scratch(host->ctx, lane, (6 * n + more) * sizeof(float));
    if (!memory)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a band of the picture");
    for (uint64_t b = begin; b < end; b++) {
        uint32_t left = job->height - (uint32_t)b * BAND;
        raster_band band = {
            .job = job,
            .colour = (float(*)[4])(void *)memory,
            .seen = {.depth = memory + 4 * n, .who = (uint32_t *)(void *)(memory + 5 * n)},
            .first = (uint32_t)b * BAND * job->samples,
            .rows = (left < BAND ? left : BAND) * job->samples,
            .width = job->width * job->samples};
        place_solid_room(d, n, memory + 6 * n, &band);
        for (uint64_t k = 0; k < (uint64_t)band.rows * band.width; k++) {
            band.seen.depth[k] = HUGE_VALF;
            band.seen.who[k] = NOBODY;
        }
        for (uint32_t k = job->first[b]; k < job->first[b + 1]; k++)
            draw_ball(&band, job->list[k]);
        for (uint64_t k = 0; k < d->n_opaque; k++)
            draw_face(&band, &d->faces[k], (uint32_t)k);
        light_band(&band);
        for (uint64_t k = d->n_opaque; k < d->n_faces; k++)
            draw_face(&band, &d->faces[k], 0);
        for (uint64_t k = 0; k < d->n_strokes; k++)
            draw_stroke(&band, &d->strokes[k]);
        settle_band(&band);
    }
    return SCREE_OK;
}

int32_t rasterise(image *self)
{
    const image_config *g = self->config;
    raster_job job = {.self = self,
                      .samples = (uint32_t)g->samples,
                      .width = (uint32_t)g->width,
                      .height = (uint32_t)g->height};
    job.n_bands = (job.height + BAND - 1) / BAND;
    int32_t status = sort_balls(&job);
    if (status == SCREE_OK)
        status = self->host->parallel_for(self->host->ctx, 0, job.n_bands, 1, draw_bands, &job);
    free(job.first);
    free(job.list);
    return status;
}
