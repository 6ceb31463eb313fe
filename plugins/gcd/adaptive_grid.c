/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by a grid whose planes have equal numbers of boxes between them.
 *
 * Source   O'Connor, R. M. (1996): A distributed discrete element modeling environment, MIT, 2.2,
 *          "Adaptive Gridding".
 * Taken    Cutting planes across the axes, such that about the same number of objects lies between
 *          two of them, from objects sorted along each axis; the planes stay until objects have
 *          moved past a threshold (his motion tracking).
 * Idea     A grid that is fine where boxes are dense: it keeps the search by whole indices of a
 *          grid without its empty or crowded cells.
 *
 *          |   |  | | |  |     |         |    planes across x
 *          . .  .. . ... .. .. .  . .  .      centres
 *
 * Steps    1. When more than `share` of the boxes are further than `threshold` mean sides from
 *             where they were: centres are sorted along each axis (heap sort), and the planes put
 *             at equal ranks. Planes per axis: cells are as near to cubes as the domain allows,
 *             with `per_cell` boxes in each.
 *          2. Boxes are entered into each cell that they meet, by a binary search among the
 *             planes; given a list, only the moved ones.
 *          3. Pivots are cells, or the cells of few moved boxes; each pair comes from one cell
 *             [space/space.h].
 * Cost     O(N log N) when the planes are put, O(N log n) to map into n of them. Some 3 to 5
 *          entries of 56 bytes per box (2D: 40), 40 bytes per cell.
 * Deviations  Planes at equal ranks instead of repeated halving, which gives the same planes for
 *          powers of two, and any number of them. The source counts objects on either side of a
 *          plane, not per cell: where boxes lie along a diagonal most cells are empty. Its
 *          threshold counts for each single object (`share` 0).
 * Limits   One distribution per axis: two dense clumps at different heights make fine planes all
 *          across. Large boxes lie in every cell under them.
 */
#include "space/params.h"

#define MOST_CUTS 4096u /* slices per axis */

typedef struct settings {
    space_drift drift;
    int64_t per_cell;
} settings;

/* Chooses the number of slices of each axis: cells have equal sides over the domain. */
static void choose_slices(const space *s, double cells, uint32_t n[3])
{
    double side[3] = {0.0, 0.0, 0.0}, volume = 1.0;
    uint32_t wide = 0;
    for (uint32_t k = 0; k < s->axes; k++) {
        side[k] = s->hi[k] - s->lo[k];
        if (!(side[k] > 0.0 && side[k] < 0x1p300 && side[k] > 0x1p-300))
            side[k] = 0.0;
        volume *= side[k] > 0.0 ? side[k] : 1.0;
        wide += side[k] > 0.0;
    }
    const double len = wide == 3   ? cbrt(volume / cells)
                       : wide == 2 ? sqrt(volume / cells)
                                   : volume / cells;
    for (uint32_t k = 0; k < 3; k++) {
        const double slices = side[k] > 0.0 ? side[k] / len : 1.0;
        n[k] = slices < MOST_CUTS ? slices > 1.0 ? (uint32_t)slices : 1 : MOST_CUTS;
    }
    if ((double)n[0] * n[1] * n[2] > 4.0 * cells + 64.0) // volumes may under- or overflow
        n[0] = n[1] = n[2] = 1;
}

/* Puts planes at equal ranks along an axis; planes at the same place are put once. */
static int32_t put_cuts(space *s, uint32_t axis, space_split *how)
{
    const scree_boxes *b = &s->boxes;
    const uint32_t want = how->n[axis];
    uint32_t n = 0;
    how->n[axis] = 1;
    how->cuts[axis] = s->n_cuts;
    if (want < 2)
        return SCREE_OK;
    if (!scree_grow(&s->cuts, &s->room[2], (uint64_t)s->n_cuts + want, sizeof *s->cuts) ||
        !scree_grow(&s->work, &s->room[11], b->n, sizeof *s->work))
        return scree_space_no_memory(s);
    for (uint32_t i = 0; i < b->n; i++)
        if (!scree_box_empty(b, i))
            s->work[n++] = 0.5 * b->lo[axis][i] + 0.5 * b->hi[axis][i];
    scree_space_sort(s->work, n);
    for (uint32_t c = 1; c < want; c++) {
        const uint64_t at = (uint64_t)n * c / want;
        const double cut = 0.5 * s->work[at - (at > 0)] + 0.5 * s->work[at];
        if (how->n[axis] > 1 && !(cut > s->cuts[s->n_cuts - 1]))
            continue;
        s->cuts[s->n_cuts++] = cut;
        how->n[axis]++;
    }
    return SCREE_OK;
}

static int32_t build(space *s)
{
    const settings *c = s->config;
    space_split how = {.kind = SPACE_CUTS, .n = {1, 1, 1}};
    const double cells = (double)s->built / (double)c->per_cell;
    int32_t status = SCREE_OK;
    if (cells <= 1.0)
        return SCREE_OK;
    choose_slices(s, cells, how.n);
    for (uint32_t k = 0; k < s->axes && status == SCREE_OK; k++)
        status = put_cuts(s, k, &how);
    return status == SCREE_OK && how.n[0] * how.n[1] * how.n[2] > 1 ? scree_space_cut(s, 0, &how)
                                                                    : status;
}

static const space_method method = {"adaptive_grid", 0, scree_space_outdated, build, NULL, NULL};

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    return scree_space_create(host, config, &method, instance);
}

static const scree_gcd_ops ops = {
    .size = sizeof(scree_gcd_ops),
    .create = create,
    .destroy = scree_space_destroy,
    .init = scree_space_init,
    .step_init = scree_space_step_init,
    .find_neighbors = scree_space_find_neighbors,
    .find_objects = scree_space_find_objects,
    .bytes = scree_space_bytes,
};

SCREE_INT_PARAM(settings, per_cell, 0, 8, 1, 1000000, "boxes per cell, on average");
static const scree_param *const params[] = {&param_per_cell, &param_threshold, &param_share};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .flags = SCREE_CAP_INCREMENTAL,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "adaptive_grid",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a grid whose planes have as many boxes between them",
    .summary =
        "Cutting planes across the axes lie at equal ranks of the boxes' centres; a box is "
        "entered into each cell that it meets. The planes are placed again when boxes have moved "
        "past a threshold.",
    .citation = "O'Connor, R. M. (1996): A distributed discrete element modeling environment, MIT",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = scree_space_extension,
};

SCREE_DEFINE_MANIFEST(&descriptor);
