/* SPDX-License-Identifier: Apache-2.0 */
/* Trips: short runs of the plugin under test on the real engine, in the scenes of the routes. */
#ifndef CORE_CHECK_TRIP_H
#define CORE_CHECK_TRIP_H

#include "base/say.h"
#include "run/loop.h"
#include "tools/check/route_scenes.h"

enum {
    SCREE_CHECK_TRIP_STEPS = 12,
    SCREE_CHECK_TRIP_OWN = 6,
    SCREE_CHECK_TRIP_FEW = 3
}; /* steps of trips */

/** A run under way, in a folder of its own. */
typedef struct scree_check_trip {
    scree_run run;
    char *folder;
} scree_check_trip;

/** Makes the simulation, and evaluates nothing. The run takes `steps` at most. */
bool scree_check_trip_make(scree_check_trip *trip, const scree_route_scene *from, uint32_t steps,
                           GError **error);
/** Makes the simulation, and shows its start to the observers. */
bool scree_check_trip_begin(scree_check_trip *trip, const scree_route_scene *from, uint32_t steps,
                            GError **error);
/** Removes its folder. */
void scree_check_trip_clear(scree_check_trip *trip);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(scree_check_trip, scree_check_trip_clear)
/** Ends a trip. Returns a new string, the same for the same state and the same files; NULL:
 * finish() has failed. */
char *scree_check_trip_end(scree_check_trip *trip, GError **error);

/** Goes in one scene of the plugin, with a set of optional parameters that it takes, which the
 * scene keeps. False: the check has failed or is skipped. */
bool scree_check_trip_once(scree_check *check, scree_route_scene *from, scree_route_fn go,
                           void *user);
/** Goes with each variant of the plugin (check_variants.h), but for those that it refuses; or in
 * the user's scene, a refusal of which fails the check. */
void scree_check_trip_each(scree_check *check, scree_route_fn go, void *user);
/** Steps of a usual trip in this scene: a recording is short. */
uint32_t scree_check_trip_steps(const scree_route_scene *from);
/** The instance of the plugin under test in the run. */
scree_instance *scree_check_trip_instance(const scree_check_trip *trip, const scree_plugin *plugin);
/** Makes a run. Returns a new string as scree_check_trip_end; NULL: as scree_check_trip_once. */
char *scree_check_trip_whole(scree_check *check, scree_route_scene *from, uint32_t steps);
/** Two runs that take turns are like a single one. */
void scree_check_trip_in_turns(scree_check *check, scree_route_scene *from);
/** The scene of cases that need one: the plugin's defaults, in space if it serves it. */
scree_route_scene scree_check_trip_scene(scree_check *check);
/** Silences the lines of runs: the case's own text counts. */
void scree_check_trip_hear(const char *who, scree_say_level level, const char *text);
/** Fails the check with an error of a run. */
void scree_check_trip_fail(scree_check *check, const GError *error);

#endif
