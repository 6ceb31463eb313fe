/* SPDX-License-Identifier: Apache-2.0 */
/* Pair fields: they live from the first to the last accepted state with overlapping tight boxes. */
#include "engine/pair_fields.h"

#include "engine/extent.h"
#include "engine/lane.h"
#include "engine/tight_boxes.h"

/** Keeps pair fields of pairs that the law does not see, and resets those whose tight boxes no
 * longer overlap. */
void scree_pair_fields_keep(const scree_sim *sim, const scree_list *list, scree_segment *s,
                            uint32_t p0, uint32_t n)
{
    uint32_t c = sim->contacts.committed;
    for (uint32_t p = p0; p < p0 + n; p++)
        for (uint32_t f = 0; f < sim->plugins.contact.n_pair_fields; f++)
            if (f < list->first_pair_field || f >= list->first_pair_field + list->n_pair_fields)
                s->pair_field[1 - c][f][p] = s->pair_field[c][f][p];
}

/** Returns whether the ball around a part of a reaches the solid side of a plane, which has no box;
 * d: from x_a to a point of its surface. */
static bool reaches(const scree_world *w, uint32_t body, uint32_t plane, const double d[3],
                    const scree_tight *t)
{
    double normal[3], height = 0.0;
    scree_plane_normal(w, plane, normal);
    for (int k = 0; k < 3; k++)
        height += (t->centre[k] - w->x[k][body]) * normal[k];
    return height - (d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2]) <= t->radius;
}

/** Returns whether the tight boxes of a pair overlap now: 0, 1, or -1 after a failed call; d: x_b -
 * x_a + s L. */
static int tight_pair(const scree_sim *sim, const scree_segment *s, uint32_t p, const double d[3],
                      scree_lane *lane)
{
    const scree_world *w = sim->world;
    uint32_t first = s->first ? s->first[p] : 0, last = s->first ? s->first[p + 1] : 1;
    for (uint32_t k = first; k < last; k++) {
        scree_tight a, b;
        if (!scree_tight_of(w, s->a[p], s->first ? s->part_a[k] : 0, &a, scree_lane_error(lane)))
            return -1;
        if (s->b[p] >= scree_world_first_plane(w)) {
            if (reaches(w, s->a[p], s->b[p], d, &a))
                return 1;
            continue;
        }
        if (!scree_tight_of(w, s->b[p], s->first ? s->part_b[k] : 0, &b, scree_lane_error(lane)))
            return -1;
        bool meet = true;
        for (int axis = 0; axis < 3; axis++) {
            double by = d[axis] - (w->x[axis][s->b[p]] - w->x[axis][s->a[p]]);
            meet = meet && a.lo[axis] <= b.hi[axis] + by && b.lo[axis] + by <= a.hi[axis];
        }
        if (meet)
            return 1;
    }
    return 0;
}

bool scree_pair_fields_settle(const scree_sim *sim, scree_segment *s, uint32_t p0, uint32_t n,
                              scree_lane *lane)
{
    uint32_t next = 1 - sim->contacts.committed;
    for (uint32_t p = p0; p < p0 + n; p++) {
        double d[3] = {lane->d[0][p - p0], lane->d[1][p - p0], lane->d[2][p - p0]};
        const int alive = tight_pair(sim, s, p, d, lane);
        if (alive < 0)
            return false;
        s->alive[next][p] = (uint8_t)alive;
        if (alive)
            continue;
        for (uint32_t f = 0; f < sim->plugins.contact.n_pair_fields; f++)
            s->pair_field[next][f][p] = sim->plugins.contact.pair_initial[f];
    }
    return true;
}
