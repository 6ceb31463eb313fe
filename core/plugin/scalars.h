/* SPDX-License-Identifier: Apache-2.0 */
/* Scalars of observers (scree.scalars/1), by name. */
#ifndef CORE_SCALARS_H
#define CORE_SCALARS_H

#include "plugin/instance_data.h"

/** Asks a new observer for its scalars, keeps them until it is freed, and counts them in
 * instance->n_scalars. False, with the plugin blamed: a name is bad or comes twice, a unit cannot
 * be read, scalars are too many. */
bool scree_scalars_ask(scree_instance *instance, GError **error);
/** A new observer with its scalars; NULL with an error. */
scree_instance *scree_observer_new(scree_runtime *runtime, const scree_choice_of *choice,
                                   scree_slot slot, GError **error);
/** Finds a scalar by its name, and its number; NULL: none has this name. */
const scree_scalar *scree_scalars_find(const scree_instance *instance, const char *name,
                                       uint32_t *k);
/** The names of all scalars, "a, b, c"; new string. */
char *scree_scalars_names(const scree_instance *instance);
/** Asks for scalar number k, between begin and end of a call; NULL without an error: k is too large. */
const scree_scalar *scree_scalars_ask_one(scree_instance *instance, uint32_t k, GError **error);
/** Room for the values of read(), with guard values on both sides; scree_scalars_clear() prepares it
 * for each call. */
double *scree_scalars_room(const scree_instance *instance);
void scree_scalars_free(double *value);
void scree_scalars_clear(const scree_instance *instance, double *value);
/** Checks the values after read(). False, with the plugin and the scalar blamed: a value was not
 * written, is infinite, or lies before or behind the values. */
bool scree_scalars_check(const scree_instance *instance, const double *value, GError **error);

#endif
