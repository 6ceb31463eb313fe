// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: solids as the cells that a resolver has cut them into.
/*
 * Cells of the border are orange, cells inside blue, and those of a zone, where the boxes of two bodies overlap, red
 * and violet; cells outside are only edges. A section leaves whole cells, those with their middle on its side. A side
 * between two cells that are shown is not drawn.
 */
#include "image.h"

static const rgb inside = {{0.34f, 0.71f, 0.91f}}, border = {{0.90f, 0.62f, 0.0f}},
                 in_zone[2] = {{{0.60f, 0.20f, 0.55f}}, {{0.84f, 0.12f, 0.12f}}},
                 outside = {{0.55f, 0.55f, 0.6f}};

static int is_kept(const void *ctx, const double middle[3])
{
    const image *self = ctx;
    double x[3];
    to_camera(&self->camera, middle, x);
    return dot(self->drawing.section, x) <= self->drawing.section_at;
}

int32_t find_cells(image *self, const scree_bodies *b)
{
    return self->cells
               ? solid_cells_find(self->cells, b, self->drawing.has_section ? is_kept : NULL, self)
               : SCREE_OK;
}

static rgb colour_of(const body_cell *cell)
{
    if (cell->class == SCREE_SOLID_OUTSIDE)
        return cell->in_zone ? in_zone[1] : outside;
    if (cell->in_zone)
        return in_zone[cell->class == SCREE_SOLID_BORDER];
    return cell->class == SCREE_SOLID_BORDER ? border : inside;
}

static int32_t add_side(image *self, const double corner[8][3], uint32_t side, rgb colour)
{
    const uint32_t k = side / 2, u = 1u << (k + 1) % 3, v = 1u << (k + 2) % 3,
                   at = side % 2 ? 1u << k : 0;
    const uint32_t order[4] = {at, at | u, at | u | v, at | v};
    double p[4][3], a[3], c[3], normal[3];
    for (int m = 0; m < 4; m++)
        memcpy(p[m], corner[order[m]], sizeof p[m]);
    for (int m = 0; m < 3; m++) {
        a[m] = p[1][m] - p[0][m];
        c[m] = p[3][m] - p[0][m];
    }
    cross(side % 2 ? a : c, side % 2 ? c : a, normal);
    normalise(normal);
    if ((self->camera.flat ? normal[2] : dot(p[0], normal)) >= 0.0)
        return SCREE_OK; // seen from behind
    int32_t status = add_face(self, (const double(*)[3])p, 4, normal, colour, 1.0f);
    for (int m = 0; m < 4 && status == SCREE_OK; m++)
        status = add_line(self, p[m], p[(m + 1) % 4], self->ink, 0.3f, 0.7);
    return status;
}

static int32_t add_frame(image *self, const double corner[8][3], rgb colour)
{
    int32_t status = SCREE_OK;
    for (uint32_t m = 0; m < 8; m++)
        for (uint32_t k = 0; k < 3; k++)
            if (!(m >> k & 1) && status == SCREE_OK)
                status = add_line(self, corner[m], corner[m | 1u << k], colour, 0.5f, 0.7);
    return status;
}

int32_t add_cells(image *self, const scree_bodies *b)
{
    drawing *d = &self->drawing;
    const int32_t has_section = d->has_section; // cells are whole
    const uint64_t n = self->cells ? self->cells->n_cells : 0;
    int32_t status = SCREE_OK;
    d->has_section = 0;
    for (uint64_t i = 0; i < n && status == SCREE_OK; i++) {
        const body_cell *cell = &self->cells->cells[i];
        double corner[8][3], x[3];
        if (is_hidden(self, b->group[cell->body]))
            continue;
        for (uint32_t m = 0; m < 8; m++) {
            solid_cells_corner(self->cells, b, cell, m, x);
            to_camera(&self->camera, x, corner[m]);
        }
        if (cell->class == SCREE_SOLID_OUTSIDE)
            status = add_frame(self, (const double(*)[3])corner, colour_of(cell));
        else
            for (uint32_t side = 0; side < 6 && status == SCREE_OK; side++)
                if (cell->sides >> side & 1)
                    status = add_side(self, (const double(*)[3])corner, side, colour_of(cell));
    }
    d->has_section = has_section;
    return status;
}
