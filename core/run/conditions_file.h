/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads what conditions remember in a checkpoint. */
#ifndef CORE_CONDITIONS_FILE_H
#define CORE_CONDITIONS_FILE_H

#include "base/h5io.h"

/** Writes *conditions, an array of double, or reads it; a file without them leaves it NULL. */
void scree_conditions_transfer(scree_h5 *h5, GArray **conditions);

#endif
