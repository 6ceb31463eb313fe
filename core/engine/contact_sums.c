/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the contacts of an evaluation for figures, without a list of the contacts. */
#include "engine/contact_sums.h"

#include <math.h>

double scree_touching_size(const scree_world *w, uint32_t body)
{
    return scree_shape_is_wall(w->shapes[w->shape[body]]) ? HUGE_VAL : scree_world_size(w, body);
}

static void keep_larger(scree_contact_sums *sums, double overlap, uint64_t id_a, uint64_t id_b)
{
    const uint64_t low = id_a < id_b ? id_a : id_b, high = id_a < id_b ? id_b : id_a;
    const bool lower = low < sums->id[0] || (low == sums->id[0] && high < sums->id[1]);
    if (overlap < sums->overlap || (overlap == sums->overlap && !lower))
        return;
    sums->overlap = overlap;
    sums->id[0] = low;
    sums->id[1] = high;
}

void scree_contact_sums_add(scree_contact_sums *sums, const scree_world *w, uint64_t n,
                            const scree_contact_rows *rows)
{
    for (uint64_t c = 0; c < n; c++) {
        double f2 = 0.0, along = 0.0;
        for (int k = 0; k < 3; k++) {
            f2 += rows->f[k][c] * rows->f[k][c];
            along -= rows->f[k][c] * rows->branch[k][c];
        }
        scree_exact_sum_add(&sums->virial, along);
        if (rows->depth[c] < 0.0)
            continue;
        const uint32_t a = rows->a[c], b = rows->b[c];
        const double size = fmin(scree_touching_size(w, a), scree_touching_size(w, b));
        scree_exact_sum_add(&sums->force, sqrt(f2));
        sums->n++;
        keep_larger(sums, rows->depth[c] / size, w->id[a], w->id[b]);
    }
}

void scree_contact_sums_merge(scree_contact_sums *sums, const scree_contact_sums *other)
{
    scree_exact_sum_merge(&sums->force, &other->force);
    scree_exact_sum_merge(&sums->virial, &other->virial);
    sums->n += other->n;
    keep_larger(sums, other->overlap, other->id[0], other->id[1]);
}
