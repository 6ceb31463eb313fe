/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of a scene, "kinetic < 1e-6 and time > 0.1 s": from text to terms; the key `stop`,
 * whose conditions end a run. */
#ifndef CORE_SCENE_CONDITION_H
#define CORE_SCENE_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "plugin/scalars.h"
#include "scene/scene_build.h"

/** A term of a condition: "kinetic < 1e-6", "mean(unbalanced, 0.1 s) < 1e-3", "flow.rate < 2". */
typedef struct scree_term {
    uint32_t figure;      /* number of the figure, unless it is an observer's scalar */
    uint32_t alternative; /* all terms of an alternative must hold; one alternative is enough */
    bool less, or_equal;
    double value;                     /* [SI] a scalar's is read again, in the observer's unit */
    double window;                    /* [s] length of the mean over checks; 0: the current value */
    char *subject;                    /* "mean(unbalanced, 0.1 s)" */
    char *observer, *scalar, *number; /* "flow", "rate", "2 g/s"; NULL: not a scalar */
} scree_term;

/** A condition, and the interval of its checks. */
typedef struct scree_condition {
    char *text;
    char *path;       /* "stop[0]" */
    const char *file; /* its place, with `line`; may be NULL */
    int line;
    GArray *terms;  /* elements: scree_term */
    uint64_t every; /* steps between checks */
    double hold;    /* [s] duration for which all checks must hold */
    double after;   /* [s] no checks before this time */
} scree_condition;

/** The terms of a condition: "a and b or c and d"; NULL with an error. */
GArray *scree_condition_parse(const char *text, GError **error);
/** Returns whether some alternative has no contradiction until this step and time [s]. */
bool scree_condition_is_possible(const GArray *terms, double step, double time);
/** Returns the mask of the figures in its terms: bit k is figure k. */
uint64_t scree_condition_figures(const scree_condition *condition);
/** Accepts NULL. */
void scree_condition_free(scree_condition *condition);

/** Reads `when` of a group, with `every` (100 steps); NULL with a problem. */
scree_condition *scree_build_condition(scree_build *build, scree_node *group);
/** Reads `stop`: an array of scree_condition. */
void scree_build_stop(scree_build *build);
/** Checks the terms about the observer with this name. False, with the place of the condition: it
 * has no such scalar, or the unit differs. */
bool scree_terms_check(const scree_scene *scene, const char *name, const scree_instance *observer,
                       GError **error);

#endif
