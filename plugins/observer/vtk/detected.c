// SPDX-License-Identifier: Apache-2.0
// A contact detection of observer `vtk`: its boxes and cells as polygons, its candidates as lines.
#include "vtk.h"

typedef struct cuboid {
    double lo[3], hi[3];
    int32_t kind, level; // KIND_*
    uint64_t n, id;
} cuboid;

enum { KIND_BOX, KIND_EXTENT, KIND_CELL, KIND_NODE };
enum { NO_ID = -1 };

static uint64_t count_cuboids(const detection *d)
{
    return 2 * (uint64_t)d->n + d->n_cells;
}

/* Boxes, then extents, then cells. */
static cuboid cuboid_at(const frame *f, uint64_t k)
{
    const detection *d = f->detected;
    cuboid c = {.id = (uint64_t)NO_ID};
    if (k < 2 * (uint64_t)d->n) {
        const uint32_t slot = (uint32_t)(k % d->n);
        c.kind = k < d->n ? KIND_BOX : KIND_EXTENT;
        c.n = 1;
        c.id = f->view->bodies->id[d->slots[slot].body];
        detection_box(d, slot, c.kind == KIND_EXTENT, c.lo, c.hi);
        return c;
    }
    const scree_layout_cell *cell = &d->cells[k - 2 * (uint64_t)d->n];
    c.kind = cell->kind == SCREE_LAYOUT_NODE ? KIND_NODE : KIND_CELL;
    c.level = (int32_t)cell->level;
    c.n = cell->n;
    memcpy(c.lo, cell->lo, sizeof c.lo);
    memcpy(c.hi, cell->hi, sizeof c.hi);
    return c;
}

static uint32_t sides_of(const frame *f)
{
    return f->view->bodies->dimension == 2 ? 1 : 6;
}

void count_detected(frame *f)
{
    const uint64_t n = count_cuboids(f->detected);
    f->n_points = n * (f->view->bodies->dimension == 2 ? 4 : 8);
    f->n_cells = n * sides_of(f);
    f->n_corners = 4 * f->n_cells;
}

void count_candidates(frame *f)
{
    f->n_cells = f->detected->n_pairs;
    f->n_points = f->n_corners = 2 * f->n_cells;
}

static void emit_points(const frame *f, sink *s)
{
    const uint64_t n = count_cuboids(f->detected);
    const uint32_t corners = f->view->bodies->dimension == 2 ? 4 : 8;
    for (uint64_t k = 0; k < n; k++) {
        const cuboid c = cuboid_at(f, k);
        for (uint32_t m = 0; m < corners; m++)
            put_reals(s,
                      (double[3]){m & 1 ? c.hi[0] : c.lo[0], m & 2 ? c.hi[1] : c.lo[1],
                                  m & 4 ? c.hi[2] : c.lo[2]},
                      3);
    }
}

const uint8_t cuboid_sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

static void emit_corners(const frame *f, sink *s)
{
    static const uint8_t flat[4] = {0, 1, 3, 2}; // counterclockwise from above
    const uint64_t n = count_cuboids(f->detected);
    const int is_flat = f->view->bodies->dimension == 2;
    for (uint64_t k = 0; k < n; k++)
        for (uint32_t side = 0; side < sides_of(f); side++)
            for (uint32_t m = 0; m < 4; m++)
                put_int64(s, k * (is_flat ? 4 : 8) + (is_flat ? flat[m] : cuboid_sides[side][m]));
}

static void emit_ends(const frame *f, sink *s)
{
    for (uint64_t k = 1; k <= f->n_cells; k++)
        put_int64(s, f->n_corners / f->n_cells * k);
}

#define EMIT_PER_SIDE(name, statement)                                                             \
    static void side_##name(const frame *f, sink *s)                                               \
    {                                                                                              \
        const uint64_t n = count_cuboids(f->detected);                                             \
        for (uint64_t k = 0; k < n; k++) {                                                         \
            const cuboid c = cuboid_at(f, k);                                                      \
            for (uint32_t side = 0; side < sides_of(f); side++)                                    \
                statement;                                                                         \
        }                                                                                          \
    }
EMIT_PER_SIDE(kind, put_int32(s, c.kind))
EMIT_PER_SIDE(level, put_int32(s, c.level))
EMIT_PER_SIDE(n, put_int64(s, c.n))
EMIT_PER_SIDE(id, put_int64(s, c.id))

static void emit_lines(const frame *f, sink *s)
{
    for (uint64_t k = 0; k < f->detected->n_pairs; k++) {
        double end[2][3];
        detection_line(f->detected, k, end);
        put_reals(s, end[0], 3);
        put_reals(s, end[1], 3);
    }
}

static void emit_order(const frame *f, sink *s)
{
    for (uint64_t k = 0; k < f->n_points; k++)
        put_int64(s, k);
}

#define EMIT_PER_PAIR(name, statement)                                                             \
    static void pair_##name(const frame *f, sink *s)                                               \
    {                                                                                              \
        const detection *d = f->detected;                                                          \
        for (uint64_t k = 0; k < d->n_pairs; k++)                                                  \
            statement;                                                                             \
    }
EMIT_PER_PAIR(id_a, put_int64(s, f->view->bodies->id[d->slots[d->pairs[k].a].body]))
EMIT_PER_PAIR(id_b, put_int64(s, f->view->bodies->id[d->slots[d->pairs[k].b].body]))
EMIT_PER_PAIR(part_a, put_int64(s, d->slots[d->pairs[k].a].part))
EMIT_PER_PAIR(part_b, put_int64(s, d->slots[d->pairs[k].b].part))
EMIT_PER_PAIR(touches, put_int32(s, d->touches[k]))

static const array nothing[] = {{0}};
static const array side_data[] = {
    {"kind", "Int32", 1, side_kind},
    {"level", "Int32", 1, side_level},
    {"n", "Int64", 1, side_n},
    {"id", "Int64", 1, side_id},
    {0},
};
static const array pair_data[] = {
    {"id_a", "Int64", 1, pair_id_a},       {"id_b", "Int64", 1, pair_id_b},
    {"part_a", "Int64", 1, pair_part_a},   {"part_b", "Int64", 1, pair_part_b},
    {"touches", "Int32", 1, pair_touches}, {0},
};

const part detection_part = {
    .name = "detection",
    .point_data = nothing,
    .cell_data = side_data,
    .points = {"Points", "Float64", 3, emit_points},
    .connectivity = {"connectivity", "Int64", 1, emit_corners},
    .offsets = {"offsets", "Int64", 1, emit_ends},
};
const part candidates_part = {
    .name = "candidates",
    .point_data = nothing,
    .cell_data = pair_data,
    .points = {"Points", "Float64", 3, emit_lines},
    .connectivity = {"connectivity", "Int64", 1, emit_order},
    .offsets = {"offsets", "Int64", 1, emit_ends},
};
