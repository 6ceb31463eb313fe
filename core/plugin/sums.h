/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of observers over a run: kept by the host, also over a swap and a restart. */
#ifndef CORE_SUMS_H
#define CORE_SUMS_H

#include "plugin/instance_data.h"

/** New array for the global fields of an observer, in the order of its descriptor, with their
 * initial values. */
double *scree_sums_new(const scree_plugin *plugin);
/** Copies the sums of an observer that had the slot before. Fields with other name, components,
 * unit or revision keep their values. */
void scree_sums_take_over(scree_instance *to, const scree_instance *from);

/** A sum as a checkpoint holds it: one field of one observer. */
typedef struct scree_saved_sum {
    char *slot, *name, *unit;
    uint32_t components, revision;
    double *values; /* [components] */
} scree_saved_sum;

/** An empty array of scree_saved_sum. */
GArray *scree_saved_sums_new(void);
/** All sums of a run, a new array of scree_saved_sum. */
GArray *scree_saved_sums_of(const scree_runtime *runtime);
/** Puts sums of a checkpoint (NULL: it has none) into observers with the same fields. Each field
 * without a saved sum gets a line in `notes`. */
void scree_saved_sums_put(const GArray *sums, const scree_runtime *runtime, GPtrArray *notes);

#endif
