/* SPDX-License-Identifier: Apache-2.0 */
/* Which bodies of other ranks may meet own rows: they are taken before a refresh, others are not.
 *
 * Idea     A chunk is 64 consecutive free bodies; ranks have whole chunks. Each rank bounds the
 *          extents of its chunks, and all get these bounds: one line per chunk. A chunk of rank j is
 *          near rank k if its bound meets a bound of k. Both ranks find that from the same lines, so
 *          rank j sends the bodies of its near chunks, and k knows which ones come.
 *
 * Steps    1. Bounds of own chunks are gathered by all. If a body of some rank is not sound, its
 *             speed is infinite: then all ranks take the whole state (ghosts.c).
 *          2. The room around the bounds of a rank is cut into cells, with a bit for each cell that
 *             one of them meets. A bound or a box that meets no such cell meets none of them.
 *          3. Bodies of near chunks go to their ranks: places, velocities, spins, and orientations if
 *             some bodies are not balls. In a periodic cell all chunks are near.
 *          4. Extents are made for own bodies and for those of near chunks. Boxes of others are
 *             empty, and those that meet no cell of a room around the boxes of own rows and their
 *             images (scree_vicinity_pick).
 *
 * Cost     72 bytes per chunk to each rank, and the bodies near borders.
 */
#include "engine/vicinity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/conformal.h"
#include "engine/motion.h"
#include "engine/ranks.h"
#include "engine/reach.h"
#include "engine/settle.h"
#include "scree/sdk.h"

enum { MOST_CELLS = 1 << 18, CHUNK = SCREE_SLACK_BODIES };

/** The bodies of a chunk, as all ranks know them. */
typedef struct chunk_bound {
    double lo[3], hi[3]; /* [m] of the spheres around the bodies */
    double radius;       /* [m] of the largest body */
    double speed;        /* [m/s] of the fastest point; infinite: a body of the rank is not sound */
    double square;       /* [m^2/s^2] sum of the squared speeds */
} chunk_bound;

/** A bound or a box. */
typedef struct box {
    double lo[3], hi[3];
} box;

/** The room around boxes of a rank. */
typedef struct room {
    box all;
    double per_length[3];
    int32_t n[3];
    uint64_t *bits;
    uint64_t capacity;
} room;

/** A range of cells along each axis. */
typedef struct cell_range {
    int32_t first[3], last[3];
} cell_range;

/** Chunks of which the bodies go to another rank, or come from it. */
typedef struct parcel {
    GArray *chunks; /* elements: uint32_t, ascending */
    double *lines;
    uint64_t capacity, n; /* n: number of doubles */
} parcel;

struct scree_vicinity {
    uint32_t n_ranks, n_chunks;
    chunk_bound *bounds; /* [n_chunks] */
    box *grown;          /* [n_chunks] of their extents */
    uint64_t bound_capacity, grown_capacity, near_capacity;
    room own, other;
    parcel *out, *in;        /* [n_ranks] */
    scree_message *messages; /* [n_ranks] */
};

static scree_vicinity *make_vicinity(uint32_t n)
{
    scree_vicinity *v = g_new0(scree_vicinity, 1);
    v->n_ranks = n;
    v->out = g_new0(parcel, n);
    v->in = g_new0(parcel, n);
    v->messages = g_new0(scree_message, n);
    for (uint32_t k = 0; k < n; k++) {
        v->out[k].chunks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        v->in[k].chunks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    return v;
}

static scree_vicinity *vicinity_of(scree_ranks *r)
{
    return r->vicinity ? r->vicinity : (r->vicinity = make_vicinity(r->n));
}

void scree_vicinity_free(scree_vicinity *v)
{
    if (!v)
        return;
    for (uint32_t k = 0; k < v->n_ranks; k++) {
        g_array_unref(v->out[k].chunks);
        g_array_unref(v->in[k].chunks);
        free(v->out[k].lines);
        free(v->in[k].lines);
    }
    void *const rooms[] = {v->bounds, v->grown, v->own.bits, v->other.bits};
    for (size_t k = 0; k < G_N_ELEMENTS(rooms); k++)
        free(rooms[k]);
    g_free(v->out);
    g_free(v->in);
    g_free(v->messages);
    g_free(v);
}

/* ---- cells ---- */

/** Finds the room around some boxes. Returns the mean of their sides along x. */
static double find_room(room *r, const box *boxes, uint32_t n)
{
    double side = 0.0;
    for (int k = 0; k < 3; k++) {
        r->all.lo[k] = (double)INFINITY;
        r->all.hi[k] = -(double)INFINITY;
    }
    for (uint32_t c = 0; c < n; c++) {
        for (int k = 0; k < 3; k++) {
            r->all.lo[k] = MIN(r->all.lo[k], boxes[c].lo[k]);
            r->all.hi[k] = MAX(r->all.hi[k], boxes[c].hi[k]);
        }
        side += boxes[c].hi[0] - boxes[c].lo[0];
    }
    return side / fmax(n, 1.0);
}

/** Cuts the room into cells as wide as `side`, or wider. */
static void cut_room(room *r, double side, uint32_t axes)
{
    const bool any = r->all.lo[0] <= r->all.hi[0];
    double volume = 1.0;
    size_t n_cells = 1;
    for (uint32_t k = 0; k < axes; k++)
        volume *= any ? r->all.hi[k] - r->all.lo[k] : 0.0;
    side = fmax(side, pow(volume / MOST_CELLS, 1.0 / axes));
    for (uint32_t k = 0; k < 3; k++) {
        const double length = r->all.hi[k] - r->all.lo[k];
        const double most = k >= axes || !any ? 1.0 : axes == 2 ? 512.0 : cbrt(MOST_CELLS);
        r->n[k] = most > 1.0 ? (int32_t)fmin(fmax(length / side, 1.0), most) : 1;
        r->per_length[k] = r->n[k] > 1 ? r->n[k] / length : 0.0;
        n_cells *= (size_t)r->n[k];
    }
    scree_aligned_grow(&r->bits, &r->capacity, n_cells / 64 + 1, 0, sizeof *r->bits);
    memset(r->bits, 0, (n_cells / 64 + 1) * sizeof *r->bits);
}

/** Finds the cells that a box may meet. Returns whether it meets the room. */
static bool find_range(const room *r, const box *b, cell_range *c)
{
    for (int k = 0; k < 3; k++) {
        if (!(b->lo[k] <= r->all.hi[k] && b->hi[k] >= r->all.lo[k]))
            return false;
        const double last = r->n[k] - 1; // rounding is monotone: boxes that meet share a cell
        c->first[k] = (int32_t)MIN(MAX((b->lo[k] - r->all.lo[k]) * r->per_length[k], 0.0), last);
        c->last[k] = (int32_t)MIN(MAX((b->hi[k] - r->all.lo[k]) * r->per_length[k], 0.0), last);
    }
    return true;
}

/** Marks cells, or (!marks) looks for a mark. Returns whether it has found one. */
static bool walk_cells(const room *r, const cell_range *c, bool marks)
{
    for (int32_t z = c->first[2]; z <= c->last[2]; z++)
        for (int32_t y = c->first[1]; y <= c->last[1]; y++)
            for (int32_t x = c->first[0]; x <= c->last[0]; x++) {
                const size_t at = ((size_t)z * r->n[1] + y) * r->n[0] + x;
                if (marks)
                    r->bits[at / 64] |= (uint64_t)1 << at % 64;
                else if (r->bits[at / 64] >> at % 64 & 1)
                    return true;
            }
    return false;
}

/** Returns whether a box may meet one of those around which the room was made. */
static bool is_near(const room *r, const box *b)
{
    cell_range c;
    return find_range(r, b, &c) && walk_cells(r, &c, false);
}

/** Makes the room around some boxes, with `parts` cells or fewer along a mean side. */
static void make_room(const scree_sim *sim, const box *boxes, uint32_t n, double parts, room *r)
{
    const double side = find_room(r, boxes, n);
    cell_range c;
    cut_room(r, side / parts, sim->world->dimension);
    for (uint32_t k = 0; k < n; k++)
        if (find_range(r, &boxes[k], &c))
            walk_cells(r, &c, true);
}

/** Makes the room around the chunks of a rank. */
static void make_room_of(const scree_sim *sim, const scree_vicinity *v, uint32_t rank, room *r)
{
    const uint32_t first = scree_ranks_chunk(sim, rank), end = scree_ranks_chunk(sim, rank + 1);
    make_room(sim, v->grown + first, end - first, 4.0, r);
}

/* ---- bounds ---- */

/** Bounds the bodies [first, end) of a chunk. */
static chunk_bound bound_chunk(const scree_sim *sim, uint32_t first, uint32_t end)
{
    const scree_world *w = sim->world;
    chunk_bound b = {.square = scree_reach_square(w, first, end)};
    double fastest = 0.0, turning = 0.0;
    for (int k = 0; k < 3; k++) {
        b.lo[k] = (double)INFINITY;
        b.hi[k] = -(double)INFINITY;
        for (uint32_t i = first; i < end; i++) {
            b.lo[k] = MIN(b.lo[k], w->x[k][i] - w->radius[i]);
            b.hi[k] = MAX(b.hi[k], w->x[k][i] + w->radius[i]);
        }
    }
    for (uint32_t i = first; i < end; i++) {
        double v2 = 0.0, w2 = 0.0;
        for (int k = 0; k < 3; k++) {
            v2 += w->v[k][i] * w->v[k][i];
            w2 += w->w[k][i] * w->w[k][i];
        }
        fastest = MAX(fastest, v2);
        turning = i < sim->boxes.first_turning ? turning : MAX(turning, w2);
        b.radius = MAX(b.radius, w->radius[i]);
    }
    // A part and its sphere reach up to three radii from the centre.
    b.speed = sqrt(fastest) + 3.0 * b.radius * sqrt(turning);
    return b;
}

/** Gathers the bounds of all chunks. Returns whether all ranks are sound. */
static bool gather_bounds(const scree_sim *sim, scree_vicinity *v, bool *sound, GError **error)
{
    const scree_ranks *r = sim->ranks;
    const scree_rows rows = scree_ranks_rows(sim);
    const uint32_t first = scree_ranks_chunk(sim, r->rank),
                   end = scree_ranks_chunk(sim, r->rank + 1);
    const bool unsound =
        !scree_motion_sound(sim, sim->warnings.diagnostics != NULL, rows.first, rows.end);
    g_autofree chunk_bound *own = g_new(chunk_bound, end - first + 1);
    g_autofree uint64_t *bytes = g_new(uint64_t, r->n);
    v->n_chunks = scree_ranks_chunk(sim, r->n);
    scree_aligned_grow(&v->bounds, &v->bound_capacity, v->n_chunks, 0, sizeof *v->bounds);
    for (uint32_t c = first; c < end; c++) {
        own[c - first] = bound_chunk(sim, c * CHUNK, MIN((c + 1) * CHUNK, rows.end));
        if (unsound)
            own[c - first].speed = (double)INFINITY;
    }
    for (uint32_t k = 0; k < r->n; k++)
        bytes[k] =
            (uint64_t)(scree_ranks_chunk(sim, k + 1) - scree_ranks_chunk(sim, k)) * sizeof *own;
    if (!scree_ranks_gather(r, SCREE_DOMAIN_ALL, own, bytes, v->bounds, error))
        return false;
    *sound = true;
    for (uint32_t c = 0; c < v->n_chunks; c++)
        *sound = *sound && isfinite(v->bounds[c].speed);
    return true;
}

/** Finds the share of the velocity in all extents, as one rank does. */
static double find_share(const scree_sim *sim, const scree_vicinity *v)
{
    double square = 0.0, space = 1.0;
    for (uint32_t k = 0; k < sim->world->dimension; k++) {
        double lo = (double)INFINITY, hi = -(double)INFINITY;
        for (uint32_t c = 0; c < v->n_chunks; c++) {
            lo = MIN(lo, v->bounds[c].lo[k]);
            hi = MAX(hi, v->bounds[c].hi[k]);
        }
        space *= scree_repeats(&sim->world->cell, k) ? sim->world->cell.vector[k][k] : hi - lo;
    }
    for (uint32_t c = 0; c < v->n_chunks; c++)
        square += v->bounds[c].square;
    return scree_reach_share(sim, square, &space);
}

/** Grows the bounds by what extents have beyond the bodies (extent.c). */
static void grow_bounds(const scree_sim *sim, scree_vicinity *v)
{
    scree_aligned_grow(&v->grown, &v->grown_capacity, v->n_chunks, 0, sizeof *v->grown);
    for (uint32_t c = 0; c < v->n_chunks; c++) {
        const chunk_bound *b = &v->bounds[c];
        const double eps = sim->extents.eps_v * sim->ranks->share * b->speed * sim->dt +
                           sim->extents.eps_e * 2.0 * b->radius + sim->extents.eps_c;
        const double grow = eps + 0.5 * sim->plugins.contact.range;
        for (int k = 0; k < 3; k++) {
            const double pad = 1e-9 * (grow + fabs(b->lo[k]) + fabs(b->hi[k])); // of rounding
            v->grown[c].lo[k] = b->lo[k] - grow - pad;
            v->grown[c].hi[k] = b->hi[k] + grow + pad;
        }
    }
}

/* ---- bodies ---- */

static bool has_rows(const scree_sim *sim, uint32_t rank)
{
    return scree_ranks_chunk(sim, rank) < scree_ranks_chunk(sim, rank + 1);
}

static void clear_parcel(parcel *p)
{
    g_array_set_size(p->chunks, 0);
    p->n = 0;
}

/** Lists the chunks of a rank that are near another one. */
static void list_near(const scree_sim *sim, const scree_vicinity *v, uint32_t rank, const room *r,
                      parcel *p)
{
    const bool all = sim->world->cell.repeats;
    for (uint32_t c = scree_ranks_chunk(sim, rank); c < scree_ranks_chunk(sim, rank + 1); c++) {
        if (!all && !is_near(r, &v->grown[c]))
            continue;
        g_array_append_val(p->chunks, c);
        p->n += MIN((c + 1) * CHUNK, sim->world->n_free) - c * CHUNK;
    }
}

/** Moves the data of a parcel's bodies to its lines, or (`reads`) from them to the world. */
static void copy_lines(const scree_sim *sim, parcel *p, bool reads)
{
    const scree_world *w = sim->world;
    double *const all[13] = {w->x[0], w->x[1], w->x[2], w->v[0], w->v[1], w->v[2], w->w[0],
                             w->w[1], w->w[2], w->q[0], w->q[1], w->q[2], w->q[3]};
    int32_t *const *image = w->image;
    const uint32_t n_arrays = sim->boxes.first_turning < w->n_free ? 13 : 9;
    const uint32_t n_cells = w->cell.repeats ? 3 : 0;
    double *line = p->lines;
    for (guint k = 0; k < p->chunks->len; k++) {
        const uint32_t first = g_array_index(p->chunks, uint32_t, k) * CHUNK;
        const uint32_t n = MIN(first + CHUNK, w->n_free) - first;
        for (uint32_t a = 0; a < n_arrays; a++, line += n)
            memcpy(reads ? all[a] + first : line, reads ? line : all[a] + first, n * sizeof *line);
        for (uint32_t a = 0; a < n_cells; a++, line += n) {
            int32_t *cells = (int32_t *)(void *)line;
            memcpy(reads ? image[a] + first : cells, reads ? cells : image[a] + first,
                   n * sizeof *cells);
        }
    }
}

/** Exchanges the bodies of near chunks. */
static bool exchange_bodies(const scree_sim *sim, scree_vicinity *v, GError **error)
{
    const uint32_t width = (sim->boxes.first_turning < sim->world->n_free ? 13 : 9) +
                           (sim->world->cell.repeats ? 3 : 0);
    scree_exchange all = {.size = sizeof all, .messages = v->messages};
    for (uint32_t k = 0; k < v->n_ranks; k++) {
        parcel *out = &v->out[k], *in = &v->in[k];
        if (!out->n && !in->n)
            continue;
        scree_aligned_grow(&out->lines, &out->capacity, out->n * width, 0, sizeof(double));
        scree_aligned_grow(&in->lines, &in->capacity, in->n * width, 0, sizeof(double));
        copy_lines(sim, out, false);
        v->messages[all.n_messages++] = (scree_message){.rank = k,
                                                        .n_out = out->n * width * sizeof(double),
                                                        .n_in = in->n * width * sizeof(double),
                                                        .out = out->lines,
                                                        .in = in->lines};
    }
    if (!scree_ranks_reduce(sim->ranks, &all, error))
        return false;
    for (uint32_t k = 0; k < v->n_ranks; k++)
        copy_lines(sim, &v->in[k], true);
    return true;
}

/** Lists the chunks whose bodies this rank sends to each other one, and those that it takes. */
static void find_parcels(const scree_sim *sim, scree_vicinity *v)
{
    scree_ranks *r = sim->ranks;
    const uint32_t own = r->rank, first = scree_ranks_chunk(sim, own);
    make_room_of(sim, v, own, &v->own);
    scree_aligned_grow(&r->near, &v->near_capacity, v->n_chunks, 0, 1);
    memset(r->near, 0, v->n_chunks);
    memset(r->near + first, 1, scree_ranks_chunk(sim, own + 1) - first);
    for (uint32_t k = 0; k < r->n; k++) {
        if (k == own)
            continue;
        clear_parcel(&v->in[k]);
        clear_parcel(&v->out[k]);
        if (!has_rows(sim, own) || !has_rows(sim, k))
            continue;
        list_near(sim, v, k, &v->own, &v->in[k]);
        for (guint c = 0; c < v->in[k].chunks->len; c++)
            r->near[g_array_index(v->in[k].chunks, uint32_t, c)] = 1;
        make_room_of(sim, v, k, &v->other);
        list_near(sim, v, own, &v->other, &v->out[k]);
    }
}

bool scree_vicinity_take(scree_sim *sim, bool *sound, GError **error)
{
    scree_ranks *r = sim->ranks;
    if (!scree_sim_settle(sim, error) || !gather_bounds(sim, vicinity_of(r), sound, error))
        return false;
    if (!*sound)
        return true;
    r->share = find_share(sim, r->vicinity);
    grow_bounds(sim, r->vicinity);
    find_parcels(sim, r->vicinity);
    return exchange_bodies(sim, r->vicinity, error);
}

static box box_of(const scree_box_set *set, uint32_t slot)
{
    return (box){{set->lo[0][slot], set->lo[1][slot], set->lo[2][slot]},
                 {set->hi[0][slot], set->hi[1][slot], set->hi[2][slot]}};
}

/** Makes the room around the boxes of own rows, with their images. */
static void make_own_room(const scree_sim *sim, const scree_box_set *set, scree_vicinity *v)
{
    const scree_rows own = scree_ranks_rows(sim);
    uint32_t n = 0;
    scree_aligned_grow(&v->grown, &v->grown_capacity, set->view.n, 0, sizeof *v->grown);
    for (uint32_t s = 0; s < set->view.n; s++)
        if (scree_box_body(set, s) - own.first < own.end - own.first &&
            !scree_box_empty(&set->view, s))
            v->grown[n++] = box_of(set, s);
    make_room(sim, v->grown, n, 1.0, &v->own);
}

void scree_vicinity_pick(const scree_sim *sim, const scree_box_set *set)
{
    const scree_rows own = scree_ranks_rows(sim);
    const uint32_t end = scree_conformal_offered(sim) ? sim->world->n_free : sim->world->n;
    make_own_room(sim, set, vicinity_of(sim->ranks));
    for (uint32_t s = 0; s < set->view.n; s++) {
        const uint32_t body = scree_box_body(set, s);
        if (body >= end || body - own.first < own.end - own.first)
            continue;
        const box b = box_of(set, s);
        if (!is_near(&sim->ranks->vicinity->own, &b))
            scree_box_clear(set, s);
    }
}
