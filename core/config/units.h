/* SPDX-License-Identifier: Apache-2.0 */
/* Units: "kg m^2/s", "deg", "GPa" as a factor to SI and the exponents of its base units. */
#ifndef CORE_UNITS_H
#define CORE_UNITS_H

#include <stdbool.h>

#include "base/error.h"

/** Exponents of m, kg, s, A, K, mol, cd. An angle has none: "deg" is only a factor. */
typedef struct scree_unit {
    double factor;
    int exponent[7];
} scree_unit;

/** Reads a unit; NULL, "" and "-" mean no dimension. */
bool scree_unit_parse(const char *text, scree_unit *unit, GError **error);
bool scree_unit_same_dimension(const scree_unit *a, const scree_unit *b);
/** Reads "0.5 mm" as SI. Its unit must have the dimension of `unit`, which a bare number has. The
 * number itself must be finite, and may not over- or underflow. */
bool scree_quantity_parse(const char *text, const char *unit, double *value, GError **error);

#endif
