/* SPDX-License-Identifier: Apache-2.0 */
/* The service scree.events/1: what plugins report, in canonical order, counted and written. */
#ifndef CORE_EVENTS_H
#define CORE_EVENTS_H

#include "plugin/instance_data.h"

#define SCREE_EVENTS_FILE "events.csv"

scree_event_log *scree_event_log_new(void);
/** Frees the log, and first closes the file of a run that has failed. */
void scree_event_log_free(scree_event_log *log);
/** Takes reports until the next take or drop. */
void scree_event_log_open(scree_event_log *log);
/** Accepts the reported events for this step and time: sorts and counts them, and writes them into
 * `folder` (NULL: nowhere). */
bool scree_event_log_take(scree_event_log *log, uint64_t step, double time, const char *folder,
                          GError **error);
/** True: reports of this thread are dropped, because another rank makes them, too. */
extern _Thread_local bool scree_events_foreign;
/** Returns the reported events as bytes; NULL: none. */
GBytes *scree_event_log_pack(const scree_event_log *log);
/** Adds the events of another rank. False: the bytes are not those of events. */
bool scree_event_log_unpack(scree_event_log *log, const void *bytes, uint64_t n);
/** Drops the reported events. */
void scree_event_log_drop(scree_event_log *log);
/** Closes the file and gives it its name. */
bool scree_event_log_finish(scree_event_log *log, GError **error);
/** Called in a child that tries a swap: the log counts and writes nothing from now on. */
void scree_event_log_mute(scree_event_log *log);
/** Calls `take` for each name, in alphabetical order. */
void scree_event_log_each(const scree_event_log *log,
                          void (*take)(void *user, const char *name, uint64_t count), void *user);

/** The plugin's SCREE_SERVICE_EVENTS. The host then reserves the name of its file. */
const scree_events *scree_events_give(scree_instance *instance);

#endif
