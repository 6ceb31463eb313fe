// SPDX-License-Identifier: Apache-2.0
// The rows of a space, and the periodic images of them that a question is about.
#include "scene/query_rows.h"

#include <math.h>
#include <string.h>

#define ROW_SLACK 1e-14 /* [-] of coordinates: boxes that are asked for are never too small */

scree_body scree_space_body(const scree_space *s, uint32_t row, const double shift[3])
{
    const scree_round_row *r = &g_array_index(s->rounds, scree_round_row, row);
    const uint32_t shape = g_array_index(s->shapes, uint32_t, row);
    const guint solid = GPOINTER_TO_UINT(g_hash_table_lookup(s->solid_of, GUINT_TO_POINTER(row)));
    scree_body body = {
        .shape = shape, .scale = r->r / scree_space_shape(s, shape)->radius, .q = {1.0}};
    memcpy(body.x, r->x, sizeof body.x);
    if (solid)
        body = g_array_index(s->solids, scree_body, solid - 1);
    for (int k = 0; k < 3; k++)
        body.x[k] += shift[k];
    return body;
}

scree_space_images scree_space_cells(const scree_space *s, const scree_query_index *index,
                                     const double lo[3], const double hi[3], int32_t most)
{
    scree_space_images c = {{0}, {0}};
    double from[3], to[3];
    scree_query_index_bounds(index, from, to);
    for (int k = 0; k < 3; k++) {
        const double length = s->length[k];
        if (!(length > 0.0) || !(from[k] <= to[k]))
            continue;
        double first = ceil((lo[k] - to[k]) / length - ROW_SLACK * 100.0);
        double last = floor((hi[k] - from[k]) / length + ROW_SLACK * 100.0);
        if (most >= 0) {
            first = fmax(first, -most);
            last = fmin(last, most);
        }
        c.first[k] = (int32_t)first;
        c.last[k] = (int32_t)last;
    }
    return c;
}

/** A question about a box, for one of the images of the rows. */
typedef struct image_question {
    double shift[3];
    scree_query_row_fn fn;
    void *user;
    bool go_on;
} image_question;

static bool pass_on(void *user, uint32_t row)
{
    image_question *q = user;
    q->go_on = q->fn(q->user, row);
    return q->go_on;
}

bool scree_space_ask(const scree_space *s, scree_query_index *index, const scree_space_images *c,
                     const double lo[3], const double hi[3], double shift[3], scree_query_row_fn fn,
                     void *user, GError **error)
{
    image_question q = {.fn = fn, .user = user, .go_on = true};
    for (int32_t i = c->first[0]; i <= c->last[0] && q.go_on; i++)
        for (int32_t j = c->first[1]; j <= c->last[1] && q.go_on; j++)
            for (int32_t k = c->first[2]; k <= c->last[2] && q.go_on; k++) {
                const int32_t at[3] = {i, j, k};
                double from[3] = {0}, to[3] = {0};
                for (uint32_t a = 0; a < s->scene->dimension; a++) {
                    shift[a] = at[a] ? at[a] * s->length[a] : 0.0;
                    double slack = ROW_SLACK * (fabs(lo[a]) + fabs(hi[a]) + fabs(shift[a]));
                    from[a] = lo[a] - shift[a] - slack;
                    to[a] = hi[a] - shift[a] + slack;
                }
                if (!scree_query_index_each(index, from, to, pass_on, &q, error))
                    return false;
            }
    return true;
}
