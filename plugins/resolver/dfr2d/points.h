/* SPDX-License-Identifier: Apache-2.0 */
/* The point test of the discrete function representation: O'Connor 1996, 3.2.2, step 7 and (3.5). The
 * benchmark times this same kernel. */
#ifndef RESOLVER_DFR2D_POINTS_H
#define RESOLVER_DFR2D_POINTS_H

#include "scree/sdk.h"

/** The part of a strip that the test reads; panels are counted from the right, as in the thesis. */
typedef struct dfr_panels {
    double right, per_metre, n;    // [m] right end, [1/m] panels, [-] their number
    const double *upper, *lower;   // [n + 1] [m] heights at the borders of panels
    const double *rise_u, *rise_l; // [n + 1] [m] to the next border, 0 at the last
} dfr_panels;

/** Transforms points of b to the frame of a, P = t + m P_b. Computes the place w of each in panels,
 * and its heights above the upper and below the lower half: it is inside when 0 <= w <= n and
 * neither height is above 0. Beyond both ends the end's values count. */
static inline void dfr_classify(uint32_t n, SCREE_IN x, SCREE_IN y, const double m[2][2],
                                const double t[2], double right, double per_metre, double n_panels,
                                SCREE_IN upper, SCREE_IN rise_u, SCREE_IN lower, SCREE_IN rise_l,
                                SCREE_OUT px, SCREE_OUT py, SCREE_OUT w, SCREE_OUT above,
                                SCREE_OUT below)
{
    const double m00 = m[0][0], m01 = m[0][1], m10 = m[1][0], m11 = m[1][1], t0 = t[0], t1 = t[1];
    for (uint32_t i = 0; i < n; i++) {
        const double at_x = t0 + (m00 * x[i] + m01 * y[i]), at_y = t1 + (m10 * x[i] + m11 * y[i]);
        const double place = (right - at_x) * per_metre;
        const double in = scree_min(scree_max(place, 0.0), n_panels);
        const int32_t k = (int32_t)in; // the floor: in >= 0
        const double share = in - (double)k;
        px[i] = at_x;
        py[i] = at_y;
        w[i] = place;
        above[i] = at_y - (upper[k] + share * rise_u[k]);
        below[i] = (lower[k] + share * rise_l[k]) - at_y;
    }
}

/** Only counts the points that are inside. A row of a panel: upper half at w = 0 and its rise, then
 * the same of the lower half, so that the halves are row[0] + w row[1] and row[2] + w row[3]. */
static inline uint32_t dfr_count_by_rows(uint32_t n, SCREE_IN x, SCREE_IN y, const double m[2][2],
                                         const double t[2], double right, double per_metre,
                                         uint32_t n_panels, SCREE_IN rows)
{
    const double w0 = (right - t[0]) * per_metre, w1 = -m[0][0] * per_metre;
    const double w2 = -m[0][1] * per_metre, m10 = m[1][0], m11 = m[1][1], t1 = t[1];
    uint32_t n_inside = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double w = w0 + (w1 * x[i] + w2 * y[i]), at_y = t1 + (m10 * x[i] + m11 * y[i]);
        const uint32_t k = (uint32_t)(int32_t)w;
        if (k >= n_panels) // -1 and less, too
            continue;
        const double *row = rows + 4ull * k;
        n_inside +=
            (uint32_t)((w >= 0.0) & (at_y <= row[0] + w * row[1]) & (at_y >= row[2] + w * row[3]));
    }
    return n_inside;
}

/** Counts the points that are inside as printed, with an early decision, but with the slope
 * corrected. */
static inline uint32_t dfr_count_inside(uint32_t n, SCREE_IN x, SCREE_IN y, const double m[2][2],
                                        const double t[2], const dfr_panels *a)
{
    const int32_t last = (int32_t)a->n - 1;
    const double dx = 1.0 / a->per_metre;
    uint32_t n_inside = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double at_x = t[0] + (m[0][0] * x[i] + m[0][1] * y[i]);
        const double at_y = t[1] + (m[1][0] * x[i] + m[1][1] * y[i]);
        const double place = (a->right - at_x) * a->per_metre;
        if (!(place >= 0.0 && place <= a->n))
            continue;
        const int32_t k = (int32_t)place > last ? last : (int32_t)place;
        const double x1 = a->right - k * dx, x2 = a->right - (k + 1) * dx;
        const double *u = a->upper + k, *l = a->lower + k;
        n_inside += at_y <= u[0] + (u[1] - u[0]) / (x2 - x1) * (at_x - x1) &&
                    at_y >= l[0] + (l[1] - l[0]) / (x2 - x1) * (at_x - x1);
    }
    return n_inside;
}

#endif
