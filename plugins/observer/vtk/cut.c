// SPDX-License-Identifier: Apache-2.0
// The cells of solids of observer `vtk`: six polygons each.
#include "vtk.h"

void count_cut(frame *f)
{
    f->n_points = 8 * f->cut->n_cells;
    f->n_cells = 6 * f->cut->n_cells;
    f->n_corners = 4 * f->n_cells;
}

static void emit_points(const frame *f, sink *s)
{
    for (uint64_t i = 0; i < f->cut->n_cells; i++)
        for (uint32_t m = 0; m < 8; m++) {
            double x[3];
            solid_cells_corner(f->cut, f->view->bodies, &f->cut->cells[i], m, x);
            put_reals(s, x, 3);
        }
}

static void emit_corners(const frame *f, sink *s)
{
    for (uint64_t i = 0; i < f->cut->n_cells; i++)
        for (uint32_t side = 0; side < 6; side++)
            for (uint32_t m = 0; m < 4; m++)
                put_int64(s, 8 * i + cuboid_sides[side][m]);
}

static void emit_ends(const frame *f, sink *s)
{
    for (uint64_t k = 1; k <= f->n_cells; k++)
        put_int64(s, 4 * k);
}

#define EMIT_PER_CELL(name, statement)                                                             \
    static void cell_##name(const frame *f, sink *s)                                               \
    {                                                                                              \
        for (uint64_t i = 0; i < f->cut->n_cells; i++)                                             \
            for (int side = 0; side < 6; side++) {                                                 \
                const body_cell *c = &f->cut->cells[i];                                            \
                statement;                                                                         \
            }                                                                                      \
    }
EMIT_PER_CELL(class, put_int32(s, c->class))
EMIT_PER_CELL(zone_of, put_int32(s, (int32_t)c->in_zone))
EMIT_PER_CELL(id, put_int64(s, f->view->bodies->id[c->body]))
EMIT_PER_CELL(at, for (int k = 0; k < 3; k++) put_int32(s, c->at[k]))

static const array nothing[] = {{0}};
static const array cell_data[] = {
    {"class", "Int32", 1, cell_class},
    {"zone", "Int32", 1, cell_zone_of},
    {"at", "Int32", 3, cell_at},
    {"id", "Int64", 1, cell_id},
    {0},
};

const part cut_part = {
    .name = "cells",
    .point_data = nothing,
    .cell_data = cell_data,
    .points = {"Points", "Float64", 3, emit_points},
    .connectivity = {"connectivity", "Int64", 1, emit_corners},
    .offsets = {"offsets", "Int64", 1, emit_ends},
};
