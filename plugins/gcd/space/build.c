/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a partition: the domain, previous centres, a grid; see space.h. */
#include "../sorting/order.h"
#include "space.h"

#define SAMPLES 2048u
#define RIM 16u /* one in RIM samples, at either end, may be an outlier */

static int is_less(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y;
}

void scree_space_sort(double *v, uint32_t n)
{
    heap_sort(v, sizeof *v, n, is_less);
}

/* Sides that are useless as a size of cells count as zero. */
static double finite_side(double side)
{
    return side < HUGE_VAL ? side : 0.0;
}

/* Finds the range of the samples; an end far beyond the rest is cut off. */
static void cut_range(double *v, uint32_t n, double *lo, double *hi)
{
    scree_space_sort(v, n);
    const uint32_t few = n / RIM;
    const double a = v[few], b = v[n - 1 - few], beyond = 0.25 * (b - a);
    *lo = v[0] >= a - beyond ? v[0] : a - beyond;
    *hi = v[n - 1] <= b + beyond ? v[n - 1] : b + beyond;
}

int32_t scree_space_measure(space *s)
{
    const scree_boxes *b = &s->boxes;
    const uint32_t stride = b->n / SAMPLES + 1;
    double side = 0.0;
    uint32_t n = 0;
    if (!scree_grow(&s->work, &s->room[11], 3 * (uint64_t)SAMPLES, sizeof *s->work))
        return scree_space_no_memory(s);
    s->built = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        if (scree_box_empty(b, i))
            continue;
        double sum = 0.0;
        for (uint32_t k = 0; k < s->axes; k++)
            sum += b->hi[k][i] - b->lo[k][i];
        side += finite_side(sum / s->axes);
        if (s->built++ % stride)
            continue;
        if (n < SAMPLES)
            for (uint32_t k = 0; k < 3; k++)
                s->work[k * SAMPLES + n] = 0.5 * b->lo[k][i] + 0.5 * b->hi[k][i];
        n += n < SAMPLES;
    }
    s->mean_side = s->built ? side / s->built : 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        s->lo[k] = s->hi[k] = 0.0;
        if (n)
            cut_range(s->work + k * SAMPLES, n, &s->lo[k], &s->hi[k]);
    }
    return SCREE_OK;
}

void scree_space_grid(const space *s, const uint32_t n[3], space_split *how)
{
    *how = (space_split){.kind = SPACE_GRID, .n = {1, 1, 1}};
    for (uint32_t k = 0; k < s->axes; k++) {
        const double inv = n[k] / (s->hi[k] - s->lo[k]);
        how->x0[k] = s->lo[k];
        how->inv[k] = inv < HUGE_VAL ? inv : 0.0;
        how->n[k] = how->inv[k] > 0.0 ? n[k] : 1;
    }
}

void scree_space_regrid(const space *s, uint32_t cell, uint32_t n, space_split *how)
{
    const space_cell *v = &s->cells[cell];
    const space_split *p = &s->splits[s->cells[v->up].split];
    const uint32_t at = cell - p->first;
    const uint32_t place[3] = {at % p->n[0], at / p->n[0] % p->n[1], at / p->n[0] / p->n[1]};
    *how = (space_split){.kind = SPACE_GRID, .n = {1, 1, 1}};
    for (uint32_t k = 0; k < s->axes; k++) {
        how->inv[k] = p->inv[k] * n;
        how->x0[k] = p->inv[k] > 0.0 ? p->x0[k] + place[k] / p->inv[k] : p->x0[k];
        how->n[k] = how->inv[k] > 0.0 && how->inv[k] < HUGE_VAL ? n : 1;
    }
}

/* ---- motion ---- */

static int is_stray(const space *s, uint32_t i, double reach)
{
    const scree_boxes *b = &s->boxes;
    int far = 0;
    if (scree_box_empty(b, i))
        return 0;
    for (uint32_t k = 0; k < s->axes; k++) {
        const double d = 0.5 * b->lo[k][i] + 0.5 * b->hi[k][i] - s->ref[k][i];
        far |= !((d <= reach) & (-reach <= d)); // not a number: the box has come since
    }
    return far;
}

int scree_space_strayed(space *s, double reach, double share)
{
    const uint32_t n = s->moved ? s->n_moved : s->boxes.n;
    if (!s->moved)
        s->strays = 0;
    for (uint32_t i = 0; i < s->slots && !s->moved; i++)
        s->stray[i] = 0;
    for (uint32_t m = 0; m < n; m++) {
        const uint32_t i = s->moved ? s->moved[m] : m;
        const uint8_t far = (uint8_t)is_stray(s, i, reach);
        s->strays += (uint32_t)far - (uint32_t)s->stray[i];
        s->stray[i] = far;
    }
    return s->strays > share * s->built;
}

int scree_space_outdated(space *s)
{
    const space_drift *drift = s->config;
    return scree_space_strayed(s, drift->threshold * s->mean_side, drift->share);
}

void scree_space_refer(space *s)
{
    const scree_boxes *b = &s->boxes;
    for (uint32_t i = 0; i < b->n; i++) {
        const int gone = scree_box_empty(b, i);
        for (uint32_t k = 0; k < 3; k++)
            s->ref[k][i] = gone ? (double)NAN : 0.5 * b->lo[k][i] + 0.5 * b->hi[k][i];
    }
    for (uint32_t i = b->n; i < s->slots; i++)
        s->ref[0][i] = (double)NAN;
    for (uint32_t i = 0; i < s->slots; i++)
        s->stray[i] = 0;
    s->strays = 0;
}
