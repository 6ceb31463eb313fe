/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a blamed call to a replay file and reads it: its arrays as they were before the call. */
#ifndef CORE_BLAME_FILE_H
#define CORE_BLAME_FILE_H

#include "base/h5io.h"
#include "engine/blame.h"

/** Writes *blame, or reads it into a new *blame. */
void scree_blame_transfer(scree_h5 *h5, scree_blame **blame);

#endif
