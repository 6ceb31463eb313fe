/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of a scene, "kinetic < 1e-6 and time > 0.1 s": from text to terms, and the key `stop`, of those
 * that end a run. */
#ifndef CORE_SCENE_CONDITION_H
#define CORE_SCENE_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "scene/scene_build.h"

/** "kinetic < 1e-6", "mean(unbalanced, 0.1 s) < 1e-3", "flow.rate < 2 g/s": a term of a condition. */
typedef struct scree_term {
    uint32_t figure;      /* by number, unless it is a scalar of an observer */
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
/** Mask of the figures that its terms name: bit k is figure number k. */
uint64_t scree_condition_figures(const scree_condition *condition);
/** Accepts NULL. */
void scree_condition_free(scree_condition *condition);

/** Reads `when` of a group, with `every` (100 steps); NULL with a problem. */
scree_condition *scree_build_condition(scree_build *build, scree_node *group);
/** Reads `stop`: an array of scree_condition. */
void scree_build_stop(scree_build *build);

#endif
