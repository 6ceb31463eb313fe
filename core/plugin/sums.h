/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of observers over a run: kept by the host, also over a swap and a restart. */
#ifndef CORE_SUMS_H
#define CORE_SUMS_H

#include "plugin/instance_data.h"

/** The global fields of an observer, in the order of its descriptor; new array with what they start
 * from. */
double *scree_sums_new(const scree_plugin *plugin);
/** Takes over what an observer that had the slot before has summed up, field by field where name,
 * components, unit and revision are the same. */
void scree_sums_take_over(scree_instance *to, const scree_instance *from);

/** One field of one observer, as a checkpoint holds it. */
typedef struct scree_saved_sum {
    char *slot, *name, *unit;
    uint32_t components, revision;
    double *values; /* [components] */
} scree_saved_sum;

/** An empty array of scree_saved_sum. */
GArray *scree_saved_sums_new(void);
/** All sums of a run; of scree_saved_sum. */
GArray *scree_saved_sums_of(const scree_runtime *runtime);
/** Puts sums of a checkpoint (NULL: it has none) into the observers that have such fields. A line
 * in `notes` for each that starts from nothing. */
void scree_saved_sums_put(const GArray *sums, const scree_runtime *runtime, GPtrArray *notes);

#endif
