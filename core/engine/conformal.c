/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces of facets at rest: a pair in which only the box is near is not a candidate. Also the
 * service draft.conformal/1. */
#include "engine/conformal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/state.h"
#include "engine/tight_boxes.h"

/*
 * Source: the conformal-surface check of PFC's cell space (Itasca, PFC manual, Update Spatial
 * Searching Data Structures, figure 3). PFC's search reads the bodies. Here a GCD sees only boxes,
 * and asks the service draft.conformal/1 whether a facet is near a cell. The test uses separating
 * axes (Akenine-Moeller 2001, for a triangle and a box): the axes of the box, the normal of the
 * facet, and edges times axes. Grown facets have round borders, which these axes do not cut: it may
 * answer "near" at corners.
 *
 * Why a pair may be dropped: both boxes are those of their bodies, grown by eps + r/2 (extent.c),
 * with eps 0 for a body at rest. If the two come within r of each other later, while the ball is in
 * its extent, the middle of the gap is in the ball's box and within r/2 of the facet.
 */

enum { IMAGES = 64 }; /* [cells] longest distance of a query */

typedef struct surface {               // surface of a facet; n 0: not at rest
    double corner[4][3], lo[3], hi[3]; // [m]
    double normal[3], offset, thick;   // [-] [m] plane; [m] distance of corners from it
    double grow;                       // [m] growth of its box
    double slack;                      // [m] rounding at its place
    uint32_t n;
} surface;

/* The state of a body that gives its surfaces. */
typedef struct pose {
    double x[3], q[4], scale, grow;
    const scree_shape *shape; // NULL: not at rest
    uint32_t first;           // first part
} pose;

struct scree_at_rest {
    bool offered;
    surface *surfaces; // by part; element 0 is the first part of the first body that is not free
    pose *poses;       // [n_poses] by body; element 0 is the first body that is not free
    uint64_t capacity, n_poses;
    uint32_t base; // number of the part at surfaces[0]
};

/** Finds the plane through three corners; in 2D, along the segment. */
static void take_plane(surface *s)
{
    double u[3], v[3] = {0.0, 0.0, 1.0}, square = 0.0;
    for (int k = 0; k < 3; k++) {
        u[k] = s->corner[1][k] - s->corner[0][k];
        if (s->n > 2)
            v[k] = s->corner[2][k] - s->corner[0][k];
    }
    for (int k = 0; k < 3; k++) {
        s->normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        square += s->normal[k] * s->normal[k];
    }
    s->offset = 0.0;
    for (int k = 0; k < 3; k++) {
        s->normal[k] = square > 0.0 ? s->normal[k] / sqrt(square) : 0.0;
        s->offset += s->normal[k] * s->corner[0][k];
    }
    s->thick = 0.0;
    for (uint32_t c = 1; c < s->n; c++) { // a quad, or a triangle that is nearly a line
        const double *x = s->corner[c];
        const double at = s->normal[0] * x[0] + s->normal[1] * x[1] + s->normal[2] * x[2];
        s->thick = fmax(s->thick, fabs(at - s->offset));
    }
}

static void take_surface(const scree_world *w, uint32_t body, uint32_t part, double grow,
                         surface *s)
{
    double largest = grow;
    s->n = scree_facet_corners(w, body, part, s->corner);
    for (int k = 0; k < 3; k++) {
        s->lo[k] = HUGE_VAL;
        s->hi[k] = -HUGE_VAL;
        for (uint32_t c = 0; c < s->n; c++) {
            s->lo[k] = fmin(s->lo[k], s->corner[c][k]);
            s->hi[k] = fmax(s->hi[k], s->corner[c][k]);
        }
        const double images = IMAGES * (w->cell.vector[k][k] + w->slant);
        largest = fmax(largest, fmax(fabs(s->lo[k]), fabs(s->hi[k])) + images);
    }
    s->slack = 32.0 * DBL_EPSILON * largest;
    s->grow = grow + s->slack; // a box is also larger by a few units in the last place
    take_plane(s);
}

/** Returns whether the service is offered: not with pair fields, which live only by boxes. */
static bool is_offered(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    bool any = false;
    for (uint32_t i = w->n_free; i < scree_world_first_plane(w) && !any; i++)
        any = w->shapes[w->shape[i]]->flags & SCREE_CAP_WALL;
    return any && !sim->boxes.bare && sim->plugins.contact.n_pair_fields == 0;
}

/** Stores the state of a body. False: it has changed. */
static bool same_pose(const scree_sim *sim, uint32_t body, pose *was)
{
    const scree_world *w = sim->world;
    pose now;
    memset(&now, 0, sizeof now); // also what is between members
    now.scale = w->scale[body];
    now.grow = 0.5 * sim->plugins.contact.range;
    now.first = sim->boxes.part_first[body];
    if (w->motion[body] == SCREE_MOTION_FIXED && w->shapes[w->shape[body]]->flags & SCREE_CAP_WALL)
        now.shape = w->shapes[w->shape[body]];
    for (int k = 0; k < 3; k++)
        now.x[k] = w->x[k][body];
    for (int k = 0; k < 4; k++)
        now.q[k] = w->q[k][body];
    const bool same = !memcmp(&now, was, sizeof now);
    memcpy(was, &now, sizeof now);
    return same;
}

/** Makes room for the surfaces of n bodies; new poses match no body. */
static void make_room_at_rest(struct scree_at_rest *r, uint64_t n, uint64_t n_parts)
{
    uint64_t room = r->n_poses;
    scree_aligned_grow(&r->surfaces, &r->capacity, n_parts, r->capacity, sizeof *r->surfaces);
    scree_aligned_grow(&r->poses, &room, n, r->n_poses, sizeof *r->poses);
    if (room > r->n_poses)
        memset(r->poses + r->n_poses, 0xff, (room - r->n_poses) * sizeof *r->poses);
    r->n_poses = room;
}

void scree_conformal_renew(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    const uint32_t *parts = sim->boxes.part_first, first = w->n_free;
    const uint32_t end = scree_world_first_plane(w);
    struct scree_at_rest *r = sim->search.at_rest;
    r->offered = is_offered(sim);
    if (!r->offered)
        return;
    make_room_at_rest(r, end - first, parts[end] - parts[first]);
    for (uint32_t i = first; i < end; i++) {
        pose *p = &r->poses[i - first];
        if (same_pose(sim, i, p) && r->base == parts[first])
            continue;
        for (uint32_t k = parts[i]; k < parts[i + 1]; k++) {
            surface *s = &r->surfaces[k - parts[first]];
            s->n = 0;
            if (p->shape)
                take_surface(w, i, k - parts[i], p->grow, s);
        }
    }
    r->base = parts[first];
}

bool scree_conformal_offered(const scree_sim *sim)
{
    return sim->search.at_rest->offered;
}

/** Returns the surface in a slot; NULL: only its box is known. */
static const surface *surface_of(const scree_sim *sim, uint32_t slot)
{
    const scree_box_set *set = &sim->boxes;
    const struct scree_at_rest *r = sim->search.at_rest;
    const uint32_t body = scree_box_body(set, slot);
    if (body == SCREE_NONE || body < sim->world->n_free)
        return NULL;
    const surface *s = &r->surfaces[set->part_first[body] + scree_box_part(set, slot) - r->base];
    return s->n ? s : NULL;
}

/** Returns whether the axis parts the grown corners x from a box of half sides h at the origin. */
static bool parts(const surface *s, double x[4][3], const double h[3], const double axis[3])
{
    const double sum = fabs(axis[0]) + fabs(axis[1]) + fabs(axis[2]);
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double reach = h[0] * fabs(axis[0]) + h[1] * fabs(axis[1]) + h[2] * fabs(axis[2]) +
                         s->grow * length + s->slack * sum;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (uint32_t c = 0; c < s->n; c++) {
        const double at = x[c][0] * axis[0] + x[c][1] * axis[1] + x[c][2] * axis[2];
        least = least < at ? least : at;
        most = most > at ? most : at;
    }
    return least > reach || most < -reach;
}

/** Returns whether no axis separates the grown surface from the closed box. */
static bool near_box(const surface *s, const double lo[3], const double hi[3])
{
    double x[4][3], h[3], middle[3], along = -s->offset;
    double reach = s->thick + s->grow + 3.0 * s->slack;
    for (int k = 0; k < 3; k++) { // limits the box to the finite surface
        const double far = s->grow + s->slack;
        const double a = fmax(lo[k], s->lo[k] - far), b = fmin(hi[k], s->hi[k] + far);
        if (a > b)
            return false;
        middle[k] = 0.5 * (a + b);
        h[k] = 0.5 * (b - a);
        along += s->normal[k] * middle[k];
        reach += h[k] * fabs(s->normal[k]);
    }
    if (fabs(along) > reach)
        return false;
    for (uint32_t c = 0; c < s->n; c++)
        for (int k = 0; k < 3; k++)
            x[c][k] = s->corner[c][k] - middle[k];
    for (uint32_t c = 0; c < s->n && s->n > 2; c++) {
        double edge[3];
        for (int k = 0; k < 3; k++)
            edge[k] = x[(c + 1) % s->n][k] - x[c][k];
        const double across[3][3] = {
            {0.0, edge[2], -edge[1]}, {-edge[2], 0.0, edge[0]}, {edge[1], -edge[0], 0.0}};
        for (int k = 0; k < 3; k++)
            if (parts(s, x, h, across[k]))
                return false;
    }
    return true;
}

/** Returns whether the surface in a slot, perhaps an image, is near a box, shifted with it. */
static bool slot_near(const scree_sim *sim, const surface *s, uint32_t slot, const double lo[3],
                      const double hi[3], double d)
{
    double low[3], high[3];
    double by[3];
    int32_t cells[3];
    scree_shift_unpack(scree_box_image(&sim->boxes, slot), cells);
    scree_world_shift(sim->world, cells, by);
    for (int k = 0; k < 3; k++) {
        low[k] = lo[k] - d - by[k];
        high[k] = hi[k] + d - by[k];
    }
    return near_box(s, low, high);
}

bool scree_conformal_apart(const scree_sim *sim, uint32_t i, uint32_t j)
{
    const scree_boxes *b = &sim->boxes.view;
    const surface *s = surface_of(sim, i);
    const uint32_t at = s ? i : j, other = s ? j : i;
    if (!s)
        s = surface_of(sim, j);
    if (!s)
        return false;
    const double lo[3] = {b->lo[0][other], b->lo[1][other], b->lo[2][other]};
    const double hi[3] = {b->hi[0][other], b->hi[1][other], b->hi[2][other]};
    return !slot_near(sim, s, at, lo, hi, 0.0);
}

static int32_t knows(void *ctx, uint32_t slot)
{
    const scree_sim *sim = ctx;
    return scree_conformal_offered(sim) && slot < sim->boxes.view.n && surface_of(sim, slot);
}

static int32_t comes_within(void *ctx, uint32_t slot, const double lo[3], const double hi[3],
                            double d)
{
    const scree_sim *sim = ctx;
    return !knows(ctx, slot) || slot_near(sim, surface_of(sim, slot), slot, lo, hi, d);
}

void scree_conformal_offer(scree_sim *sim)
{
    sim->search.at_rest = g_new0(struct scree_at_rest, 1);
    sim->search.conformal = (scree_conformal){
        .size = sizeof(scree_conformal), .ctx = sim, .knows = knows, .comes_within = comes_within};
    sim->runtime.conformal = &sim->search.conformal;
}

void scree_conformal_clear(scree_search *search)
{
    if (!search->at_rest)
        return;
    free(search->at_rest->surfaces);
    free(search->at_rest->poses);
    g_clear_pointer(&search->at_rest, g_free);
}
