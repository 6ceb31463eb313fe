/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of `scree validate` about modifiers. */
#ifndef CORE_MODIFIER_LINES_H
#define CORE_MODIFIER_LINES_H

#include "scene/scene_data.h"

/** Prints a line per modifier: its plugin, and the values that it is given, in SI units. */
void scree_print_modifiers(const scree_scene *scene);

#endif
