/* SPDX-License-Identifier: Apache-2.0 */
/* The text of an entry of the schedule: the keys and settings that it changes. */
#ifndef CORE_SCHEDULE_TEXT_H
#define CORE_SCHEDULE_TEXT_H

#include "scene/scene_schedule.h"

/** Appends the changes of an entry: "gcd, force, gravity (0 0 -9.81)". */
void scree_schedule_print(const scree_schedule_entry *entry, const scree_scene *scene,
                          GString *out);

#endif
