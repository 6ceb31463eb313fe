/* SPDX-License-Identifier: Apache-2.0 */
/* How ends are sorted: the choices of the parameter `sort`. */
#ifndef SCREE_GCD_SORTING_PARAMS_H
#define SCREE_GCD_SORTING_PARAMS_H

#include "sorting.h"

#define SORT_INSERTION 0
#define SORT_HEAP 1

SCREE_CHOICE_VALUE(insertion, SORT_INSERTION, "near N when little moved, first by heap");
SCREE_CHOICE_VALUE(heap, SORT_HEAP, "N log N whatever moved");
/* The parameter `pieces`, an int64_t of the settings. */
#define SORT_PIECES_PARAM                                                                          \
    SCREE_INT_PARAM(                                                                               \
        settings, pieces, SCREE_PARAM_LIVE, 1, 0, MOST_PIECES,                                     \
        "pieces of each list that lanes sort side by side and join by merge-splitting "            \
        "(O'Connor 7.1); 1: each list on one lane, 0: a piece per lane")

#endif
