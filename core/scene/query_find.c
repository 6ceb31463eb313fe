// SPDX-License-Identifier: Apache-2.0
// The bodies in a region.
#include "scene/query_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/query_rows.h"
#include "scene/query_shape.h"
#include "shape/shape.h"

#define MOST_CELLS 1000.0 /* periodic cells that a region may reach over */

char *scree_space_check_region(const scree_scene *scene, const scree_region *r)
{
    const bool ball = r->type == SCREE_REGION_BALL;
    if (!ball && r->type != SCREE_REGION_BOX)
        return g_strdup_printf("region of type %u; expected SCREE_REGION_BOX or _BALL", r->type);
    if (ball && !(r->radius >= 0.0 && isfinite(r->radius)))
        return g_strdup_printf("ball of radius %g m; expected 0 or more", r->radius);
    for (uint32_t k = 0; k < scene->dimension; k++) {
        if (ball && !isfinite(r->centre[k]))
            return g_strdup_printf("centre %g m along %c; expected a finite number", r->centre[k],
                                   "xyz"[k]);
        if (!ball && !(isfinite(r->lo[k]) && isfinite(r->hi[k]) && r->lo[k] <= r->hi[k]))
            return g_strdup_printf("box from %g to %g m along %c; expected finite numbers, the "
                                   "lower one first",
                                   r->lo[k], r->hi[k], "xyz"[k]);
        const double length = scene->region_max[k] - scene->region_min[k];
        const double wide = ball ? 2.0 * r->radius : r->hi[k] - r->lo[k];
        const double far = ball ? fabs(r->centre[k]) : fmax(fabs(r->lo[k]), fabs(r->hi[k]));
        if (scene->boundary[k] == SCREE_BOUNDARY_PERIODIC &&
            !(wide <= MOST_CELLS * length && far <= 1e6 * length))
            return g_strdup_printf("a region of %g m along %c, %g m from 0; expected at most %g "
                                   "periodic cells of %g m, and fewer than 1e6 from 0",
                                   wide, "xyz"[k], far, MOST_CELLS, length);
    }
    return NULL;
}

/** A region, and the numbers of bodies that were found. */
typedef struct query_finder {
    scree_space *space;
    const scree_region *region;
    double shift[3];
    GArray *numbers;
    GError *error;
} query_finder;

/** The region as the rows see it. */
static scree_region moved(const query_finder *f)
{
    scree_region r = *f->region;
    for (uint32_t k = 0; k < 3; k++) {
        r.lo[k] -= f->shift[k];
        r.hi[k] -= f->shift[k];
        r.centre[k] -= f->shift[k];
        if (k >= f->space->scene->dimension)
            r.lo[k] = r.hi[k] = r.centre[k] = 0.0;
    }
    return r;
}

static bool find_row(void *user, uint32_t row)
{
    query_finder *f = user;
    const scree_space *s = f->space;
    const scree_round_row *b = &g_array_index(s->rounds, scree_round_row, row);
    const scree_region region = moved(f);
    const uint32_t shape = g_array_index(s->shapes, uint32_t, row), dimension = s->scene->dimension;
    static const double none[3] = {0};
    bool meets = scree_query_ball_meets(b->x, b->r, dimension, &region);
    if (meets && scree_space_is_solid(s, row)) {
        const scree_body body = scree_space_body(s, row, none);
        if (!scree_query_solid_meets(scree_space_shape(s, shape),
                                     s->scene->shape_names->pdata[shape], &body, dimension, &region,
                                     &meets, &f->error))
            return false;
    }
    if (meets)
        g_array_append_val(f->numbers, g_array_index(s->owners, uint32_t, row));
    return true;
}

static bool find_facet(void *user, uint32_t row)
{
    query_finder *f = user;
    const scree_space *s = f->space;
    const scree_facet_row at = g_array_index(s->facet_rows, scree_facet_row, row);
    const scree_body *wall = &g_array_index(s->walls, scree_body, at.wall);
    const scree_region region = moved(f);
    scree_query_facet facet;
    scree_query_facet_place(&facet, scree_space_shape(s, wall->shape)->mesh, at.facet, wall->x,
                            wall->q, wall->scale);
    if (scree_query_facet_meets(&facet, s->scene->dimension, &region))
        g_array_append_val(f->numbers, g_array_index(s->wall_owner, uint32_t, at.wall));
    return true;
}

static int compare_numbers(const void *pa, const void *pb)
{
    const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    return a < b ? -1 : a > b;
}

/** Sorts the numbers from `first` on, and leaves each once. */
static void sort_numbers(GArray *numbers, guint first)
{
    uint32_t *n = (uint32_t *)(void *)numbers->data;
    guint to = first;
    if (numbers->len <= first)
        return;
    qsort(n + first, numbers->len - first, sizeof *n, compare_numbers);
    for (guint i = first; i < numbers->len; i++)
        if (i == first || n[i] != n[to - 1])
            n[to++] = n[i];
    g_array_set_size(numbers, to);
}

bool scree_space_find(scree_space *s, const scree_region *region, GArray *numbers, GError **error)
{
    const guint first = numbers->len;
    double lo[3] = {0}, hi[3] = {0};
    query_finder f = {.space = s, .region = region, .numbers = numbers};
    const scree_region flat = moved(&f);
    f.region = &flat;
    for (uint32_t k = 0; k < s->scene->dimension; k++) {
        const bool ball = region->type == SCREE_REGION_BALL;
        lo[k] = ball ? region->centre[k] - region->radius : region->lo[k];
        hi[k] = ball ? region->centre[k] + region->radius : region->hi[k];
    }
    for (guint i = 0; i < s->planes->len; i++) {
        const scree_half_space *p = &g_array_index(s->planes, scree_half_space, i);
        if (scree_query_plane_meets(p->n, p->at, s->scene->dimension, &flat))
            g_array_append_val(numbers, g_array_index(s->wall_owner, uint32_t, p->wall));
    }
    scree_space_images c = scree_space_cells(s, s->near, lo, hi, -1);
    bool good = !scree_query_index_rows(s->near) ||
                scree_space_ask(s, s->near, &c, lo, hi, f.shift, find_row, &f, error);
    c = scree_space_cells(s, s->facets, lo, hi, -1);
    good = good && !f.error &&
           (!scree_query_index_rows(s->facets) ||
            scree_space_ask(s, s->facets, &c, lo, hi, f.shift, find_facet, &f, error));
    if (f.error)
        g_propagate_error(error, f.error);
    sort_numbers(numbers, first);
    return good;
}
