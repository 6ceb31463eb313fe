// SPDX-License-Identifier: Apache-2.0
/*
 * Solids where a function is negative.
 *
 * Steps    1 unless the box of the solid is known exactly, a coarse grid finds it, twice
 *          2 cells around the box, as resolver/dfr3d puts them: by the view CUBES_AXES_VIEW, and with equal `cells`,
 *            it finds the same facets again
 *          3 the surface (surface.c), which is the solid from then on
 */
#include "level.h"

enum { COARSE = 24, FINEST = 192 };

static void widen(const uint32_t at[3], uint32_t from[3], uint32_t to[3])
{
    for (int a = 0; a < 3; a++) {
        from[a] = at[a] < from[a] ? at[a] : from[a];
        to[a] = at[a] > to[a] ? at[a] : to[a];
    }
}

/** Narrows the box to the corners inside, and a cell more on each side. 0: no corner is inside. */
static int narrow(const level *l, uint32_t cells, double lo[3], double hi[3], uint8_t *row)
{
    cubes_grid grid;
    cubes_field field;
    uint32_t from[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, to[3] = {0, 0, 0};
    cubes_grid_around(&grid, lo, hi, cells, 0.0);
    cubes_field_function(&field, &l->view);
    for (uint32_t k = 0; k <= grid.n[2]; k++)
        for (uint32_t j = 0; j <= grid.n[1]; j++) {
            field.row(field.ctx, &grid, j, k, row);
            for (uint32_t i = 0; i <= grid.n[0]; i++)
                if (row[i])
                    widen((const uint32_t[3]){i, j, k}, from, to);
        }
    if (from[0] == UINT32_MAX)
        return 0;
    for (int a = 0; a < 3; a++) {
        const double start = grid.origin[a], side = grid.cell[a];
        lo[a] = scree_max(lo[a], start + side * ((double)from[a] - 1.0));
        hi[a] = scree_min(hi[a], start + side * ((double)to[a] + 1.0));
    }
    return 1;
}

/** The box of the solid, nearly. 0 with a problem. */
static int find_box(const level *l, double lo[3], double hi[3], mesh_lines *problems)
{
    uint8_t row[FINEST + 3];
    int found = 0;
    memcpy(lo, l->lo, sizeof l->lo);
    memcpy(hi, l->hi, sizeof l->hi);
    if (l->tight)
        return 1;
    if (!(lo[0] < hi[0] && lo[1] < hi[1] && lo[2] < hi[2]))
        return mesh_say(
            problems,
            "its parts are so far from the origin, (%g, %g, %g) m, that their sizes round to 0",
            lo[0], lo[1], lo[2]);
    for (uint32_t cells = COARSE; !found && cells <= FINEST; cells *= 2)
        found = narrow(l, cells, lo, hi, row);
    return (found && narrow(l, COARSE, lo, hi, row)) ||
           mesh_say(problems, "none of %d^3 points of the box around it is inside", FINEST);
}

static int check_cells(const level_cells *c, const double lo[3], const double hi[3],
                       mesh_lines *problems)
{
    double longest = 0.0;
    for (int k = 0; k < 3; k++)
        longest = scree_max(longest, hi[k] - lo[k]);
    return !(c->cell * LEVEL_MOST_CELLS < longest) ||
           mesh_say(problems,
                    "cell: expected at least %.4g m, for at most %d cells along its length of "
                    "%.4g m, got %.4g m",
                    longest / LEVEL_MOST_CELLS, LEVEL_MOST_CELLS, longest, c->cell);
}

/** Adds the function itself, for shapes that are made from this one. */
static void keep(void *instance, const level *l, const double lo[3], const double hi[3])
{
    polyhedron_extra extra = {.name = LEVEL_VIEW,
                              .view = l->view,
                              .owned = l->form,
                              .free_owned = l->free_form,
                              .bytes = l->bytes};
    memcpy(extra.lo, lo, sizeof extra.lo);
    memcpy(extra.hi, hi, sizeof extra.hi);
    polyhedron_add(instance, &extra);
}

int32_t level_new(const scree_host *host, const level *l, const level_cells *c, void **instance)
{
    mesh_notes notes = {0};
    mesh_surface *surface = NULL;
    double lo[3], hi[3];
    cubes_field field;
    cubes_grid grid;
    if (find_box(l, lo, hi, &notes.problems) && check_cells(c, lo, hi, &notes.problems)) {
        cubes_grid_around(&grid, lo, hi, (uint32_t)c->cells, c->cell > 0.0 ? c->cell : 0.0);
        cubes_field_function(&field, &l->view);
        surface = level_surface(&grid, &field, c->pieces, NULL, &notes);
    }
    const int32_t code = polyhedron_new(host, surface, &notes, instance);
    if (code == SCREE_OK)
        keep(*instance, l, lo, hi);
    else
        l->free_form(l->form);
    return code;
}
