// SPDX-License-Identifier: Apache-2.0
/*
 * Obstacles that a new body must not overlap.
 *
 * Idea: a grid over the region; each ball or facet is listed in all cells that its box overlaps, so
 * a query looks only at the cells of its own box, whatever the mix of sizes. Cells are clamped to
 * the region at its rim: clamping keeps order, so boxes that overlap share a clamped cell. An
 * obstacle that would fill more than 4096 cells (a wall) is in a separate list and always checked.
 *
 * Distance to a facet: to its plane when the foot of the perpendicular is inside the polygon, else
 * to the nearest edge.
 *
 * Cost: O(1) per query; up to two cells a body, so that the number in a cell depends neither on how
 * many there are nor only on the widest. A cell is half a cache line that names up to seven items:
 * a query of a free place reads 8 of them and some 15 balls. Where most queries are of taken
 * places, cover.h answers before.
 */
#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "scene/obstacles.h"
#include "shape/cover.h"

#define MOST_CELLS (1u << 28)
#define MANY_CELLS 4096u
#define MOST_BALLS (1u << 26)
#define CELL_ITEMS 7
#define FACET_BIT 0x80000000u
#define TOUCH (1.0 - 1e-12)

typedef struct ball {
    double x[3], r;
} ball;

typedef struct face {
    double v[4][3], lo[3], hi[3];
    double n[3]; // unit; 0 for a segment
    uint32_t corners;
} face;

typedef struct half_space {
    double n[3], at;
} half_space;

/** Obstacles of a cell, in front, then SCREE_NONE; half a cache line. */
typedef struct cell_list {
    uint32_t item[CELL_ITEMS];
    uint32_t next; // into `more`; SCREE_NONE ends
} cell_list;

struct scree_obstacles {
    const scree_scene *scene;
    double min[3], inv_cell[3];
    double lo[3], hi[3]; // what is beyond matters to no query
    uint32_t n[3];
    cell_list *cells;
    scree_cover *cover;                            // of balls; NULL: none
    GArray *more, *balls, *faces, *planes, *large; // large: of uint32_t items
    GArray *ball_owner, *face_owner, *plane_owner; // of uint32_t; NULL: nobody asks whose they are
    uint32_t owner;                                // of what is added next
};

scree_obstacles *scree_obstacles_new(const scree_scene *scene, const double min[3],
                                     const double max[3], double widest, uint64_t n)
{
    scree_obstacles *o = g_new0(scree_obstacles, 1);
    double size = 1.0, total;
    o->scene = scene;
    for (uint32_t k = 0; k < 3; k++) {
        o->lo[k] = min[k] - widest;
        o->hi[k] = max[k] + widest;
        size *= k < scene->dimension ? max[k] - min[k] : 1.0;
    }
    // Two cells a body, but no more than about 14 along the widest one
    double most = fmin((double)MOST_CELLS, 2.0 * (double)n + 64.0);
    double cell = fmax(widest / 12.0, pow(size / most, 1.0 / scene->dimension));
    do {
        total = 1.0;
        for (uint32_t k = 0; k < 3; k++) {
            double length = k < scene->dimension ? max[k] - min[k] : 0.0;
            double cells = fmax(1.0, floor(fmin(length / cell, 1e9)));
            o->min[k] = min[k];
            o->inv_cell[k] = length > 0.0 ? cells / length : 0.0;
            o->n[k] = (uint32_t)cells;
            total *= cells;
        }
        cell *= 1.26;
    } while (total > most);
    o->cells = g_new(cell_list, (size_t)total);
    scree_cover_widen(o->cells, (uint64_t)total * sizeof *o->cells);
    memset(o->cells, 0xff, (size_t)total * sizeof *o->cells);
    o->more = g_array_new(FALSE, FALSE, sizeof(cell_list));
    o->balls = g_array_sized_new(FALSE, FALSE, sizeof(ball), (guint)MIN(n, MOST_BALLS));
    scree_cover_widen(o->balls->data, MIN(n, MOST_BALLS) * sizeof(ball));
    o->faces = g_array_new(FALSE, FALSE, sizeof(face));
    o->planes = g_array_new(FALSE, FALSE, sizeof(half_space));
    o->large = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    return o;
}

void scree_obstacles_cover(scree_obstacles *o, double least, const double min[3],
                           const double max[3], uint64_t n)
{
    o->cover = scree_cover_new(o->scene->dimension, least, min, max, n);
}

void scree_obstacles_free(scree_obstacles *o)
{
    if (!o)
        return;
    g_array_free(o->more, TRUE);
    g_array_free(o->balls, TRUE);
    g_array_free(o->faces, TRUE);
    g_array_free(o->planes, TRUE);
    g_array_free(o->large, TRUE);
    g_clear_pointer(&o->ball_owner, g_array_unref);
    g_clear_pointer(&o->face_owner, g_array_unref);
    g_clear_pointer(&o->plane_owner, g_array_unref);
    scree_cover_free(o->cover);
    g_free(o->cells);
    g_free(o);
}

/** Cells of a box, clamped. */
static void find_cells(const scree_obstacles *o, const double lo[3], const double hi[3],
                       uint32_t first[3], uint32_t last[3])
{
    for (int k = 0; k < 3; k++) {
        double top = (double)(o->n[k] - 1);
        first[k] = (uint32_t)CLAMP(floor((lo[k] - o->min[k]) * o->inv_cell[k]), 0.0, top);
        last[k] = (uint32_t)CLAMP(floor((hi[k] - o->min[k]) * o->inv_cell[k]), 0.0, top);
    }
}

static bool is_beyond(const scree_obstacles *o, const double lo[3], const double hi[3])
{
    bool beyond = false;
    for (uint32_t k = 0; k < o->scene->dimension; k++)
        beyond = beyond || hi[k] < o->lo[k] || lo[k] > o->hi[k];
    return beyond;
}

/** Lists an item first; a full list goes to `more`. */
static void list_item(scree_obstacles *o, cell_list *list, uint32_t item)
{
    uint32_t at = 0;
    while (at < CELL_ITEMS && list->item[at] != SCREE_NONE)
        at++;
    if (at == CELL_ITEMS) {
        const cell_list full = *list;
        g_array_append_val(o->more, full);
        memset(list, 0xff, sizeof *list);
        list->next = o->more->len - 1;
        at = 0;
    }
    list->item[at] = item;
}

static void insert(scree_obstacles *o, uint32_t item, const double lo[3], const double hi[3])
{
    uint32_t first[3], last[3];
    uint64_t cells = 1;
    find_cells(o, lo, hi, first, last);
    for (int k = 0; k < 3; k++)
        cells *= last[k] - first[k] + 1;
    if (cells > MANY_CELLS) {
        g_array_append_val(o->large, item);
        return;
    }
    for (uint32_t z = first[2]; z <= last[2]; z++)
        for (uint32_t y = first[1]; y <= last[1]; y++)
            for (uint32_t x = first[0]; x <= last[0]; x++)
                list_item(o, &o->cells[((size_t)z * o->n[1] + y) * o->n[0] + x], item);
}

static void note_owner(const scree_obstacles *o, GArray *owners)
{
    if (owners)
        g_array_append_val(owners, o->owner);
}

/** From the body's place to the centre of a ball of a clump. */
static void find_ball(const scree_balls *balls, uint32_t p, const scree_body *body, double arm[3])
{
    for (int k = 0; k < 3; k++)
        arm[k] = body->scale * balls->centre[k][p];
    scree_rotate(body->q, arm, arm);
}

static void add_ball(scree_obstacles *o, const double x[3], double r)
{
    ball b = {{x[0], x[1], x[2]}, r};
    double lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        lo[k] = x[k] - r;
        hi[k] = x[k] + r;
    }
    if (is_beyond(o, lo, hi))
        return;
    g_array_append_val(o->balls, b);
    note_owner(o, o->ball_owner);
    insert(o, o->balls->len - 1, lo, hi);
    if (o->cover)
        scree_cover_add(o->cover, x, r);
}

/** The balls of a clump, or one that holds a solid. */
static void add_balls(scree_obstacles *o, const scree_shape *shape, const scree_body *body,
                      const double x[3])
{
    double centre[3];
    if (!shape->balls) {
        add_ball(o, x, body->scale * shape->radius);
        return;
    }
    for (uint32_t p = 0; p < shape->balls->n; p++) {
        find_ball(shape->balls, p, body, centre);
        for (int k = 0; k < 3; k++)
            centre[k] += x[k];
        add_ball(o, centre, body->scale * shape->balls->radius[p]);
    }
}

static void set_normal(face *f)
{
    double a[3], b[3];
    memset(f->n, 0, sizeof f->n);
    if (f->corners == 2)
        return;
    for (int k = 0; k < 3; k++) {
        a[k] = f->v[1][k] - f->v[0][k];
        b[k] = f->v[2][k] - f->v[0][k];
    }
    f->n[0] = a[1] * b[2] - a[2] * b[1];
    f->n[1] = a[2] * b[0] - a[0] * b[2];
    f->n[2] = a[0] * b[1] - a[1] * b[0];
    double length = sqrt(f->n[0] * f->n[0] + f->n[1] * f->n[1] + f->n[2] * f->n[2]);
    for (int k = 0; k < 3; k++)
        f->n[k] /= length;
}

static void add_faces(scree_obstacles *o, const scree_shape *shape, const scree_body *body,
                      const double shift[3])
{
    for (uint32_t i = 0; i < shape->mesh->n_facets; i++) {
        face f = {.lo = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, .hi = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
        for (uint32_t c = 0; c < 4 && shape->mesh->facet[4 * i + c] != SCREE_NONE; c++) {
            double v[3], turned[3];
            for (int k = 0; k < 3; k++)
                v[k] = body->scale * shape->mesh->vertex[k][shape->mesh->facet[4 * i + c]];
            scree_rotate(body->q, v, turned);
            for (int k = 0; k < 3; k++) {
                f.v[c][k] = body->x[k] + shift[k] + turned[k];
                f.lo[k] = fmin(f.lo[k], f.v[c][k]);
                f.hi[k] = fmax(f.hi[k], f.v[c][k]);
            }
            f.corners = c + 1;
        }
        if (is_beyond(o, f.lo, f.hi))
            continue;
        set_normal(&f);
        g_array_append_val(o->faces, f);
        note_owner(o, o->face_owner);
        insert(o, (o->faces->len - 1) | FACET_BIT, f.lo, f.hi);
    }
}

static void add_plane(scree_obstacles *o, const scree_shape *shape, const scree_body *body)
{
    half_space p;
    scree_rotate(body->q, shape->normal, p.n);
    p.at = p.n[0] * body->x[0] + p.n[1] * body->x[1] + p.n[2] * body->x[2];
    g_array_append_val(o->planes, p);
    note_owner(o, o->plane_owner);
}

void scree_obstacles_add(scree_obstacles *o, const scree_body *body)
{
    const scree_scene *s = o->scene;
    const scree_shape *shape = s->shapes->pdata[body->shape];
    if (shape->flags & SCREE_CAP_INFINITE) {
        add_plane(o, shape, body);
        return;
    }
    int reach[3];
    for (int k = 0; k < 3; k++)
        reach[k] = s->boundary[k] == SCREE_BOUNDARY_PERIODIC && k < (int)s->dimension;
    for (int i = -reach[0]; i <= reach[0]; i++)
        for (int j = -reach[1]; j <= reach[1]; j++)
            for (int k = -reach[2]; k <= reach[2]; k++) {
                double shift[3] = {i * (s->region_max[0] - s->region_min[0]),
                                   j * (s->region_max[1] - s->region_min[1]),
                                   k * (s->region_max[2] - s->region_min[2])};
                double x[3] = {body->x[0] + shift[0], body->x[1] + shift[1], body->x[2] + shift[2]};
                if (shape->flags & SCREE_CAP_WALL)
                    add_faces(o, shape, body, shift);
                else
                    add_balls(o, shape, body, x);
            }
}

/** Squared distance; `way` leads from x to the nearest point. */
static double segment_way(const double a[3], const double b[3], const double x[3], double way[3])
{
    double ab[3], ax[3], t = 0.0, length2 = 0.0, d2 = 0.0;
    for (int k = 0; k < 3; k++) {
        ab[k] = b[k] - a[k];
        ax[k] = x[k] - a[k];
        t += ab[k] * ax[k];
        length2 += ab[k] * ab[k];
    }
    t = CLAMP(t / length2, 0.0, 1.0);
    for (int k = 0; k < 3; k++) {
        way[k] = t * ab[k] - ax[k];
        d2 += way[k] * way[k];
    }
    return d2;
}

/** Signed side of x at edge e: >= 0 inside. */
static double edge_side(const face *f, uint32_t e, const double x[3])
{
    const double *a = f->v[e], *b = f->v[(e + 1) % f->corners];
    double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double w[3] = {x[0] - a[0], x[1] - a[1], x[2] - a[2]};
    return f->n[0] * (u[1] * w[2] - u[2] * w[1]) + f->n[1] * (u[2] * w[0] - u[0] * w[2]) +
           f->n[2] * (u[0] * w[1] - u[1] * w[0]);
}

static double face_way(const face *f, const double x[3], double way[3])
{
    bool inside = f->corners > 2;
    uint32_t edges = f->corners == 2 ? 1 : f->corners;
    for (uint32_t e = 0; e < edges && inside; e++)
        inside = edge_side(f, e, x) >= 0.0;
    if (inside) {
        double h = 0.0;
        for (int k = 0; k < 3; k++)
            h += f->n[k] * (x[k] - f->v[0][k]);
        for (int k = 0; k < 3; k++)
            way[k] = -h * f->n[k];
        return h * h;
    }
    double least = HUGE_VAL, to_edge[3];
    for (uint32_t e = 0; e < edges; e++) {
        double d2 = segment_way(f->v[e], f->v[(e + 1) % f->corners], x, to_edge);
        if (!(d2 < least))
            continue;
        least = d2;
        memcpy(way, to_edge, sizeof to_edge);
    }
    return least;
}

static bool item_hit(const scree_obstacles *o, uint32_t item, const double x[3], double r)
{
    double way[3];
    if (item & FACET_BIT) {
        const face *f = &g_array_index(o->faces, face, item & ~FACET_BIT);
        for (int k = 0; k < 3; k++)
            if (x[k] + r < f->lo[k] || x[k] - r > f->hi[k])
                return false;
        return face_way(f, x, way) < r * r * TOUCH;
    }
    const ball *b = &g_array_index(o->balls, ball, item);
    double dx = b->x[0] - x[0], dy = b->x[1] - x[1], dz = b->x[2] - x[2], sum = b->r + r;
    return dx * dx + dy * dy + dz * dz < sum * sum * TOUCH;
}

static bool list_hit(const scree_obstacles *o, const cell_list *list, const double x[3], double r)
{
    for (;; list = &g_array_index(o->more, cell_list, list->next)) {
        for (uint32_t at = 0; at < CELL_ITEMS && list->item[at] != SCREE_NONE; at++)
            if (item_hit(o, list->item[at], x, r))
                return true;
        if (list->next == SCREE_NONE)
            return false;
    }
}

void scree_obstacles_fetch(const scree_obstacles *o, const double x[3])
{
    if (o->cover)
        scree_cover_fetch(o->cover, x);
}

bool scree_obstacles_hit(const scree_obstacles *o, const double x[3], double r)
{
    double lo[3], hi[3];
    uint32_t first[3], last[3];
    if (o->cover && scree_cover_hit(o->cover, x, r))
        return true;
    for (uint32_t i = 0; i < o->planes->len; i++) {
        const half_space *p = &g_array_index(o->planes, half_space, i);
        if (p->n[0] * x[0] + p->n[1] * x[1] + p->n[2] * x[2] - p->at < r * TOUCH)
            return true;
    }
    for (uint32_t i = 0; i < o->large->len; i++)
        if (item_hit(o, g_array_index(o->large, uint32_t, i), x, r))
            return true;
    for (int k = 0; k < 3; k++) {
        lo[k] = x[k] - r;
        hi[k] = x[k] + r;
    }
    find_cells(o, lo, hi, first, last);
    for (uint32_t cz = first[2]; cz <= last[2]; cz++)
        for (uint32_t cy = first[1]; cy <= last[1]; cy++)
            for (uint32_t cx = first[0]; cx <= last[0]; cx++) {
                const cell_list *list = &o->cells[((size_t)cz * o->n[1] + cy) * o->n[0] + cx];
                if (list_hit(o, list, x, r))
                    return true;
            }
    return false;
}

bool scree_obstacles_hit_body(const scree_obstacles *o, const scree_body *body)
{
    const scree_shape *shape = o->scene->shapes->pdata[body->shape];
    const scree_balls *balls = shape->balls;
    bool hit = false;
    if (!balls)
        return scree_obstacles_hit(o, body->x, body->scale * shape->radius);
    for (uint32_t p = 0; p < balls->n && !hit; p++) {
        double centre[3];
        find_ball(balls, p, body, centre);
        for (int k = 0; k < 3; k++)
            centre[k] += body->x[k];
        hit = scree_obstacles_hit(o, centre, body->scale * balls->radius[p]);
    }
    return hit;
}

void scree_obstacles_number(scree_obstacles *o, uint32_t owner)
{
    if (!o->ball_owner) {
        o->ball_owner = g_array_new(FALSE, FALSE, sizeof owner);
        o->face_owner = g_array_new(FALSE, FALSE, sizeof owner);
        o->plane_owner = g_array_new(FALSE, FALSE, sizeof owner);
    }
    o->owner = owner;
}

/** Whom to show what is near a ball. */
typedef struct shower {
    const scree_obstacles *o;
    double x[3], r, lo[3], hi[3];
    uint32_t first[3], last[3];
    scree_touch_fn fn;
    void *user;
} shower;

/** `way`: from x to the surface, or with a radius to the centre. */
static void show(const shower *s, uint32_t owner, const double way[3], double radius)
{
    double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]), n[3];
    if (!(length > 0.0) || !(length - radius < s->r))
        return;
    for (int k = 0; k < 3; k++)
        n[k] = way[k] / length;
    s->fn(s->user, owner, n, length - radius, radius);
}

/** An item in a cell of the query: only in the first cell that both fill. */
static void show_item(const shower *s, uint32_t item, const uint32_t cell[3])
{
    const scree_obstacles *o = s->o;
    uint32_t of = item & ~FACET_BIT, first[3], last[3];
    const face *f = item & FACET_BIT ? &g_array_index(o->faces, face, of) : NULL;
    const ball *b = f ? NULL : &g_array_index(o->balls, ball, of);
    double lo[3], hi[3], way[3];
    for (int k = 0; k < 3; k++) {
        lo[k] = f ? f->lo[k] : b->x[k] - b->r;
        hi[k] = f ? f->hi[k] : b->x[k] + b->r;
        if (s->lo[k] > hi[k] || s->hi[k] < lo[k])
            return;
    }
    find_cells(o, lo, hi, first, last);
    if (cell)
        for (int k = 0; k < 3; k++)
            if (cell[k] != MAX(first[k], s->first[k]))
                return;
    if (b)
        for (int k = 0; k < 3; k++)
            way[k] = b->x[k] - s->x[k];
    if (f)
        face_way(f, s->x, way);
    show(s, g_array_index(f ? o->face_owner : o->ball_owner, uint32_t, of), way, b ? b->r : 0.0);
}

static void show_cell(const shower *s, const uint32_t cell[3])
{
    const scree_obstacles *o = s->o;
    const cell_list *list = &o->cells[((size_t)cell[2] * o->n[1] + cell[1]) * o->n[0] + cell[0]];
    for (;; list = &g_array_index(o->more, cell_list, list->next)) {
        for (uint32_t at = 0; at < CELL_ITEMS && list->item[at] != SCREE_NONE; at++)
            show_item(s, list->item[at], cell);
        if (list->next == SCREE_NONE)
            return;
    }
}

void scree_obstacles_each(const scree_obstacles *o, const double x[3], double radius,
                          scree_touch_fn fn, void *user)
{
    shower s = {.o = o, .x = {x[0], x[1], x[2]}, .r = radius, .fn = fn, .user = user};
    for (int k = 0; k < 3; k++) {
        s.lo[k] = x[k] - radius;
        s.hi[k] = x[k] + radius;
    }
    find_cells(o, s.lo, s.hi, s.first, s.last);
    for (uint32_t i = 0; i < o->planes->len; i++) {
        const half_space *p = &g_array_index(o->planes, half_space, i);
        double h = p->n[0] * x[0] + p->n[1] * x[1] + p->n[2] * x[2] - p->at;
        const double way[3] = {-h * p->n[0], -h * p->n[1], -h * p->n[2]};
        show(&s, g_array_index(o->plane_owner, uint32_t, i), way, 0.0);
    }
    for (uint32_t i = 0; i < o->large->len; i++)
        show_item(&s, g_array_index(o->large, uint32_t, i), NULL);
    uint32_t c[3];
    for (c[2] = s.first[2]; c[2] <= s.last[2]; c[2]++)
        for (c[1] = s.first[1]; c[1] <= s.last[1]; c[1]++)
            for (c[0] = s.first[0]; c[0] <= s.last[0]; c[0]++)
                show_cell(&s, c);
}
