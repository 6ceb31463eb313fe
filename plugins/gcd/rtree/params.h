/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of gcd/rtree and gcd/dess_rtree. */
#ifndef SCREE_RTREE_PARAMS_H
#define SCREE_RTREE_PARAMS_H

#include "rtree.h"

SCREE_CHOICE_VALUE(linear, BUILD_LINEAR, "box by box, Guttman's linear split");
SCREE_CHOICE_VALUE(quadratic, BUILD_QUADRATIC, "box by box, Guttman's quadratic split");
SCREE_CHOICE_VALUE(rstar, BUILD_RSTAR, "box by box, the R*-tree's split and choice of a leaf");
SCREE_CHOICE_VALUE(str, BUILD_STR, "packed, sort-tile-recursive");
SCREE_CHOICE_PARAM(settings, build, 0, "str", "how the tree is made", &choice_linear,
                   &choice_quadratic, &choice_rstar, &choice_str);
SCREE_CHOICE_VALUE(rebuild, UPDATE_REBUILD, "made again in every step (Perkins)");
SCREE_CHOICE_VALUE(refit, UPDATE_REFIT, "kept, and its boxes brought up to date");
SCREE_CHOICE_PARAM(settings, update, 0, "rebuild", "what becomes of the tree in the next step",
                   &choice_rebuild, &choice_refit);
SCREE_CHOICE_VALUE(leaf, QUERY_LEAF, "a leaf for all its boxes");
SCREE_CHOICE_VALUE(box, QUERY_BOX, "each box for itself (Perkins)");
SCREE_CHOICE_PARAM(settings, query, 0, "leaf", "what asks the tree", &choice_leaf, &choice_box);
SCREE_REAL_PARAM(settings, worn, "-", 0, 1.25, 1, 1e6,
                 "refit: the tree is made again when the sides of its leaves have grown by this");

#endif
