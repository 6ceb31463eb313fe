/* SPDX-License-Identifier: Apache-2.0 */
/* How ends are sorted: the choices of the parameter `sort`. */
#ifndef SCREE_GCD_SORTING_PARAMS_H
#define SCREE_GCD_SORTING_PARAMS_H

#include "sorting.h"

#define SORT_INSERTION 0
#define SORT_HEAP 1

SCREE_CHOICE_VALUE(insertion, SORT_INSERTION, "near N when little moved, first by heap");
SCREE_CHOICE_VALUE(heap, SORT_HEAP, "N log N whatever moved");

#endif
