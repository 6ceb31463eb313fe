/* SPDX-License-Identifier: Apache-2.0 */
/* Start values of body fields, by name, until the run takes them. */
#ifndef CORE_START_VALUES_H
#define CORE_START_VALUES_H

#include "scree/scree.h"

#include <glib.h>

/** Values of one field. */
typedef struct scree_start_column {
    char *name; /* "NAME" or "SLOT/NAME" */
    uint32_t components;
    GArray *v; /* elements: double, [rows][components]; NaN, or a missing row: not given */
} scree_start_column;

/** Start values of a scene; a body has the number of its row. Row 0 is empty. */
typedef struct scree_start_values {
    GPtrArray *columns; /* elements: scree_start_column; NULL: none */
    uint32_t n;         /* number of rows */
} scree_start_values;

/** Returns a mistake in the fields of new bodies, or NULL. */
const char *scree_start_values_check(const scree_new_bodies *bodies);
/** Takes the values of body i. Returns its row + 1, or 0: it has none. */
uint32_t scree_start_values_take(scree_start_values *values, const scree_new_bodies *bodies,
                                 uint32_t i);
/** Adds a row without values. Returns its number + 1. */
uint32_t scree_start_values_row(scree_start_values *values);
/** Sets the [components] of a field in a row (row + 1). */
void scree_start_values_set(scree_start_values *values, uint32_t start, const char *name,
                            uint32_t components, const double *v);
/** Returns the [components] of a body's row (row + 1); NULL: it has no values of this field. */
const double *scree_start_column_row(const scree_start_column *column, uint32_t start);
void scree_start_values_clear(scree_start_values *values);

#endif
