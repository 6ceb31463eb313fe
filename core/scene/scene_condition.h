/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of a scene, "kinetic < 1e-6 and time > 0.1 s": from text to terms. */
#ifndef CORE_SCENE_CONDITION_H
#define CORE_SCENE_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/** Figures of a state. */
enum {
    SCREE_QUANTITY_STEP,
    SCREE_QUANTITY_TIME,
    SCREE_QUANTITY_BODIES,
    SCREE_QUANTITY_FREE,
    SCREE_QUANTITY_CONTACTS,
    SCREE_QUANTITY_COORDINATION,
    SCREE_QUANTITY_KINETIC,
    SCREE_QUANTITY_GRAVITY,
    SCREE_QUANTITY_STORED,
    SCREE_QUANTITY_LOST,
    SCREE_QUANTITY_WORK,
    SCREE_QUANTITY_RESIDUAL,
    SCREE_QUANTITY_MASS,
    SCREE_QUANTITY_MAX_SPEED,
    SCREE_QUANTITY_SOLID_FRACTION,
    SCREE_QUANTITY_MAX_OVERLAP,
    SCREE_QUANTITY_UNBALANCED,
    SCREE_QUANTITY_INERTIAL_NUMBER,
    SCREE_QUANTITY_WALL_POWER,
    SCREE_QUANTITIES
};

/* Masks of quantities, by the parts of the state that are read for them. */
#define SCREE_QUANTITIES_OF_ENERGY 0xfc0ull     /* sums over bodies, the account */
#define SCREE_QUANTITIES_OF_BODIES 0x7000ull    /* a pass over the free bodies */
#define SCREE_QUANTITIES_OF_CONTACTS 0x38000ull /* contacts with their forces */

/** "kinetic < 1e-6", "mean(unbalanced, 0.1 s) < 1e-3", "flow.rate < 2 g/s": a term of a condition. */
typedef struct scree_term {
    uint32_t quantity;    /* SCREE_QUANTITY_*; SCREE_QUANTITIES: a scalar of an observer */
    uint32_t alternative; /* all terms of one alternative must hold; one alternative is enough */
    bool less, or_equal;
    double value;  /* of a scalar: not read yet, because its unit is the observer's */
    double window; /* [s] mean over the checks of so long; 0: the present value */
    char *subject; /* "mean(unbalanced, 0.1 s)" */
    char *observer, *scalar, *number; /* "flow", "rate", "2 g/s"; NULL: no scalar */
} scree_term;

/** A condition, and how often it is looked at. */
typedef struct scree_condition {
    char *text;
    char *path;       /* "stop[0]" */
    const char *file; /* with `line` where it is; may be NULL */
    int line;
    GArray *terms;  /* of scree_term */
    uint64_t every; /* steps between checks */
    double hold;    /* [s] it must hold at all checks of so long */
    double after;   /* [s] it is not looked at before this time */
} scree_condition;

/** The terms of a condition: "a and b or c and d"; NULL with an error. */
GArray *scree_condition_parse(const char *text, GError **error);
/** Mask of the quantities that its terms speak of: bit q is that of SCREE_QUANTITY q. */
uint64_t scree_condition_quantities(const scree_condition *condition);
/** Name of a quantity, and its unit, or NULL. */
const char *scree_quantity_name(uint32_t quantity);
const char *scree_quantity_unit(uint32_t quantity);
/** Accepts NULL. */
void scree_condition_free(scree_condition *condition);

#endif
