/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a live plugin (instance_data.h), and ends it. */
#ifndef CORE_INSTANCE_H
#define CORE_INSTANCE_H

#include "plugin/instance_data.h"

/** Text of an error when a plugin refused without a call of host->fail. */
#define SCREE_NO_REASON "no reason given"

/** "force/x (force[0])", of scree_shared_text. */
const char *scree_instance_show(const scree_plugin *plugin, const char *slot);
/** Creates an instance of what the scene chose. */
scree_instance *scree_instance_new(scree_runtime *runtime, const scree_choice_of *choice,
                                   const char *slot, GError **error);
/** The same for a slot of the run. */
scree_instance *scree_instance_at(scree_runtime *runtime, const scree_choice_of *choice,
                                  scree_slot slot, GError **error);
void scree_instance_free(scree_instance *instance);
/** Makes an error of a plugin that refuses its settings one of the scene: status and place. */
void scree_instance_blame_scene(const scree_instance *instance, GError **error);
/** Sets a fault that the host found after a call: the text of the next error, whatever the plugin
 * gave to host->fail. */
void scree_instance_misbehaved(scree_instance *instance, const char *what);
/** Takes that text; NULL: the last failure was not of this kind. To be freed. */
char *scree_instance_take_fault(scree_instance *instance);

#endif
