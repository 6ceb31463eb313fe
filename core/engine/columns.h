/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of fields when plugins are set up or swapped. */
#ifndef CORE_COLUMNS_H
#define CORE_COLUMNS_H

#include "engine/sim.h"

/** Appends the plugin's fields of a scope to what the sim holds of it; how many components. */
uint32_t scree_columns_add(scree_sim *sim, const char *slot, const scree_plugin *plugin,
                           uint32_t scope);
void scree_column_free(void *column);
/** Where the components of one scope come from: their number among those of before, or -1: they
 * start anew. Appends what nobody takes, as dormant. `told`: a line for each. */
void scree_columns_map(scree_sim *sim, uint32_t scope, const GPtrArray *before, GArray **from,
                       GPtrArray *notes);
/** False when a field starts anew that may not. */
bool scree_columns_check(const scree_sim *sim, uint32_t scope, GError **error);
/** Rows of n_old values as new ones, by where their components come from; new array. */
double *scree_columns_rows(const GArray *from, uint64_t rows, uint32_t n_old, const double *old,
                           const double *initial);
/** What components of a scope start from; new array. */
double *scree_columns_initial(const scree_sim *sim, uint32_t scope);

#endif
