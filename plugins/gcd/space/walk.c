/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the leaves that a window or a point meets; see space.h. */
#include "space.h"

/* Monotone in x; a point outside is in the outermost child. */
static inline uint32_t grid_child(double x, double x0, double inv, uint32_t n)
{
    const double last = (double)n - 1.0;
    double t = (x - x0) * inv;
    t = t > 0.0 ? t : 0.0; // also where it is not a number
    t = t < last ? t : last;
    return (uint32_t)t;
}

/* Number of cuts, out of n ascending ones, at x or before. */
static uint32_t cuts_before(const double *cuts, uint32_t n, double x)
{
    uint32_t lo = 0, hi = n;
    while (lo < hi) {
        const uint32_t mid = (lo + hi) / 2;
        if (cuts[mid] <= x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Range of the plane's sum over a box, term by term at its ends: rounding is monotone, so no point
 * of the box is outside the range. A box that overflows is on both sides. */
static void plane_range(const space_split *p, const double lo[3], const double hi[3], uint32_t *a,
                        uint32_t *b)
{
    double low = 0.0, high = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        const double u = p->normal[k] * lo[k], v = p->normal[k] * hi[k];
        low += u < v ? u : v;
        high += u < v ? v : u;
    }
    *a = low >= p->offset;
    *b = !(high < p->offset);
}

void scree_space_range(const space *s, const space_split *split, const double lo[3],
                       const double hi[3], uint32_t a[3], uint32_t b[3])
{
    for (uint32_t k = 0; k < 3; k++)
        a[k] = b[k] = 0;
    if (split->kind == SPACE_PLANE) {
        plane_range(split, lo, hi, &a[0], &b[0]);
        return;
    }
    for (uint32_t k = 0; k < s->axes; k++) {
        const uint32_t n = split->n[k];
        if (split->kind == SPACE_GRID) {
            a[k] = grid_child(lo[k], split->x0[k], split->inv[k], n);
            b[k] = grid_child(hi[k], split->x0[k], split->inv[k], n);
        } else if (n > 1) {
            a[k] = cuts_before(s->cuts + split->cuts[k], n - 1, lo[k]);
            b[k] = cuts_before(s->cuts + split->cuts[k], n - 1, hi[k]);
        }
    }
}

static void push(space_walk *w, uint32_t split, uint32_t mask)
{
    const uint32_t level = w->top;
    space_frame *f = &w->frame[w->top++];
    f->split = &w->s->splits[split];
    scree_space_range(w->s, f->split, w->lo, w->hi, f->a, f->b);
    memcpy(f->at, f->a, sizeof f->at);
    f->mask = mask;
    f->bit = f->split->kind == SPACE_PLANE ? level : 0;
}

void scree_space_enter(space_walk *w, const space *s, const double lo[3], const double hi[3])
{
    w->s = s;
    for (uint32_t k = 0; k < 3; k++) {
        w->lo[k] = lo[k];
        w->hi[k] = hi[k];
    }
    w->top = 0;
    w->root = s->n_cells > 0 && s->cells[0].split == SCREE_NONE;
    if (s->n_cells > 0 && !w->root)
        push(w, s->cells[0].split, 0);
}

int scree_space_next(space_walk *w)
{
    if (w->root) {
        w->root = 0;
        w->cell = w->mask = 0;
        return 1;
    }
    while (w->top) {
        space_frame *f = &w->frame[w->top - 1];
        const space_split *p = f->split;
        if (f->at[2] > f->b[2]) {
            w->top--;
            continue;
        }
        w->cell = p->first + f->at[0] + p->n[0] * (f->at[1] + p->n[1] * f->at[2]);
        w->mask = f->mask | (uint32_t)(f->at[0] > f->a[0]) << f->bit |
                  (uint32_t)(f->at[1] > f->a[1]) << 1 | (uint32_t)(f->at[2] > f->a[2]) << 2;
        if (f->at[0]++ == f->b[0]) {
            f->at[0] = f->a[0];
            if (f->at[1]++ == f->b[1]) {
                f->at[1] = f->a[1];
                f->at[2]++;
            }
        }
        if (w->s->cells[w->cell].split == SCREE_NONE)
            return 1;
        push(w, w->s->cells[w->cell].split, w->mask);
    }
    return 0;
}

uint32_t scree_space_home(const space *s, const double x[3])
{
    uint32_t cell = 0, a[3], b[3];
    while (s->cells[cell].split != SCREE_NONE) {
        const space_split *p = &s->splits[s->cells[cell].split];
        scree_space_range(s, p, x, x, a, b);
        cell = p->first + a[0] + p->n[0] * (a[1] + p->n[1] * a[2]);
    }
    return cell;
}
