/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the machine and the build of a comparison. */
#ifndef CORE_COMPARE_MACHINE_H
#define CORE_COMPARE_MACHINE_H

#include "tools/compare/compare.h"

/** Facts: key, value, key, value, ..; elements: char *. */
GPtrArray *scree_comparison_machine(const scree_comparison *c);
/** Chooses the idlest CPUs for the children. */
void scree_comparison_pin(scree_comparison *c);
/** Prints a note when other processes have used much of these CPUs. */
void scree_comparison_note_load(scree_comparison *c);

#endif
