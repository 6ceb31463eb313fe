/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of a run under way: looked at every so many steps, with what they remember. */
#ifndef CORE_CONDITION_STATE_H
#define CORE_CONDITION_STATE_H

#include "engine/observers.h"
#include "scene/scene_condition.h"

/** Values of a term at the last check, in SI units. */
typedef struct scree_seen {
    double last;        /* its value at the last check */
    double time, total; /* of a rate, at the last check [s]; NaN: none yet */
} scree_seen;

/** A condition, and what its checks have seen. All of it but the first is in checkpoints. */
typedef struct scree_condition_state {
    const scree_condition *condition;
    double since;       /* [s] it has held at all checks since then; NaN: not at the last one */
    double longest;     /* [s] for which it has held at most, at all checks; -1: never */
    double step;        /* of the last check; -1: none yet */
    bool due;           /* it has held long enough */
    bool spent;         /* it has ended the run that this one continues: it does not end it again */
    scree_seen *seen;   /* [terms] */
    GPtrArray *samples; /* [terms] GArray of double, time [s] and value in turn; NULL: no mean */
} scree_condition_state;

/** Entry k of the schedule that has a condition; NULL: it has none. */
scree_condition_state *scree_condition_of_entry(scree_sim *sim, guint k);
/** Entry k of scene.stop. */
scree_condition_state *scree_condition_of_stop(scree_sim *sim, guint k);

/** Before a step: asks for a complete state, and for contacts, where a condition is looked at after
 * it. After scree_observers_prepare. */
void scree_conditions_prepare(scree_sim *sim, scree_observers *observers);
/** Whether a condition of `stop` may end the run after the next step. */
bool scree_conditions_may_stop(scree_sim *sim);
/** After a step, and after its observers: looks at the conditions whose turn it is. False when an
 * observer failed. */
bool scree_conditions_check(scree_sim *sim, scree_observers *observers, GError **error);
/** The first condition of `stop` that ends the run now; -1: none. */
int scree_conditions_stop(scree_sim *sim);

/** All that the conditions remember, as numbers; new array of double. */
GArray *scree_conditions_keep(const scree_sim *sim);
/** Puts it back into a run of a scene with the same conditions; else, and for NULL, they start
 * from nothing, and a line is added to `notes`. */
void scree_conditions_restore(scree_sim *sim, const GArray *saved, GPtrArray *notes);

#endif
