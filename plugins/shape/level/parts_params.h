/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of shapes that are put together from others; a type lists PARTS_PARAMS among its own. */
#ifndef PLUGINS_SHAPE_PARTS_PARAMS_H
#define PLUGINS_SHAPE_PARTS_PARAMS_H

#include "level.h"

SCREE_PLUGIN_PARAM(parts_config, first, SHAPE, SCREE_PARAM_REQUIRED, NULL,
                   "a shape, as in `shapes`: sphere, superquadric, capsule, cylinder, blend, ..");
SCREE_PLUGIN_PARAM(parts_config, second, SHAPE, SCREE_PARAM_OPTIONAL, NULL, "another shape");
SCREE_PLUGIN_PARAM(parts_config, third, SHAPE, SCREE_PARAM_OPTIONAL, NULL, "another shape");
SCREE_PLUGIN_PARAM(parts_config, fourth, SHAPE, SCREE_PARAM_OPTIONAL, NULL, "another shape");
SCREE_REAL_ROWS_PARAM(parts_config, places, 3, "m", SCREE_PARAM_OPTIONAL, -1e50, 1e50,
                      "origins of the parts; absent: each shape once, at the origin");
SCREE_INTS_PARAM(parts_config, of, 0, SCREE_PARAM_OPTIONAL, 0, 1, PARTS_KINDS,
                 "the shape of each place: 1 is first, 2 second, ..; absent: first");
SCREE_REAL_ROWS_PARAM(parts_config, turns, 4, NULL, SCREE_PARAM_OPTIONAL, -1e50, 1e50,
                      "quaternion (w, x, y, z) of each part; absent: not turned");
SCREE_REALS_PARAM(parts_config, scales, 0, NULL, SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                  1e50, "size of each part; absent: 1");
SCREE_FILE_PARAM(parts_config, file, SCREE_PARAM_OPTIONAL,
                 "table of the parts: x, y, z, and perhaps q0 to q3, one of scale, radius and "
                 "diameter (of the ball of equal volume), part (a number as in `of`)");
SCREE_STRINGS_PARAM(
    parts_config, columns, 0, SCREE_PARAM_OPTIONAL,
    "names of the columns of a table, \"-\" to skip one; absent: its first line names them");
SCREE_REAL_PARAM(
    parts_config, decay, NULL, SCREE_PARAM_OPTIONAL, 0, 0.1, 100.0,
    "alpha of the field of a part, exp(-alpha I): the fields are added, and necks join "
    "the parts, wider for less; absent: the union of the parts");
SCREE_REALS_PARAM(parts_config, strengths, 0, NULL, SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0,
                  0, 1e6, "beta, the factor of the field of each part; absent: 1");
SCREE_INT_PARAM(parts_config, cells, 0, 32, 4, LEVEL_MOST_CELLS,
                "cells along the longest side, where `cell` is not given");
SCREE_REAL_PARAM(parts_config, cell, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                 "largest side of a cell");
SCREE_CHOICE_VALUE(largest, LEVEL_PIECES_LARGEST, "the largest stays");
SCREE_CHOICE_VALUE(all, LEVEL_PIECES_ALL, "all stay, as one body");
SCREE_CHOICE_PARAM(parts_config, pieces, 0, "largest", "pieces that are not joined",
                   &choice_largest, &choice_all);

#define PARTS_PARAMS                                                                               \
    &param_first, &param_second, &param_third, &param_fourth, &param_places, &param_of,            \
        &param_turns, &param_scales, &param_file, &param_columns, &param_decay, &param_strengths,  \
        &param_cells, &param_cell, &param_pieces

#endif
