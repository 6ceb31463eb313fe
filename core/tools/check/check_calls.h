/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the engine to the plugin under test pass through the check: it lends arrays between
 * guard pages, withholds services, and asks again. */
#ifndef CORE_CHECK_CALLS_H
#define CORE_CHECK_CALLS_H

#include "tools/check/check.h"

/** Judges the engine's calls of a case, and makes them. */
typedef struct scree_check_judge {
    int32_t (*forces)(scree_check *check, void *instance, const scree_forces *args);
    int32_t (*pose)(scree_check *check, void *instance, const scree_poses *args);
    int32_t (*make)(scree_check *check, void *instance, const scree_making *args);
    /** A body that the modifier inserts. */
    void (*insert)(const scree_body *b, const scree_bodies *among);
    bool fields; /* own fields must be finite after enter() and after_step() */
} scree_check_judge;

/** Makes runs of this process call the plugin through the check; `judge` NULL: no call is judged.
 * Arrays are guarded in the case `inputs` (guard_pages.h), check->withheld is not given. */
void scree_check_calls_watch(const scree_check *check, const scree_check_judge *judge);
/** The functions of the plugin, for such a judge. */
int32_t scree_check_calls_forces(void *instance, const scree_forces *args);
int32_t scree_check_calls_pose(void *instance, const scree_poses *args);
int32_t scree_check_calls_make(void *instance, const scree_making *args);
/** Whether a value of a field of the plugin has not been the initial one after some call in a run
 * with judge->fields. */
bool scree_check_calls_changed(uint32_t field);
/** From now on a call of move() gets so many bodies; 0: as many as the engine gives. */
void scree_check_calls_pieces(uint32_t n);

#endif
