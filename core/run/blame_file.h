/* SPDX-License-Identifier: Apache-2.0 */
/* A blamed call in a file: its arrays, as they were before the call. */
#ifndef CORE_BLAME_FILE_H
#define CORE_BLAME_FILE_H

#include "base/h5io.h"
#include "engine/blame.h"

/** To a file, or from it (then *blame is new). */
void scree_blame_transfer(scree_h5 *h5, scree_blame **blame);

#endif
