// SPDX-License-Identifier: Apache-2.0
// Arrays that the cells of walls and of solids have alike.
#ifndef OBSERVER_VTK_CELLS_H
#define OBSERVER_VTK_CELLS_H

#include "vtk.h"

/* Emits a value of the body for each cell, or one that depends on the number c of the cell. */
#define EMIT_PER_CELL(name, statement)                                                             \
    static void emit_##name(const frame *f, sink *s)                                               \
    {                                                                                              \
        const scree_bodies *b = f->view->bodies;                                                   \
        (void)b;                                                                                   \
        for (const wall *w = f->walls; w < f->walls + f->n_walls; w++)                             \
            for (uint32_t c = 0; c < w->n_cells; c++)                                              \
                statement;                                                                         \
    }
EMIT_PER_CELL(id, put_int64(s, b->id[w->body]))
EMIT_PER_CELL(material, put_int32(s, (int32_t)b->material[w->body]))
EMIT_PER_CELL(group, put_int32(s, f->group[w->body]))
EMIT_PER_CELL(motion, put_int32(s, (int32_t)b->motion[w->body]))
EMIT_PER_CELL(force, put_reals(s, w->force, 3))

static const array nothing[] = {{0}};

#endif
