/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions during a run, checked at intervals, with the values that they remember. */
#ifndef CORE_CONDITION_STATE_H
#define CORE_CONDITION_STATE_H

#include "base/json.h"
#include "engine/observers.h"
#include "scene/scene_condition.h"

/** Values of a term at the last check, in SI units. */
typedef struct scree_seen {
    double last;        /* value at the last check */
    double time, total; /* time [s] and total of a rate at the last check; NaN: none yet */
} scree_seen;

/** A condition, and the results of its checks. Checkpoints have all of it but the first member. */
typedef struct scree_condition_state {
    const scree_condition *condition;
    double since;       /* [s] it has held at all checks since then; NaN: not at the last one */
    double longest;     /* [s] longest time for which it has held at all checks; -1: never */
    double step;        /* step of the last check; -1: none yet */
    bool due;           /* it has held long enough */
    bool spent;         /* it has ended the previous run, and does not end this one again */
    scree_seen *seen;   /* [terms] */
    GPtrArray *samples; /* [terms] GArray of double: times [s] and values in turn; NULL: no mean */
} scree_condition_state;

/** The conditions of the schedule's entries, then of `stop`: scree_condition_state; NULL: the entry
 * has none. */
const GPtrArray *scree_conditions_of(scree_sim *sim);
/** The condition of the schedule's entry k; NULL: it has none. */
scree_condition_state *scree_condition_of_entry(scree_sim *sim, guint k);

/** Before a step: asks for a complete state, and for contacts, if a condition is checked after it.
 * Called after scree_observers_prepare. */
void scree_conditions_prepare(scree_sim *sim, scree_observers *observers);
/** Whether a condition of `stop` may end the run after the next step. */
bool scree_conditions_may_stop(scree_sim *sim);
/** After a step and its observers: checks the conditions that are due. False: an observer
 * failed. */
bool scree_conditions_check(scree_sim *sim, scree_observers *observers, GError **error);
/** The first condition of `stop` that ends the run now; -1: none. */
int scree_conditions_stop(scree_sim *sim);

/** Numbers of a condition: checksum of its text, since, longest, step, due; scree_seen of each term;
 * for each mean, the number of its samples, and the samples. */
enum { SCREE_CONDITION_NUMBERS = 5, SCREE_SEEN_NUMBERS = sizeof(scree_seen) / sizeof(double) };
static inline double scree_condition_sum(const scree_condition *condition)
{
    return (double)g_str_hash(condition->text);
}
/** All numbers that the conditions remember, one after the other; new array of double. tools/restart
 * restores them. */
GArray *scree_conditions_keep(const scree_sim *sim);

/** Writes the array "conditions": all of `stop` and `schedule`. */
void scree_conditions_json(scree_sim *sim, scree_json *json);

#endif
