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
    GArray *v; /* of double, [rows][components]; NaN, or a row that is not there: none was given */
} scree_start_column;

/** Those of a scene; a body names its row. 0 is an empty one. */
typedef struct scree_start_values {
    GPtrArray *columns; /* of scree_start_column; NULL: none */
    uint32_t n;         /* rows */
} scree_start_values;

/** A mistake in the fields of new bodies, or NULL. */
const char *scree_start_values_check(const scree_new_bodies *bodies);
/** Takes the values of body i; its row + 1, or 0 without any. */
uint32_t scree_start_values_take(scree_start_values *values, const scree_new_bodies *bodies,
                                 uint32_t i);
/** A new row without values: its number + 1. */
uint32_t scree_start_values_row(scree_start_values *values);
/** Sets the [components] of a field in a row (row + 1). */
void scree_start_values_set(scree_start_values *values, uint32_t start, const char *name,
                            uint32_t components, const double *v);
/** [components] of a row that a body names (row + 1); NULL: it has none of that field. */
const double *scree_start_column_row(const scree_start_column *column, uint32_t start);
void scree_start_values_clear(scree_start_values *values);

#endif
