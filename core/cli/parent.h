/* SPDX-License-Identifier: Apache-2.0 */
/* The parent of a program: it sees how the program ends, whatever a plugin does. */
#ifndef CORE_PARENT_H
#define CORE_PARENT_H

#include <stdbool.h>

/** Forks, before the program has threads, handlers or children. Returns in the child, which
 * continues as the program; with --no-parent it does not fork. The parent passes signals on, and
 * ends as the child does. */
void scree_parent_begin(int argc, char *const *argv);

#endif
