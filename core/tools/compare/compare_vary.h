/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `scree compare` that vary settings: "PATH=V1,V2,..", series of numbers, their
 * combinations. */
#ifndef CORE_COMPARE_VARY_H
#define CORE_COMPARE_VARY_H

#include <stdbool.h>

#include "base/error.h"

/** A setting of the scene, and the values that it takes in turn. */
typedef struct scree_axis {
    char *path;
    GPtrArray *values; /* elements: char *, as in an override */
    double *number;    /* [values->len] ascending; NULL: not all values are numbers */
    char *unit;        /* "-": none; NULL: not known */
} scree_axis;

/** Reads "PATH=V1,V2,..". Commas inside brackets and quotes do not separate. `A..B*F` and `A..B+D`
 * are series that start with A and do not pass B. Numbers are put in ascending order. NULL with an
 * error. */
scree_axis *scree_axis_parse(const char *assignment, GError **error);
/** An axis with these values, which it then owns. Giving a value twice is an error. */
scree_axis *scree_axis_new(const char *path, GPtrArray *values, GError **error);
void scree_axis_free(scree_axis *axis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_axis, scree_axis_free)

/** Goes to the next combination of the digits `at`, each below its base; the first digit changes
 * slowest. False: it was the last, and all digits are 0 again. */
bool scree_combination_next(guint *at, const guint *base, guint n);

#endif
