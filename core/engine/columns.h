/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of fields when plugins are set up or swapped. */
#ifndef CORE_COLUMNS_H
#define CORE_COLUMNS_H

#include "engine/state.h"

/** Appends the plugin's fields of a scope to the columns. Returns the number of components. */
uint32_t scree_columns_add(scree_plugins *plugins, const char *slot, const scree_plugin *plugin,
                           uint32_t scope);
/** Appends the rate of a body field, "temperature.rate", to the columns of bodies. */
void scree_columns_add_rate(scree_plugins *plugins, const scree_column *of);
void scree_column_free(void *column);
/** Finds the source of each component in one scope: the number of a previous component, or -1: it
 * begins. Previous fields that no plugin takes become dormant if they are to be restored, and are
 * dropped otherwise. `notes` gets a line for each; `n`: number of contacts, pairs or bodies of the
 * run. `rows`: their previous values, [n] rows of `stride`, whose unset ones do not count as
 * restored; or NULL. */
void scree_columns_map(scree_plugins *plugins, uint32_t scope, const GPtrArray *before, uint64_t n,
                       const double *rows, uint32_t stride, GArray **from, GPtrArray *notes);
/** Checks that no field lacks previous values that its plugin requires. */
bool scree_columns_check(const scree_sim *sim, uint32_t scope, GError **error);
/** Maps rows of n_old values to new rows by `from`; new array. `initial` NULL: new components are
 * unset. */
double *scree_columns_rows(const GArray *from, uint64_t rows, uint32_t n_old, const double *old,
                           const double *initial);
/** Maps one row into `now`. */
void scree_columns_row(const GArray *from, const double *old, const double *initial, double *now);
/** Returns the values of a scope's components in a new element; dormant contact and pair fields are
 * unset. New array. */
double *scree_columns_initial(const scree_sim *sim, uint32_t scope);
/** Returns the arrays of a body field by its name, "NAME" or "SLOT/NAME"; NULL with an error. */
double **scree_columns_find(const scree_sim *sim, const char *name, uint32_t components,
                            GError **error);
/** Gives bodies (scree_body), which are those of the world from number `first` on, their start
 * values. */
bool scree_columns_start(const scree_sim *sim, const scree_start_values *starts,
                         const GArray *bodies, uint32_t first, GError **error);
/** Returns the number of components of a scope in the hash. */
uint32_t scree_columns_count(const scree_sim *sim, uint32_t scope);
/** `fresh_from` of the columns of bodies, then of the run; new array of uint64_t. */
GArray *scree_columns_fresh(GPtrArray *const *columns);

/** Marks for the integrator (scree_motion.fresh): bodies without values, and bodies edited since
 * the last step. NULL: none. Valid until the next call. */
const uint8_t *scree_fresh_motion(scree_sim *sim);
/** Sets `fresh` and `global_fresh` of the view, before a modifier is called. */
void scree_fresh_show(scree_sim *sim, const scree_instance *modifier);
/** Returns 1: a global field of this plugin holds `initial`. */
uint32_t scree_fresh_global(const scree_sim *sim, const scree_instance *instance);
/** To be called after a call that could set the plugin's fields of all current bodies. */
void scree_fresh_seen(const scree_sim *sim, const scree_instance *instance);
/** To be called after a step: what is new to laws is then known. */
void scree_fresh_seen_laws(const scree_sim *sim);
/** Returns whether body i still holds the initial value of a field. */
bool scree_fresh_holds(const scree_world *w, const scree_column *column, uint32_t i);
/** To be called after body i was freed or moved: its fields of the integrator belong to another motion. */
void scree_fresh_forget(const scree_sim *sim, uint32_t i);

#endif
