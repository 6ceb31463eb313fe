/* SPDX-License-Identifier: Apache-2.0 */
/* Pair fields: they live from the first to the last accepted state in which tight boxes overlap. */
#include "engine/pair_fields.h"

#include "engine/extent.h"
#include "engine/sim.h"

/** Keeps pair fields of pairs that the law does not see; resets those whose tight boxes no
 * longer overlap. */
void scree_pair_fields_keep(scree_sim *sim, const scree_list *list, scree_segment *s, uint32_t p0,
                            uint32_t n)
{
    uint32_t c = sim->contacts.committed;
    for (uint32_t p = p0; p < p0 + n; p++)
        for (uint32_t f = 0; f < sim->plugins.contact.n_pair_fields; f++)
            if (f < list->first_pair_field || f >= list->first_pair_field + list->n_pair_fields)
                s->pair_field[1 - c][f][p] = s->pair_field[c][f][p];
}

/** Whether the tight boxes of a pair overlap now; d: x_b - x_a + s L. */
static bool tight_pair(const scree_sim *sim, const scree_segment *s, uint32_t p, const double d[3])
{
    const scree_world *w = sim->world;
    uint32_t first = s->first ? s->first[p] : 0, last = s->first ? s->first[p + 1] : 1;
    for (uint32_t k = first; k < last; k++) {
        scree_tight a, b;
        scree_extent_tight(w, s->a[p], s->first ? s->part_a[k] : 0, &a);
        if (s->b[p] >=
            scree_world_first_plane(w)) { // a plane has no box: bodies that reach its solid side
            double normal[3];
            scree_plane_normal(w, s->b[p], normal);
            return -(d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2]) <= a.radius;
        }
        scree_extent_tight(w, s->b[p], s->first ? s->part_b[k] : 0, &b);
        bool meet = true;
        for (int axis = 0; axis < 3; axis++) {
            double by = d[axis] - (w->x[axis][s->b[p]] - w->x[axis][s->a[p]]);
            meet = meet && a.lo[axis] <= b.hi[axis] + by && b.lo[axis] + by <= a.hi[axis];
        }
        if (meet)
            return true;
    }
    return false;
}

void scree_pair_fields_settle(scree_sim *sim, scree_segment *s, uint32_t p0, uint32_t n,
                              const scree_lane *lane)
{
    uint32_t next = 1 - sim->contacts.committed;
    for (uint32_t p = p0; p < p0 + n; p++) {
        double d[3] = {lane->d[0][p - p0], lane->d[1][p - p0], lane->d[2][p - p0]};
        s->alive[next][p] = tight_pair(sim, s, p, d);
        for (uint32_t f = 0; !s->alive[next][p] && f < sim->plugins.contact.n_pair_fields; f++)
            s->pair_field[next][f][p] = sim->plugins.contact.pair_initial[f];
    }
}
