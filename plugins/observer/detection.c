/* SPDX-License-Identifier: Apache-2.0 */
/* The contact detection of a state, for observers that show it.
 *
 * A box per ball, facet or solid is tight around it, and grown by `extent` on all sides. Where space
 * repeats, boxes that reach over a boundary have images on the other side. The GCD is the
 * observer's own: the one of the run keeps its boxes for many steps, and a picture would depend on
 * when it made them. Candidates are what the GCD gives, without pairs of one body or of two that are
 * not free, and without pairs of two images. */
#include "detection.h"

int32_t detection_make(detection **out, const scree_host *host, const scree_plugin_ref *gcd,
                       double extent)
{
    const void *ops = NULL;
    detection *d = calloc(1, sizeof *d);
    *out = NULL;
    if (!d)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for `detection`");
    d->host = host;
    d->extent = extent;
    const int32_t status = host->make_instance(host->ctx, gcd, &d->plugin, &ops, &d->self);
    if (status != SCREE_OK) {
        free(d);
        return status;
    }
    d->ops = ops;
    *out = d;
    return SCREE_OK;
}

void detection_free(detection *d)
{
    if (!d)
        return;
    d->ops->destroy(d->self);
    for (uint64_t k = 0; k < d->hulls.n; k++)
        hull_free(d->hulls.hull[k]);
    free(d->hulls.hull);
    free(d->memory);
    free(d->slots);
    free(d->pairs);
    free(d->touches);
    free(d->cells);
    free(d->given);
    free(d);
}

static int32_t no_memory(const detection *d)
{
    return d->host->fail(d->host->ctx, SCREE_E_MEMORY, "no memory for `detection`");
}

/* ---- boxes ---- */

typedef struct box {
    double lo[3], hi[3];
} box;

static void clear_box(box *b)
{
    *b = (box){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

static void include(box *b, const double at[3], double r, uint32_t axes)
{
    for (uint32_t k = 0; k < 3; k++) {
        b->lo[k] = scree_min(b->lo[k], k < axes ? at[k] - r : 0.0);
        b->hi[k] = scree_max(b->hi[k], k < axes ? at[k] + r : 0.0);
    }
}

static void place(const scree_bodies *b, uint32_t i, const double *const point[3], uint64_t k,
                  double at[3])
{
    const double v[3] = {b->scale[i] * point[0][k], b->scale[i] * point[1][k],
                         point[2] ? b->scale[i] * point[2][k] : 0.0};
    scree_to_world(b, i, v, at);
    for (uint32_t axis = 0; axis < 3; axis++)
        at[axis] += b->x[axis][i];
}

/* Points of the surface of a solid: its own, or of a hull that is kept. points[0] NULL: none. */
static int32_t find_points(detection *d, const scree_bodies *b, uint32_t shape,
                           const double *points[3], uint32_t *n)
{
    const scree_shape *s = b->shapes[shape];
    const double tolerance = 1e-3 * s->radius;
    const int flat = b->dimension == 2;
    detection_hulls *h = &d->hulls;
    const scree_mesh *mesh = flat ? NULL : s->view(s, SCREE_VIEW_MESH, tolerance);
    const scree_outline *outline = flat ? s->view(s, SCREE_VIEW_OUTLINE, tolerance) : NULL;
    for (; h->n <= shape; h->n++) {
        if (!scree_grow(&h->hull, &h->room, h->n + 1, sizeof *h->hull))
            return no_memory(d);
        h->hull[h->n] = NULL;
    }
    if (!mesh && !outline && !h->hull[shape] &&
        !hull_make(s, b->dimension, tolerance, &h->hull[shape]))
        return no_memory(d);
    if (!mesh && !outline && h->hull[shape]) {
        mesh = flat ? NULL : &h->hull[shape]->mesh;
        outline = flat ? &h->hull[shape]->outline : NULL;
    }
    for (uint32_t k = 0; k < 3; k++)
        points[k] = mesh ? mesh->vertex[k] : outline && k < 2 ? outline->vertex[k] : NULL;
    *n = mesh ? mesh->n_vertices : outline ? outline->n : 0;
    return SCREE_OK;
}

/* The tight box of part `part` of body i. */
static int32_t find_box(detection *d, const scree_bodies *b, uint32_t i, uint32_t part, box *to)
{
    const scree_shape *s = b->shapes[b->shape[i]];
    const double *points[3];
    double at[3] = {b->x[0][i], b->x[1][i], b->x[2][i]}, r = b->radius[i];
    uint32_t n = 0;
    clear_box(to);
    if (s->flags & SCREE_CAP_WALL) {
        for (uint32_t c = 0; c < 4; c++) {
            const uint32_t vertex = s->mesh->facet[4 * (uint64_t)part + c];
            if (vertex == SCREE_NONE)
                continue;
            place(b, i, s->mesh->vertex, vertex, at);
            include(to, at, 0.0, b->dimension);
        }
        return SCREE_OK;
    }
    if (s->flags & SCREE_CAP_BALLS) {
        place(b, i, s->balls->centre, part, at);
        r = b->scale[i] * s->balls->radius[part];
    } else if (!(s->flags & SCREE_CAP_ROUND)) {
        const int32_t status = find_points(d, b, b->shape[i], points, &n);
        if (status != SCREE_OK)
            return status;
    }
    for (uint32_t k = 0; k < n; k++) {
        place(b, i, points, k, at);
        include(to, at, 0.0, b->dimension);
    }
    if (!n)
        include(to, at, r, b->dimension);
    return SCREE_OK;
}

static int32_t add_slot(detection *d, const detection_slot *as, const int32_t image[3],
                        const box *b, const double by[3])
{
    if (!scree_grow(&d->slots, &d->room[0], d->n + 1, sizeof *d->slots))
        return no_memory(d);
    detection_slot *to = &d->slots[d->n++];
    *to = *as;
    for (uint32_t k = 0; k < 3; k++) {
        to->image[k] = image[k];
        to->lo[k] = b->lo[k] + by[k];
        to->hi[k] = b->hi[k] + by[k];
        d->lo[k] = scree_min(d->lo[k], to->lo[k]);
        d->hi[k] = scree_max(d->hi[k], to->hi[k]);
    }
    return SCREE_OK;
}

/* Lays out the slots as a GCD gets them: arrays that begin on lines of 64 bytes. */
static int32_t make_boxes(detection *d, uint32_t dimension)
{
    const uint64_t length = ((uint64_t)d->n + 8) / 8 * 8;
    free(d->memory);
    d->memory = aligned_alloc(64, 10 * length * sizeof *d->memory);
    if (!d->memory)
        return no_memory(d);
    double *at[10];
    for (uint32_t a = 0; a < 10; a++)
        at[a] = d->memory + a * length;
    for (uint32_t i = 0; i < d->n; i++) {
        const detection_slot *s = &d->slots[i];
        double r2 = 0.0;
        for (uint32_t k = 0; k < 3; k++) {
            const double half = 0.5 * s->hi[k] - 0.5 * s->lo[k];
            at[k][i] = s->lo[k];
            at[3 + k][i] = s->hi[k];
            at[6 + k][i] = 0.5 * s->lo[k] + 0.5 * s->hi[k];
            r2 += half * half;
        }
        at[9][i] = sqrt(r2);
    }
    d->boxes = (scree_boxes){.size = sizeof d->boxes,
                             .dimension = dimension,
                             .n = d->n,
                             .lo = {at[0], at[1], at[2]},
                             .hi = {at[3], at[4], at[5]},
                             .centre = {at[6], at[7], at[8]},
                             .radius = at[9]};
    return SCREE_OK;
}

/* The box and its images that meet the brick. */
static int32_t add_images(detection *d, const scree_cell *cell, const detection_slot *as,
                          const box *of)
{
    const int32_t most = cell->repeats ? scree_is_tilted(cell) ? 2 : 1 : 0, side = 2 * most + 1;
    const int32_t none[3] = {0, 0, 0}, n = most ? side * side * side : 0;
    const double here[3] = {0.0, 0.0, 0.0};
    int32_t status = add_slot(d, as, none, of, here);
    for (int32_t m = 0; m < n && status == SCREE_OK; m++) {
        const int32_t s[3] = {m % side - most, m / side % side - most, m / side / side - most};
        double by[3];
        int meets = s[0] || s[1] || s[2];
        scree_shift(cell, s, by);
        for (int k = 0; k < 3; k++) {
            meets &= scree_repeats(cell, k) || s[k] == 0;
            meets &= of->lo[k] + by[k] <= cell->hi[k] && cell->lo[k] <= of->hi[k] + by[k];
        }
        if (meets)
            status = add_slot(d, as, s, of, by);
    }
    return status;
}

static uint32_t parts_of(const scree_shape *s)
{
    return s->flags & SCREE_CAP_INFINITE ? 0
           : s->flags & SCREE_CAP_WALL   ? s->mesh->n_facets
           : s->flags & SCREE_CAP_BALLS  ? s->balls->n
                                         : 1;
}

static int32_t find_boxes(detection *d, const scree_bodies *b)
{
    double sum = 0.0;
    int32_t status = SCREE_OK;
    box one;
    d->n = 0;
    clear_box(&one);
    memcpy(d->lo, one.lo, sizeof d->lo);
    memcpy(d->hi, one.hi, sizeof d->hi);
    for (uint32_t i = 0; i < b->n_free; i++)
        sum += b->radius[i];
    d->grown = isnan(d->extent) ? b->n_free ? 0.1 * sum / b->n_free : 0.0 : d->extent;
    for (uint32_t i = 0; i < b->n; i++) {
        const scree_shape *shape = b->shapes[b->shape[i]];
        const uint32_t n = parts_of(shape), is_wall = (shape->flags & SCREE_CAP_WALL) != 0;
        for (uint32_t part = 0; part < n && status == SCREE_OK; part++) {
            status = find_box(d, b, i, part, &one);
            for (uint32_t k = 0; k < b->dimension; k++) {
                one.lo[k] -= d->grown;
                one.hi[k] += d->grown;
            }
            if (status == SCREE_OK)
                status = add_images(d, b->cell,
                                    &(detection_slot){.body = i, .part = part, .is_wall = is_wall},
                                    &one);
        }
    }
    return status == SCREE_OK ? make_boxes(d, b->dimension) : status;
}

void detection_box(const detection *d, uint32_t slot, int grown, double lo[3], double hi[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        const double by = grown || k >= d->host->dimension ? 0.0 : d->grown;
        lo[k] = d->slots[slot].lo[k] + by;
        hi[k] = d->slots[slot].hi[k] - by;
    }
}

static void find_middle(const detection *d, uint32_t slot, double at[3])
{
    for (uint32_t k = 0; k < 3; k++)
        at[k] = 0.5 * d->slots[slot].lo[k] + 0.5 * d->slots[slot].hi[k];
}

void detection_line(const detection *d, uint64_t k, double end[2][3])
{
    const uint32_t slot[2] = {d->pairs[k].a, d->pairs[k].b};
    for (int e = 0; e < 2; e++)
        find_middle(d, slot[e], end[e]);
    for (int e = 0; e < 2; e++) {
        double lo[3], hi[3];
        detection_box(d, slot[e], 0, lo, hi);
        for (int j = 0; j < 3 && d->slots[slot[e]].is_wall; j++)
            end[e][j] = scree_min(scree_max(end[!e][j], lo[j]), hi[j]);
    }
}

/* ---- candidates ---- */

static int32_t reserve(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    detection *d = sink->ctx;
    d->reserved = n;
    if (n > UINT64_MAX / 16 || !scree_grow(&d->given, &d->room[1], n, sizeof **out))
        return no_memory(d);
    *out = d->given;
    return SCREE_OK;
}

static int is_image(const detection_slot *s)
{
    return s->image[0] || s->image[1] || s->image[2];
}

static int32_t commit(scree_pair_sink *sink, uint64_t n)
{
    detection *d = sink->ctx;
    if (n > d->reserved)
        return d->host->fail(d->host->ctx, SCREE_E_INTERNAL,
                             "the GCD of `detection` committed more pairs than it had reserved");
    if (!scree_grow(&d->pairs, &d->room[2], d->n_pairs + n, sizeof *d->pairs) ||
        !scree_grow(&d->touches, &d->room[3], d->n_pairs + n, sizeof *d->touches))
        return no_memory(d);
    for (uint64_t k = 0; k < n; k++) {
        const scree_pair p = d->given[k];
        if (p.a >= d->n || p.b >= d->n || p.a == p.b)
            return scree_failf(d->host, SCREE_E_INTERNAL,
                               "the GCD of `detection` gave pair (%u, %u) of %u boxes", p.a, p.b,
                               d->n);
        d->pairs[d->n_pairs++] = p.a < p.b ? p : (scree_pair){p.b, p.a};
    }
    return SCREE_OK;
}

static int compare_pairs(const void *x, const void *y)
{
    const scree_pair *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

/* Keeps the pairs that may be contacts. */
static void sift(detection *d, const scree_bodies *b)
{
    uint64_t n = 0;
    for (uint64_t k = 0; k < d->n_pairs; k++) {
        const detection_slot *s = &d->slots[d->pairs[k].a], *t = &d->slots[d->pairs[k].b];
        d->pairs[n] = d->pairs[k];
        n += !(is_image(s) && is_image(t)) && (s->body < b->n_free || t->body < b->n_free) &&
             (s->body != t->body || is_image(s) || is_image(t));
    }
    d->n_pairs = n;
    if (n)
        qsort(d->pairs, n, sizeof *d->pairs, compare_pairs);
}

/* A contact as whole numbers: of the lower body and part, then of the other; last the image of the
 * other, seen from the lower one. */
typedef struct touch {
    int64_t v[7];
} touch;

static touch touch_of(const detection_slot *a, const detection_slot *b)
{
    const int swap = a->body > b->body || (a->body == b->body && a->part > b->part);
    const detection_slot *s = swap ? b : a, *t = swap ? a : b;
    touch to = {{s->body, s->part, t->body, t->part}};
    int64_t sign = 0; // parts of one body and its image: either may be the first
    for (int k = 0; k < 3; k++) {
        const int64_t cells = (int64_t)t->image[k] - s->image[k];
        sign = sign ? sign : cells < 0 ? -1 : cells > 0;
        to.v[4 + k] = cells * (s->body == t->body && s->part == t->part && sign < 0 ? -1 : 1);
    }
    return to;
}

static int compare_touches(const void *x, const void *y)
{
    const touch *p = x, *q = y;
    for (int k = 0; k < 7; k++)
        if (p->v[k] != q->v[k])
            return p->v[k] < q->v[k] ? -1 : 1;
    return 0;
}

/* Marks the candidates whose parts touch. */
static int32_t mark_touches(detection *d, const scree_contact_list *list)
{
    const uint64_t n = list ? list->n : 0;
    uint64_t n_touches = 0;
    touch *all = malloc((n + 1) * sizeof *all);
    if (!all)
        return no_memory(d);
    for (uint64_t c = 0; c < n; c++) {
        const detection_slot a = {.body = list->a[c], .part = list->part[0][c]};
        const detection_slot b = {
            .body = list->b[c],
            .part = list->part[1][c],
            .image = {list->image[0][c], list->image[1][c], list->image[2][c]}};
        if (list->depth[c] >= 0.0)
            all[n_touches++] = touch_of(&a, &b);
    }
    qsort(all, n_touches, sizeof *all, compare_touches);
    for (uint64_t k = 0; k < d->n_pairs; k++) {
        const touch key = touch_of(&d->slots[d->pairs[k].a], &d->slots[d->pairs[k].b]);
        d->touches[k] = bsearch(&key, all, n_touches, sizeof key, compare_touches) != NULL;
    }
    free(all);
    return SCREE_OK;
}

/* ---- cells ---- */

static int32_t put(void *ctx, const scree_layout_cell *cells, uint64_t n)
{
    detection *d = ctx;
    if (!scree_grow(&d->cells, &d->room[4], d->n_cells + n, sizeof *d->cells))
        return no_memory(d);
    for (uint64_t m = 0; m < n; m++) {
        scree_layout_cell c = cells[m];
        int seen = 1;
        for (uint32_t k = 0; k < 3; k++) {
            c.lo[k] = scree_max(c.lo[k], d->lo[k]);
            c.hi[k] = scree_min(c.hi[k], d->hi[k]);
            seen &= c.lo[k] <= c.hi[k];
        }
        d->cells[d->n_cells] = c;
        d->n_cells += (uint64_t)seen;
    }
    return SCREE_OK;
}

static int32_t find_cells(detection *d)
{
    const void *(*extension)(const char *) = d->plugin->get_extension;
    const scree_layout *layout = extension ? extension(SCREE_DRAFT_LAYOUT) : NULL;
    const scree_layout_sink sink = {.size = sizeof sink, .ctx = d, .put = put};
    return layout && SCREE_HAS(layout, cells) ? layout->cells(d->self, &sink) : SCREE_OK;
}

int32_t detection_find(detection *d, const scree_view *view)
{
    const scree_bodies *b = view->bodies;
    scree_pair_sink sink = {.size = sizeof sink, .ctx = d, .reserve = reserve, .commit = commit};
    uint64_t n_pivots = 0;
    d->n_pairs = d->n_cells = d->reserved = 0;
    int32_t status = find_boxes(d, b);
    if (status == SCREE_OK)
        status = d->ops->init(d->self, &d->boxes, 0);
    if (status == SCREE_OK)
        status = d->ops->step_init(d->self, &d->boxes, NULL, 0, &n_pivots);
    if (status == SCREE_OK && n_pivots)
        status = d->ops->find_neighbors(d->self, 0, n_pivots, &sink);
    if (status == SCREE_OK)
        status = find_cells(d);
    if (status != SCREE_OK)
        return status;
    sift(d, b);
    return mark_touches(d, view->contacts);
}
