/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of fields when plugins are set up or swapped. */
#ifndef CORE_COLUMNS_H
#define CORE_COLUMNS_H

#include "engine/state.h"

/** Appends the plugin's fields of a scope to the columns. Returns how many
 * components. */
uint32_t scree_columns_add(scree_plugins *plugins, const char *slot, const scree_plugin *plugin,
                           uint32_t scope);
/** Appends the rate of a body field to the columns of bodies: "temperature.rate". */
void scree_columns_add_rate(scree_plugins *plugins, const scree_column *of);
void scree_column_free(void *column);
/** Finds where the components of one scope come from: the number of a previous component, or -1:
 * it begins. Appends, as dormant, previous fields that no plugin takes and that are to be restored;
 * others are dropped. `notes` gets a line for each; `n`: contacts, pairs or bodies of the run.
 * `rows`: their previous values, [n] rows of `stride`, of which unset ones are not counted as
 * restored; or NULL. */
void scree_columns_map(scree_plugins *plugins, uint32_t scope, const GPtrArray *before, uint64_t n,
                       const double *rows, uint32_t stride, GArray **from, GPtrArray *notes);
/** False when a field has no previous values and its plugin requires them. */
bool scree_columns_check(const scree_sim *sim, uint32_t scope, GError **error);
/** Maps rows of n_old values to new rows by `from`; new array. `initial` NULL: components that begin
 * are unset. */
double *scree_columns_rows(const GArray *from, uint64_t rows, uint32_t n_old, const double *old,
                           const double *initial);
/** One row of them, into `now`. */
void scree_columns_row(const GArray *from, const double *old, const double *initial, double *now);
/** The values of the components of a scope in a new element, those of dormant contact and pair
 * fields unset; new array. */
double *scree_columns_initial(const scree_sim *sim, uint32_t scope);
/** Components of a scope that are in the hash. */
uint32_t scree_columns_count(const scree_sim *sim, uint32_t scope);
/** `fresh_from` of the columns of bodies, then of those of the run; new array of uint64_t. */
GArray *scree_columns_fresh(GPtrArray *const *columns);
/** Sets them; an array that is too short leaves the rest as it is. */
void scree_columns_set_fresh(GPtrArray *const *columns, const GArray *from);

#endif
