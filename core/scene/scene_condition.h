/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of the schedule, "kinetic < 1e-6 and time > 0.1 s": from text to terms. */
#ifndef CORE_SCENE_CONDITION_H
#define CORE_SCENE_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/** Quantities of a condition; from SCREE_QUANTITY_KINETIC on they are energies. */
enum {
    SCREE_QUANTITY_STEP,
    SCREE_QUANTITY_TIME,
    SCREE_QUANTITY_BODIES,
    SCREE_QUANTITY_FREE,
    SCREE_QUANTITY_CONTACTS,
    SCREE_QUANTITY_KINETIC,
    SCREE_QUANTITY_GRAVITY,
    SCREE_QUANTITY_STORED,
    SCREE_QUANTITY_LOST,
    SCREE_QUANTITY_WORK,
    SCREE_QUANTITY_RESIDUAL,
    SCREE_QUANTITIES
};

/** "kinetic < 1e-6": one of the terms of a condition, all of which must hold. */
typedef struct scree_term {
    uint32_t quantity; /* SCREE_QUANTITY_* */
    bool less, or_equal;
    double value;
} scree_term;

/** The terms of a condition, "kinetic < 1e-6 and time > 0.1 s"; NULL with an error. */
GArray *scree_condition_parse(const char *text, GError **error);

#endif
