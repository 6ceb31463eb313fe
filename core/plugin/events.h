/* SPDX-License-Identifier: Apache-2.0 */
/* The service scree.events/1: what plugins report, in canonical order, counted and written. */
#ifndef CORE_EVENTS_H
#define CORE_EVENTS_H

#include "plugin/instance_data.h"

#define SCREE_EVENTS_FILE "events.csv"

scree_event_log *scree_event_log_new(void);
/** Closes the file where that was not done: a run that fails leaves the events until then. */
void scree_event_log_free(scree_event_log *log);
/** From now on reports are taken, until the next take or drop. */
void scree_event_log_open(scree_event_log *log);
/** Accepts the reported events, at this step and time: puts them in order, counts them, and writes
 * them into `folder` (NULL: nowhere). */
bool scree_event_log_take(scree_event_log *log, uint64_t step, double time, const char *folder,
                          GError **error);
/** Drops the reported events. */
void scree_event_log_drop(scree_event_log *log);
/** The file under its name. */
bool scree_event_log_finish(scree_event_log *log, GError **error);
/** In a child that tries a swap: nothing is counted or written any more. */
void scree_event_log_mute(scree_event_log *log);
/** Calls `take` for each name, in their order. */
void scree_event_log_each(const scree_event_log *log,
                          void (*take)(void *user, const char *name, uint64_t count), void *user);

/** The plugin's SCREE_SERVICE_EVENTS. From then on the host reserves the name of its file. */
const scree_events *scree_events_give(scree_instance *instance);

#endif
