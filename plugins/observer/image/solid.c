// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: surfaces of solids into the samples of a band.
/*
 * 3D: the vertices of a body are moved to camera axes. Then each facet is drawn, as one or two
 * triangles, into the samples that it covers: the depth is that of its plane, the normal is
 * interpolated between its corners. If the surface is closed, facets that face away from the eye
 * are left out.
 *
 * A section plane: a solid that it cuts is first drawn separately, with both sides, as far as it is
 * kept. If the nearest hit is on the inside, the ray has entered the solid through the plane, and
 * the plane is seen there.
 *
 * 2D: an outline is filled by the even-odd rule, row by row; samples within the rim's width of a side
 * are marked.
 *
 * Cost: vertices and facets of each body, in each band that it touches, and the samples covered.
 */
#include "raster.h"

/* Sides of a surface. */
#define INSIDE 2u
#define OUTSIDE 1u

uint64_t solid_room(const drawing *d, uint64_t n)
{
    if (!d->n_solids)
        return 0;
    return (d->has_section ? 8 : 3) * n + 10 * (uint64_t)d->most_vertices;
}

void place_solid_room(const drawing *d, uint64_t n, float *memory, raster_band *band)
{
    if (!d->n_solids)
        return;
    band->corners.x = (double(*)[3])(void *)memory;
    band->corners.px = (double(*)[2])(void *)(memory + 6 * (uint64_t)d->most_vertices);
    memory += 10 * (uint64_t)d->most_vertices;
    band->seen.normal = (float(*)[3])(void *)memory;
    if (!d->has_section)
        return;
    memory += 3 * n;
    band->own = (samples){.depth = memory,
                          .who = (uint32_t *)(void *)(memory + n),
                          .normal = (float(*)[3])(void *)(memory + 2 * n)};
}

/* A triangle of a facet in camera axes. */
typedef struct triangle {
    double x[3][3], px[3][2];
    double normal[3], offset; // its plane: normal · x = offset [m]
    double by[2][3];          // weight of corner 1 + k: by[k] · (x - x[0])
    float at_corner[3][3];    // normals
    uint32_t side;            // OUTSIDE, INSIDE
} triangle;

static void turn_normal(const solid *s, const float n[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (float)((s->turn[k][0] * (double)n[0] + s->turn[k][1] * (double)n[1] +
                          s->turn[k][2] * (double)n[2]) /
                         s->scale);
}

/* Corners 0, k and k + 1 of a facet. 0: it is seen from its edge. */
static int read_triangle(const raster_band *band, const solid *s, uint32_t facet, uint32_t k,
                         triangle *t)
{
    const uint64_t first = 4 * (uint64_t)facet, at[3] = {first, first + k, first + k + 1};
    const int flat = band->job->self->camera.flat;
    double u[3], v[3];
    for (int c = 0; c < 3; c++) {
        uint32_t vertex = s->surface->mesh->facet[at[c]];
        memcpy(t->x[c], band->corners.x[vertex], sizeof t->x[c]);
        memcpy(t->px[c], band->corners.px[vertex], sizeof t->px[c]);
    }
    for (int j = 0; j < 3; j++) {
        u[j] = t->x[1][j] - t->x[0][j];
        v[j] = t->x[2][j] - t->x[0][j];
    }
    // The camera's axes (x right, y down, z away) are right-handed, like the world's axes.
    cross(u, v, t->normal);
    t->offset = dot(t->normal, t->x[0]);
    double toward = flat ? t->normal[2] : t->offset, square = dot(t->normal, t->normal);
    t->side = toward < 0.0 ? OUTSIDE : INSIDE;
    if (!(fabs(toward) > 0.0 && square > 0.0))
        return 0;
    cross(v, t->normal, t->by[0]);
    cross(t->normal, u, t->by[1]);
    for (int j = 0; j < 3; j++) {
        t->by[0][j] /= square;
        t->by[1][j] /= square;
    }
    for (int c = 0; c < 3; c++)
        turn_normal(s, s->surface->normal[at[c]], t->at_corner[c]);
    return 1;
}

static void put_normal(const triangle *t, const double x[3], float out[3])
{
    double off[3] = {x[0] - t->x[0][0], x[1] - t->x[0][1], x[2] - t->x[0][2]};
    float w[2] = {(float)dot(t->by[0], off), (float)dot(t->by[1], off)};
    for (int k = 0; k < 3; k++)
        out[k] = (1.0f - w[0] - w[1]) * t->at_corner[0][k] + w[0] * t->at_corner[1][k] +
                 w[1] * t->at_corner[2][k];
}

/* Finds where the ray (u, v) meets the plane normal · x = offset. */
static void meet_plane(const camera *c, const double normal[3], double offset, double u, double v,
                       double x[3])
{
    double across = normal[0] * u + normal[1] * v;
    x[2] = c->flat ? (offset - across) / normal[2] : offset / (across + normal[2]);
    x[0] = c->flat ? u : x[2] * u;
    x[1] = c->flat ? v : x[2] * v;
}

/* A row of a triangle. `cut`: only the part that the section keeps. */
static void draw_row(const raster_band *band, const triangle *t, uint32_t row, int cut,
                     uint32_t mark, const samples *to)
{
    const drawing *d = &band->job->self->drawing;
    const camera *c = &band->job->self->camera;
    double s = band->job->samples, y = (band->first + row + 0.5) / s;
    double v = (y - c->centre[1]) / c->focal;
    uint32_t from, end;
    if (!span_of(&t->px[0][0], 3, y, s, band->width, &from, &end))
        return;
    for (uint32_t i = from; i < end; i++) {
        uint64_t at = (uint64_t)row * band->width + i;
        double x[3];
        meet_plane(c, t->normal, t->offset, ((i + 0.5) / s - c->centre[0]) / c->focal, v, x);
        if (!((float)x[2] < to->depth[at]) || (cut && dot(d->section, x) > d->section_at))
            continue;
        to->depth[at] = (float)x[2];
        to->who[at] = mark;
        put_normal(t, x, to->normal[at]);
    }
}

static void draw_triangle(const raster_band *band, const triangle *t, const image_ball *ball,
                          uint32_t mark, const samples *to)
{
    double s = band->job->samples, lo = fmin(t->px[0][1], fmin(t->px[1][1], t->px[2][1]));
    double hi = fmax(t->px[0][1], fmax(t->px[1][1], t->px[2][1]));
    for (uint32_t row = clamp(floor(lo * s) - band->first, band->rows); row < band->rows; row++) {
        if ((band->first + row + 0.5) / s > hi)
            break;
        draw_row(band, t, row, ball->cut, mark, to);
    }
}

/* Puts the vertices of a solid into camera axes. */
static void place_corners(const raster_band *band, const image_ball *ball, const solid *s,
                          const double *const vertex[3], uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        double *x = band->corners.x[i];
        const double p[3] = {vertex[0][i], vertex[1][i], vertex[2] ? vertex[2][i] : 0.0};
        for (int k = 0; k < 3; k++)
            x[k] = ball->x[k] + dot(s->turn[k], p);
        project(&band->job->self->camera, x, band->corners.px[i]);
    }
}

/* The rows and samples of a band that a ball may cover. */
typedef struct patch {
    uint32_t left, right, top, bottom;
} patch;

static patch patch_of(const raster_band *band, const image_ball *ball)
{
    double s = band->job->samples;
    return (patch){clamp(floor(ball->lo[0] * s), band->width),
                   clamp(ceil(ball->hi[0] * s), band->width),
                   clamp(floor(ball->lo[1] * s) - band->first, band->rows),
                   clamp(ceil(ball->hi[1] * s) - band->first, band->rows)};
}

static void clear_own(const raster_band *band, const patch *p)
{
    for (uint32_t row = p->top; row < p->bottom; row++)
        for (uint32_t i = p->left; i < p->right; i++)
            band->own.depth[(uint64_t)row * band->width + i] = HUGE_VALF;
}

/* Merges a solid that the section plane cuts, and that was drawn separately, into the picture. */
static void merge_own(const raster_band *band, const patch *p, uint32_t number, int closed)
{
    const drawing *d = &band->job->self->drawing;
    const camera *c = &band->job->self->camera;
    double s = band->job->samples, x[3];
    for (uint32_t row = p->top; row < p->bottom; row++)
        for (uint32_t i = p->left; i < p->right; i++) {
            uint64_t at = (uint64_t)row * band->width + i;
            float depth = band->own.depth[at];
            uint32_t mark = number;
            if (depth == HUGE_VALF)
                continue;
            if (closed && band->own.who[at] == INSIDE) {
                meet_plane(c, d->section, d->section_at, ((i + 0.5) / s - c->centre[0]) / c->focal,
                           ((band->first + row + 0.5) / s - c->centre[1]) / c->focal, x);
                depth = (float)x[2];
                mark |= CAP;
            }
            if (!(depth < band->seen.depth[at]))
                continue;
            band->seen.depth[at] = depth;
            band->seen.who[at] = mark;
            memcpy(band->seen.normal[at], band->own.normal[at], sizeof band->own.normal[at]);
        }
}

static void draw_mesh(const raster_band *band, uint32_t number, const solid *s)
{
    const image_ball *ball = &band->job->self->drawing.balls[number];
    const scree_mesh *m = s->surface->mesh;
    const samples *to = ball->cut ? &band->own : &band->seen;
    const patch p = patch_of(band, ball);
    place_corners(band, ball, s, m->vertex, m->n_vertices);
    if (ball->cut)
        clear_own(band, &p);
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t k = 1; k < 3 && m->facet[4 * (uint64_t)f + k + 1] != SCREE_NONE; k++) {
            triangle t;
            if (read_triangle(band, s, f, k, &t) && (t.side == OUTSIDE || !m->closed || ball->cut))
                draw_triangle(band, &t, ball, ball->cut ? t.side : number, to);
        }
    if (ball->cut)
        merge_own(band, &p, number, m->closed != 0);
}

/* ---- 2D ---- */

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Fills the samples of a row inside an outline: between its first and second crossing with the row,
 * and so on. */
static void fill_row(const raster_band *band, uint32_t row, uint32_t n, float z, uint32_t number)
{
    double s = band->job->samples, y = (band->first + row + 0.5) / s;
    double(*px)[2] = band->corners.px;
    double *x = &band->corners.x[0][0]; // the corners are no longer needed
    uint32_t count = 0;
    for (uint32_t i = 0, j = n - 1; i < n; j = i++)
        if ((px[i][1] <= y) != (px[j][1] <= y))
            x[count++] = px[i][0] + (y - px[i][1]) / (px[j][1] - px[i][1]) * (px[j][0] - px[i][0]);
    qsort(x, count, sizeof *x, ascending);
    for (uint32_t c = 0; c + 1 < count; c += 2)
        for (uint32_t i = clamp(ceil(x[c] * s - 0.5), band->width);
             i < clamp(ceil(x[c + 1] * s - 0.5), band->width); i++) {
            uint64_t at = (uint64_t)row * band->width + i;
            if (!(z < band->seen.depth[at]))
                continue;
            band->seen.depth[at] = z;
            band->seen.who[at] = number;
        }
}

static double square_to_side(const double p[2], const double q[2], double x, double y)
{
    double d[2] = {q[0] - p[0], q[1] - p[1]}, square = d[0] * d[0] + d[1] * d[1];
    double f = square > 0.0 ? ((x - p[0]) * d[0] + (y - p[1]) * d[1]) / square : 0.0;
    f = f > 0.0 ? f < 1.0 ? f : 1.0 : 0.0;
    x -= p[0] + f * d[0];
    y -= p[1] + f * d[1];
    return x * x + y * y;
}

/* Marks samples of a body within `rim` pixels of a side. */
static void mark_side(const raster_band *band, const double p[2], const double q[2], double rim,
                      uint32_t number)
{
    double s = band->job->samples;
    const image_ball box = {.lo = {fmin(p[0], q[0]) - rim, fmin(p[1], q[1]) - rim},
                            .hi = {fmax(p[0], q[0]) + rim, fmax(p[1], q[1]) + rim}};
    const patch near = patch_of(band, &box);
    for (uint32_t row = near.top; row < near.bottom; row++)
        for (uint32_t i = near.left; i < near.right; i++) {
            uint32_t *who = &band->seen.who[(uint64_t)row * band->width + i];
            if (*who == number &&
                square_to_side(p, q, (i + 0.5) / s, (band->first + row + 0.5) / s) < rim * rim)
                *who |= CAP;
        }
}

static void draw_outline(const raster_band *band, uint32_t number, const solid *s)
{
    const image_ball *ball = &band->job->self->drawing.balls[number];
    const scree_outline *o = s->surface->outline;
    const double *const vertex[3] = {o->vertex[0], o->vertex[1], NULL};
    const double rim = s->scale * s->surface->rim * band->job->self->camera.focal;
    const patch p = patch_of(band, ball);
    double(*px)[2] = band->corners.px;
    place_corners(band, ball, s, vertex, o->n);
    for (uint32_t row = p.top; row < p.bottom; row++)
        fill_row(band, row, o->n, (float)ball->x[2], number);
    for (uint32_t i = 0, j = o->n - 1; i < o->n; j = i++)
        mark_side(band, px[j], px[i], rim, number);
}

void draw_solid(const raster_band *band, uint32_t number)
{
    const drawing *d = &band->job->self->drawing;
    const solid *s = &d->solids[d->balls[number].solid];
    if (s->surface->mesh)
        draw_mesh(band, number, s);
    else
        draw_outline(band, number, s);
}
