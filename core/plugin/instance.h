/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a live plugin (instance_data.h), and ends it. */
#ifndef CORE_INSTANCE_H
#define CORE_INSTANCE_H

#include "plugin/instance_data.h"

/** The text of an error that a plugin returns without a call of host->fail. */
#define SCREE_NO_REASON "no reason given"

/** "force/x (force[0])", a text of scree_shared_text. */
const char *scree_instance_show(const scree_plugin *plugin, const char *slot);
/** How much of its contacts a state lists. */
typedef enum scree_listed {
    SCREE_LISTED_NONE,
    SCREE_LISTED_TOTAL,  /* over all laws */
    SCREE_LISTED_BY_LAW, /* also the share of each law */
} scree_listed;

/** How much of the contacts an observer needs. */
scree_listed scree_instance_lists(const scree_instance *observer);
/** Creates an instance of a plugin that the scene has chosen. */
scree_instance *scree_instance_new(scree_runtime *runtime, const scree_choice_of *choice,
                                   const char *slot, GError **error);
/** Creates an instance for a slot of the run. */
scree_instance *scree_instance_at(scree_runtime *runtime, const scree_choice_of *choice,
                                  scree_slot slot, GError **error);
void scree_instance_free(scree_instance *instance);
/** Makes the error of a plugin that refuses its settings an error of the scene: with its status and
 * place. */
void scree_instance_blame_scene(const scree_instance *instance, GError **error);
/** Notes a fault that the host has found after a call. The next error has this text, whatever the
 * plugin gave to host->fail. */
void scree_instance_misbehaved(scree_instance *instance, const char *what);
/** Takes the text of such a fault, a new string; NULL: no fault was noted. */
char *scree_instance_take_fault(scree_instance *instance);

#endif
