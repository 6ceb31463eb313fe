/* SPDX-License-Identifier: Apache-2.0 */
/* Extents: boxes that serve until a body has left its own; periodic images are further boxes. */
#include "engine/extent.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "base/arrays.h"
#include "engine/diagnostics.h"
#include "engine/motion.h"
#include "engine/rank_rows.h"
#include "engine/reach.h"
#include "engine/state.h"
#include "engine/tight_boxes.h"
#include "shape/shape.h"

/*
 * Source: PFC's cell space (Itasca, PFC manual, Update Spatial Searching Data Structures, eq. 1 and
 * figure 2). It leaves the size E and the range open; here E is the diameter of a ball, and the
 * mean side of any other tight box. The extent is the tight box grown by eps + r/2 (r: largest
 * range of a law; half of it per body, because both grow). The bounding sphere grows in the same
 * way. A ball's extent serves while its centre is within eps of its reference place: its box and
 * sphere are then inside the grown ones, so pairs may be dropped by boxes and by spheres. No point
 * of another body moves farther than |x - x'| + 2 R |q - q'|, where R is the radius around x that
 * holds it. Its extents serve while that is within the smallest eps of its parts; its boxes are
 * found only when they are renewed.
 *
 * Images: a box is copied by each shift of whole cells that meets the region. Then at least one
 * shifted copy of each overlapping pair (a, b + s) exists: the copy with a point of the overlap in
 * the region.
 */

enum { MOST_IMAGES = 64 };                /* per axis; a body with more is larger than the region */
static const int32_t here[3] = {0, 0, 0}; /* cells by which a box itself is shifted */

static bool is_ball(const scree_world *w, uint32_t body)
{
    return scree_shape_is_round(w->shapes[w->shape[body]]);
}

void scree_plane_normal(const scree_world *w, uint32_t plane, double normal[3])
{
    scree_world_turn(w, plane, w->shapes[w->shape[plane]]->normal, normal);
}

bool scree_reaches_plane(const scree_sim *sim, uint32_t slot, uint32_t plane)
{
    const scree_box_set *set = &sim->boxes;
    const double moves = set->ref[4 * (size_t)plane + 3] + 0.5 * sim->plugins.contact.range;
    double normal[3], height = 0.0;
    scree_plane_normal(sim->world, plane, normal);
    for (int k = 0; k < 3; k++)
        height += normal[k] * (set->centre[k][slot] - sim->world->x[k][plane]);
    return set->radius[slot] + moves - height >= 0.0;
}

/** Returns eps of PFC eq. 1; 0 for fixed bodies. The share of the velocity is at most one period: a
 * wider box has more images and does not serve longer, because no body may cross more than a period
 * in a step. */
static double tolerance(const scree_sim *sim, uint32_t body, const scree_tight *t)
{
    const scree_world *w = sim->world;
    if (w->motion[body] == SCREE_MOTION_FIXED)
        return 0.0;
    double v2 = 0.0, w2 = 0.0, arm2 = 0.0, side = 0.0;
    for (int k = 0; k < 3; k++) {
        double arm = t->centre[k] - w->x[k][body];
        v2 += w->v[k][body] * w->v[k][body];
        w2 += w->w[k][body] * w->w[k][body];
        arm2 += arm * arm;
        side += t->hi[k] - t->lo[k];
    }
    bool ball = is_ball(w, body);
    double speed = sqrt(v2);
    if (!ball)
        speed += sqrt(w2) * (sqrt(arm2) + t->radius);
    double size = ball ? 2.0 * t->radius : side / w->dimension;
    double ahead = sim->extents.eps_v * sim->extents.share * speed * sim->dt;
    if (w->cell.repeats)
        for (int k = 0; k < 3; k++)
            ahead = scree_repeats(&w->cell, k) ? fmin(ahead, w->cell.vector[k][k]) : ahead;
    return ahead + sim->extents.eps_e * size + sim->extents.eps_c;
}

static const scree_array slot_rows[] = {
    SCREE_ARRAY_EACH(scree_box_set, lo, 0),       SCREE_ARRAY_EACH(scree_box_set, hi, 0),
    SCREE_ARRAY_EACH(scree_box_set, centre, 0),   SCREE_ARRAY(scree_box_set, radius, 1, 0),
    SCREE_ARRAY(scree_box_set, body, 1, 0),       SCREE_ARRAY(scree_box_set, part, 1, 0),
    SCREE_ARRAY(scree_box_set, next_image, 1, 0), SCREE_ARRAY(scree_box_set, image, 1, 0),
    SCREE_ARRAY(scree_box_set, mark, 1, 0),
};
const scree_arrays scree_slot_arrays = {slot_rows, G_N_ELEMENTS(slot_rows)};

enum { CORNERS = 2, BOXES = 4 }; /* rows of lo and hi, of a whole box */

/** Takes memory for the boxes of a bare set, during a refresh. */
static void take_boxes(scree_box_set *set, uint64_t n, scree_scratch *scratch)
{
    for (uint32_t r = 0; r < BOXES; r++)
        for (uint32_t k = 0; k < slot_rows[r].count; k++)
            scree_array_set(scree_array_place(set, &slot_rows[r], k),
                            scree_scratch_take(scratch, n * sizeof(double)));
}

void scree_extent_drop(scree_box_set *set, scree_scratch *scratch, bool all)
{
    const uint32_t n = !set->bare ? 0 : all ? BOXES : CORNERS;
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t k = 0; k < slot_rows[r].count; k++) {
            void *place = scree_array_place(set, &slot_rows[r], k);
            scree_scratch_give(scratch, scree_array_get(place));
            scree_array_set(place, NULL);
        }
}

static const scree_array body_rows[] = {
    SCREE_ARRAY(scree_box_set, ref, 4, 0),
    SCREE_ARRAY(scree_box_set, must_renew, 1, 0),
};
const scree_arrays scree_extent_arrays = {body_rows, G_N_ELEMENTS(body_rows)};

static void reserve_slots(scree_box_set *set, uint64_t n)
{
    if (n > set->capacity)
        scree_arrays_grow(set, scree_slot_arrays, 0, &set->capacity, n, set->view.n);
}

/* Pushes to a binary min-heap: new boxes take the lowest free slot. */
static void heap_push(GArray *heap, uint32_t slot)
{
    g_array_append_val(heap, slot);
    uint32_t *v = (uint32_t *)(void *)heap->data;
    for (guint i = heap->len - 1; i > 0 && v[(i - 1) / 2] > v[i]; i = (i - 1) / 2) {
        uint32_t swap = v[i];
        v[i] = v[(i - 1) / 2];
        v[(i - 1) / 2] = swap;
    }
}

static uint32_t heap_pop(GArray *heap)
{
    uint32_t *v = (uint32_t *)(void *)heap->data, top = v[0];
    v[0] = v[heap->len - 1];
    g_array_set_size(heap, heap->len - 1);
    for (guint i = 0;;) {
        guint least = i;
        for (guint child = 2 * i + 1; child <= 2 * i + 2 && child < heap->len; child++)
            if (v[child] < v[least])
                least = child;
        if (least == i)
            return top;
        uint32_t swap = v[i];
        v[i] = v[least];
        v[least] = swap;
        i = least;
    }
}

static uint32_t take_slot(scree_box_set *set)
{
    if (set->free_slots->len)
        return heap_pop(set->free_slots);
    reserve_slots(set, (uint64_t)set->view.n + 1);
    return set->view.n++;
}

static void empty_slot(scree_box_set *set, uint32_t slot)
{
    scree_box_clear(set, slot);
    set->body[slot] = SCREE_NONE;
    set->mark[slot] = 1;
    heap_push(set->free_slots, slot);
}

static void write_slot(scree_box_set *set, const scree_world *w, uint32_t slot, uint32_t body,
                       uint32_t part, const int32_t cells[3], const scree_tight *t, double grow)
{
    double reach = t->radius + grow, largest = reach, shift[3] = {0.0};
    if (cells[0] || cells[1] || cells[2])
        scree_world_shift(w, cells, shift);
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, fabs(t->centre[k] + shift[k]) + reach);
    // Rounding may not separate touching boxes: a few units in the last place of the coordinates.
    double pad = 8.0 * DBL_EPSILON * (largest + w->slant);
    for (int k = 0; k < 3; k++) {
        bool flat = k == 2 && w->dimension == 2;
        set->lo[k][slot] = flat ? 0.0 : t->lo[k] + shift[k] - grow - pad;
        set->hi[k][slot] = flat ? 0.0 : t->hi[k] + shift[k] + grow + pad;
        set->centre[k][slot] = t->centre[k] + shift[k];
    }
    set->radius[slot] = reach + pad;
    if (set->bare)
        return;
    set->body[slot] = body;
    set->part[slot] = part;
    set->image[slot] = scree_shift_pack(cells);
    set->mark[slot] = 1;
}

/** Finds the range of whole cells along an axis by which [lo, hi] meets the brick. False: it is too
 * wide, or too far away; the range is empty. */
static bool image_range(const scree_world *w, int axis, double lo, double hi, int32_t range[2])
{
    const double length = w->cell.vector[axis][axis];
    const bool repeats = scree_repeats(&w->cell, axis);
    range[0] = 0;
    range[1] = repeats ? -1 : 0;
    if (!repeats)
        return true;
    double first = ceil((w->cell.lo[axis] - hi) / length);
    double last = floor((w->cell.hi[axis] - lo) / length);
    const double most = w->slant > 0.0 ? SCREE_SHIFT_BIAS - 1 : 1e5;
    if (!(last - first <= MOST_IMAGES) || fabs(first) > most || fabs(last) > most)
        return false;
    // Far from the brick (a kinematic body is not wrapped) the range lacks cell 0.
    range[0] = (int32_t)first;
    range[1] = (int32_t)last;
    return true;
}

/** Returns whether a box does not meet the borders of the brick, so that no image of it does. */
static bool is_inside(const scree_world *w, const scree_box_set *set, uint32_t slot)
{
    bool inside = true;
    for (int k = 0; k < 3; k++)
        inside = inside && (!scree_repeats(&w->cell, k) ||
                            (set->lo[k][slot] > w->cell.lo[k] && set->hi[k][slot] < w->cell.hi[k]));
    return inside;
}

/** Writes the images of a box that meet the brick: for each cell along z those along y, then x. */
static bool write_images(const scree_sim *sim, scree_box_set *set, uint32_t slot, uint32_t body,
                         uint32_t part, const scree_tight *t, double grow, GError **error)
{
    const scree_world *w = sim->world;
    int32_t s[3], x[2], y[2], z[2];
    uint32_t last = slot;
    set->next_image[slot] = SCREE_NONE;
    if (!w->cell.repeats || is_inside(w, set, slot))
        return true;
    bool near = image_range(w, 2, set->lo[2][slot], set->hi[2][slot], z);
    for (s[2] = z[0]; near && s[2] <= z[1]; s[2]++) {
        const double up = s[2] * w->cell.vector[2][1];
        near = image_range(w, 1, set->lo[1][slot] + up, set->hi[1][slot] + up, y);
        for (s[1] = y[0]; near && s[1] <= y[1]; s[1]++) {
            const double by = s[1] * w->cell.vector[1][0] + s[2] * w->cell.vector[2][0];
            near = image_range(w, 0, set->lo[0][slot] + by, set->hi[0][slot] + by, x);
            for (s[0] = x[0]; s[0] <= x[1]; s[0]++) {
                if (!s[0] && !s[1] && !s[2])
                    continue;
                uint32_t image = take_slot(set);
                write_slot(set, w, image, body, part, s, t, grow);
                set->next_image[last] = image;
                set->next_image[image] = SCREE_NONE;
                last = image;
            }
        }
    }
    return near ||
           scree_fail(error, SCREE_EXIT_RUN,
                      "body %" PRIu64 " is too large for, or too far from, the periodic region",
                      w->id[body]);
}

/** Sets the state around which a body's extents serve: no point of it may move by more than
 * `eps`. */
static void refer_body(scree_box_set *set, const scree_world *w, uint32_t body, double eps)
{
    double *ref = set->ref + 4 * (size_t)body;
    for (int k = 0; k < 3; k++)
        ref[k] = w->x[k][body];
    ref[3] = eps;
    for (int k = 0; k < 4 && body >= set->first_turning; k++)
        set->turn[4 * (size_t)(body - set->first_turning) + (size_t)k] = w->q[k][body];
    set->must_renew[body] = 0;
    set->slack[body / SCREE_SLACK_BODIES] = 0.0;
}

/** Makes new extents of one body: its own slots, then its images. */
static bool renew_body(const scree_sim *sim, scree_box_set *set, scree_tight_reader *reader,
                       uint32_t body, GError **error)
{
    const double half = 0.5 * sim->plugins.contact.range;
    uint32_t first = set->part_first[body], n_parts = set->part_first[body + 1] - first;
    double least = (double)INFINITY;
    for (uint32_t part = 0; part < n_parts; part++) {
        scree_tight t;
        if (!scree_tight_read(reader, body, part, &t, error))
            return false;
        double eps = tolerance(sim, body, &t);
        uint32_t slot = set->slot[first + part];
        if (slot == SCREE_NONE)
            slot = set->slot[first + part] = take_slot(set);
        else
            for (uint32_t image = set->next_image[slot]; image != SCREE_NONE;) {
                uint32_t next = set->next_image[image];
                empty_slot(set, image);
                image = next;
            }
        write_slot(set, sim->world, slot, body, part, here, &t, eps + half);
        if (!write_images(sim, set, slot, body, part, &t, eps + half, error))
            return false;
        least = fmin(least, eps);
    }
    refer_body(set, sim->world, body, least);
    return true;
}

static bool ball_left(const scree_sim *sim, uint32_t i)
{
    const double *const *x = (const double *const *)sim->world->x;
    const double *ref = sim->boxes.ref + 4 * (size_t)i;
    double dx = x[0][i] - ref[0], dy = x[1][i] - ref[1], dz = x[2][i] - ref[2];
    return !(dx * dx + dy * dy + dz * dz <= ref[3] * ref[3]);
}

bool scree_extent_note_left(const scree_sim *sim, uint32_t begin, uint32_t end)
{
    const scree_world *w = sim->world;
    const scree_box_set *set = &sim->boxes;
    bool left = false;
    for (uint32_t i = begin; i < end; i++) {
        const bool of_one =
            is_ball(w, i)
                ? ball_left(sim, i)
                : scree_solid_left(i, (const double *const *)w->x, (const double *const *)w->q,
                                   w->radius, set->ref + 4 * (size_t)i,
                                   set->turn + 4 * (size_t)(i - set->first_turning));
        set->must_renew[i] |= of_one;
        left |= of_one;
    }
    return left;
}

/** Returns whether a plane has left its reference place and orientation. */
static bool plane_left(const scree_sim *sim, uint32_t i)
{
    const double *was = sim->boxes.normal + 3 * (size_t)(i - scree_world_first_plane(sim->world));
    double now[3];
    if (isinf(sim->boxes.ref[4 * (size_t)i + 3]))
        return false; // it is a candidate with each body
    scree_plane_normal(sim->world, i, now);
    return ball_left(sim, i) || now[0] != was[0] || now[1] != was[1] || now[2] != was[2];
}

bool scree_extent_violated(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    if (!sim->boxes.valid || sim->extents.zero)
        return true;
    bool left = false;
    for (uint32_t i = scree_world_first_plane(w); i < w->n && !left; i++)
        left = plane_left(sim, i);
    return left;
}

/** Makes room for the reference states of all bodies, and decides the kind of set. */
static void choose_kind(const scree_sim *sim, scree_box_set *set)
{
    const scree_world *w = sim->world;
    const uint32_t n = scree_world_first_plane(w);
    bool single = true, faceted = false;
    scree_arrays_grow(set, scree_extent_arrays, 0, &set->ref_capacity, (uint64_t)w->n + 1, 0);
    scree_aligned_grow(&set->slack, &set->slack_capacity, w->n / SCREE_SLACK_BODIES + 1, 0,
                       sizeof *set->slack);
    memset(set->slack, 0, (w->n / SCREE_SLACK_BODIES + 1) * sizeof *set->slack);
    set->first_turning = n;
    for (uint32_t i = n; i-- > 0;) {
        single = single && scree_parts_of(w, i) == 1;
        faceted = faceted || scree_shape_is_wall(w->shapes[w->shape[i]]);
        if (!is_ball(w, i))
            set->first_turning = i;
    }
    scree_aligned_grow(&set->turn, &set->turn_capacity, n - set->first_turning, 0,
                       4 * sizeof *set->turn);
    set->simple = single && !w->cell.repeats;
    // Surfaces at rest are found by slot (conformal.c); a partial renewal needs the boxes of all
    // other bodies.
    set->bare = set->simple && !faceted && !sim->extents.renew_moved && !set->capacity;
}

/** Numbers the parts of all bodies. */
static void number_parts(const scree_sim *sim, scree_box_set *set)
{
    const scree_world *w = sim->world;
    uint64_t n_parts = 0;
    choose_kind(sim, set);
    if (set->bare)
        return;
    scree_aligned_grow(&set->part_first, &set->body_capacity, (uint64_t)w->n + 1, 0,
                       sizeof(uint32_t));
    for (uint32_t i = 0; i < w->n; i++) {
        set->part_first[i] = (uint32_t)n_parts;
        n_parts += scree_parts_of(w, i);
    }
    set->part_first[w->n] = (uint32_t)n_parts;
    scree_aligned_grow(&set->slot, &set->part_capacity, n_parts + 1, 0, sizeof(uint32_t));
}

/** A renewal of all extents. */
typedef struct renewal {
    const scree_sim *sim;
    scree_box_set *set;
    const uint8_t *near; /* by SCREE_SLACK_BODIES: extents of free bodies are made; NULL: all are */
} renewal;

/** Returns whether no extents are made of a body, because it is far from all rows of this rank. */
static inline bool is_far(const renewal *r, uint32_t body)
{
    return r->near && body < r->sim->world->n_free && !r->near[body / SCREE_SLACK_BODIES];
}

/** Empties the boxes of a body that is far. */
static void clear_body(const scree_box_set *set, uint32_t body)
{
    const uint32_t first = set->bare ? body : set->part_first[body];
    const uint32_t end = set->bare ? body + 1 : set->part_first[body + 1];
    for (uint32_t s = first; s < end; s++) { // of a new set: slot p is part p
        scree_box_clear(set, s);
        if (!set->bare) {
            set->body[s] = body;
            set->part[s] = s - first;
            set->image[s] = SCREE_SHIFT_ZERO;
        }
    }
}

static void renew_own(const renewal *r, uint32_t body, const scree_tight *t)
{
    const scree_sim *sim = r->sim;
    const uint32_t slot = r->set->bare ? body : r->set->slot[r->set->part_first[body]];
    const double eps = tolerance(sim, body, t);
    write_slot(r->set, sim->world, slot, body, 0, here, t, eps + 0.5 * sim->plugins.contact.range);
    refer_body(r->set, sim->world, body, eps);
}

/** Makes new extents of the bodies [begin, end), which are round, without their images. */
static int32_t renew_round(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const renewal *r = user;
    (void)lane;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        scree_tight t;
        if (is_far(r, i)) {
            clear_body(r->set, i);
            continue;
        }
        scree_tight_ball(r->sim->world, i, &t);
        renew_own(r, i, &t);
    }
    return SCREE_OK;
}

/** Makes new extents of the first n bodies, which are round; then their images, in order. */
static bool renew_balls(renewal *r, uint32_t n, GError **error)
{
    enum { GRAIN = 64 * SCREE_SLACK_BODIES }; // two lanes write no slack together
    scree_tight t;
    scree_pool_for(r->sim->runtime.pool, 0, n, GRAIN, renew_round, r);
    for (uint32_t i = 0; i < n && r->sim->world->cell.repeats; i++) {
        const uint32_t slot = r->set->slot[r->set->part_first[i]];
        if (is_inside(r->sim->world, r->set, slot))
            continue;
        scree_tight_ball(r->sim->world, i, &t);
        const double grow = tolerance(r->sim, i, &t) + 0.5 * r->sim->plugins.contact.range;
        if (!write_images(r->sim, r->set, slot, i, 0, &t, grow, error))
            return false;
    }
    return true;
}

/** Makes room for the boxes of all bodies before n. */
static void begin_boxes(const scree_sim *sim, scree_box_set *set, uint32_t n)
{
    const uint32_t n_parts = set->bare ? n : set->part_first[n]; // bare: slot i is body i
    if (!set->free_slots)
        set->free_slots = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    set->view.n = 0; // the boxes are not kept
    if (set->bare)
        take_boxes(set, n, sim->scratch);
    else
        reserve_slots(set, n_parts);
    g_array_set_size(set->free_slots, 0);
    set->view.n = n_parts;
    for (uint32_t p = 0; p < n_parts && !set->bare; p++) {
        set->slot[p] = p;
        set->next_image[p] = SCREE_NONE;
    }
}

static bool renew_all(const scree_sim *sim, scree_box_set *set, GError **error)
{
    const uint32_t n = scree_world_first_plane(sim->world);
    scree_tight_reader reader;
    renewal r = {sim, set, scree_ranks_apart(sim) ? sim->ranks->near : NULL};
    number_parts(sim, set);
    begin_boxes(sim, set, n);
    bool done = renew_balls(&r, set->first_turning, error);
    scree_tight_begin(&reader, sim->runtime.pool, sim->world, n);
    for (uint32_t i = set->first_turning; i < n && done; i++) {
        scree_tight t;
        if (is_far(&r, i))
            clear_body(set, i);
        else if (!set->bare)
            done = renew_body(sim, set, &reader, i, error);
        else if ((done = scree_tight_read(&reader, i, 0, &t, error)))
            renew_own(&r, i, &t);
    }
    return done;
}

/** Returns the first index from `at` on with a mark, or n. */
static uint32_t next_mark(const uint8_t *mark, uint32_t at, uint32_t n)
{
    for (uint64_t eight; at + 8 <= n; at += 8) {
        memcpy(&eight, mark + at, sizeof eight);
        if (eight)
            break;
    }
    while (at < n && !mark[at])
        at++;
    return at;
}

/** Renews the extents of bodies that have left theirs (scree_extent_note_left) or were edited. */
static bool renew_moved(scree_sim *sim, scree_box_set *set, GError **error)
{
    const uint32_t n = scree_world_first_plane(sim->world), n_free = sim->world->n_free;
    scree_tight_reader reader;
    for (uint32_t i = 0; (i = next_mark(set->must_renew, i, n)) < n; i++) {
        scree_tight_begin(&reader, sim->runtime.pool, sim->world, i + 1);
        if ((i < n_free && !scree_motion_check_body(sim, i, error)) ||
            !renew_body(sim, set, &reader, i, error))
            return false;
    }
    set->n_moved = 0;
    scree_aligned_grow(&set->moved, &set->moved_capacity, set->view.n, 0, sizeof(uint32_t));
    for (uint32_t slot = 0; (slot = next_mark(set->mark, slot, set->view.n)) < set->view.n; slot++)
        set->moved[set->n_moved++] = slot;
    return true;
}

/** Sets the references of planes, which have no box. The extent of a moving plane is valid within
 * eps of its reference; a turning plane is a candidate with each body. */
static void refer_planes(const scree_sim *sim, scree_box_set *set)
{
    const scree_world *w = sim->world;
    double largest = scree_world_largest(sim->world);
    scree_aligned_grow(&set->normal, &set->normal_capacity, w->n_planes, 0, 3 * sizeof(double));
    set->planes_moved = !set->valid; // nothing to compare with
    for (uint32_t p = scree_world_first_plane(w); p < w->n; p++) {
        double *ref = set->ref + 4 * (size_t)p, v2 = 0.0, w2 = 0.0;
        double *normal = set->normal + 3 * (size_t)(p - scree_world_first_plane(w));
        const double was[7] = {ref[0], ref[1], ref[2], ref[3], normal[0], normal[1], normal[2]};
        for (int k = 0; k < 3; k++) {
            ref[k] = w->x[k][p];
            v2 += w->v[k][p] * w->v[k][p];
            w2 += w->w[k][p] * w->w[k][p];
        }
        ref[3] = sim->extents.eps_v * sqrt(v2) * sim->dt + sim->extents.eps_e * 2.0 * largest +
                 sim->extents.eps_c;
        if (w->motion[p] != SCREE_MOTION_KINEMATIC)
            ref[3] = 0.0;
        else if (w2 > 0.0)
            ref[3] = (double)INFINITY;
        scree_plane_normal(w, p, normal);
        set->planes_moved = set->planes_moved || memcmp(was, ref, 4 * sizeof *ref) != 0 ||
                            memcmp(was + 4, normal, 3 * sizeof *normal) != 0;
    }
}

/** Returns the share for the current bodies, of which ranks that are apart have agreed. */
static double find_share(const scree_sim *sim)
{
    const uint32_t n = sim->world->n_free;
    double square = 0.0;
    if (scree_ranks_apart(sim))
        return sim->ranks->share;
    for (uint32_t i = 0; i < n; i += SCREE_SLACK_BODIES)
        square += scree_reach_square(sim->world, i, MIN(i + SCREE_SLACK_BODIES, n));
    return scree_reach_share(sim, square, NULL);
}

bool scree_extent_is_partial(const scree_sim *sim)
{
    return sim->boxes.valid && sim->boxes.numbered && sim->extents.renew_moved &&
           !sim->boxes.bare && !sim->extents.zero;
}

bool scree_extent_renew(scree_sim *sim, bool *all, bool *renumbered, GError **error)
{
    scree_box_set *set = &sim->boxes;
    *renumbered = !set->numbered;
    *all = !scree_extent_is_partial(sim);
    if (!scree_motion_check(sim, *all, error) || !scree_diagnostics_renewal(sim, error))
        return false;
    if (*all && set->valid && sim->renewal.on &&
        sim->plugins.gcd->plugin->flags & SCREE_CAP_INCREMENTAL)
        scree_renewal_look(&sim->renewal, sim->world, set);
    if (*all)
        sim->extents.share = find_share(sim);
    if (!(*all ? renew_all(sim, set, error) : renew_moved(sim, set, error)))
        return false;
    refer_planes(sim, set);
    if (*all && set->view.n && !set->bare)
        memset(set->mark, 0, set->view.n); // otherwise order.c needs them to drop cached pairs
    set->valid = set->numbered = true;
    set->view.size = sizeof set->view;
    set->view.dimension = sim->world->dimension;
    for (int k = 0; k < 3; k++) {
        set->view.lo[k] = set->lo[k];
        set->view.hi[k] = set->hi[k];
        set->view.centre[k] = set->centre[k];
    }
    set->view.radius = set->radius;
    return true;
}

void scree_extent_wrapped(const scree_sim *sim, uint32_t body, const double by[3])
{
    if (!sim->boxes.valid)
        return;
    for (int k = 0; k < 3; k++)
        sim->boxes.ref[4 * (size_t)body + k] += by[k];
    sim->boxes.slack[body / SCREE_SLACK_BODIES] = 0.0;
    // The slots are still in the old cell: the next partial renewal must move them.
    sim->boxes.must_renew[body] = 1;
}

void scree_extent_renumbered(scree_sim *sim, const uint32_t *new_of_old, uint32_t n_old)
{
    scree_box_set *set = &sim->boxes;
    if (!sim->extents.renew_moved || set->bare || !set->valid || sim->extents.zero) {
        set->valid = set->numbered = false;
        return;
    }
    uint32_t *old_first = g_new(uint32_t, n_old + 1), *old_slot, n_parts = set->part_first[n_old];
    memcpy(old_first, set->part_first, (n_old + 1) * sizeof *old_first);
    old_slot = g_memdup2(set->slot, (n_parts + 1) * sizeof *old_slot);
    double *old_ref = g_memdup2(set->ref, 4 * ((size_t)n_old + 1) * sizeof *old_ref);
    uint8_t *old_must = g_memdup2(set->must_renew, n_old + 1);
    double *old_turn = g_memdup2(set->turn, 4 * set->turn_capacity * sizeof *old_turn);
    const uint32_t turning = set->first_turning;
    number_parts(sim, set);
    set->simple = false;
    for (uint32_t p = 0; p < set->part_first[sim->world->n]; p++)
        set->slot[p] = SCREE_NONE;
    memset(set->must_renew, 1, sim->world->n);
    for (uint32_t i = 0; i < n_old; i++) {
        uint32_t to = new_of_old[i];
        if (to != SCREE_NONE) {
            memcpy(set->ref + 4 * (size_t)to, old_ref + 4 * (size_t)i, 4 * sizeof *old_ref);
            set->must_renew[to] = old_must[i];
        }
        if (to != SCREE_NONE && to < scree_world_first_plane(sim->world) &&
            !is_ball(sim->world, to))
            memcpy(set->turn + 4 * (size_t)(to - set->first_turning),
                   old_turn + 4 * (size_t)(i - turning), 4 * sizeof *old_turn);
        for (uint32_t p = old_first[i]; p < old_first[i + 1]; p++) {
            if (to != SCREE_NONE)
                set->slot[set->part_first[to] + p - old_first[i]] = old_slot[p];
            for (uint32_t s = old_slot[p], next; s != SCREE_NONE; s = next) {
                next = set->next_image[s];
                set->body[s] = to;
                if (to == SCREE_NONE)
                    empty_slot(set, s);
            }
        }
    }
    g_free(old_first);
    g_free(old_slot);
    g_free(old_ref);
    g_free(old_must);
    g_free(old_turn);
}

void scree_extent_clear(scree_box_set *set)
{
    scree_arrays_free(set, scree_slot_arrays);
    scree_arrays_free(set, scree_extent_arrays);
    free(set->part_first);
    free(set->slot);
    free(set->normal);
    free(set->turn);
    free(set->slack);
    free(set->beyond);
    free(set->moved);
    if (set->free_slots)
        g_array_unref(set->free_slots);
    memset(set, 0, sizeof *set);
}
