/* SPDX-License-Identifier: Apache-2.0 */
/* Tight boxes of parts at their current places: of balls by the host, of others by plugins. */
#include "engine/tight_boxes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/state.h"
#include "plugin/call.h"
#include "shape/plugin_shape.h"

/* Tolerance of a box beyond the ball around its body, because plugins round: share of the radius,
 * and units in the last place of its coordinates. */
#define OUTSIDE 1e-9

uint32_t scree_parts_of(const scree_world *w, uint32_t body)
{
    return w->shapes[w->shape[body]]->n_parts;
}

uint32_t scree_facet_corners(const scree_world *w, uint32_t body, uint32_t part,
                             double corner[4][3])
{
    const scree_shape *shape = w->shapes[w->shape[body]];
    uint32_t n = 0;
    for (; n < 4 && shape->mesh->facet[4 * part + n] != SCREE_NONE; n++) {
        uint32_t vertex = shape->mesh->facet[4 * part + n];
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = w->scale[body] * shape->mesh->vertex[k][vertex];
        scree_world_turn(w, body, at, corner[n]);
        for (int k = 0; k < 3; k++)
            corner[n][k] += w->x[k][body];
    }
    return n;
}

static void tight_facet(const scree_world *w, uint32_t body, uint32_t part, scree_tight *t)
{
    double corner[4][3];
    const uint32_t n = scree_facet_corners(w, body, part, corner);
    for (int k = 0; k < 3; k++) {
        double sum = 0.0;
        t->lo[k] = (double)INFINITY;
        t->hi[k] = -(double)INFINITY;
        for (uint32_t c = 0; c < n; c++) {
            t->lo[k] = fmin(t->lo[k], corner[c][k]);
            t->hi[k] = fmax(t->hi[k], corner[c][k]);
            sum += corner[c][k];
        }
        t->centre[k] = fmin(fmax(sum / n, t->lo[k]), t->hi[k]);
    }
    t->radius = 0.0;
    for (uint32_t c = 0; c < n; c++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++)
            square += (corner[c][k] - t->centre[k]) * (corner[c][k] - t->centre[k]);
        t->radius = fmax(t->radius, sqrt(square));
    }
}

void scree_tight_ball(const scree_world *w, uint32_t body, scree_tight *t)
{
    t->radius = w->radius[body];
    for (int k = 0; k < 3; k++) {
        double r = k == 2 && w->dimension == 2 ? 0.0 : t->radius;
        t->centre[k] = w->x[k][body];
        t->lo[k] = t->centre[k] - r;
        t->hi[k] = t->centre[k] + r;
    }
}

/** Finds the box of a ball of a clump. */
static void tight_part(const scree_world *w, uint32_t body, uint32_t part, scree_tight *t)
{
    const scree_balls *balls = w->shapes[w->shape[body]]->balls;
    const double s = w->scale[body];
    const double at[3] = {s * balls->centre[0][part], s * balls->centre[1][part],
                          s * balls->centre[2][part]};
    double lever[3];
    scree_world_turn(w, body, at, lever);
    t->radius = s * balls->radius[part];
    for (int k = 0; k < 3; k++) {
        const bool flat = k == 2 && w->dimension == 2;
        t->centre[k] = w->x[k][body] + (flat ? 0.0 : lever[k]);
        t->lo[k] = t->centre[k] - (flat ? 0.0 : t->radius);
        t->hi[k] = t->centre[k] + (flat ? 0.0 : t->radius);
    }
}

void scree_tight_begin(scree_tight_reader *r, scree_pool *pool, const scree_world *world,
                       uint32_t end)
{
    r->world = world;
    r->pool = pool;
    r->end = end;
    r->most = SCREE_TIGHT_AHEAD;
    r->n = r->at = 0;
}

/** Fills the batch with parts, starting with this one. */
static void collect_part(scree_tight_reader *r, uint32_t body, uint32_t part)
{
    const scree_world *w = r->world;
    const uint32_t shape = w->shape[body];
    r->n = r->at = 0;
    for (uint32_t i = body; i < r->end && w->shape[i] == shape; i++, part = 0)
        for (; part < w->shapes[shape]->n_parts; part++) {
            const uint32_t at = r->n;
            if (at == r->most)
                return;
            r->body[at] = i;
            r->part[at] = part;
            r->scale[at] = w->scale[i];
            for (int k = 0; k < 3; k++)
                r->x[k][at] = w->x[k][i];
            for (int k = 0; k < 4; k++)
                r->q[k][at] = w->q[k][i];
            r->n++;
        }
}

/** Returns whether a box can belong to a part of its body. */
static bool is_sound_box(const scree_tight_reader *r, uint32_t at, char *what, size_t size)
{
    const scree_world *w = r->world;
    const uint32_t body = r->body[at];
    if (!(r->radius[at] >= 0.0 && isfinite(r->radius[at]))) {
        snprintf(what, size, "a bounding radius of %g m", r->radius[at]);
        return false;
    }
    for (int k = 0; k < 3; k++) {
        const double lo = r->lo[k][at], hi = r->hi[k][at], centre = r->centre[k][at];
        const double reach = k == 2 && w->dimension == 2 ? 0.0 : w->radius[body];
        const double x = w->x[k][body], slack = OUTSIDE * reach + 1e-14 * fabs(x);
        if (!(lo <= hi && isfinite(lo) && isfinite(hi)))
            snprintf(what, size, "a box from %g to %g m along axis %d", lo, hi, k);
        else if (!(centre >= lo && centre <= hi))
            snprintf(what, size, "a centre at %g m, outside its box from %g to %g m along axis %d",
                     centre, lo, hi, k);
        else if (lo < x - reach - slack || hi > x + reach + slack)
            snprintf(what, size,
                     "a box from %g to %g m along axis %d, of a body that is at most %g m around "
                     "%g m",
                     lo, hi, k, reach, x);
        else
            continue;
        return false;
    }
    return true;
}

/** Asks the plugin about boxes [begin, end) of the reader. */
static bool ask_boxes(scree_tight_reader *r, uint32_t begin, uint32_t end, uint32_t lane,
                      GError **error)
{
    const scree_shape *shape = r->world->shapes[r->world->shape[r->body[begin]]];
    char what[200];
    scree_shape_boxes batch = {.size = sizeof batch,
                               .lane = lane,
                               .n = end - begin,
                               .dimension = r->world->dimension,
                               .scale = r->scale + begin,
                               .part = r->part + begin,
                               .radius = r->radius + begin};
    for (int k = 0; k < 3; k++) {
        batch.x[k] = r->x[k] + begin;
        batch.lo[k] = r->lo[k] + begin;
        batch.hi[k] = r->hi[k] + begin;
        batch.centre[k] = r->centre[k] + begin;
    }
    for (int k = 0; k < 4; k++)
        batch.q[k] = r->q[k] + begin;
    if (!scree_shape_find_boxes(shape, &batch, SCREE_CALL_LANE, error))
        return false;
    for (uint32_t at = begin; at < end; at++)
        if (!is_sound_box(r, at, what, sizeof what))
            return scree_call_blame(scree_shape_instance(shape), "boxes", SCREE_EXIT_PLUGIN, error,
                                    "of body %" PRIu64 ", part %u it gave %s",
                                    r->world->id[r->body[at]], r->part[at], what);
    return true;
}

static int32_t ask_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    scree_tight_reader *r = user;
    return ask_boxes(r, (uint32_t)begin, (uint32_t)end, lane, &r->errors[begin / SCREE_TIGHT_BATCH])
               ? SCREE_OK
               : -1;
}

/** Asks about all collected parts; the error is that of the first call that failed. */
static bool ask_all_boxes(scree_tight_reader *r, GError **error)
{
    if (!r->pool || r->n <= SCREE_TIGHT_BATCH)
        return ask_boxes(r, 0, r->n, scree_pool_lane(), error);
    memset(r->errors, 0, sizeof r->errors);
    bool good = scree_pool_for(r->pool, 0, r->n, SCREE_TIGHT_BATCH, ask_chunk, r) >= 0;
    for (size_t k = 0; k < G_N_ELEMENTS(r->errors); k++)
        if (r->errors[k] && (!error || *error))
            g_error_free(r->errors[k]);
        else if (r->errors[k])
            g_propagate_error(error, r->errors[k]);
    return good;
}

bool scree_tight_read(scree_tight_reader *r, uint32_t body, uint32_t part, scree_tight *t,
                      GError **error)
{
    const scree_shape *shape = r->world->shapes[r->world->shape[body]];
    if (scree_shape_is_round(shape)) {
        scree_tight_ball(r->world, body, t);
        return true;
    }
    if (shape->flags & SCREE_CAP_BALLS) {
        tight_part(r->world, body, part, t);
        return true;
    }
    if (!scree_shape_instance(shape)) {
        tight_facet(r->world, body, part, t);
        return true;
    }
    if (r->at >= r->n || r->body[r->at] != body || r->part[r->at] != part) {
        collect_part(r, body, part);
        if (!ask_all_boxes(r, error))
            return false;
    }
    for (int k = 0; k < 3; k++) {
        t->lo[k] = r->lo[k][r->at];
        t->hi[k] = r->hi[k][r->at];
        t->centre[k] = r->centre[k][r->at];
    }
    t->radius = r->radius[r->at++];
    return true;
}

bool scree_tight_of(const scree_world *w, uint32_t body, uint32_t part, scree_tight *t,
                    GError **error)
{
    scree_tight_reader reader;
    scree_tight_begin(&reader, NULL, w, body + 1);
    reader.most = 1;
    return scree_tight_read(&reader, body, part, t, error);
}
