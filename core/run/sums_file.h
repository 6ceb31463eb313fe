/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads the sums of observers in a checkpoint. */
#ifndef CORE_SUMS_FILE_H
#define CORE_SUMS_FILE_H

#include "base/h5io.h"
#include "plugin/sums.h"

/** Writes *sums, or reads it; a file without sums leaves it NULL. */
void scree_saved_sums_transfer(scree_h5 *h5, GArray **sums);

#endif
