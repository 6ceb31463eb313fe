/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of fields when plugins are set up or swapped. */
#ifndef CORE_COLUMNS_H
#define CORE_COLUMNS_H

#include "engine/sim.h"

/** Appends the plugin's fields of a scope to the columns of the sim. Returns how many
 * components. */
uint32_t scree_columns_add(scree_sim *sim, const char *slot, const scree_plugin *plugin,
                           uint32_t scope);
void scree_column_free(void *column);
/** Finds where the components of one scope come from: the number of a previous component, or -1:
 * it starts from `initial`. Appends previous fields that no plugin takes, as dormant. `notes`
 * gets a line for each. */
void scree_columns_map(scree_sim *sim, uint32_t scope, const GPtrArray *before, GArray **from,
                       GPtrArray *notes);
/** False when a field has no previous values and its plugin requires them. */
bool scree_columns_check(const scree_sim *sim, uint32_t scope, GError **error);
/** Maps rows of n_old values to new rows by `from`; new array. */
double *scree_columns_rows(const GArray *from, uint64_t rows, uint32_t n_old, const double *old,
                           const double *initial);
/** The initial values of the components of a scope; new array. */
double *scree_columns_initial(const scree_sim *sim, uint32_t scope);

#endif
