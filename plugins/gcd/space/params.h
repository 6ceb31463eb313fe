/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of space_drift: owned by gcd/orthtree, adaptive_grid and bsp. */
#ifndef SCREE_SPACE_PARAMS_H
#define SCREE_SPACE_PARAMS_H

#include "space.h"

SCREE_REAL_PARAM(space_drift, threshold, "-", 0, 1, 0, 1000,
                 "motion since the cells were made that counts, over the mean side of the boxes");
SCREE_REAL_PARAM(space_drift, share, "-", 0, 0.1, 0, 1,
                 "share of the boxes that may have moved so far before the cells are made again");

#endif
