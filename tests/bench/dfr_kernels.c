// SPDX-License-Identifier: Apache-2.0
// The point tests of dfr2d and cyrus_beck, compiled once scalar and once vectorised; DFR_KERNELS names the table.
#include "dfr_kernels.h"

static uint32_t dfr_simple(const dfr_job *j)
{
    return dfr_count_inside(j->n_points, j->x, j->y, j->m, j->t, &j->panels);
}

static uint32_t dfr_tables(const dfr_job *j)
{
    const dfr_panels *a = &j->panels;
    return dfr_count_by_rows(j->n_points, j->x, j->y, j->m, j->t, a->right, a->per_metre,
                             (uint32_t)a->n, j->rows);
}

static uint32_t dfr_heights(const dfr_job *j)
{
    const dfr_panels *a = &j->panels;
    uint32_t n = 0;
    dfr_classify(j->n_points, j->x, j->y, j->m, j->t, a->right, a->per_metre, a->n, a->upper,
                 a->rise_u, a->lower, a->rise_l, j->out[0], j->out[1], j->out[2], j->out[3],
                 j->out[4]);
    for (uint32_t i = 0; i < j->n_points; i++)
        n += (j->out[3][i] <= 0.0) & (j->out[4][i] <= 0.0) & (j->out[2][i] >= 0.0) &
             (j->out[2][i] <= a->n);
    return n;
}

static uint32_t cyrus(const dfr_job *j, int is_printed)
{
    const cyrus_sides *s = &j->sides;
    uint32_t n = 0;
    for (uint32_t i = 0; i < j->n_points; i++) {
        const double x = j->t[0] + (j->m[0][0] * j->x[i] + j->m[0][1] * j->y[i]);
        const double y = j->t[1] + (j->m[1][0] * j->x[i] + j->m[1][1] * j->y[i]);
        const uint32_t in =
            is_printed ? cyrus_count_printed(s->n, x, y, s->px, s->py, s->ex, s->ey, s->nx, s->ny)
                       : cyrus_count_dot(s->n, x, y, s->nx, s->ny, s->offset);
        n += in == s->n;
    }
    return n;
}

static uint32_t cyrus_as_printed(const dfr_job *j)
{
    return cyrus(j, 1);
}

static uint32_t cyrus_one_dot(const dfr_job *j)
{
    return cyrus(j, 0);
}

const dfr_kernels DFR_KERNELS = {dfr_simple, dfr_tables, dfr_heights, cyrus_as_printed,
                                 cyrus_one_dot};
